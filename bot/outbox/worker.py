"""Sending what the outbox holds: in order, once, and again until it is known to have arrived.

Nothing here knows Discord: a `Courier` carries a parcel and says what became of it. There is no
task that waits for ever: `wake` starts one that ends when nothing is due.

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
from typing import Any, Protocol

from sqlalchemy import (
    ColumnElement,
    Float,
    Select,
    and_,
    bindparam,
    case,
    delete,
    func,
    insert,
    or_,
    select,
    update,
)
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.failures import count_failure
from bot.logs import concern
from bot.services.outbox import Copy, Parcel, Receipt
from bot.storage.database import Connection, Database
from bot.storage.schema import outbox, seats, surfaces

log = logging.getLogger(__name__)

LEASE = 60.0
"""Seconds for which one worker has a parcel to itself."""

ATTEMPT = 45.0
"""Seconds after which an attempt is given up: it has to end before its lease does."""

SKEW = LEASE - ATTEMPT
"""Seconds by which the clocks of two processes may differ."""

AT_ONCE = 20
"""Parcels in the air together."""

BACK_OFF = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds until the next attempt; the last one is repeated up to the limits below."""

FAR = 3600.0
"""Seconds for which nothing is ever put off: what seems to be was written under a wrong clock."""

ATTEMPT_LIMIT = 10_000
"""Attempts after which a row is given up: about a week of an outage."""

ERROR_LIMIT = 30
"""Attempts that ended in a bug of this program after which a row is given up: half an hour."""


RESPITE = 5.0
"""Seconds after which a database that did not answer is asked again."""


class LaterError(Exception):
    """It did not arrive, or that is unknown; retry.

    Args:
        reason: why, for the log.
        after: seconds to wait at least.
    """

    def __init__(self, reason: str, after: float = 0.0) -> None:
        super().__init__(reason)
        self.after = after


class LostError(Exception):
    """It can never arrive; the text says why."""


class Courier(Protocol):
    """Carries parcels."""

    async def deliver(self, parcel: Parcel) -> Receipt | None:
        """Carry one.

        Raises:
            LaterError: try again.
            LostError: give up.
        """


def _heads() -> Select[Any]:
    """The first waiting parcel of each match and target.

    What goes to a player waits for what went to the channel before: a DM links to the board.
    """
    place = outbox.c.match_id, outbox.c.target
    waiting = select(func.min(outbox.c.id).label("id"), *place)
    waiting = waiting.where(outbox.c.state == "waiting").group_by(*place)
    first, public = waiting.subquery(), waiting.where(outbox.c.target == "channel").subquery()
    return (
        select(outbox)
        .join(first, first.c.id == outbox.c.id)
        .outerjoin(public, public.c.match_id == outbox.c.match_id)
        .where(or_(public.c.id.is_(None), public.c.id >= outbox.c.id))
    )


# Statements that are put together once: to do so costs more than to run them.

_FREE = (
    or_(outbox.c.due <= bindparam("now"), outbox.c.due > bindparam("far")),
    or_(
        outbox.c.lease.is_(None),
        outbox.c.lease < bindparam("now"),
        outbox.c.lease > bindparam("false"),
    ),
)
"""Rows that are due and not under a lease; for the values see `_times`."""

_DUE = _heads().where(*_FREE).order_by(outbox.c.id).limit(bindparam("count"))
_TAKE = (
    update(outbox)
    .where(
        outbox.c.id.in_(
            select(outbox.c.id)
            .where(outbox.c.id.in_(bindparam("found", expanding=True)))
            .where(outbox.c.state == "waiting", *_FREE)
            .with_for_update(skip_locked=True)
        )
    )
    .values(
        holder=bindparam("us"),
        lease=bindparam("until"),
        attempts=outbox.c.attempts + 1,
        tried=func.coalesce(outbox.c.tried, bindparam("now", type_=Float)),
    )
    .returning(outbox.c.id, outbox.c.attempts, outbox.c.tried)
)


def _next() -> Select[Any]:
    heads = _heads().subquery()
    later = case((heads.c.lease > heads.c.due, heads.c.lease), else_=heads.c.due)
    return select(func.min(later))


_NEXT = _next()
"""When the next one is due."""


def _times(now: float) -> dict[str, float]:
    """A time too far ahead to be true is from before the clock was put back."""
    return {"now": now, "far": now + FAR, "false": now + LEASE + SKEW}


