"""Jobs that talk to Discord in the background: they delay no heartbeat and end no process."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Sequence

import aiohttp
import discord
from sqlalchemy.exc import SQLAlchemyError

from bot.failures import count_failure, is_outage
from bot.storage.leases import LostLeaseError

log = logging.getLogger(__name__)

JOB_RETRY_SECONDS = (15.0, 60.0, 300.0, 900.0, 3600.0)
"""Seconds until the next attempt after each failure; the last one is repeated."""

EXPECTED = (
    discord.DiscordException,
    aiohttp.ClientError,
    OSError,
    SQLAlchemyError,
    LostLeaseError,
)
"""Errors that a job may end with; any other one is a bug, and logged with its traceback."""


class BackgroundJob:
    """Run a job in a separate task, one run at a time, and retry it later when it fails.

    Args:
        name: name for the log, e.g. `registering the commands`.
        run: the job; it returns at once if nothing is left to do.
        clock: monotonic clock in seconds.
    """

    def __init__(
        self,
        name: str,
        run: Callable[[], Awaitable[None]],
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = name
        self._run = run
        self._clock = clock
        self._failures = 0
        self._not_before = 0.0
        self._is_due = False
        self.task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start a run, unless one is running or the last failure is too recent."""
        if not self._is_running:
            self.wake()

    def wake(self) -> None:
        """Start a run for something new, unless the last failure is too recent.

        If one is running, another one follows: that one may have read before the change.
        """
        self._is_due = True
        if not self._is_running and not self._has_just_failed:
            self.task = asyncio.create_task(self._run_while_due(), name=self._name)

    async def stop(self) -> None:
        """Cancel the run."""
        if self.task:
            self.task.cancel()
            await asyncio.wait({self.task})

    @property
    def _is_running(self) -> bool:
        return self.task is not None and not self.task.done()

    @property
    def _has_just_failed(self) -> bool:
        return self._clock() < self._not_before

    async def _run_while_due(self) -> None:
        """Run until no wake-up has come since the last run began, or a run fails."""
        while self._is_due and not self._has_just_failed:
            self._is_due = False
            await self._attempt()

    async def _attempt(self) -> None:
        try:
            await self._run()
        except EXPECTED as error:
            wait = self._retry_later(error)
            # The log leaves out a line that is given an error of an outage
            reason = error if is_outage(error) else _reason(error)
            log.warning("%s failed; retry in %.0f s: %s", self._name, wait, reason)
        except Exception as error:
            wait = self._retry_later(error)
            log.exception("%s failed; retry in %.0f s", self._name, wait)
        else:
            self._failures = 0

    def _retry_later(self, error: Exception) -> float:
        """Count the failure and return the seconds until the next attempt."""
        wait = JOB_RETRY_SECONDS[min(self._failures, len(JOB_RETRY_SECONDS) - 1)]
        if isinstance(error, discord.RateLimited):
            wait = max(wait, error.retry_after)
        self._failures += 1
        count_failure("background", error)
        self._not_before = self._clock() + wait
        return wait


class GuardedJob:
    """Run a part of the heartbeat, less often while it ends in a bug, and log each bug once.

    Args:
        name: name for the log, e.g. `Retention.delete_expired`.
        run: the job; errors of the database are the caller's.
        clock: monotonic clock in seconds.
        part: label for the metric, see `bot.failures.count_failure`.
        pauses: seconds until the next attempt after each bug; the last one is repeated. Errors
            of the operating system are retried at each heartbeat.
    """

    def __init__(
        self,
        name: str,
        run: Callable[[], Awaitable[object]],
        clock: Callable[[], float] = time.monotonic,
        part: str = "background",
        pauses: Sequence[float] = JOB_RETRY_SECONDS,
    ) -> None:
        self._name = name
        self._run = run
        self._clock = clock
        self._part = part
        self._pauses = pauses
        self._errors = 0
        self._not_before = 0.0

    async def run(self) -> None:
        """Run the job, unless the last bug is too recent.

        Raises:
            SQLAlchemyError: the database is unavailable.
            LostLeaseError: another process does it now.
        """
        if self._clock() < self._not_before:
            return
        try:
            await self._run()
        except (SQLAlchemyError, LostLeaseError):
            raise
        except Exception as error:  # noqa: BLE001 - a bug, which is logged once
            self._retry_later(error)
        else:
            if self._errors:
                log.info("%s works again", self._name)
            self._errors = 0

    def _retry_later(self, error: Exception) -> None:
        count_failure(self._part, error)
        wait = self._pauses[min(self._errors, len(self._pauses) - 1)]
        wait = 0.0 if isinstance(error, OSError) else wait
        self._errors += 1
        self._not_before = self._clock() + wait
        if self._errors == 1:
            log.error("%s failed and is retried", self._name, exc_info=error)
        elif wait:
            log.warning("%s failed again; retry in %.0f s: %s", self._name, wait, _reason(error))


def _reason(error: Exception) -> str:
    """Return the first line of an error: Discord's error pages are long."""
    return str(error).partition("\n")[0] or type(error).__name__
