"""A bot on a database file: its services, and its clock, which can end its process."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from typing import TypeVar

from sqlalchemy import update

from bot.app.run import open_database
from bot.features.cups.dates import CupDates
from bot.features.cups.service import Cups
from bot.features.privacy.service import Privacy
from bot.services.factory import Services, services_on
from bot.services.timers import Timers
from bot.storage.database import Database
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import facts
from tests.support.features import features_on
from tools.cups.journal import Journal

BEGIN = 1_800_000_000.0

JOURNAL = "journal"
"""Name of the file with the journal."""

T = TypeVar("T")


class DiedError(BaseException):
    """The process died."""


class World:
    """A bot on a database file.

    Args:
        folder: folder of the database and the journal; if it has some, the world continues.

    Attributes:
        last_number: number of the last interaction.
        unanswered: the request that the last process had not answered when it was killed.
    """

    def __init__(self, folder: Path) -> None:
        self.journal = Journal(folder / JOURNAL)
        self._path = folder / "cups.db"
        self.last_number, now, self.unanswered = self.journal.resume()
        self.now = now or BEGIN
        self._calls_left = -1
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        """Open the database, and create the services."""
        url = f"sqlite+aiosqlite:///{self._path}"
        self.database: Database = await self._stack.enter_async_context(open_database(url))
        self.services: Services = services_on(self.database, self.clock)
        features = features_on(self.database, self.clock, self.services)
        self.privacy: Privacy = features[Privacy]
        self.cups: Cups = features[Cups]
        self.cup_dates: CupDates = features[CupDates]

    async def stop(self) -> None:
        """Close the database."""
        await self._stack.aclose()

    async def restart(self) -> None:
        """Close the database, and start again on it."""
        self.journal.note("restart")
        await self.stop()
        await self.start()

    def clock(self) -> float:
        """Return the time, or die."""
        self._calls_left -= 1
        if self._calls_left == 0:
            raise DiedError
        return self.now

    async def survive(self, work: Callable[[], Awaitable[T]], calls: int) -> T:
        """Do some work; die at a call of the clock, start again, and do it again."""
        self._calls_left = calls or -1
        try:
            return await work()
        except DiedError:
            self.journal.note("death")
            await self.restart()
            return await work()
        finally:
            self._calls_left = -1

    async def wait(self, until: float) -> None:
        """Let time pass while the bot runs, and fire the timers that are due."""
        self.now = max(self.now, until)
        async with self.database.write() as connection:
            heartbeat = update(facts).where(facts.c.name.like(f"{HEARTBEAT}%"))
            await connection.execute(heartbeat.values(value=repr(self.now)))
        services = self.services
        timers = Timers(
            self.database,
            services.challenges,
            services.deadlines,
            services.nudges,
            services.silence,
            clock=lambda: self.now,
        )
        await timers.fire()
        await services.vacations.end_due()
