"""Roles for ranks: the roles of a server, their minimum ratings, and who has got them.

The wanted roles follow from the leaderboards; `rank_sender` grants and removes the difference on
Discord. A grant is stored before it is made, so none is forgotten, and the bot removes only roles
that it granted.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from sqlalchemy import delete, select, update

from bot.domain.clocks import DAY
from bot.domain.ids import GuildId, UserId
from bot.features.leaderboards.service import places_of
from bot.personal import SCRUB
from bot.storage.connection import Connection
from bot.storage.database import Database, get_or_create, upsert
from bot.storage.due import finds_any, has_come
from bot.storage.schema import (
    facts,
    guilds,
    leaderboard_entries,
    rank_grants,
    rank_roles,
)

TOPIC = "ranks"
"""Notified when roles need an update."""

MAX_ROLES = 10
"""Maximum number of roles of a server."""

MAX_RATING = 9999

CLAIM_SECONDS = 300.0
"""Seconds until an unfinished update of a server is repeated."""

FAR_SECONDS = 2.0 * DAY
"""An update is due within a day: a later one was stored when the clock was ahead."""

_GRANTS = rank_grants.c

_DUE = select(guilds.c.guild_id).where(has_come(guilds.c.ranks_due_at, FAR_SECONDS))

RANKS_DUE = finds_any(_DUE)


class RankRole(NamedTuple):
    """A role, and the minimum rating in a pool to get it."""

    role_id: int
    pool: str
    threshold: int


class RoleChange(NamedTuple):
    """A role to grant to a member, or to remove.

    Attributes:
        user_id: user ID of the member.
        give: whether it is given.
        is_last: whether the member is forgotten then, even if the role cannot be removed.
    """

    user_id: UserId
    role_id: int
    give: bool
    is_last: bool = False


class RankRoles:
    """Reads and stores the roles for ranks."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    # What a server chooses

    async def of_server(self, guild_id: GuildId) -> list[RankRole]:
        """Return the roles of a server: by pool, the highest first."""
        async with self._database.read() as connection:
            return await _roles(connection, guild_id)

    async def choose(self, guild_id: GuildId, role: RankRole) -> bool:
        """Store the minimum rating for a role; return False if there are too many roles."""
        async with self._database.write() as connection:
            await get_or_create(connection, guilds, guild_id=guild_id, settings={})
            others = [r for r in await _roles(connection, guild_id) if r.role_id != role.role_id]
            if len(others) >= MAX_ROLES:
                return False
            await upsert(connection, rank_roles, guild_id=guild_id, **role._asdict())
            await self._queue(connection, guild_id)
        return True

    async def remove(self, guild_id: GuildId, role_id: int) -> None:
        """Give a role no longer; those who have got it from the bot lose it."""
        is_role = (rank_roles.c.guild_id == guild_id) & (rank_roles.c.role_id == role_id)
        async with self._database.write() as connection:
            await connection.execute(delete(rank_roles).where(is_role))
            await self._queue(connection, guild_id)

    async def _queue(self, connection: Connection, guild_id: GuildId) -> None:
        query = update(guilds).where(guilds.c.guild_id == guild_id)
        await connection.execute(query.values(ranks_due_at=self._clock()))
        self._database.notify(TOPIC)

    # For the outbox

    async def due(self) -> list[GuildId]:
        """Return the servers whose roles need an update."""
        async with self._database.read() as connection:
            return list((await connection.execute(_DUE, {"now": self._clock()})).scalars())

    async def claim(self, guild_id: GuildId) -> float:
        """Begin an update; it is repeated unless it is `finish`ed.

        Returns:
            When it is repeated.
        """
        repeated_at = self._clock() + CLAIM_SECONDS
        query = update(guilds).where(guilds.c.guild_id == guild_id)
        async with self._database.write() as connection:
            await connection.execute(query.values(ranks_due_at=repeated_at))
        return repeated_at

    async def finish(self, guild_id: GuildId, claimed: float, pause: float = DAY) -> None:
        """End an update; the next one is due after a pause, or at once if one was queued since."""
        query = update(guilds).where(
            guilds.c.guild_id == guild_id, guilds.c.ranks_due_at == claimed
        )
        granted = select(_GRANTS.user_id).where(_GRANTS.guild_id == guild_id).limit(1)
        async with self._database.write() as connection:
            needed = bool(await _roles(connection, guild_id))
            needed = needed or (await connection.execute(granted)).first() is not None
            due = self._clock() + pause if needed else None
            await connection.execute(query.values(ranks_due_at=due))

    async def changes(self, guild_id: GuildId) -> list[RoleChange]:
        """Return the role changes for a server: removals, of deleted players first, then grants."""
        grants = select(_GRANTS.user_id, _GRANTS.role_id, _GRANTS.given, _GRANTS.erased)
        async with self._database.read() as connection:
            wanted = await _wanted(connection, guild_id, self._clock())
            rows = (await connection.execute(grants.where(_GRANTS.guild_id == guild_id))).all()
        granted = {(row.user_id, row.role_id): row.given and not row.erased for row in rows}
        erased = {(row.user_id, row.role_id) for row in rows if row.erased}
        to_take = [
            RoleChange(*key, give=False, is_last=key in erased)
            for key in sorted(granted.keys() - wanted, key=lambda key: (key not in erased, key))
        ]
        return to_take + [
            RoleChange(*key, give=True) for key in sorted(wanted) if not granted.get(key)
        ]

    async def begin_change(self, guild_id: GuildId, change: RoleChange) -> bool:
        """Store a change before Discord is asked for it.

        Returns:
            False if a role is not to be given any more: since `changes`, the player may have left
            the leaderboards, or had all data deleted.
        """
        if not change.give:
            return True
        user_id, role_id = change.user_id, change.role_id
        listed = select(leaderboard_entries.c.user_id)
        listed = listed.filter_by(guild_id=guild_id, user_id=user_id)
        key = {"guild_id": guild_id, "user_id": user_id, "role_id": role_id}
        async with self._database.write() as connection:
            if (await connection.execute(listed)).first() is None:
                return False
            await upsert(connection, rank_grants, **key, given=False, erased=False)
        return True

    async def end_change(self, guild_id: GuildId, change: RoleChange) -> None:
        """Store that Discord has made a change.

        A role granted to a player whose data was deleted meanwhile still has to be removed.
        """
        key = {"guild_id": guild_id, "user_id": change.user_id, "role_id": change.role_id}
        async with self._database.write() as connection:
            if change.give:
                query = update(rank_grants).filter_by(**key, erased=False)
                await connection.execute(query.values(given=True))
            else:
                await _forget(connection, **key)

    async def forget_member(self, guild_id: GuildId, user_id: UserId) -> None:
        """Remove a player who has left a server from its leaderboards, and their roles."""
        async with self._database.write() as connection:
            listed = delete(leaderboard_entries).filter_by(guild_id=guild_id, user_id=user_id)
            await connection.execute(listed)
            await _forget(connection, guild_id=guild_id, user_id=user_id)

    async def forget_role(self, guild_id: GuildId, role_id: int) -> None:
        """Remove a role that was deleted; those who had it may have another one now."""
        query = delete(rank_roles).filter_by(guild_id=guild_id, role_id=role_id)
        async with self._database.write() as connection:
            if (await connection.execute(query)).rowcount:
                await self._queue(connection, guild_id)
            await _forget(connection, guild_id=guild_id, role_id=role_id)

    async def forget_erased(self, guild_id: GuildId) -> None:
        """Forget the roles of deleted players that cannot be removed."""
        async with self._database.write() as connection:
            await _forget(connection, guild_id=guild_id, erased=True)


