"""Sending what the outbox holds: in order, once, and again until it is known to have arrived.

Nothing here knows Discord: a `Sender` sends a message and says what became of it. There is no
task that waits forever: `wake` starts one that ends when nothing is due.

A claim is a lease and a number, the attempt: a worker that comes back after another one has taken
the row finds another number in it and marks nothing.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from contextvars import copy_context
from functools import partial
from typing import Protocol

from sqlalchemy import (
    ColumnElement,
    and_,
    delete,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.failures import count_failure
from bot.logs import bind_context
from bot.outbox.statements import CLAIM, DUE, NEXT_DUE
from bot.services.outbox import (
    Copy,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    PostedMessage,
    Target,
)
from bot.storage.database import Connection, Database
from bot.storage.schema import outbox, posted_messages, seats

log = logging.getLogger(__name__)

LEASE_SECONDS = 60.0
"""Seconds for which one worker holds the lease of a message."""

ATTEMPT_TIMEOUT_SECONDS = 45.0
"""Seconds after which an attempt is given up: it has to end before its lease does."""

CLOCK_SKEW_SECONDS = LEASE_SECONDS - ATTEMPT_TIMEOUT_SECONDS
"""Seconds by which the clocks of two processes may differ."""

CONCURRENT_DELIVERIES = 20
"""Maximum number of deliveries at the same time."""

BACK_OFF_SECONDS = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds until the next attempt; the last one is repeated up to the limits below."""

LONGEST_PAUSE_SECONDS = 3600.0
"""Seconds for which nothing is ever put off: what seems to be was written under a wrong clock."""

ATTEMPT_LIMIT = 10_000
"""Attempts after which a row is given up: about a week of an outage."""

ERROR_LIMIT = 30
"""Attempts that ended in a bug of this program after which a row is given up: half an hour."""


DATABASE_PAUSE_SECONDS = 5.0
"""Seconds after which a database that did not answer is asked again."""


class RetryLaterError(Exception):
    """It did not arrive, or that is unknown; retry.

    Args:
        reason: why, for the log.
        after: seconds to wait at least.
    """

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class UndeliverableError(Exception):
    """It can never arrive; the text says why."""


class Sender(Protocol):
    """Sends messages of the outbox."""

    async def deliver(self, queued: OutboxMessage) -> PostedMessage | None:
        """Carry one.

        Raises:
            RetryLaterError: try again.
            UndeliverableError: give up.
        """


def _times(now: float) -> dict[str, float]:
    """A time too far ahead to be true is from before the clock was put back."""
    return {
        "now": now,
        "far": now + LONGEST_PAUSE_SECONDS,
        "false": now + LEASE_SECONDS + CLOCK_SKEW_SECONDS,
    }


