"""Send the messages of the outbox in order and once, retrying until delivery is confirmed.

This module is independent of Discord: a `Sender` sends a message and reports the result. No
task waits forever: `wake` starts one that ends when nothing is due.

A claim is a lease and an attempt number: a worker that resumes after another one has claimed the
row finds a different number and writes nothing.
"""

from __future__ import annotations

import asyncio
import logging
import math
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import partial
from typing import Protocol

from sqlalchemy import or_, update
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.database_errors import Trouble, trouble
from bot.domain.outbox import OutboxMessage, OutboxStatus
from bot.domain.steady_clock import SteadyClock
from bot.failures import count_failure
from bot.logs import bind_context
from bot.outbox.store import Attempt, ClaimTerms, DeliveryResult, claim, next_due, record
from bot.storage.connection import Connection
from bot.storage.database import AfterCommit, Database
from bot.storage.schema import outbox

log = logging.getLogger(__name__)

LEASE_SECONDS = 60.0
"""Lease duration of a message."""

ATTEMPT_TIMEOUT_SECONDS = 45.0
"""Timeout of an attempt: it has to end before its lease does."""

WORKER_CLOCK_SKEW_SECONDS = LEASE_SECONDS - ATTEMPT_TIMEOUT_SECONDS
"""Maximum difference between the clocks of two processes."""

CONCURRENT_DELIVERIES = 20
"""Maximum number of deliveries at the same time."""

BUSY_DELIVERIES, COLLECT_SECONDS = 5, 0.1
"""Minimum number of deliveries in flight for batching results and new messages, and the length of
a batch in seconds: each batch is one transaction."""

CLAIMED_BEFORE_COMMIT = 2
"""Maximum number of messages to claim in the transaction that queues them. Most queue one; a claim
of fewer than the maximum shows that no other message is due."""