async def _forget(connection: Connection, **fields: int | bool) -> None:
    """Delete grants; if a deleted player had one, overwrite them in the files, too."""
    erased_user = select(_GRANTS.user_id).filter_by(**fields).where(_GRANTS.erased).limit(1)
    if (await connection.execute(erased_user)).first() is not None:
        await upsert(connection, facts, name=SCRUB, value="due")
    await connection.execute(delete(rank_grants).filter_by(**fields))


async def _roles(connection: Connection, guild_id: GuildId) -> list[RankRole]:
    query = select(rank_roles.c.role_id, rank_roles.c.pool, rank_roles.c.threshold)
    query = query.where(rank_roles.c.guild_id == guild_id)
    order = (rank_roles.c.pool, rank_roles.c.threshold.desc(), rank_roles.c.role_id)
    return [RankRole(*row) for row in await connection.execute(query.order_by(*order))]


async def _wanted(connection: Connection, guild_id: GuildId, now: float) -> set[tuple[UserId, int]]:
    """Return user ID and role ID for all who should have a role: the highest one of each pool."""
    by_pool: dict[str, list[RankRole]] = {}
    for role in await _roles(connection, guild_id):
        by_pool.setdefault(role.pool, []).append(role)
    wanted = set[tuple[UserId, int]]()
    for pool, roles in by_pool.items():
        for place in await places_of(connection, guild_id, pool, now):
            reached = [role for role in roles if place.rating.number >= role.threshold]
            if place.number and reached:
                wanted.add((place.user_id, reached[0].role_id))
    return wanted
