"""Analyses of finished matches: requested by users, made one at a time, then kept.

They are made in the order in which they were requested, which is fair because no user waits for
two; one whose attempt has failed comes after all that were not attempted as often. Who waits is
not stored, so a process knows only of the requests since its start.

The process that holds the lease makes them in the background; `analyst.py`
runs it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from enum import StrEnum
from time import monotonic
from typing import Any

from sqlalchemy import ColumnElement, insert, select, update

from bot.domain.ids import MatchId, UserId
from bot.services.queries import Queries
from bot.storage.database import Database
from bot.storage.due import finds_any
from bot.storage.leases import Lease, Leases
from bot.storage.schema import analyses
from engine.computer.analysis import VERSION, Analysis
from engine.record import Record

TOPIC = "analyses"
"""Notified when an analysis is requested."""

LEASE_NAME = "analysis"

LEASE_SECONDS = 300.0
"""Lease duration of one analysis."""

MAX_ATTEMPTS = 3
"""Maximum attempts for an analysis; after the last one, a user can request it again."""

POLL_SECONDS = 2.0
"""Seconds between two checks for an analysis that another process is making."""

FAILED = ""
"""Result of an analysis whose last attempt has failed."""

_WAITING = (analyses.c.version == VERSION) & analyses.c.result.is_(None)
"""Analyses that are queued or in progress."""

_OPEN = analyses.c.attempts < MAX_ATTEMPTS
"""Analyses with an attempt left."""

_REQUESTED = (
    select(analyses.c.match_id)
    .where(_WAITING, _OPEN)
    .order_by(analyses.c.attempts, analyses.c.requested_at)
    .limit(1)
)

ANALYSES_DUE = finds_any(_REQUESTED)


class WaitEnd(StrEnum):
    """The end of a wait without an analysis."""

    FAILED = "failed"
    UNFINISHED = "unfinished"
    """It took too long, or the bot is stopping; the next process goes on with it."""
    RETRIED = "retried"
    """An attempt has failed, and another has begun: the wait goes on."""
    REPLACED = "replaced"
    """The user waits with another reply now."""


WaitFor = Callable[[Awaitable[Analysis | WaitEnd]], Awaitable[Analysis | WaitEnd]]
"""Awaits an analysis."""


@dataclass(slots=True, eq=False)
class _Wait:
    """A user's wait for an analysis.

    Attributes:
        end: when it ends at the latest, see `monotonic`.
        attempts: number of attempts that the user knows of.
    """

    end: float
    attempts: int = 1


async def _unsaid() -> None:
    """Say nothing about another attempt."""


class Analyses:
    """Requests analyses, and waits for them.

    Args:
        wait_for: see `bot.workers.pool.WorkerPool.wait_for`.
    """

    def __init__(
        self,
        database: Database,
        queries: Queries,
        leases: Leases,
        clock: Callable[[], float],
        wait_for: WaitFor,
    ) -> None:
        self._database = database
        self._queries = queries
        self._leases = leases
        self._clock = clock
        self._ended = asyncio.Event()
        self._is_stopping = False
        self._requested: dict[UserId, MatchId] = {}  # their latest requests
        self._waits: dict[UserId, _Wait] = {}  # their latest waits
        self._wait_for = wait_for

    async def request(self, match_id: MatchId, user_id: UserId) -> bool:
        """Request the analysis of a finished match, unless it is done, queued or in progress.

        Returns:
            Whether it is; False if the user still waits for the analysis of another match.
        """
        earlier = self._requested.get(user_id, match_id)
        if earlier != match_id and await self._attempts(earlier, _OPEN) is not None:
            return False
        self._requested[user_id] = match_id
        of_match = analyses.c.match_id == match_id
        values = {
            "version": VERSION,
            "requested_at": self._clock(),
            "attempts": 0,
            "result": None,
        }
        async with self._database.write() as connection:
            row = (await connection.execute(select(analyses).where(of_match))).one_or_none()
            if row is None:
                await connection.execute(insert(analyses).values(match_id=match_id, **values))
            elif row.version != VERSION or (not row.result and row.attempts >= MAX_ATTEMPTS):
                await connection.execute(update(analyses).where(of_match).values(**values))
            self._database.notify(TOPIC)
        return True

    async def wait(
        self,
        match_id: MatchId,
        user_id: UserId,
        seconds: float,
        retried: Callable[[], Awaitable[None]] = _unsaid,
    ) -> Analysis | WaitEnd:
        """Wait for a requested analysis and return it, or the reason why there is none.

        An earlier wait of the user ends, so that many clicks cost no more than one.

        Args:
            seconds: maximum duration.
            retried: called when an attempt has failed and another has begun.
        """
        if user_id in self._waits:
            self._wake()
        self._waits[user_id] = wait = _Wait(monotonic() + seconds)
        try:
            while True:
                end = await self._wait_for(self._wait(match_id, user_id, wait))
                if end is not WaitEnd.RETRIED:
                    return end
                await retried()
        finally:
            if self._waits.get(user_id) is wait:
                del self._waits[user_id]

    async def _wait(self, match_id: MatchId, user_id: UserId, wait: _Wait) -> Analysis | WaitEnd:
        while (left := wait.end - monotonic()) > 0 and not self._is_stopping:
            ended = self._ended  # first: an analysis may end between the reads
            if self._waits.get(user_id) is not wait:
                return WaitEnd.REPLACED
            attempts = await self._attempts(match_id)
            if analysis := await self._queries.analysis(match_id):
                return analysis
            if attempts is None:
                return WaitEnd.FAILED
            if attempts > wait.attempts:
                wait.attempts = attempts
                return WaitEnd.RETRIED
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, POLL_SECONDS)):
                    await ended.wait()
        return WaitEnd.UNFINISHED

    def stop_waiting(self) -> None:
        """End all waits: this process makes no more analyses, the next one goes on with them."""
        self._is_stopping = True
        self._wake()

    def _wake(self) -> None:
        """Let all waits look again."""
        self._ended.set()
        self._ended = asyncio.Event()

    async def _attempts(self, match_id: MatchId, *more: ColumnElement[bool]) -> int | None:
        """Return the number of attempts at an analysis that is queued or in progress."""
        query = select(analyses.c.attempts).where(_WAITING, analyses.c.match_id == match_id, *more)
        async with self._database.read() as connection:
            attempts: int | None = (await connection.execute(query)).scalar()
        return attempts

    async def take(self) -> tuple[MatchId, Record, Lease] | None:
        """Take the oldest requested analysis, with the record of its match.

        Returns:
            None if none is requested, or another process is making one.
        """
        async with self._database.read() as connection:
            match_id = (await connection.execute(_REQUESTED)).scalar()
        if match_id is None:
            return None
        lease = await self._leases.take(LEASE_NAME, LEASE_SECONDS)
        if lease is None:
            return None
        async with self._database.write() as connection:
            await lease.fence(connection)
            counted = update(analyses).where(analyses.c.match_id == match_id, _WAITING)
            await connection.execute(counted.values(attempts=analyses.c.attempts + 1))
        return match_id, await self._queries.record(match_id), lease

    async def store(self, match_id: MatchId, lease: Lease, result: Mapping[str, Any]) -> None:
        """Store a finished analysis.

        Raises:
            LostLeaseError: another process has taken over.
            KeyError, TypeError, ValueError: the value is not an analysis.
        """
        text = json.dumps(Analysis.from_json(result).to_json(), separators=(",", ":"))
        async with self._database.write() as connection:
            await lease.fence(connection)
            of_match = update(analyses).where(analyses.c.match_id == match_id)
            await connection.execute(of_match.values(version=VERSION, result=text))
        self._wake()

    async def fail(self, match_id: MatchId, lease: Lease) -> None:
        """Mark an analysis as failed if this was its last attempt.

        Raises:
            LostLeaseError: another process has taken over.
        """
        last = _WAITING & (analyses.c.match_id == match_id) & (analyses.c.attempts >= MAX_ATTEMPTS)
        async with self._database.write() as connection:
            await lease.fence(connection)
            await connection.execute(update(analyses).where(last).values(result=FAILED))
        self._wake()
