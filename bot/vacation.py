"""Being away: meanwhile the own clocks stand still, and nobody is reminded of anything."""

from __future__ import annotations

from typing import Any

from sqlalchemy import Row, delete, select

from bot.players import reminder
from bot.seat_clocks import BY_SEAT, arm, deadlines, pause_earlier, resume_earlier, sit
from bot.service import Service, count_lines, played_by
from bot.storage.database import Connection, put
from bot.storage.schema import absences, timers
from bot.tables import RUNNING, people_of


class Vacations(Service):
    """Begins and ends absences."""

    async def begin(self, user_id: int, until: float) -> None:
        """Somebody is away until then, in UTC seconds; who is away already stays away so long."""
        async with self._database.write(alone=True) as connection:
            await put(connection, absences, user_id=user_id, until=until)
            for row in await played_by(connection, user_id, RUNNING):
                seat = await _seat(connection, row, user_id)
                await pause_earlier(connection, seat, self._clock())
                if seat.seat in row.decisions:
                    await self._stop(connection, seat)
                await self._tell(connection, row)

    async def end(self, user_id: int) -> bool:
        """Somebody is back; whether they were away."""
        async with self._database.write(alone=True) as connection:
            gone = delete(absences).where(absences.c.user_id == user_id)
            if not (await connection.execute(gone)).rowcount:
                return False
            for row in await played_by(connection, user_id, RUNNING):
                seat = await _seat(connection, row, user_id)
                await resume_earlier(connection, seat, self._clock())
                if seat.seat in row.decisions:
                    await self._go_on(connection, row, seat)
                await self._tell(connection, row)
            return True

    async def end_due(self) -> None:
        """End the absences whose time has come: a chore."""
        async with self._database.read() as connection:
            due = select(absences.c.user_id).where(absences.c.until <= self._clock())
            users = (await connection.execute(due)).scalars().all()
        for user_id in users:
            await self.end(user_id)

    async def _stop(self, connection: Connection, seat: Row[Any]) -> None:
        """Stop the clock of a seat, unless its time is over and only its timer has not fired."""
        left = None if seat.since is None else seat.left - (self._clock() - seat.since)
        if left is not None and left <= 0:
            return
        same = (timers.c.match_id == seat.match_id) & (timers.c.seat == seat.seat)
        await connection.execute(delete(timers).where(same, timers.c.kind.in_(BY_SEAT)))
        if left is not None:
            await sit(connection, seat, left=left, since=None)

    async def _go_on(self, connection: Connection, row: Row[Any], seat: Row[Any]) -> None:
        """Start the clock of a seat with what was left, and remind its player again."""
        now, due = self._clock(), {}
        if seat.left and seat.since is None:
            await sit(connection, seat, since=now)
            due = deadlines(seat.left, now)
        if pause := reminder(seat.preferences):
            due["remind"] = now + pause
        if due:
            await arm(connection, seat, row.decisions[seat.seat], due)

    async def _tell(self, connection: Connection, row: Row[Any]) -> None:
        """Have the notice of a match redrawn: it says who is away."""
        what = {"lines": await count_lines(connection, row.id), "version": row.version}
        await self._queue(connection, row.id, "refresh", what)


async def _seat(connection: Connection, row: Row[Any], user_id: int) -> Row[Any]:
    people = await people_of(connection, row.id)
    return next(each for each in people if each.user_id == user_id)
