"""Vacations: stop the clocks and reminders of players who are away.

A player can be away for 30 days in 365. Days used are stored for a year.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import NamedTuple

from sqlalchemy import delete, func, insert, select, update

from bot.domain.clocks import DAY, HOUR, stops_for_vacations
from bot.domain.ids import UserId
from bot.domain.models import MatchStatus
from bot.domain.outbox import OutboxKind
from bot.services.clocks import extend_silence, pause_clock, update_seat
from bot.services.match_repository import seats_of
from bot.services.match_store import MatchStore, played_by
from bot.services.rows import AbsenceRow, MatchRow, SeatRow
from bot.services.stand_in_returns import give_back
from bot.storage.connection import Connection
from bot.storage.database import upsert
from bot.storage.due import NOW, finds_any
from bot.storage.schema import absences, vacations

ALLOWANCE_DAYS = 30
"""Days that a player can be away in each period."""

PERIOD_DAYS = 365
"""Length of the period: days after which a day away no longer counts."""

MAX_REDRAWN = 50
"""Maximum number of boards redrawn when a vacation begins or ends."""

MAX_OVERRUN_SECONDS = HOUR
"""Maximum excess in seconds for shortening a vacation to the allowance, not refusing it."""

_OVER = select(absences.c.user_id).where(absences.c.ends_at <= NOW)

VACATIONS_DUE = finds_any(_OVER)


class VacationBalance(NamedTuple):
    """A player's vacation and allowance.

    Attributes:
        ends_at: the end of the vacation; None if not away.
        seconds_left: the seconds of allowance left then.
        stand_in: level of the computer's stand-in; None if not allowed.
        unaffected: number of the player's matches whose clocks don't stop for vacations.
    """

    ends_at: float | None
    seconds_left: float
    stand_in: str | None = None
    unaffected: int = 0

    @property
    def days(self) -> int:
        """Return the remaining whole days."""
        return int((self.seconds_left + MAX_OVERRUN_SECONDS) // DAY)


class TooLongError(Exception):
    """A vacation would exceed the remaining allowance.

    Attributes:
        days: whole days of vacation that the player can still take.
    """

    def __init__(self, days: int) -> None:
        super().__init__(days)
        self.days = days


class NotAwayError(Exception):
    """Raised when a vacation is to be changed, but there is none."""


class Vacations:
    """Begins and ends vacations."""

    def __init__(self, match_store: MatchStore) -> None:
        self._match_store = match_store
        self._heartbeats = match_store.heartbeats

    async def balance(self, user_id: UserId) -> VacationBalance:
        """Return the end of a player's vacation and the allowance left after it."""
        async with self._match_store.database.read() as connection:
            absence = await _absence(connection, user_id)
            free = await self._free(connection, user_id, absence)
            unaffected = (await _played(connection, user_id))[1] if absence else 0
        if absence is None:
            return VacationBalance(None, free)
        left = max(0.0, free - max(0.0, absence.ends_at - self._match_store.clock()))
        return VacationBalance(absence.ends_at, left, absence.stand_in, unaffected)

    async def begin(
        self, user_id: UserId, until: float | None, stand_in: str | None = None
    ) -> VacationBalance:
        """Begin a vacation, or change the current one.

        Args:
            until: the end of the vacation, in UTC seconds; None for no change.
            stand_in: the level at which the computer may stand in if the other players agree; empty
                if it may not, None for no change.

        Raises:
            NotAwayError: `until` is None, but there is no vacation.
            TooLongError: it exceeds the remaining allowance.
        """
        duration = None if until is None else until - self._match_store.clock()
        async with self._heartbeats.write_in_step() as connection:
            now, absence = self._match_store.clock(), await _absence(connection, user_id)
            free = await self._free(connection, user_id, absence)
            if duration is None:
                if absence is None:
                    raise NotAwayError
                duration = absence.ends_at - now
            if duration > free + MAX_OVERRUN_SECONDS:
                raise TooLongError(VacationBalance(None, free).days)
            until = now + min(duration, free)
            started_at, ends_at, level = (
                (now, now, None)
                if absence is None
                else (absence.started_at, absence.ends_at, absence.stand_in)
            )
            allows_other = absence is not None and stand_in not in (None, level or "")
            level = level if stand_in is None else stand_in or None
            values = {"started_at": started_at, "ends_at": until, "stand_in": level}
            await upsert(connection, absences, user_id=user_id, **values)
            played, unaffected = await _played(connection, user_id)
            replaced = []
            async for row, seat in _seats(connection, played, user_id):
                time = await self._heartbeats.time_of(connection, row)
                await pause_clock(connection, row, seat, time)
                await extend_silence(connection, row, seat, time, until - ends_at)
                if allows_other:
                    await update_seat(connection, seat, level=None, agreed_by="")
                    replaced += [] if seat.decides_itself else [row]
            await self._redraw_boards(connection, played, replaced)
            return VacationBalance(until, free - (until - now), level, unaffected)

    async def end(self, user_id: UserId, *, due: bool = False) -> bool:
        """End a vacation; return whether there was one.

        Args:
            due: end it only if it is due.
        """
        async with self._heartbeats.write_in_step() as connection:
            now, absence = self._match_store.clock(), await _absence(connection, user_id)
            if absence is None or (due and absence.ends_at > now):
                return False
            await connection.execute(delete(absences).where(absences.c.user_id == user_id))
            await _record_usage(connection, absence, now)
            played, _unaffected = await _played(connection, user_id)
            replaced = []
            async for row, seat in _seats(connection, played, user_id):
                time = await self._heartbeats.time_of(connection, row)
                await give_back(connection, row, seat, time)
                await extend_silence(connection, row, seat, time, now - absence.ends_at)
                replaced += [] if seat.decides_itself else [row]
            await self._redraw_boards(connection, played, replaced)
            return True

    async def end_due(self) -> None:
        """End all vacations that are due; a background job."""
        async with self._match_store.database.read() as connection:
            result = await connection.execute(_OVER, {"now": self._match_store.clock()})
            users = result.scalars().all()
        for user_id in users:
            await self.end(user_id, due=True)

    async def _free(
        self, connection: Connection, user_id: UserId, absence: AbsenceRow | None
    ) -> float:
        """Return the seconds of vacation that a player can still take."""
        now, table = self._match_store.clock(), vacations.c
        counted = (table.user_id == user_id) & (table.started_at > now - PERIOD_DAYS * DAY)
        result = await connection.execute(select(func.sum(table.seconds)).where(counted))
        used: float = result.scalar_one() or 0.0
        if absence is not None:
            used += max(0.0, now - absence.started_at)
        return max(0.0, ALLOWANCE_DAYS * DAY - used)

    async def _redraw_boards(
        self,
        connection: Connection,
        played: Sequence[MatchRow],
        replaced: Sequence[MatchRow],
    ) -> None:
        """Redraw the boards of the last changed matches, because boards show absences.

        Other matches show the absence on their next board: hundreds of edits would delay all other
        boards. Matches in which the player decides again (`replaced`) are all redrawn, with new
        controls.
        """
        for row in replaced:
            if not row.is_outdated:
                await self._match_store.change_deciders(connection, row)
        unchanged = [row for row in played if row not in replaced]
        for row in sorted(unchanged, key=lambda row: row.changed_at, reverse=True)[:MAX_REDRAWN]:
            kind = OutboxKind.EDIT_BOARD
            await self._match_store.queue_board(connection, row.id, row.version, kind)


