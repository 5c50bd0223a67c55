"""What happens by the clock: a timer is a row, armed for a version that firing checks.

Time counts only while the bot is there and the clock runs as it should: each look at the clock is
noted, and what lies between two looks that are too far apart, whether it was an outage or somebody
set the clock, is given back to every timer and to the players. Where several processes share the
work, each looks after the matches of its own shards, so that an outage of one of them is noticed.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from typing import Any

from sqlalchemy import Row, delete, select, update
from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.logs import concerning
from bot.matches import Matches
from bot.service import load
from bot.shards import Shards
from bot.storage.backends import connect
from bot.storage.database import Connection, Database, DatabaseError, put
from bot.storage.schema import facts, matches, seats, timers

log = logging.getLogger(__name__)

ABSENT = 120.0
"""Seconds between two looks at the clock above which nobody was there."""

SKEW = 15.0
"""Seconds by which the clocks of two processes may differ, and one of them may have gone back."""

BEAT = "beat"
"""Name of the facts that hold the time of the last look: `beat:COUNT:SHARD`."""


class Timers:
    """Fires what is due.

    Args:
        database: where the timers are.
        matches: whose matches they are about.
        clock: the time in UTC seconds.
        shards: whose matches these timers are about.
    """

    def __init__(
        self,
        database: Database,
        matches: Matches,
        clock: Callable[[], float] = time.time,
        shards: Shards = Shards(),  # noqa: B008 - it never changes
    ) -> None:
        self._database = database
        self._clock = clock
        self._shards = shards
        self._ways = {
            "expire": matches.expire,
            "flag": matches.out_of_time,
            "warn": matches.warn,
            "remind": matches.remind,
        }

    async def fire(self) -> int:
        """Fire all timers that are due; gives their number. One that fails holds up no other."""
        now = self._clock()
        await self._look(now)
        async with self._database.read() as connection:
            due = select(timers).join(matches, matches.c.id == timers.c.match_id)
            due = due.where(timers.c.due <= now, self._shards.serve(matches.c.guild_id))
            rows = (await connection.execute(due.order_by(timers.c.due))).all()
        return sum([await self._fire(row) for row in rows])

    async def _fire(self, timer: Row[Any]) -> bool:
        """Do what a timer is for, and drop it, in one transaction; whether that was done here.

        So it fires once, however many processes try, and again if one dies in the middle of it.
        """
        same = [timers.c[name] == value for name, value in timer._mapping.items()]  # noqa: SLF001
        with concerning(match=timer.match_id):
            try:
                async with self._database.write() as connection:
                    row = await load(connection, timer.match_id)
                    fired = bool((await connection.execute(delete(timers).where(*same))).rowcount)
                    if fired and row:
                        await self._ways[timer.kind](connection, row, timer.seat, timer.version)
            except SQLAlchemyError as error:
                log.warning("its timer fires later: %s", error)
                return False
        if fired:
            metrics.TIMER_LAG.observe(max(0.0, self._clock() - timer.due))
        return fired

    async def _look(self, now: float) -> None:
        """Note the time, and put off whatever was not due yet by the time that does not count."""
        async with self._database.write() as connection:
            if not await self._missed(connection, now):
                await self._note(connection, now)
                return
        async with self._database.write(alone=True) as connection:
            for shard, last in (await self._missed(connection, now)).items():
                log.warning("%.0f s are not counted: an outage, or a clock was set", now - last)
                await _put_off(connection, Shards(self._shards.count, (shard,)), last, now - last)
            await self._note(connection, now)

    async def _note(self, connection: Connection, now: float) -> None:
        for shard in self._shards.ids:
            await put(connection, facts, name=self._beat(shard), value=repr(now))

    async def _missed(self, connection: Connection, now: float) -> dict[int, float]:
        """Since when nobody has looked after a shard, of those for which that is too long."""
        noted = select(facts).where(facts.c.name.like(f"{BEAT}%"))
        beats = {row.name: float(row.value) for row in await connection.execute(noted)}
        looks = {shard: self._last(beats, shard, now) for shard in self._shards.ids}
        return {shard: last for shard, last in looks.items() if not -SKEW <= now - last <= ABSENT}

    def _beat(self, shard: int) -> str:
        return f"{BEAT}:{self._shards.count}:{shard}"

    def _last(self, beats: dict[str, float], shard: int, now: float) -> float:
        """When somebody last looked after a shard.

        When there was another number of shards, others looked after its servers.
        """
        ours = f"{BEAT}:{self._shards.count}:"
        others = [at for name, at in beats.items() if not name.startswith(ours)]
        return max([*others, *filter(None, [beats.get(self._beat(shard))])], default=now)


async def _put_off(connection: Connection, shards: Shards, last: float, away: float) -> None:
    """Give so many seconds back to the matches of some shards."""
    theirs = select(matches.c.id).where(shards.serve(matches.c.guild_id))
    changes = (
        update(timers).where(timers.c.due > last).values(due=timers.c.due + away),
        update(matches).where(matches.c.expires > last).values(expires=matches.c.expires + away),
        update(seats).where(seats.c.since.is_not(None)).values(since=seats.c.since + away),
    )
    for change in changes:
        number = change.table.c["id" if change.table is matches else "match_id"]
        await connection.execute(change.where(number.in_(theirs)))


async def last_look(url: str, shards: Shards) -> float | None:
    """When somebody last looked after all of these shards; None if never.

    Raises:
        DatabaseError: the database at this address cannot be asked.
    """
    database = connect(url)
    names = [f"{BEAT}:{shards.count}:{shard}" for shard in shards.ids]
    try:
        async with database.read() as connection:
            noted = select(facts.c.value).where(facts.c.name.in_(names))
            values = (await connection.execute(noted)).scalars().all()
    except SQLAlchemyError as error:
        raise DatabaseError(f"{database.name} does not answer.") from error
    finally:
        await database.close()
    return min(map(float, values)) if len(values) == len(names) else None
