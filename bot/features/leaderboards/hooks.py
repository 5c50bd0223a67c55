"""The handlers of leaderboards in the transactions of the core."""

from __future__ import annotations

from sqlalchemy import ColumnElement, and_, select, update

from bot.feature import Foundation
from bot.features.leaderboards.rank_queue import on_ratings_changed
from bot.services.events import NameChanged, NameSeen, RatingsChanged
from bot.storage.connection import Connection
from bot.storage.hooks import Handlers
from bot.storage.schema import leaderboard_entries


def hooks(_foundation: Foundation) -> Handlers:
    """Return the handlers of events."""
    return {
        NameSeen: _has_other_name,
        NameChanged: _rename,
        RatingsChanged: on_ratings_changed,
    }


async def _has_other_name(connection: Connection, event: NameSeen) -> bool:
    """Return whether the leaderboards of a server have another name of a user."""
    entry = select(leaderboard_entries.c.guild_id).where(_with_other_name(event))
    return (await connection.execute(entry)).first() is not None


async def _rename(connection: Connection, event: NameChanged) -> None:
    """Store the name of a user on the leaderboards of a server."""
    entry = update(leaderboard_entries).where(_with_other_name(event))
    await connection.execute(entry.values(name=event.name))


def _with_other_name(event: NameSeen | NameChanged) -> ColumnElement[bool]:
    entry = leaderboard_entries.c
    return and_(
        entry.guild_id == event.guild_id, entry.user_id == event.user_id, entry.name != event.name
    )
