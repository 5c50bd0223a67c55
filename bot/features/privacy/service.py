"""Complete deletion of a user's data."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Executable,
    String,
    cast,
    delete,
    exists,
    or_,
    select,
    tuple_,
    update,
)

from bot.domain.ids import DELETED_USER_ID, MatchId, UserId, is_person
from bot.domain.models import DELETED_PLAYER, MatchStatus
from bot.domain.outbox import Target
from bot.personal import SCRUB, Personal
from bot.services.events import UserLeaving
from bot.services.matches import Matches
from bot.services.preferences import PreferenceKey, blocked_by
from bot.services.rated_results import anonymous_id
from bot.storage.connection import Connection
from bot.storage.database import Database, upsert
from bot.storage.due import finds_any
from bot.storage.hooks import publish
from bot.storage.leases import Leases
from bot.storage.schema import (
    absences,
    facts,
    matches,
    outbox,
    plans,
    players,
    posted_messages,
    rated_results,
    seats,
    vacations,
)

log = logging.getLogger(__name__)

ERASED_FACT = "erased"
"""Name of the fact with the number of the last listed deletion applied to this database."""

SCRUB_LEASE_SECONDS = 600.0
"""Lease duration for purging files."""

PAUSE = f"{SCRUB} pause"
"""Name of the slot for a purge."""

ERASURES = "erasures"
"""Name of the lease for finishing deletions that were interrupted."""

ERASURES_LEASE_SECONDS = 600.0
"""Duration of that lease. Losing it does no harm, see `Privacy._finish`."""

BEGUN = "erasing "
"""Prefix of fact names with the ID of a user whose deletion has begun."""

MATCHES_AT_ONCE = 4
"""Maximum number of matches in progress that a user leaves in one transaction; all others wait."""

PERSONAL = (
    seats.c.user_id,
    matches.c.challenger_id,
    players.c.user_id,
    absences.c.user_id,
    vacations.c.user_id,
    posted_messages.c.user_id,
    rated_results.c.user_id,
)
"""The columns of the core with user IDs; `outbox.c.target` has some as well."""

_SCRUB = select(facts).where(facts.c.name == SCRUB)

SCRUB_DUE = finds_any(_SCRUB)

_BEGUN = select(facts.c.name).where(facts.c.name.startswith(BEGUN))

ERASURES_DUE = finds_any(_BEGUN)
"""The condition that deletions have begun: they are running, or were interrupted."""


class Privacy:
    """Deletes the stored data of a user.

    Args:
        matches: ends the user's matches in progress.
    """

    def __init__(
        self,
        database: Database,
        matches: Matches,
        leases: Leases,
        personal: Sequence[Personal],
    ) -> None:
        self._database = database
        self._personal = personal
        self._columns = user_id_columns(personal)
        self._leases = leases
        self._matches = matches
        self._active: set[UserId] = set()

    async def erase(self, user_id: UserId) -> bool:
        """Resign or leave all of a user's matches in progress and delete the user's data.

        Returns:
            Whether there was any data to delete; if not, nothing is written.
        """
        async with self._database.read() as connection:
            if not await _has_data(connection, self._columns, user_id):
                return False
        await self._finish(user_id, begun=False)
        return True

    async def resume(self) -> int:
        """Finish the deletions that were interrupted: at the start, and as a background job.

        Returns:
            The number of users deleted.
        """
        async with self._database.read() as connection:
            names = (await connection.execute(_BEGUN)).scalars().all()
        users = {UserId(int(name.removeprefix(BEGUN))) for name in names} - self._active
        if users and await self._leases.take(ERASURES, ERASURES_LEASE_SECONDS) is None:
            return 0
        for user_id in sorted(users):
            await self._finish(user_id, begun=True)
        return len(users)

    async def _finish(self, user_id: UserId, *, begun: bool) -> None:
        """Leave all matches of a user and delete the data.

        Two processes may do so at once. The one that comes last changes nothing: meanwhile, the
        user may have come back.

        Args:
            begun: whether this continues a deletion.
        """
        self._active.add(user_id)
        try:
            begun = await self._leave_most(user_id, begun=begun)
            async with self._database.write(exclusive=True) as connection:
                if begun and not await _has_begun(connection, user_id):
                    return
                await self._erase(connection, user_id)
                last = await _last_erasure(connection)
                listed = await self._database.erasures.read(connection)
                new = listed.after(user_id, last)
                await upsert(connection, facts, name=ERASED_FACT, value=str(new[-1].number))
                await self._database.erasures.add(connection, new)
        finally:
            self._active.discard(user_id)

    async def _running(self, user_id: UserId) -> set[MatchId]:
        """Return the numbers of a user's matches in progress."""
        user_matches = select(seats.c.match_id).where(seats.c.user_id == user_id)
        running = matches.c.id.in_(user_matches) & (matches.c.status == MatchStatus.RUNNING)
        async with self._database.read() as connection:
            numbers = await connection.execute(select(matches.c.id).where(running))
            return set(numbers.scalars())

    async def _leave_most(self, user_id: UserId, *, begun: bool) -> bool:
        """Leave matches in progress one by one until few are left, so that others can continue.

        From now on the deletion will be finished, even if the bot is stopped.

        Args:
            begun: whether the deletion had begun before.

        Returns:
            Whether the deletion has begun, and ends by deleting the fact that says so.
        """
        left_ids = set[MatchId]()  # of three players, the others play on
        while len(running := await self._running(user_id) - left_ids) > MATCHES_AT_ONCE:
            async with self._database.write(exclusive=True) as connection:
                if begun and not await _has_begun(connection, user_id):
                    break
                await upsert(connection, facts, name=f"{BEGUN}{user_id}", value="")
                await publish(connection, UserLeaving(user_id))
            begun = True
            for match_id in sorted(running)[MATCHES_AT_ONCE:]:
                async with self._database.write() as connection:
                    await self._matches.leave_running(connection, match_id, user_id)
                left_ids.add(match_id)
        return begun

    async def erase_again(self) -> int:
        """Repeat the deletions made since a restored backup was created.

        Returns:
            The number of users deleted.
        """
        async with self._database.read() as connection:
            applied = await _last_erasure(connection)
            listed = await self._database.erasures.read(connection)
            if listed.last <= applied:
                return 0
            users = listed.among(await _everyone(connection, self._columns), applied)
        for user_id in users:
            await self._leave_most(user_id, begun=False)
            async with self._database.write(exclusive=True) as connection:
                await self._erase(connection, user_id)
        async with self._database.write() as connection:
            await upsert(connection, facts, name=ERASED_FACT, value=str(listed.last))
        if users:
            log.info("deleted the data of %d users again after a restore", len(users))
        return len(users)

    async def _erase(self, connection: Connection, user_id: UserId) -> None:
        """Leave a user's matches in progress, and delete the data; others can read during that."""
        await self._matches.leave_all(connection, user_id)
        of_features = [part for personal in self._personal for part in personal.erase(user_id)]
        for statement in (*_deletions(user_id, await anonymous_id(connection)), *of_features):
            await connection.execute(statement)
            await asyncio.sleep(0)
        await _unblock(connection, user_id)
        await upsert(connection, facts, name=SCRUB, value="due")

    async def scrub(self) -> None:
        """Remove remains of deleted rows from the files; a background job."""
        async with self._database.read() as connection:
            is_due = (await connection.execute(_SCRUB)).first()
        pause = self._database.purge_pause
        if not is_due or await self._leases.seconds_left(PAUSE, pause):
            return
        if not (lease := await self._leases.take(SCRUB, SCRUB_LEASE_SECONDS)):
            return
        if await self._database.purge():
            async with self._database.write() as connection:
                await lease.fence(connection)
                await connection.execute(delete(facts).where(facts.c.name == SCRUB))
            await self._leases.turn(PAUSE, pause)


