"""What commands and components may use: services, pictures, and nothing of the client."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bot.interactions.animations import Animations
from bot.services.boards import Boards
from bot.services.challenges import Challenges
from bot.services.deadlines import Deadlines
from bot.services.matches import Matches
from bot.services.preferences import Preferences
from bot.services.privacy import Privacy
from bot.services.queries import Queries
from bot.services.rematches import Rematches
from bot.services.servers import Servers
from bot.services.takebacks import Takebacks
from bot.services.vacation import Vacations
from bot.views.images import BoardImages


@dataclass(frozen=True)
class Context:
    """The dependencies of the handlers, built once by `bot.app.client`.

    Attributes:
        challenges: what comes before a match.
        rematches: what comes after it.
        matches: playing.
        takebacks: taking choices back.
        boards: where and when boards are posted.
        deadlines: lost time and reminders.
        queries: what a user may see of matches.
        preferences: what players have chosen for themselves.
        servers: what servers have chosen.
        vacations: who is away.
        privacy: export and deletion of a user's data.
        images: drawn boards.
        animations: of finished matches.
        contact: where people report a problem; empty if nothing is said of it.
        clock: the time in UTC seconds.
    """

    challenges: Challenges
    rematches: Rematches
    matches: Matches
    takebacks: Takebacks
    boards: Boards
    deadlines: Deadlines
    queries: Queries
    preferences: Preferences
    servers: Servers
    vacations: Vacations
    privacy: Privacy
    images: BoardImages
    animations: Animations
    contact: str
    clock: Callable[[], float]

    def forget(self) -> None:
        """Drop everything that is cached about matches: names in it may have been deleted."""
        self.animations.forget()
        self.images.forget()
        self.queries.forget()
