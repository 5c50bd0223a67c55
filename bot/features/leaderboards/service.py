"""Leaderboards: the ratings of those members of a server who want to be listed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, func, select, update

from bot.domain.clocks import DAY
from bot.domain.ids import GuildId, UserId
from bot.domain.pools import all_pools
from bot.domain.ratings import Rating
from bot.features.leaderboards.rank_queue import queue_ranks_of_server
from bot.services.player_names import MEMBERSHIP_SECONDS
from bot.storage.connection import Connection
from bot.storage.database import Database, upsert
from bot.storage.schema import leaderboard_entries, rank_grants, rated_results

ACTIVE_SECONDS = 182 * DAY
"""Seconds without results until a player is not shown any more."""

_ENTRIES, _RESULTS = leaderboard_entries.c, rated_results.c


class LeaderboardPlace(NamedTuple):
    """A player on a leaderboard.

    Attributes:
        name: display name on the server.
        checked_at: UTC time when Discord last reported the player as a member.
        last_at: time of the last of them.
        number: the place; 0 while the rating is provisional.
    """

    user_id: UserId
    name: str
    checked_at: float
    rating: Rating
    results: int
    last_at: float
    number: int = 0

    def is_checked(self, now: float) -> bool:
        """Return whether Discord's last answer about the player holds; not one of the future."""
        return 0 <= now - self.checked_at <= MEMBERSHIP_SECONDS


class Leaderboards:
    """Reads leaderboards, and lists players on them."""

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock

    async def read(self, guild_id: GuildId, pool: str) -> list[LeaderboardPlace]:
        """Return the leaderboard of a pool on a server: provisional ratings are the last."""
        async with self._database.read() as connection:
            return await places_of(connection, guild_id, pool, self._clock())

    async def is_listed(self, guild_id: GuildId, user_id: UserId) -> bool:
        """Return whether a player wants to be listed on a server."""
        query = select(_ENTRIES.user_id).where(_one(guild_id, user_id))
        async with self._database.read() as connection:
            return (await connection.execute(query)).first() is not None

    async def join(self, guild_id: GuildId, user_id: UserId, name: str) -> None:
        """List a member of a server on its leaderboards.

        Their roles for ranks are given again: who left the server and came back has lost them.
        """
        async with self._database.write() as connection:
            row = {"name": name, "checked_at": self._clock()}
            key = {"guild_id": guild_id, "user_id": user_id}
            await upsert(connection, leaderboard_entries, **key, **row)
            query = update(rank_grants).filter_by(**key)
            await connection.execute(query.values(given=False))
            await queue_ranks_of_server(connection, guild_id, self._clock())

    async def leave(self, guild_id: GuildId, user_id: UserId) -> None:
        """Remove a player from the leaderboards of a server."""
        async with self._database.write() as connection:
            await connection.execute(delete(leaderboard_entries).where(_one(guild_id, user_id)))
            await queue_ranks_of_server(connection, guild_id, self._clock())

    async def store_check(
        self, guild_id: GuildId, names: Mapping[UserId, str | None], asked_at: float
    ) -> None:
        """Store which players are members of a server, and remove the others.

        Args:
            names: user ID → display name; None if they are no members.
            asked_at: time before Discord was asked. Who was listed since then is a member.
        """
        now = self._clock()
        is_listed_since = (_ENTRIES.checked_at > asked_at) & (_ENTRIES.checked_at <= now)
        async with self._database.write() as connection:
            for user_id, name in sorted(names.items()):
                is_entry = _one(guild_id, user_id)
                if name is None:
                    former = delete(leaderboard_entries).where(is_entry, ~is_listed_since)
                    await connection.execute(former)
                else:
                    query = update(leaderboard_entries).where(is_entry)
                    await connection.execute(query.values(name=name, checked_at=now))

    async def usual_pool(self, guild_id: GuildId, user_id: UserId) -> str:
        """Return the pool of a user's latest result, by default the pool with most players here."""
        is_current = _RESULTS.pool.in_(all_pools())
        latest = select(_RESULTS.pool).where(_RESULTS.user_id == user_id, is_current)
        latest = latest.order_by(_RESULTS.ended_at.desc()).limit(1)
        most_played = (
            select(_RESULTS.pool)
            .join(leaderboard_entries, _ENTRIES.user_id == _RESULTS.user_id)
            .where(_ENTRIES.guild_id == guild_id, is_current)
            .group_by(_RESULTS.pool)
            .order_by(func.count(_RESULTS.user_id.distinct()).desc(), _RESULTS.pool)
            .limit(1)
        )
        async with self._database.read() as connection:
            pool = (await connection.execute(latest)).scalar()
            pool = pool or (await connection.execute(most_played)).scalar()
        return pool or all_pools()[0]


def _one(guild_id: GuildId, user_id: UserId) -> ColumnElement[bool]:
    """Return the condition for the entry of a player."""
    return (_ENTRIES.guild_id == guild_id) & (_ENTRIES.user_id == user_id)


async def places_of(
    connection: Connection, guild_id: GuildId, pool: str, now: float
) -> list[LeaderboardPlace]:
    """Return the leaderboard of a pool on a server; a single query."""
    other = rated_results.alias()
    is_result = (other.c.user_id == _ENTRIES.user_id) & (other.c.pool == pool)
    last = select(func.max(other.c.number)).where(is_result).correlate(leaderboard_entries)
    count = select(func.count()).select_from(other).where(is_result).correlate(leaderboard_entries)
    query = (
        select(
            *(_ENTRIES.user_id, _ENTRIES.name, _ENTRIES.checked_at, _RESULTS.mu, _RESULTS.sigma),
            *(count.scalar_subquery(), _RESULTS.ended_at),
        )
        .select_from(leaderboard_entries)
        .join(
            rated_results,
            (_RESULTS.user_id == _ENTRIES.user_id)
            & (_RESULTS.pool == pool)
            & (_RESULTS.number == last.scalar_subquery()),
        )
        .where(_ENTRIES.guild_id == guild_id, _RESULTS.ended_at > now - ACTIVE_SECONDS)
    )
    places = [
        LeaderboardPlace(user_id, name, checked_at, Rating(mu, sigma), results, last_at)
        for user_id, name, checked_at, mu, sigma, results, last_at in await connection.execute(
            query
        )
    ]
    return _numbered(places)


def _numbered(places: Sequence[LeaderboardPlace]) -> list[LeaderboardPlace]:
    """Return players in order, with their places; equal ratings share a place."""

    def order(place: LeaderboardPlace) -> tuple[bool, int, int]:
        return place.rating.is_provisional, -place.rating.number, place.user_id

    ordered = sorted(places, key=order)
    numbers: dict[int, int] = {}
    for number, place in enumerate(ordered, 1):
        if not place.rating.is_provisional:
            numbers.setdefault(place.rating.number, number)
    return [
        place
        if place.rating.is_provisional
        else place._replace(number=numbers[place.rating.number])
        for place in ordered
    ]