async def _played(connection: Connection, user_id: UserId) -> tuple[list[MatchRow], int]:
    """Return a player's matches that stop for vacations, and the number of the others."""
    running = await played_by(connection, user_id, MatchStatus.RUNNING)
    stopping = [row for row in running if stops_for_vacations(row.clock)]
    return stopping, len(running) - len(stopping)


async def _seats(
    connection: Connection, played: Sequence[MatchRow], user_id: UserId
) -> AsyncIterator[tuple[MatchRow, SeatRow]]:
    """Yield each match with the player's seat; other tasks run in between."""
    for row in played:
        people = await seats_of(connection, row.id)
        yield row, next(person for person in people if person.user_id == user_id)
        await asyncio.sleep(0)


async def _absence(connection: Connection, user_id: UserId) -> AbsenceRow | None:
    """Return a player's absence; None if not away."""
    query = select(absences).where(absences.c.user_id == user_id)
    row = (await connection.execute(query)).one_or_none()
    return None if row is None else AbsenceRow(*row)


async def _record_usage(connection: Connection, absence: AbsenceRow, now: float) -> None:
    """Store the length of an absence, one row per day, and delete rows that no longer count."""
    table = vacations.c
    used = max(0.0, min(now, absence.ends_at) - absence.started_at)
    await connection.execute(delete(vacations).where(table.started_at <= now - PERIOD_DAYS * DAY))
    of_user = table.user_id == absence.user_id
    recent = select(func.max(table.started_at)).where(
        of_user, table.started_at > absence.started_at - DAY
    )
    started_at = (await connection.execute(recent)).scalar_one()
    if started_at is not None:
        query = update(vacations).where(of_user, table.started_at == started_at)
        await connection.execute(query.values(seconds=table.seconds + used))
    elif used:
        values = {"user_id": absence.user_id, "started_at": absence.started_at, "seconds": used}
        await connection.execute(insert(vacations).values(values))
