"""Sending what the outbox holds: in order, once, and again until it is known to have arrived.

Nothing here knows Discord: a `Courier` carries a parcel and says what became of it. There is no
task that waits for ever: `wake` starts one that ends when nothing is due.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import time
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, Protocol

from sqlalchemy import ColumnElement, delete, exists, func, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.storage.database import Database
from bot.storage.schema import outbox, surfaces

log = logging.getLogger(__name__)

LEASE = 60.0
"""Seconds for which one worker has a parcel to itself."""

AT_ONCE = 20
"""Parcels in the air together."""

BACK_OFF = (1.0, 2.0, 5.0, 15.0, 60.0)
"""Seconds until the next attempt; the last one again and again."""


class Parcel(NamedTuple):
    """One thing to send.

    Attributes:
        id: number of its row.
        match_id: what it is about.
        target: `channel` or `user:ID`.
        kind: what it is.
        what: numbers that say which moment it shows.
        attempts: how often it has been tried, this time included.
        tried: time of the first attempt.
    """

    id: int
    match_id: int
    target: str
    kind: str
    what: Mapping[str, int]
    attempts: int
    tried: float

    @property
    def nonce(self) -> str:
        """The same for each attempt, so that Discord posts it once (≤ 25 characters)."""
        text = f"starpost {self.id} {self.match_id} {self.kind} {self.what}"
        return hashlib.sha256(text.encode()).hexdigest()[:24]


class Receipt(NamedTuple):
    """A message that now stands on Discord and is to be kept up to date.

    Attributes:
        kind: `challenge` or `notice`.
        channel_id: where it is.
        message_id: which one it is.
        lines: how many actions of the match it tells of.
    """

    kind: str
    channel_id: int
    message_id: int
    lines: int


class LaterError(Exception):
    """It did not arrive, or nobody knows; try again.

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


class Delivery:
    """Works off the outbox.

    Args:
        database: where it is.
        courier: who carries.
        clock: the time in UTC seconds.
    """

    def __init__(
        self, database: Database, courier: Courier, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._courier = courier
        self._clock = clock
        self._task: asyncio.Task[None] | None = None
        self._again = False

    def wake(self) -> None:
        """Something may be due: work, if nobody does already."""
        self._again = True
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._work(), name="delivery")

    async def flush(self) -> None:
        """Work until nothing is due."""
        self.wake()
        if self._task:
            await self._task

    async def _work(self) -> None:
        while self._again:
            self._again = False
            while parcels := await self._claim():
                await asyncio.gather(*map(self._carry, parcels))
        wait = await self._until_next()
        if wait is not None:
            asyncio.get_running_loop().call_later(wait, self.wake)

    async def _claim(self) -> list[Parcel]:
        """Take the first due parcel of each match and target, under a lease."""
        now = self._clock()
        async with self._database.read() as connection:
            found = await _first_due(connection, now)
        if not found:
            return []
        async with self._database.write() as connection:
            due = [parcel for parcel in await _first_due(connection, now) if parcel in found]
            await connection.execute(
                update(outbox)
                .where(outbox.c.id.in_([parcel.id for parcel in due]))
                .values(
                    lease=now + LEASE,
                    attempts=outbox.c.attempts + 1,
                    tried=func.coalesce(outbox.c.tried, now),
                )
            )
        return [each._replace(attempts=each.attempts + 1, tried=each.tried or now) for each in due]

    async def _carry(self, parcel: Parcel) -> None:
        try:
            receipt = await self._courier.deliver(parcel)
        except LaterError as later:
            await self._put_off(parcel, later)
        except LostError as lost:
            log.warning("match %s: %s is lost: %s", parcel.match_id, parcel.kind, lost)
            await self._update(parcel, state="dead", error=str(lost), lease=None)
        except Exception as error:
            log.exception("match %s: %s failed", parcel.match_id, parcel.kind)
            await self._put_off(parcel, LaterError(type(error).__name__))
        else:
            await self._done(parcel, receipt)

    async def _put_off(self, parcel: Parcel, later: LaterError) -> None:
        log.info("match %s: %s is put off: %s", parcel.match_id, parcel.kind, later)
        wait = max(later.after, BACK_OFF[min(parcel.attempts, len(BACK_OFF)) - 1])
        await self._update(parcel, due=self._clock() + wait, error=str(later), lease=None)

    async def _update(self, parcel: Parcel, **fields: object) -> None:
        async with self._database.write() as connection:
            await connection.execute(
                update(outbox).where(outbox.c.id == parcel.id).values(**fields)
            )

    async def _done(self, parcel: Parcel, receipt: Receipt | None) -> None:
        async with self._database.write() as connection:
            await connection.execute(delete(outbox).where(outbox.c.id == parcel.id))
            if receipt is not None:
                await _keep(connection, parcel.match_id, receipt)

    async def _until_next(self) -> float | None:
        """Seconds until something is due, or None if nothing waits."""
        async with self._database.read() as connection:
            later = func.max(outbox.c.due, func.coalesce(outbox.c.lease, outbox.c.due))
            soonest = select(func.min(later)).where(outbox.c.state == "waiting")
            due: float | None = (await connection.execute(soonest)).scalar_one()
        return None if due is None else max(0.05, due - self._clock())


async def _first_due(connection: AsyncConnection, now: float) -> Sequence[Parcel]:
    """The first waiting parcel of each match and target, if it is due and nobody has it.

    What goes to a player waits for what went to the channel before: a DM links to the board.
    """
    waiting = outbox.c.state == "waiting"
    first = select(func.min(outbox.c.id)).where(waiting)
    first = first.group_by(outbox.c.match_id, outbox.c.target)
    free: ColumnElement[bool] = outbox.c.lease.is_(None) | (outbox.c.lease < now)
    public = outbox.alias()
    held_up = exists().where(
        public.c.state == "waiting",
        public.c.match_id == outbox.c.match_id,
        public.c.target == "channel",
        public.c.id < outbox.c.id,
    )
    chosen = select(outbox).where(outbox.c.id.in_(first), free, outbox.c.due <= now, ~held_up)
    rows = await connection.execute(chosen.order_by(outbox.c.id).limit(AT_ONCE))
    return [
        Parcel(
            row.id,
            row.match_id,
            row.target,
            row.kind,
            row.what,
            row.attempts,
            row.tried or 0.0,
        )
        for row in rows
    ]


async def _keep(connection: AsyncConnection, match_id: int, receipt: Receipt) -> None:
    """Remember a message: one of each kind a match."""
    fields = {
        "channel_id": receipt.channel_id,
        "message_id": receipt.message_id,
        "shown": receipt.lines,
    }
    same = (surfaces.c.match_id == match_id) & (surfaces.c.kind == receipt.kind)
    changed = await connection.execute(update(surfaces).where(same).values(**fields))
    if changed.rowcount == 0:
        await connection.execute(
            insert(surfaces).values(match_id=match_id, kind=receipt.kind, **fields)
        )