class Delivery:
    """Works off the outbox.

    Args:
        database: where it is.
        courier: who carries.
        clock: the time in UTC seconds.
        holder: says which process this is, also after a restart.
    """

    def __init__(
        self,
        database: Database,
        courier: Courier,
        clock: Callable[[], float] = time.time,
        holder: str = "",
    ) -> None:
        self._database = database
        self._courier = courier
        self._clock = clock
        self._holder = holder
        self._room = AT_ONCE
        self._task: asyncio.Task[None] | None = None
        self._air: set[asyncio.Task[None]] = set()
        self._news = asyncio.Event()
        self._alarm: asyncio.TimerHandle | None = None
        self._context = copy_context()

    async def resume(self) -> None:
        """Take over at once what the process held that was here before this one.

        What is sent is not about the click that happens to wake the worker, so it works in the
        context of this call.
        """
        self._context = copy_context()
        async with self._database.write() as connection:
            held = outbox.c.lease.is_not(None)
            ours = or_(outbox.c.holder == self._holder, outbox.c.holder.is_(None))
            await connection.execute(update(outbox).where(held, ours).values(lease=None))
        self.wake()

    def wake(self) -> None:
        """Start the worker if it does not run already: something may be due."""
        self._news.set()
        if self._task is None or self._task.done():
            start = partial(asyncio.create_task, self._work(), name="delivery")
            self._task = self._context.run(start)

    async def flush(self, *, new: bool = True) -> None:
        """Work until nothing is due; without `new`, until what is in the air has landed."""
        self._room = AT_ONCE if new else 0
        self.wake()
        if self._task:
            await self._task

    async def stop(self) -> None:
        """Carry nothing more; what is in the air is carried again after the next start."""
        self._ring_in(None)
        if self._task:
            self._task.cancel()
            await asyncio.wait({self._task})

    async def _work(self) -> None:
        """Carry until nothing is due; what is slow holds up nothing but its own match."""
        try:
            while True:
                self._news.clear()
                for parcel in await self._claim(self._room - len(self._air)):
                    self._launch(parcel)
                wait = None if self._air else await self._until_next()
                if self._air:
                    await self._news.wait()
                elif not self._news.is_set():
                    break
        except SQLAlchemyError as error:
            log.warning("the outbox cannot be reached, I look again soon: %s", error)
            wait = RESPITE
        except asyncio.CancelledError:
            for task in self._air:
                task.cancel()
            await asyncio.gather(*self._air, return_exceptions=True)
            raise
        self._ring_in(wait)

    def _ring_in(self, wait: float | None) -> None:
        """Wake in so many seconds, and at no other time that was set before."""
        if self._alarm:
            self._alarm.cancel()
        loop = asyncio.get_running_loop()
        self._alarm = None if wait is None else loop.call_later(wait, self.wake)

    def _launch(self, parcel: Parcel) -> None:
        task = asyncio.create_task(self._carry(parcel), name=f"parcel {parcel.id}")
        self._air.add(task)
        task.add_done_callback(self._landed)

    def _landed(self, task: asyncio.Task[None]) -> None:
        self._air.discard(task)
        self._news.set()

    async def _claim(self, count: int) -> list[Parcel]:
        """Take so many due parcels, each the first of its match and target, under a lease."""
        now = self._clock()
        if count <= 0:
            return []
        async with self._database.read() as connection:
            found = {parcel.id: parcel for parcel in await _first_due(connection, now, count)}
        if not found:
            return []
        mine = {"found": list(found), "us": self._holder, "until": now + LEASE}
        async with self._database.write() as connection:
            taken = (await connection.execute(_TAKE, _times(now) | mine)).all()
        return [
            found[number]._replace(attempts=n, tried=tried) for number, n, tried in sorted(taken)
        ]

    async def _carry(self, parcel: Parcel) -> None:
        concern(match=parcel.match_id)
        try:
            await self._try(parcel)
        except SQLAlchemyError as error:  # its lease ends, and then it is carried again
            log.warning("%s is not noted: %s", parcel.kind, error)

    async def _try(self, parcel: Parcel) -> None:
        try:
            async with asyncio.timeout(ATTEMPT):
                receipt = await self._courier.deliver(parcel)
        except LaterError as later:
            await self._put_off(parcel, later)
        except TimeoutError:
            await self._put_off(parcel, LaterError("it took too long"))
        except LostError as lost:
            count_failure("outbox", lost)
            await self._give_up(parcel, str(lost))
        except SQLAlchemyError as error:
            away = LaterError("the database does not answer")
            away.__cause__ = error
            await self._put_off(parcel, away)
        except Exception as error:  # noqa: BLE001 - a bug, which is logged once
            await self._retry_after_bug(parcel, error)
        else:
            await self._done(parcel, receipt)

    async def _retry_after_bug(self, parcel: Parcel, error: Exception) -> None:
        """Count an error of this program, and log its traceback only the first time."""
        errors, later = parcel.errors + 1, LaterError(type(error).__name__)
        later.__cause__ = error
        if errors == 1:
            log.error("%s failed", parcel.kind, exc_info=error)
        if errors < ERROR_LIMIT:
            await self._put_off(parcel, later, errors=errors)
            return
        count_failure("outbox", error)
        metrics.GIVEN_UP.labels("outbox").inc()
        await self._give_up(parcel, f"{later}, {errors} times")

    async def _give_up(self, parcel: Parcel, reason: str) -> None:
        """Retry a row no more; what comes after it is sent."""
        log.warning("%s is lost: %s", parcel.kind, reason)
        await self._update(parcel, state="dead", error=reason, lease=None)

    async def _put_off(self, parcel: Parcel, later: LaterError, **fields: object) -> None:
        if parcel.attempts >= ATTEMPT_LIMIT:
            count_failure("outbox", later)
            metrics.GIVEN_UP.labels("outbox").inc()
            await self._give_up(parcel, f"{later}, after {parcel.attempts} attempts")
            return
        log.info("%s is put off: %s", parcel.kind, later)
        count_failure("outbox", later)
        wait = max(later.after, BACK_OFF[min(parcel.attempts, len(BACK_OFF)) - 1])
        due = self._clock() + min(wait, FAR)
        await self._update(parcel, due=due, error=str(later), lease=None, **fields)

    async def _update(self, parcel: Parcel, **fields: object) -> None:
        async with self._database.write() as connection:
            await connection.execute(update(outbox).where(_ours(parcel)).values(**fields))

    async def _done(self, parcel: Parcel, receipt: Receipt | None) -> None:
        async with self._database.write() as connection:
            deleted = await connection.execute(delete(outbox).where(_ours(parcel)))
            if receipt is not None and deleted.rowcount:
                await _keep(connection, parcel.match_id, receipt)

    async def _until_next(self) -> float | None:
        """Seconds until something is due, or None if nothing waits."""
        async with self._database.read() as connection:
            due: float | None = (await connection.execute(_NEXT)).scalar_one()
        return None if due is None else max(0.05, due - self._clock())


