"""What happens by the clock: a timer is a row, armed for a version that firing checks.

Time counts only while the bot is there and the clock runs as it should: each look at the clock is
noted, and what lies between two looks that are too far apart, whether it was an outage or somebody
set the clock, is given back to every timer and to the players.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import Row, delete, insert, select, update
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.logs import concerning
from bot.matches import Matches
from bot.storage.database import Database
from bot.storage.schema import facts, matches, seats, timers

log = logging.getLogger(__name__)

ABSENT = 120.0
"""Seconds between two looks at the clock above which nobody was there."""

BEAT = "beat"
"""Name of the fact that holds the time of the last look."""


class Timers:
    """Fires what is due.

    Args:
        database: where the timers are.
        matches: whose matches they are about.
        clock: the time in UTC seconds.
    """

    def __init__(
        self, database: Database, matches: Matches, clock: Callable[[], float] = time.time
    ) -> None:
        self._database = database
        self._clock = clock
        self._ways = {
            "expire": matches.expire,
            "flag": matches.out_of_time,
            "warn": matches.warn,
            "remind": matches.remind,
        }

    async def fire(self) -> int:
        """Fire all timers that are due; gives their number.

        Timers go after they have fired: if the process dies in between, they fire again, and the
        version check makes that harmless. One that fails holds up no other and stays.
        """
        now = self._clock()
        await self._look(now)
        async with self._database.read() as connection:
            due = select(timers).where(timers.c.due <= now).order_by(timers.c.due)
            rows = (await connection.execute(due)).all()
        fired = [row.id for row in rows if await self._fire(row)]
        await self._disarm(fired, now)
        return len(fired)

    async def _fire(self, row: Row[Any]) -> bool:
        """Do what a timer is for; whether that went well."""
        with concerning(match=row.match_id):
            try:
                await self._ways[row.kind](row.match_id, row.seat, row.version)
                metrics.TIMER_LAG.observe(max(0.0, self._clock() - row.due))
            except SQLAlchemyError as error:
                log.warning("its timer fires later: %s", error)
                return False
        return True

    async def _disarm(self, fired: list[int], now: float) -> None:
        """Drop timers; one that was armed meanwhile, and given a number that was free, stays."""
        if fired:
            gone = timers.c.id.in_(fired) & (timers.c.due <= now)
            async with self._database.write() as connection:
                await connection.execute(delete(timers).where(gone))

    async def _look(self, now: float) -> None:
        """Note the time, and put off whatever was not due yet by the time that does not count."""
        async with self._database.write() as connection:
            noted = select(facts.c.value).where(facts.c.name == BEAT)
            value = (await connection.execute(noted)).scalar_one_or_none()
            last = now if value is None else float(value)
            away = now - last
            if not 0 <= away <= ABSENT:
                log.warning("%.0f s are not counted: an outage, or the clock was set", away)
                for column in (timers.c.due, matches.c.expires):
                    put_off = update(column.table).where(column > last)
                    await connection.execute(put_off.values({column.name: column + away}))
                clocks = update(seats).where(seats.c.since.is_not(None))
                await connection.execute(clocks.values(since=seats.c.since + away))
            await connection.execute(delete(facts).where(facts.c.name == BEAT))
            await connection.execute(insert(facts).values(name=BEAT, value=repr(now)))
