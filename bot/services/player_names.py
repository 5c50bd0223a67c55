"""The names of players, kept up to date with the servers where they play."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence

from sqlalchemy import and_, select, update

from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.models import MatchStatus
from bot.services.events import MatchesChanged, NameChanged, NameSeen
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.hooks import publish
from bot.storage.schema import matches, seats

MEMBERSHIP_SECONDS = 600.0
"""Lifetime in seconds of Discord's answer that a player is a member of a server."""

MAX_SEEN = 10_000
"""Maximum number of names that are remembered."""

_IN_PROGRESS = matches.c.status.in_((MatchStatus.CHALLENGE, MatchStatus.RUNNING))


class PlayerNames:
    """Stores changed names in matches that are not over; features store theirs.

    A member can have another name on each server, so a name counts where it was seen.
    """

    def __init__(self, database: Database, clock: Callable[[], float]) -> None:
        self._database = database
        self._clock = clock
        self._seen: OrderedDict[tuple[UserId, int], str] = OrderedDict()

    async def update(self, user_id: UserId, guild_id: GuildId, name: str) -> None:
        """Replace a user's stored names on a server by the present one.

        The name that this process saw last is remembered, so that most calls read nothing.
        """
        key = (user_id, guild_id)
        if self._seen.get(key) == name:
            self._seen.move_to_end(key)
            return
        async with self._database.read() as connection:
            seen = NameSeen(user_id, guild_id, name)
            outdated = bool(await _outdated(connection, user_id, guild_id, name))
            outdated = outdated or await self._database.hooks.publish(connection, seen)
        if outdated:
            async with self._database.write() as connection:
                await self._store(connection, user_id, guild_id, name)
        self._seen[key] = name
        if len(self._seen) > MAX_SEEN:
            self._seen.popitem(last=False)

    def clear_cache(self) -> None:
        """Forget the names that were seen."""
        self._seen.clear()

    async def _store(
        self, connection: Connection, user_id: UserId, guild_id: GuildId, name: str
    ) -> None:
        """Store a name, and queue updates of the messages with it, in one transaction."""
        match_ids = await _outdated(connection, user_id, guild_id, name)
        for match_id in match_ids:
            seat = and_(seats.c.match_id == match_id, seats.c.user_id == user_id)
            await connection.execute(update(seats).where(seat).values(name=name))
        if match_ids:
            await publish(connection, MatchesChanged(match_ids, self._clock()))
        await publish(connection, NameChanged(user_id, guild_id, name))


async def _outdated(
    connection: Connection, user_id: UserId, guild_id: GuildId, name: str
) -> Sequence[MatchId]:
    """Return the matches of a server that have another name of a user."""
    in_matches = (
        select(matches.c.id)
        .join(seats, seats.c.match_id == matches.c.id)
        .where(seats.c.user_id == user_id, seats.c.name != name)
        .where(matches.c.guild_id == guild_id, _IN_PROGRESS)
        .order_by(matches.c.id)
    )
    return (await connection.execute(in_matches)).scalars().all()
