"""Analyses of finished matches: requested by users, made one at a time, then kept.

They are made in the order in which they were requested, which is fair because no user waits for
two; one whose attempt has failed comes after all that were not attempted as often. Who waits is
not stored, so a process knows only of the requests since its start. It also keeps what an attempt
has judged, and the next one goes on from there.

The process that holds the lease makes them in the background; `analyst.py`
runs it.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from time import monotonic
from typing import Any, NamedTuple

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
"""Lease duration of an analysis from its begin, and from a report on its progress."""

EXTENSION_SECONDS = 60.0
"""Minimum seconds between two extensions of the lease."""

MAX_BEGUN = 20
"""Maximum number of analyses whose judgements are kept, up to 100 kB each."""

MAX_ATTEMPTS = 3
"""Maximum attempts for an analysis; after the last one, a user can request it again."""

PROGRESS_SECONDS = 15.0
"""Minimum seconds between two reports on the progress to a user."""

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
    REPLACED = "replaced"
    """The user waits with another reply now."""


class Progress(NamedTuple):
    """How far an analysis is.

    Attributes:
        done: number of moves and rolls that are judged.
        moves: number of those in the match; 0 before the first attempt.
        attempt: number of the attempt, from 1.
    """

    done: int = 0
    moves: int = 0
    attempt: int = 1


NOT_BEGUN = Progress()

WaitFor = Callable[
    [Awaitable[Analysis | WaitEnd | Progress]], Awaitable[Analysis | WaitEnd | Progress]
]
"""Awaits an analysis."""


@dataclass(slots=True, eq=False)
class _Wait:
    """A user's wait for an analysis.

    Attributes:
        end: when it ends at the latest, see `monotonic`.
        progress: the progress that the user knows of.
        reported_at: when the user was told.
    """

    end: float
    progress: Progress
    reported_at: float


@dataclass(slots=True, eq=False)
class _Begun:
    """An analysis that has begun.

    Attributes:
        steps: the judgements of its first actions, see `engine.computer.analysis.Step`.
        moves: number of the actions.
    """

    moves: int
    steps: list[Any] = field(default_factory=list)


async def _unreported(_: Progress) -> None:
    """Report no progress."""


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
        self._begun: dict[MatchId, _Begun] = {}
        self._extended_at = 0.0  # when the lease was taken or extended
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
        report: Callable[[Progress], Awaitable[None]] = _unreported,
    ) -> Analysis | WaitEnd:
        """Wait for a requested analysis and return it, or the reason why there is none.

        An earlier wait of the user ends, so that many clicks cost no more than one.

        Args:
            seconds: maximum duration.
            report: called when another attempt has begun, and rarely with other progress.
        """
        if user_id in self._waits:
            self._wake()
        now = monotonic()
        self._waits[user_id] = wait = _Wait(now + seconds, self.progress(match_id), now)
        try:
            while True:
                end = await self._wait_for(self._wait(match_id, user_id, wait))
                if not isinstance(end, Progress):
                    return end
                await report(end)
        finally:
            if self._waits.get(user_id) is wait:
                del self._waits[user_id]

    async def _wait(
        self, match_id: MatchId, user_id: UserId, wait: _Wait
    ) -> Analysis | WaitEnd | Progress:
        while (left := wait.end - (now := monotonic())) > 0 and not self._is_stopping:
            ended = self._ended  # first: an analysis may end between the reads
            if self._waits.get(user_id) is not wait:
                return WaitEnd.REPLACED
            attempts = await self._attempts(match_id)
            if analysis := await self._queries.analysis(match_id):
                return analysis
            if attempts is None:
                return WaitEnd.FAILED
            progress = self.progress(match_id)._replace(attempt=max(attempts, 1))
            is_due = now >= wait.reported_at + PROGRESS_SECONDS
            if progress.attempt > wait.progress.attempt or (is_due and progress != wait.progress):
                wait.progress, wait.reported_at = progress, now
                return progress
            with suppress(TimeoutError):
                async with asyncio.timeout(min(left, POLL_SECONDS)):
                    await ended.wait()
        return WaitEnd.UNFINISHED

    def progress(self, match_id: MatchId) -> Progress:
        """Return the progress of this process with an analysis; its attempt is not counted."""
        begun = self._begun.get(match_id)
        return Progress(len(begun.steps), begun.moves) if begun else NOT_BEGUN

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
        self._extended_at = self._clock()
        record = await self._queries.record(match_id)
        self._begun.setdefault(match_id, _Begun(len(record.actions)))
        if len(self._begun) > MAX_BEGUN:
            del self._begun[next(iter(self._begun))]
        return match_id, record, lease

    def steps(self, match_id: MatchId) -> Sequence[Any]:
        """Return the judgements of an earlier attempt of this process."""
        begun = self._begun.get(match_id)
        return begun.steps if begun else ()

    async def add(self, match_id: MatchId, lease: Lease, report: Mapping[str, Any]) -> None:
        """Keep a judgement, and hold the lease: the analysis makes progress.

        Args:
            report: see `analyse` in the protocol of computer players.

        Raises:
            LostLeaseError: another process has taken over.
            KeyError: it is no report.
        """
        if begun := self._begun.get(match_id):
            begun.steps.append(report["step"])
        if (now := self._clock()) >= self._extended_at + EXTENSION_SECONDS:
            await self._leases.extend(lease, LEASE_SECONDS)
            self._extended_at = now

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
        self._begun.pop(match_id, None)
        self._wake()

    async def fail(self, match_id: MatchId, lease: Lease, *, keep: bool) -> None:
        """Mark an analysis as failed if this was its last attempt.

        Args:
            keep: whether the next attempt goes on from the judgements of this one.

        Raises:
            LostLeaseError: another process has taken over.
        """
        last = _WAITING & (analyses.c.match_id == match_id) & (analyses.c.attempts >= MAX_ATTEMPTS)
        async with self._database.write() as connection:
            await lease.fence(connection)
            await connection.execute(update(analyses).where(last).values(result=FAILED))
        if not keep:
            self._begun.pop(match_id, None)
        self._wake()
