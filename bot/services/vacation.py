"""Vacations: stop the clocks and reminders of players who are away.

A player can be away for 30 days in 365. Days used are stored for a year.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select, update

from bot.services.clocks import DAY, HOUR
from bot.services.match_rows import people_of
from bot.services.models import MatchStatus, TimerKind
from bot.services.outbox import OutboxKind
from bot.services.preferences import reminder
from bot.services.seat_clocks import (
    SEAT_TIMERS,
    deadlines,
    pause_earlier,
    resume_earlier,
    schedule,
    update_seat,
)
from bot.services.stored import StoredAbsence, StoredMatch, StoredSeat
from bot.services.transactions import Transactions, played_by
from bot.storage.connection import Connection
from bot.storage.database import upsert
from bot.storage.schema import absences, timers, vacations

ALLOWANCE_DAYS = 30
"""Days that a player can be away in each period."""

PERIOD_DAYS = 365
"""Length of the period: days after which a day away no longer counts."""

MAX_REDRAWN = 50
"""Maximum number of boards redrawn when a vacation begins or ends."""

MAX_OVERRUN_SECONDS = HOUR
"""Seconds by which a vacation may exceed the allowance and is shortened instead of refused."""


class VacationBalance(NamedTuple):
    """The end of a player's vacation, None if not away, and the seconds of allowance left then."""

    ends_at: float | None
    seconds_left: float

    @property
    def days(self) -> int:
        """Return the remaining whole days."""
        return int((self.seconds_left + MAX_OVERRUN_SECONDS) // DAY)


class TooLongError(Exception):
    """A vacation would exceed the remaining allowance.

    Attributes:
        days: whole days that the player can be away from now on.
    """

    def __init__(self, days: int) -> None:
        super().__init__(days)
        self.days = days


class Vacations:
    """Begins and ends vacations."""

    def __init__(self, transactions: Transactions) -> None:
        self._transactions = transactions

    async def balance(self, user_id: int) -> VacationBalance:
        """Return the end of a player's vacation and the allowance left after it."""
        async with self._transactions.database.read() as connection:
            absence = await _absence(connection, user_id)
            free = await self._free(connection, user_id, absence)
        if absence is None:
            return VacationBalance(None, free)
        planned = max(0.0, absence.ends_at - self._transactions.clock())
        return VacationBalance(absence.ends_at, max(0.0, free - planned))

    async def begin(self, user_id: int, until: float) -> VacationBalance:
        """Begin a vacation until a time in UTC seconds, or extend the current one.

        Raises:
            TooLongError: it exceeds the remaining allowance.
        """
        async with self._transactions.database.write(exclusive=True) as connection:
            now, absence = self._transactions.clock(), await _absence(connection, user_id)
            free = await self._free(connection, user_id, absence)
            if until - now > free + MAX_OVERRUN_SECONDS:
                raise TooLongError(VacationBalance(None, free).days)
            until = min(until, now + free)
            started_at = now if absence is None else absence.started_at
            await upsert(
                connection, absences, user_id=user_id, started_at=started_at, ends_at=until
            )
            played = await played_by(connection, user_id, MatchStatus.RUNNING)
            async for row, seat in _seats(connection, played, user_id):
                await pause_earlier(connection, seat, now)
                if seat.seat in row.decisions:
                    await self._stop(connection, seat)
            await self._redraw_boards(connection, played)
            return VacationBalance(until, free - (until - now))

    async def end(self, user_id: int, *, due: bool = False) -> bool:
        """End a vacation; return whether there was one.

        Args:
            user_id: user ID of the player.
            due: end it only if it is due.
        """
        async with self._transactions.database.write(exclusive=True) as connection:
            now, absence = self._transactions.clock(), await _absence(connection, user_id)
            if absence is None or (due and absence.ends_at > now):
                return False
            await connection.execute(delete(absences).where(absences.c.user_id == user_id))
            await _record_usage(connection, absence, now)
            played = await played_by(connection, user_id, MatchStatus.RUNNING)
            async for row, seat in _seats(connection, played, user_id):
                await resume_earlier(connection, seat, now)
                if seat.seat in row.decisions:
                    await self._resume_clock(connection, row, seat)
            await self._redraw_boards(connection, played)
            return True

    async def end_due(self) -> None:
        """End all vacations that are due; a background job."""
        async with self._transactions.database.read() as connection:
            due = select(absences.c.user_id).where(absences.c.ends_at <= self._transactions.clock())
            users = (await connection.execute(due)).scalars().all()
        for user_id in users:
            await self.end(user_id, due=True)

    async def _free(
        self, connection: Connection, user_id: int, absence: StoredAbsence | None
    ) -> float:
        """Return the seconds that a player can be away from now on."""
        now, table = self._transactions.clock(), vacations.c
        counted = (table.user_id == user_id) & (table.started_at > now - PERIOD_DAYS * DAY)
        found = await connection.execute(select(func.sum(table.seconds)).where(counted))
        used: float = found.scalar_one() or 0.0
        if absence is not None:
            used += max(0.0, now - absence.started_at)
        return max(0.0, ALLOWANCE_DAYS * DAY - used)

    async def _stop(self, connection: Connection, seat: StoredSeat) -> None:
        """Stop the clock of a seat; one that has run out keeps its `flag` timer."""
        seconds_left = (
            None
            if seat.clock_started_at is None
            else (seat.seconds_left or 0.0) - (self._transactions.clock() - seat.clock_started_at)
        )
        over = seconds_left is not None and seconds_left <= 0
        same = (timers.c.match_id == seat.match_id) & (timers.c.seat == seat.seat)
        kinds = [kind for kind in SEAT_TIMERS if not (over and kind == TimerKind.FLAG)]
        await connection.execute(delete(timers).where(same, timers.c.kind.in_(kinds)))
        if seconds_left is not None and not over:
            await update_seat(connection, seat, seconds_left=seconds_left, clock_started_at=None)

    async def _resume_clock(
        self, connection: Connection, row: StoredMatch, seat: StoredSeat
    ) -> None:
        """Start the clock of a seat with its remaining time and set its reminder again."""
        now, due = self._transactions.clock(), {}
        if seat.seconds_left and seat.clock_started_at is None:
            await update_seat(connection, seat, clock_started_at=now)
            due = deadlines(seat.seconds_left, now)
        if pause := reminder(seat.preferences):
            due[TimerKind.REMIND] = now + pause
        if due:
            await schedule(connection, seat, row.decisions[seat.seat], due)

    async def _redraw_boards(self, connection: Connection, played: Sequence[StoredMatch]) -> None:
        """Redraw the boards of the matches that changed last, which show absences.

        Others show it when next drawn: hundreds of edits would delay all other boards.
        """
        for row in sorted(played, key=lambda row: row.changed_at, reverse=True)[:MAX_REDRAWN]:
            kind = OutboxKind.EDIT_BOARD
            await self._transactions.queue_board(connection, row.id, row.version, kind)


async def _seats(
    connection: Connection, played: Sequence[StoredMatch], user_id: int
) -> AsyncIterator[tuple[StoredMatch, StoredSeat]]:
    """Yield each match with the player's seat; other tasks run in between."""
    for row in played:
        people = await people_of(connection, row.id)
        yield row, next(each for each in people if each.user_id == user_id)
        await asyncio.sleep(0)


async def _absence(connection: Connection, user_id: int) -> StoredAbsence | None:
    """Return a player's absence; None if not away."""
    chosen = select(absences).where(absences.c.user_id == user_id)
    row = (await connection.execute(chosen)).one_or_none()
    return None if row is None else StoredAbsence(*row)


async def _record_usage(connection: Connection, absence: StoredAbsence, now: float) -> None:
    """Store the length of an absence, one row per day, and delete rows that no longer count."""
    table = vacations.c
    used = max(0.0, min(now, absence.ends_at) - absence.started_at)
    await connection.execute(delete(vacations).where(table.started_at <= now - PERIOD_DAYS * DAY))
    own = table.user_id == absence.user_id
    recent = select(func.max(table.started_at)).where(
        own, table.started_at > absence.started_at - DAY
    )
    started_at = (await connection.execute(recent)).scalar_one()
    if started_at is not None:
        more = update(vacations).where(own, table.started_at == started_at)
        await connection.execute(more.values(seconds=table.seconds + used))
    elif used:
        new = {"user_id": absence.user_id, "started_at": absence.started_at, "seconds": used}
        await connection.execute(insert(vacations).values(new))