BACK_OFF_SECONDS = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds until the next attempt; the last value is repeated up to the limits below."""

LONGEST_PAUSE_SECONDS = 3600.0
"""Maximum delay. A later due time can only come from a clock that was wrong."""

ATTEMPT_LIMIT = 10_000
"""Maximum attempts for a row: about a week of an outage."""

ERROR_LIMIT = 30
"""Maximum attempts for a row that end in a bug of this program: about half an hour."""


SHORTEST_PAUSE_SECONDS = 0.05
"""Minimum delay before the next check, e.g. when another process is claiming the due messages."""

CLOCK_PAUSE_SECONDS = 1.0
"""Seconds until the next check while the clock is wrong: it follows with the next heartbeat."""

DATABASE_PAUSE_SECONDS = 5.0
"""Seconds until the next attempt while the database is unavailable."""


class RetryLaterError(Exception):
    """Raised when a message did not arrive, or delivery is unconfirmed; retry.

    Args:
        reason: the reason, for the log.
        after: minimum seconds to wait.
    """

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class UndeliverableError(Exception):
    """Raised when a message can never arrive; the text says why."""


class Sender(Protocol):
    """Delivers single messages of the outbox."""

    async def deliver(self, queued: OutboxMessage) -> DeliveryResult | None:
        """Deliver one message.

        Raises:
            RetryLaterError: try again.
            UndeliverableError: give up.
        """


class OutboxWorker:
    """Delivers the messages of the outbox.

    Args:
        clock: the time in UTC seconds; a `SteadyClock` also detects that it is wrong.
        worker_id: identifies this process, even after a restart.
    """

    def __init__(
        self,
        database: Database,
        sender: Sender,
        clock: Callable[[], float] = time.time,
        worker_id: str = "",
    ) -> None:
        self._database = database
        self._sender = sender
        self._clock = clock
        self._steady = clock if isinstance(clock, SteadyClock) else None
        self._worker_id = worker_id
        self._capacity = CONCURRENT_DELIVERIES
        self._task: asyncio.Task[None] | None = None
        self._in_flight: set[asyncio.Task[None]] = set()
        self._finished: list[Attempt] = []
        self._claimed: list[OutboxMessage] = []
        self._wakeup = asyncio.Event()
        self._must_check = self._must_claim = self._is_interrupted = False
        self._timer: asyncio.TimerHandle | None = None
        self._context = copy_context()

    async def resume(self) -> None:
        """Release the leases of this worker's previous process, and start the worker.

        Deliveries are unrelated to the click that wakes the worker, so it runs in the context of
        this call.
        """
        self._context = copy_context()
        async with self._database.write() as connection:
            leased = outbox.c.lease_expires_at.is_not(None)
            of_worker = or_(outbox.c.worker_id == self._worker_id, outbox.c.worker_id.is_(None))
            await connection.execute(
                update(outbox).where(leased, of_worker).values(lease_expires_at=None)
            )
        self.wake()

    def wake(self) -> None:
        """Start the worker if it is not running: messages may be due."""
        self._must_check = True
        self._run()

    async def claim_queued(self, connection: Connection) -> AfterCommit:
        """Claim messages in the transaction that has queued some.

        Returns:
            A function that starts their delivery, to call after the commit.
        """
        count = min(CLAIMED_BEFORE_COMMIT, self._free_deliveries)
        claimed = await claim(connection, self._claim_terms(), count) if count > 0 else []
        return partial(self._deliver_claimed, claimed, max(0, count))

    def _deliver_claimed(
        self, claimed: Sequence[OutboxMessage], count: int, is_committed: bool
    ) -> None:
        """Start the delivery of messages; `count` is the most that could be claimed.

        If the commit may have failed, end their leases instead: after a commit that did succeed, as
        when its task was cancelled, the messages are claimed again.
        """
        if not is_committed:
            self._finished += [Attempt(queued, {"lease_expires_at": None}) for queued in claimed]
            self._run()
            return
        self._claimed += claimed
        if len(claimed) == count:
            self._claim_more()
        elif claimed:
            self._run()
        else:
            self.wake()  # for a message that is due later

    def _claim_more(self) -> None:
        """Start the worker: it claims messages without a check."""
        self._must_claim = True
        self._run()

    def _run(self) -> None:
        """Start the worker, or a running one's next round."""
        self._wakeup.set()
        if self._task is None or self._task.done():
            start = partial(asyncio.create_task, self._work(), name="delivery")
            self._task = self._context.run(start)

    async def flush(self, *, new: bool = True) -> None:
        """Deliver everything that is due. With `new=False`, only wait for deliveries in flight.

        It goes on while the database does not answer; the caller sets a timeout.
        """
        self._capacity = CONCURRENT_DELIVERIES if new else 0
        self.wake()
        while self._task:
            await self._task
            if not self._is_interrupted:
                break
            await asyncio.sleep(SHORTEST_PAUSE_SECONDS)
            self.wake()

    async def stop(self) -> None:
        """Stop sending; deliveries in flight are repeated after the next start."""
        self._schedule_wakeup(None)
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _work(self) -> None:
        """Deliver until nothing is due; a slow delivery delays only its own match."""
        self._is_interrupted = False
        try:
            while True:
                self._wakeup.clear()
                wait = await self._advance()
                if self._in_flight:
                    await self._wakeup.wait()
                    if len(self._in_flight) >= BUSY_DELIVERIES:
                        await asyncio.sleep(COLLECT_SECONDS)
                elif not self._wakeup.is_set():
                    break
        except SQLAlchemyError as error:
            log.warning("the outbox is unavailable, retrying soon: %s", error)
            self._is_interrupted = trouble(error) is not Trouble.OTHER
            wait = DATABASE_PAUSE_SECONDS
        except asyncio.CancelledError:
            for task in self._in_flight:
                task.cancel()
            await asyncio.gather(*self._in_flight, return_exceptions=True)
            raise
        self._schedule_wakeup(wait)

    async def _advance(self) -> float | None:
        """Record finished deliveries, and start those of messages that are due.

        Returns:
            The wait as in `_until_next`; of no use while deliveries are in flight.
        """
        claimed, self._claimed = self._claimed, []
        for queued in claimed:
            self._spawn(queued)
        must_check, self._must_check = self._must_check, False
        must_claim, self._must_claim = self._must_claim, False
        if not (must_claim or self._finished):
            if claimed and not must_check:
                return 0.0
            wait = await self._until_next()
            if wait != 0.0:
                return wait
        claimed, wait = await self._record_and_claim()
        for queued in claimed:
            self._spawn(queued)
        return wait

    def _schedule_wakeup(self, wait: float | None) -> None:
        """Wake after this number of seconds, or never if None, replacing any earlier wakeup."""
        if self._timer:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = (
            None if wait is None else loop.call_later(max(SHORTEST_PAUSE_SECONDS, wait), self.wake)
        )

    def _spawn(self, queued: OutboxMessage) -> None:
        task = asyncio.create_task(self._deliver(queued), name=f"delivery {queued.id}")
        self._in_flight.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._in_flight.discard(task)
        self._wakeup.set()

    async def _record_and_claim(self) -> tuple[list[OutboxMessage], float | None]:
        """Write the results of finished attempts, and claim the due messages.

        Results are kept while the database does not answer: they say which messages arrived.

        Returns:
            The claimed messages; and if there is none, the wait as in `_until_next`.
        """
        finished, self._finished = self._finished, []
        count = self._free_deliveries
        if not finished and count <= 0:
            return [], 0.0
        terms = self._claim_terms()
        try:
            async with self._database.write() as connection:
                for attempt in sorted(finished, key=lambda attempt: attempt.message.id):
                    await record(connection, attempt)
                # With nothing to record, the worker has just read or been told that one is due.
                wait = await _wait(connection, terms) if finished else 0.0
                is_due = wait == 0.0 and count > 0
                claimed = await claim(connection, terms, count) if is_due else []
                if is_due and not claimed:
                    wait = await _wait(connection, terms)
                return claimed, wait
        except SQLAlchemyError as error:
            if trouble(error) is not Trouble.OTHER or not finished:
                self._finished += finished
                raise
            if len(finished) == 1:
                self._unrecorded(finished[0], error)
                return [], 0.0
        await self._record_each(finished)  # one of the results may be the cause
        return [], 0.0

    async def _record_each(self, finished: Sequence[Attempt]) -> None:
        """Write the results of attempts, each in a separate transaction."""
        for number, attempt in enumerate(finished):
            try:
                async with self._database.write() as connection:
                    await record(connection, attempt)
            except SQLAlchemyError as error:
                if trouble(error) is not Trouble.OTHER:
                    self._finished += finished[number:]
                    raise
                self._unrecorded(attempt, error)

    @staticmethod
    def _unrecorded(attempt: Attempt, error: SQLAlchemyError) -> None:
        """Log an attempt that is repeated when its lease ends."""
        log.warning("%s not recorded: %s", attempt.message.kind, error)

    @property
    def _free_deliveries(self) -> int:
        """Number of deliveries that may begin; not positive if none may."""
        in_use = len(self._in_flight) + len(self._claimed)
        return 0 if self._clock_is_wrong else self._capacity - in_use

    @property
    def _clock_is_wrong(self) -> bool:
        return self._steady is not None and self._steady.is_wrong

    def _claim_terms(self) -> ClaimTerms:
        """Return the terms of a claim at this moment.

        After the wall clock was set, this process and another one may differ in time until both
        have followed, so each takes the other's leases for ended. No lease ends in that period.
        """
        now = self._clock()
        follows = self._steady is not None and self._steady.seconds_since_jump <= LEASE_SECONDS
        latest = now + LEASE_SECONDS + WORKER_CLOCK_SKEW_SECONDS
        limits = {
            "latest_due": now + LONGEST_PAUSE_SECONDS + WORKER_CLOCK_SKEW_SECONDS,
            "earliest_lease_end": 0.0 if follows else now,
            "latest_lease_end": math.inf if follows else latest,
        }
        return ClaimTerms(self._worker_id, now, now + LEASE_SECONDS, limits)

    async def _until_next(self) -> float | None:
        """Return the seconds until a message is due, or None if none is waiting."""
        if self._clock_is_wrong:
            return CLOCK_PAUSE_SECONDS
        async with self._database.read() as connection:
            return await _wait(connection, self._claim_terms())

    async def _deliver(self, queued: OutboxMessage) -> None:
        bind_context(match=queued.match_id)
        attempt = await self._attempt(queued)
        self._finished.append(attempt)

    async def _attempt(self, queued: OutboxMessage) -> Attempt:
        try:
            async with asyncio.timeout(ATTEMPT_TIMEOUT_SECONDS):
                return Attempt(queued, {}, await self._sender.deliver(queued))
        except RetryLaterError as later:
            return self._retry_later(queued, later)
        except TimeoutError:
            return self._retry_later(queued, RetryLaterError("it took too long"))
        except UndeliverableError as lost:
            count_failure("outbox", lost)
            return self._give_up(queued, str(lost))
        except SQLAlchemyError as error:
            unreachable = RetryLaterError("the database does not answer")
            unreachable.__cause__ = error
            return self._retry_later(queued, unreachable)
        except Exception as error:  # noqa: BLE001 - a bug, logged once
            return self._retry_after_bug(queued, error)

    def _retry_after_bug(self, queued: OutboxMessage, error: Exception) -> Attempt:
        """Count an error of this program, and log its traceback on the first attempt only."""
        errors, later = queued.errors + 1, RetryLaterError(type(error).__name__)
        later.__cause__ = error
        if errors == 1:
            log.error("%s failed", queued.kind, exc_info=error)
        if errors < ERROR_LIMIT:
            return self._retry_later(queued, later, errors=errors)
        count_failure("outbox", error)
        metrics.GIVEN_UP.labels("outbox").inc()
        return self._give_up(queued, f"{later}, {errors} times")

    def _give_up(self, queued: OutboxMessage, reason: str) -> Attempt:
        """Stop retrying a row, so that its successors are sent."""
        log.warning("%s dropped: %s", queued.kind, reason)
        return Attempt(
            queued, {"status": OutboxStatus.FAILED, "error": reason, "lease_expires_at": None}
        )

    def _retry_later(
        self, queued: OutboxMessage, later: RetryLaterError, **fields: object
    ) -> Attempt:
        if queued.attempts >= ATTEMPT_LIMIT:
            count_failure("outbox", later)
            metrics.GIVEN_UP.labels("outbox").inc()
            return self._give_up(queued, f"{later}, after {queued.attempts} attempts")
        log.info("%s postponed: %s", queued.kind, later)
        count_failure("outbox", later)
        wait = max(later.after, BACK_OFF_SECONDS[min(queued.attempts, len(BACK_OFF_SECONDS)) - 1])
        due = self._clock() + min(wait, LONGEST_PAUSE_SECONDS)
        changes = {"next_attempt_at": due, "error": str(later), "lease_expires_at": None}
        return Attempt(queued, changes | fields)


async def _wait(connection: Connection, terms: ClaimTerms) -> float | None:
    """Return the seconds until a message is due, or None if none is waiting."""
    due = await next_due(connection, terms)
    return None if due is None else max(0.0, due - terms.now)
