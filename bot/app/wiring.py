"""Wiring: the services that commands and components use, on one database."""

from __future__ import annotations

from collections.abc import Callable

from bot.interactions.animations import Animations
from bot.interactions.context import Context
from bot.services.matches import Matches
from bot.services.preferences import Preferences
from bot.services.privacy import Privacy
from bot.services.queries import Queries
from bot.services.servers import Servers
from bot.services.vacation import Vacations
from bot.storage.database import Database
from bot.storage.leases import Leases
from bot.views.images import BoardImages


def context_on(
    database: Database,
    clock: Callable[[], float],
    make_seed: Callable[[], bytes],
    leases: Leases,
    contact: str,
) -> Context:
    """Return the services on a database.

    Args:
        database: opened and migrated.
        clock: the time in UTC seconds.
        make_seed: 32 secret bytes for the dice of a new match.
        leases: of this process.
        contact: where people report a problem; may be empty.
    """
    matches, images = Matches(database, clock, make_seed), BoardImages()
    return Context(
        matches=matches,
        queries=Queries(database),
        preferences=Preferences(database),
        servers=Servers(database),
        vacations=Vacations(database, clock),
        privacy=Privacy(database, matches, leases),
        images=images,
        animations=Animations(images.idle),
        contact=contact,
        clock=clock,
    )
