"""What happens by the clock: a timer is a row, armed for a version that firing checks."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable

from sqlalchemy import delete, insert, select, update

from bot.matches import Matches
from bot.service import BY_SEAT
from bot.storage.database import Database
from bot.storage.schema import facts, seats, timers

log = logging.getLogger(__name__)

ALIVE = "alive"
"""The fact when the bot was last seen running, in UTC seconds."""

LEAP = 60.0
"""Seconds that the clock may be off before its leap is taken off players' times."""


class Timers:
    """Fires what is due, and sees to it that nobody pays for the bot's or the clock's faults.

    Args:
        database: where the timers are.
        matches: whose matches they are about.
        clock: the time in UTC seconds; it may leap.
        ticks: seconds that only go forward.
    """

    def __init__(
        self,
        database: Database,
        matches: Matches,
        clock: Callable[[], float] = time.time,
        ticks: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._clock = clock
        self._ticks = ticks
        self._seen: tuple[float, float] | None = None
        self._ways = {
            "expire": matches.expire,
            "flag": matches.out_of_time,
            "warn": matches.remind,
            "remind": matches.remind,
        }

    async def beat(self) -> int:
        """Take off the time in which the bot was away or the clock leapt, then fire what is due."""
        now, ticks = self._clock(), self._ticks()
        async with self._database.write() as connection:
            if self._seen is not None:
                lost = (now - self._seen[0]) - (ticks - self._seen[1])
            else:
                alive = select(facts.c.value).where(facts.c.name == ALIVE)
                value = (await connection.execute(alive)).scalar_one_or_none()
                lost = 0.0 if value is None else now - float(value)
            if abs(lost) > LEAP:
                log.warning("%.0f s were lost; the players' times are moved by them", lost)
                running = seats.c.since.is_not(None)
                await connection.execute(
                    update(seats).where(running).values(since=seats.c.since + lost)
                )
                of_players = timers.c.kind.in_(BY_SEAT)
                await connection.execute(
                    update(timers).where(of_players).values(due=timers.c.due + lost)
                )
            await connection.execute(delete(facts).where(facts.c.name == ALIVE))
            await connection.execute(insert(facts).values(name=ALIVE, value=str(now)))
        self._seen = now, ticks
        return await self.fire()

    async def fire(self) -> int:
        """Fire all timers that are due; gives their number.

        A timer goes after it has fired: if the process dies in between, it fires again, and the
        version check makes that harmless.
        """
        async with self._database.read() as connection:
            due = select(timers).where(timers.c.due <= self._clock()).order_by(timers.c.due)
            rows = (await connection.execute(due)).all()
        for row in rows:
            await self._ways[row.kind](row.match_id, row.seat, row.version)
            async with self._database.write() as connection:
                await connection.execute(delete(timers).where(timers.c.id == row.id))
        return len(rows)
