"""The heartbeat: fires timers and runs periodic jobs, each only if the database has work for it."""

from __future__ import annotations

import logging
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

from discord.ext import tasks
from sqlalchemy import ColumnElement, true
from sqlalchemy.exc import SQLAlchemyError

from bot.app.background import GuardedJob
from bot.failures import count_failure
from bot.storage.database import Database
from bot.storage.due import Conditions
from bot.storage.leases import LostLeaseError

log = logging.getLogger(__name__)

Job = Callable[[], Awaitable[object]]

HEARTBEAT_SECONDS = 15.0
"""Interval between heartbeats."""

CLOCK_JUMP_SECONDS = 1.0
"""Difference between wall and monotonic clock, since the last heartbeat, that is a jump."""


class PeriodicJob(NamedTuple):
    """A background job, and the condition that it has work.

    Attributes:
        due: a condition for `bot.storage.due`; by default, it is always true.
        early: whether it may run before the bot has begun: it uses no database.
    """

    run: Job
    due: ColumnElement[bool] = true()
    early: bool = False


class Heartbeat:
    """Fires timers, and runs background jobs.

    Args:
        jobs: run at each heartbeat if they have work; one that fails holds up no other.
        has_begun: returns whether the bot has begun; until then, `fire` tries to begin.

    Attributes:
        last: `time.perf_counter()` at the last heartbeat; None before the first one.
    """

    def __init__(
        self,
        fire: Job,
        jobs: Sequence[PeriodicJob],
        database: Database,
        clock: Callable[[], float],
        has_begun: Callable[[], bool] = lambda: True,
    ) -> None:
        self._fire_timers = GuardedJob("timers", fire, part="timer", pauses=(HEARTBEAT_SECONDS,))
        self._background_jobs = [GuardedJob(_name(job.run), job.run) for job in jobs]
        self._early = [
            guarded for guarded, job in zip(self._background_jobs, jobs, strict=True) if job.early
        ]
        self._conditions = Conditions(database, [job.due for job in jobs])
        self._clock = clock
        self._has_begun = has_begun
        self._wall_offset = _wall_offset()
        self.last: float | None = None

    @tasks.loop(seconds=HEARTBEAT_SECONDS)
    async def beat(self) -> None:
        """Fire timers, and run the background jobs."""
        self.last = time.perf_counter()
        try:
            await self._fire_timers.run()
        except SQLAlchemyError as error:
            log.warning("timers postponed: %s", error)
            count_failure("timer", error)
        for job in await self._due():
            try:
                await job.run()
            except (SQLAlchemyError, LostLeaseError) as error:
                log.warning("background task postponed: %s", error)
                count_failure("background", error)
        self._follow_clock()

    async def _due(self) -> Sequence[GuardedJob]:
        """Return the background jobs that have work; all of them if the database fails."""
        if not self._has_begun():
            return self._early
        try:
            results = await self._conditions.read(self._clock())
        except SQLAlchemyError:
            return self._background_jobs  # each finds out for itself, and some need no database
        return [job for job, due in zip(self._background_jobs, results, strict=True) if due]

    def _follow_clock(self) -> None:
        """Restart the heartbeat if the wall clock has been set since the last one.

        `discord.ext.tasks` waits for a time of the wall clock: set back by hours, the next
        iteration comes hours late; set forward, iterations follow each other without a pause.
        """
        before, self._wall_offset = self._wall_offset, _wall_offset()
        if abs(self._wall_offset - before) > CLOCK_JUMP_SECONDS:
            log.warning("the clock was set by %.0f s", self._wall_offset - before)
            self.beat.restart()


def _name(job: Job) -> str:
    """Return the name of a job for the log and the metric."""
    return getattr(job, "__qualname__", "job").rpartition(".<locals>.")[2]


def _wall_offset() -> float:
    """Return the lead of the wall clock over the monotonic clock in seconds."""
    return time.time() - time.clock_gettime(time.CLOCK_MONOTONIC)  # of the system, not of a loop
