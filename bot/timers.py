"""What happens by the clock: a timer is a row, armed for a match version that firing checks."""

from __future__ import annotations

import time
from collections.abc import Callable

from sqlalchemy import delete, select

from bot.matches import Matches
from bot.storage.database import Database
from bot.storage.schema import timers


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
        self._ways = {"expire": matches.expire}

    async def fire(self) -> int:
        """Fire all timers that are due; gives their number.

        A timer goes after it has fired: if the process dies in between, it fires again, and the
        version check makes that harmless.
        """
        async with self._database.read() as connection:
            due = select(timers).where(timers.c.due <= self._clock()).order_by(timers.c.due)
            rows = (await connection.execute(due)).all()
        for row in rows:
            await self._ways[row.kind](row.match_id, row.version)
            async with self._database.write() as connection:
                await connection.execute(delete(timers).where(timers.c.id == row.id))
        return len(rows)