def user_id_columns(personal: Iterable[Personal]) -> list[ColumnElement[UserId]]:
    """Return all columns with user IDs, of the core and of features."""
    return [*PERSONAL, *(column for part in personal for column in part.columns)]


def _deletions(user_id: UserId, anonymous: int) -> Iterator[Executable]:
    """Yield the statements that delete a user's data or make it anonymous, in order.

    Args:
        anonymous: stands for the user in the results of rated matches.
    """
    deleted = DELETED_USER_ID
    user_seats = select(seats.c.match_id, seats.c.seat).where(seats.c.user_id == user_id)
    yield delete(plans).where(tuple_(plans.c.match_id, plans.c.seat).in_(user_seats))
    user_rows = update(seats).where(seats.c.user_id == user_id)
    yield user_rows.values(user_id=deleted, name=DELETED_PLAYER.name, level=None, days_off=None)
    challenges = update(matches).where(matches.c.challenger_id == user_id)
    yield challenges.values(challenger_id=deleted)
    rated = update(rated_results).where(rated_results.c.user_id == user_id)
    yield rated.values(user_id=anonymous)
    yield delete(outbox).where(_to(user_id))
    for table in (players, absences, vacations, posted_messages):
        yield delete(table).where(table.c.user_id == user_id)
    yield delete(facts).where(facts.c.name == f"{BEGUN}{user_id}")


async def _has_begun(connection: Connection, user_id: UserId) -> bool:
    """Return whether a deletion has begun and is not finished."""
    query = select(facts.c.name).where(facts.c.name == f"{BEGUN}{user_id}")
    return (await connection.execute(query)).first() is not None


async def _last_erasure(connection: Connection) -> int:
    """Return the number of the last deletion applied to this database."""
    query = select(facts.c.value).where(facts.c.name == ERASED_FACT)
    return int((await connection.execute(query)).scalar_one_or_none() or 0)


async def _everyone(
    connection: Connection, columns: Iterable[ColumnElement[UserId]]
) -> set[UserId]:
    """Return the user IDs of all users with stored data."""
    users: set[UserId | None] = set()
    for column in columns:
        users |= set((await connection.execute(select(column).distinct())).scalars())
    targets = select(outbox.c.target).distinct()
    stored = (await connection.execute(targets)).scalars()
    users |= {Target.parse(target).user_id for target in stored}
    return {user_id for user_id in users if user_id and is_person(user_id)}


async def _has_data(
    connection: Connection, columns: Iterable[ColumnElement[UserId]], user_id: UserId
) -> bool:
    """Return whether any data of a user is stored."""
    stored = [column == user_id for column in columns]
    conditions = [exists().where(condition) for condition in (*stored, _to(user_id))]
    return bool((await connection.execute(select(or_(*conditions)))).scalar_one())


async def _unblock(connection: Connection, user_id: UserId) -> None:
    """Remove a user from the block lists of other players."""
    blocks_user = cast(players.c.preferences, String).contains(str(user_id))
    for row in (await connection.execute(select(players).where(blocks_user))).all():
        blocked_ids = [
            blocked_id for blocked_id in blocked_by(row.preferences) if blocked_id != user_id
        ]
        preferences = {**row.preferences, PreferenceKey.BLOCKED: " ".join(map(str, blocked_ids))}
        await upsert(connection, players, user_id=row.user_id, preferences=preferences)


def _to(user_id: UserId) -> Any:
    """Return the condition for queued messages to a single user."""
    return outbox.c.target == str(Target(user_id))