def _ours(parcel: Parcel) -> ColumnElement[bool]:
    """Whether a parcel is still in our hands: each lease counts as an attempt.

    SQLite gives the numbers of deleted rows to new ones, so the key is compared as well.
    """
    same = and_(outbox.c.id == parcel.id, func.coalesce(outbox.c.key, "") == parcel.key)
    lease = and_(outbox.c.tried == parcel.tried, outbox.c.attempts == parcel.attempts)
    return and_(same, lease)


async def _first_due(connection: Connection, now: float, count: int) -> Sequence[Parcel]:
    """So many of the heads that are due and free."""
    due = await connection.execute(_DUE, _times(now) | {"count": count})
    return [
        Parcel(
            row.id,
            row.match_id,
            row.target,
            row.kind,
            row.what,
            row.attempts,
            row.tried or 0.0,
            row.key or "",
            row.errors or 0,
        )
        for row in due
    ]


async def _keep(connection: Connection, match_id: int, receipt: Receipt) -> None:
    """Remember a message with its copies, in place of the former one of this kind."""
    same = (surfaces.c.match_id == match_id) & (surfaces.c.kind == receipt.kind)
    await connection.execute(delete(surfaces).where(same))
    fields = {"match_id": match_id, "kind": receipt.kind, "shown": receipt.lines}
    copies = receipt.copies or (Copy(0, receipt.channel_id, receipt.message_id),)
    sat = select(seats.c.user_id).where(seats.c.match_id == match_id)
    users = {0, *(await connection.execute(sat)).scalars()}  # not those who were deleted meanwhile
    rows = [fields | copy._asdict() for copy in copies if copy.user_id in users]
    if rows:
        await connection.execute(insert(surfaces), rows)
