"""The services and images that handlers of commands and components use, without the client."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeVar

from bot.clicked_messages import ClickedMessages
from bot.domain.computer_audit import AuditRecord
from bot.domain.computer_players import has_computer
from bot.interactions.guild_turns import GuildTurns
from bot.interactions.private_cards import PrivateCards
from bot.interactions.user_limits import UserLimits
from bot.services.computer_turns import ComputerTurns
from bot.services.factory import Services
from bot.services.pings import RecentClicks
from bot.services.player_names import PlayerNames
from bot.services.preferences import Preferences
from bot.services.queries import Queries
from bot.services.servers import Servers
from bot.services.suggestions import Suggestions
from bot.views.images import BoardImages

T = TypeVar("T")


@dataclass(frozen=True)
class Context(Services):
    """The services of matches, and the other dependencies of the handlers.

    `bot.app.wiring` builds it once.

    Attributes:
        queries: matches as a user may see them.
        clicks: when players were last here.
        limits: each user's work in progress.
        audit: repeats the computer's choices in a finished match.
        computers: whether the computer can play.
        contact: address for reporting a problem; empty if not configured.
        services: services of features, by class; see `of`.
        closers: called before the bot disconnects.
    """

    suggestions: Suggestions
    queries: Queries
    preferences: Preferences
    names: PlayerNames
    servers: Servers
    images: BoardImages
    clicked: ClickedMessages
    clicks: RecentClicks
    cards: PrivateCards
    limits: UserLimits
    guild_turns: GuildTurns
    computer_turns: ComputerTurns
    audit: AuditRecord
    computers: bool
    contact: str
    clock: Callable[[], float]
    services: Mapping[type[Any], Any] = field(default_factory=dict)
    cache_clearers: Sequence[Callable[[], None]] = ()
    closers: Sequence[Callable[[], None]] = ()

    def of(self, kind: type[T]) -> T:
        """Return a service of a feature by its class.

        Raises:
            KeyError: the feature is left out, so nothing of it should run.
        """
        service: T = self.services[kind]
        return service

    def can_play(self, game: str) -> bool:
        """Return whether the computer can play a game here."""
        return self.computers and has_computer(game)

    def clear_caches(self) -> None:
        """Clear all cached match data, because it may contain deleted names."""
        for clear in self.cache_clearers:
            clear()
        self.clicked.clear()
        self.cards.clear()
        self.names.clear_cache()
        self.images.clear_cache()
        self.queries.clear_cache()
