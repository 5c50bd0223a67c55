"""The queue of servers whose roles for ranks need an update."""

from __future__ import annotations

from collections.abc import Collection, Iterator

from sqlalchemy import Executable, select, update

from bot.domain.ids import GuildId, UserId
from bot.services.events import RatingsChanged
from bot.storage.connection import Connection
from bot.storage.schema import guilds, leaderboard_entries, rank_grants, rank_roles

AT_ONCE = 0.0
"""A time that has passed."""

_WITH_ROLES = guilds.c.guild_id.in_(select(rank_roles.c.guild_id))


async def queue_ranks(connection: Connection, user_ids: Collection[UserId], now: float) -> None:
    """Queue updates of the roles on all servers with these users on their leaderboards."""
    listed = select(leaderboard_entries.c.guild_id).where(
        leaderboard_entries.c.user_id.in_(user_ids)
    )
    query = update(guilds).where(guilds.c.guild_id.in_(listed), _WITH_ROLES)
    await connection.execute(query.values(ranks_due_at=now))


async def queue_ranks_of_server(connection: Connection, guild_id: GuildId, now: float) -> None:
    """Queue an update of a server's roles, if it has chosen some."""
    query = update(guilds).where(guilds.c.guild_id == guild_id, _WITH_ROLES)
    await connection.execute(query.values(ranks_due_at=now))


async def on_ratings_changed(connection: Connection, event: RatingsChanged) -> None:
    """Queue updates of the roles of a rated match's players."""
    await queue_ranks(connection, event.user_ids, event.now)


def erase_grants(user_id: UserId) -> Iterator[Executable]:
    """Queue the removal of all roles of a user; their rows are deleted then."""
    is_user = rank_grants.c.user_id == user_id
    yield update(rank_grants).where(is_user).values(erased=True)
    query = update(guilds).where(
        guilds.c.guild_id.in_(select(rank_grants.c.guild_id).where(is_user))
    )
    yield query.values(ranks_due_at=AT_ONCE)