class OutboxWorker:
    """Delivers the messages of the outbox.

    Args:
        database: where it is.
        sender: sends messages to Discord.
        clock: the time in UTC seconds.
        worker_id: names this process, also after a restart.
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
        self._worker_id = worker_id
        self._capacity = CONCURRENT_DELIVERIES
        self._task: asyncio.Task[None] | None = None
        self._in_flight: set[asyncio.Task[None]] = set()
        self._wakeup = asyncio.Event()
        self._timer: asyncio.TimerHandle | None = None
        self._context = copy_context()

    async def resume(self) -> None:
        """Take over at once what the process held that was here before this one.

        What is sent is not about the click that happens to wake the worker, so it works in the
        context of this call.
        """
        self._context = copy_context()
        async with self._database.write() as connection:
            held = outbox.c.lease_expires_at.is_not(None)
            ours = or_(outbox.c.worker_id == self._worker_id, outbox.c.worker_id.is_(None))
            await connection.execute(update(outbox).where(held, ours).values(lease_expires_at=None))
        self.wake()

    def wake(self) -> None:
        """Start the worker if it does not run already: something may be due."""
        self._wakeup.set()
        if self._task is None or self._task.done():
            start = partial(asyncio.create_task, self._work(), name="delivery")
            self._task = self._context.run(start)

    async def flush(self, *, new: bool = True) -> None:
        """Work until nothing is due; without `new`, until the deliveries in flight are done."""
        self._capacity = CONCURRENT_DELIVERIES if new else 0
        self.wake()
        if self._task:
            await self._task

    async def stop(self) -> None:
        """Send nothing more; deliveries in flight are repeated after the next start."""
        self._schedule_wakeup(None)
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _work(self) -> None:
        """Deliver until nothing is due; a slow delivery holds up only its own match."""
        try:
            while True:
                self._wakeup.clear()
                for queued in await self._claim(self._capacity - len(self._in_flight)):
                    self._spawn(queued)
                wait = None if self._in_flight else await self._until_next()
                if self._in_flight:
                    await self._wakeup.wait()
                elif not self._wakeup.is_set():
                    break
        except SQLAlchemyError as error:
            log.warning("the outbox cannot be reached, I look again soon: %s", error)
            wait = DATABASE_PAUSE_SECONDS
        except asyncio.CancelledError:
            for task in self._in_flight:
                task.cancel()
            await asyncio.gather(*self._in_flight, return_exceptions=True)
            raise
        self._schedule_wakeup(wait)

    def _schedule_wakeup(self, wait: float | None) -> None:
        """Wake in so many seconds, and at no other time that was set before."""
        if self._timer:
            self._timer.cancel()
        loop = asyncio.get_running_loop()
        self._timer = None if wait is None else loop.call_later(wait, self.wake)

    def _spawn(self, queued: OutboxMessage) -> None:
        task = asyncio.create_task(self._deliver(queued), name=f"delivery {queued.id}")
        self._in_flight.add(task)
        task.add_done_callback(self._on_done)

    def _on_done(self, task: asyncio.Task[None]) -> None:
        self._in_flight.discard(task)
        self._wakeup.set()

    async def _claim(self, count: int) -> list[OutboxMessage]:
        """Claim due messages, each the first of its match and target, under a lease."""
        now = self._clock()
        if count <= 0:
            return []
        async with self._database.read() as connection:
            found = {queued.id: queued for queued in await _first_due(connection, now, count)}
        if not found:
            return []
        mine = {"found": list(found), "us": self._worker_id, "until": now + LEASE_SECONDS}
        async with self._database.write() as connection:
            taken = (await connection.execute(CLAIM, _times(now) | mine)).all()
        return [
            found[number]._replace(attempts=n, first_attempt_at=first)
            for number, n, first in sorted(taken)
        ]

    async def _deliver(self, queued: OutboxMessage) -> None:
        bind_context(match=queued.match_id)
        try:
            await self._attempt(queued)
        except SQLAlchemyError as error:  # its lease ends, and then it is repeated
            log.warning("%s is not noted: %s", queued.kind, error)

    async def _attempt(self, queued: OutboxMessage) -> None:
        try:
            async with asyncio.timeout(ATTEMPT_TIMEOUT_SECONDS):
                receipt = await self._sender.deliver(queued)
        except RetryLaterError as later:
            await self._retry_later(queued, later)
        except TimeoutError:
            await self._retry_later(queued, RetryLaterError("it took too long"))
        except UndeliverableError as lost:
            count_failure("outbox", lost)
            await self._give_up(queued, str(lost))
        except SQLAlchemyError as error:
            away = RetryLaterError("the database does not answer")
            away.__cause__ = error
            await self._retry_later(queued, away)
        except Exception as error:  # noqa: BLE001 - a bug, which is logged once
            await self._retry_after_bug(queued, error)
        else:
            await self._done(queued, receipt)

    async def _retry_after_bug(self, queued: OutboxMessage, error: Exception) -> None:
        """Count an error of this program, and log its traceback only the first time."""
        errors, later = queued.errors + 1, RetryLaterError(type(error).__name__)
        later.__cause__ = error
        if errors == 1:
            log.error("%s failed", queued.kind, exc_info=error)
        if errors < ERROR_LIMIT:
            await self._retry_later(queued, later, errors=errors)
            return
        count_failure("outbox", error)
        metrics.GIVEN_UP.labels("outbox").inc()
        await self._give_up(queued, f"{later}, {errors} times")

    async def _give_up(self, queued: OutboxMessage, reason: str) -> None:
        """Retry a row no more; what comes after it is sent."""
        log.warning("%s is lost: %s", queued.kind, reason)
        await self._update(queued, status=OutboxStatus.FAILED, error=reason, lease_expires_at=None)

    async def _retry_later(
        self, queued: OutboxMessage, later: RetryLaterError, **fields: object
    ) -> None:
        if queued.attempts >= ATTEMPT_LIMIT:
            count_failure("outbox", later)
            metrics.GIVEN_UP.labels("outbox").inc()
            await self._give_up(queued, f"{later}, after {queued.attempts} attempts")
            return
        log.info("%s is put off: %s", queued.kind, later)
        count_failure("outbox", later)
        wait = max(later.after, BACK_OFF_SECONDS[min(queued.attempts, len(BACK_OFF_SECONDS)) - 1])
        due = self._clock() + min(wait, LONGEST_PAUSE_SECONDS)
        await self._update(
            queued, next_attempt_at=due, error=str(later), lease_expires_at=None, **fields
        )

    async def _update(self, queued: OutboxMessage, **fields: object) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(outbox).where(_ours(queued)).values(**fields))

    async def _done(self, queued: OutboxMessage, receipt: PostedMessage | None) -> None:
        async with self._database.write() as connection:
            deleted = await connection.execute(delete(outbox).where(_ours(queued)))
            if receipt is not None and deleted.rowcount:
                await _keep(connection, queued.match_id, receipt)

    async def _until_next(self) -> float | None:
        """Seconds until something is due, or None if nothing waits."""
        async with self._database.read() as connection:
            due: float | None = (await connection.execute(NEXT_DUE)).scalar_one()
        return None if due is None else max(0.05, due - self._clock())


def _ours(queued: OutboxMessage) -> ColumnElement[bool]:
    """Return whether this worker still holds the lease: each lease counts as an attempt.

    SQLite gives the numbers of deleted rows to new ones, so the key is compared as well.
    """
    same = and_(outbox.c.id == queued.id, outbox.c.key == queued.key)
    lease = and_(
        outbox.c.first_attempt_at == queued.first_attempt_at, outbox.c.attempts == queued.attempts
    )
    return and_(same, lease)


async def _first_due(connection: Connection, now: float, count: int) -> Sequence[OutboxMessage]:
    """So many of the heads that are due and free."""
    due = await connection.execute(DUE, _times(now) | {"count": count})
    return [
        OutboxMessage(
            row.id,
            row.match_id,
            Target.parse(row.target),
            OutboxKind(row.kind),
            row.payload,
            row.attempts,
            row.first_attempt_at or 0.0,
            row.key,
            row.errors,
        )
        for row in due
    ]


async def _keep(connection: Connection, match_id: int, receipt: PostedMessage) -> None:
    """Remember a message with its copies, in place of the former one of this kind."""
    same = (posted_messages.c.match_id == match_id) & (posted_messages.c.kind == receipt.kind)
    await connection.execute(delete(posted_messages).where(same))
    fields = {"match_id": match_id, "kind": receipt.kind, "action_count": receipt.action_count}
    copies = receipt.copies or (Copy(0, receipt.channel_id, receipt.message_id),)
    sat = select(seats.c.user_id).where(seats.c.match_id == match_id)
    users = {0, *(await connection.execute(sat)).scalars()}  # not those who were deleted meanwhile
    rows = [fields | copy._asdict() for copy in copies if copy.user_id in users]
    if rows:
        await connection.execute(insert(posted_messages), rows)
