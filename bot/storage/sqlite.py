"""SQLite: one file, one process, a single connection that writes and others that only read.

It runs with WAL, `synchronous=FULL` and `BEGIN IMMEDIATE`: what was acknowledged survives a power
cut, and two writers never meet (SQLite before 3.51.3 can corrupt a WAL written by two).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, event
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot import metrics
from bot.storage.backup import Backups
from bot.storage.database import LOCKED, PATIENCE, Database, Transaction, noting
from bot.storage.files import Standing, damage, is_there, reading, standing
from bot.storage.inline import connector
from bot.storage.lock import DatabaseError, Lock
from bot.storage.together import Together

PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
)


READ, WRITE = "BEGIN", "BEGIN IMMEDIATE"
"""How a transaction begins that reads, and one that writes."""


class SQLite(Database):
    """Transactions on one database file.

    Args:
        url: e.g. `sqlite+aiosqlite:///starpost.db`.

    Raises:
        InUseError: another process has opened it.
        DatabaseError: its folder cannot be written to.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        self.path = Path(self.url.database or "")
        self.lock = Lock(self.path)
        self._writer = _engine(self.url, WRITE, pool_size=1, max_overflow=0)
        self._together = Together(self._writer, PATIENCE)
        self._readers = _engine(self.url, READ, ("PRAGMA query_only=ON",), pool_size=4)

    @property
    def name(self) -> str:
        """The file."""
        return str(self.path)

    @asynccontextmanager
    async def write(self, *, alone: bool = False) -> AsyncIterator[AsyncConnection]:
        """See `Database`; whoever writes is alone here."""
        with metrics.TRANSACTION.time(), noting() as commits:
            async with self._together.write() as connection:
                yield connection
                commits()

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """See `Database`."""
        async with self._readers.begin() as connection:
            yield connection

    def migration(self) -> Transaction:
        """See `Database`."""
        return self.write()

    def prepare(self, backups: Backups | None) -> None:
        """See `Database`; an older one is backed up."""
        backups = backups or Backups(self.path)
        if not is_there(self.path):
            backups.refuse_anew()
            return
        with reading(self.path) as connection:
            broken = damage(connection, quick=True)
            if broken:
                raise DatabaseError(f"{self.path} is damaged: {broken}.")
            found = standing(connection)
        if found is Standing.EMPTY:
            backups.refuse_anew()
        if found is Standing.OLDER:
            backups.make()

    def settle(self) -> None:
        """See `Database`."""
        self.lock.mark()

    def beat(self) -> None:
        """See `Database`; a sign of life that is no write goes on when the disk is full."""
        self.lock.beat()

    async def compact(self) -> bool:
        """See `Database`; it writes the file anew.

        It takes a while where there is much, and must be tried again while somebody reads.
        """
        async with self._writer.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            await raw.execute_fetchall("VACUUM")
            ((busy, *_),) = await raw.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
            return not busy

    async def close(self) -> None:
        """See `Database`."""
        await self._together.close()
        await self._readers.dispose()
        await self._writer.dispose()
        self.lock.close()


def _engine(url: URL, begin: str, more: tuple[str, ...] = (), **pool: int) -> AsyncEngine:
    """Connections that begin like this; what they say of errors shows no hands and no seeds."""
    creator = connector(url.database or "", LOCKED, writes=begin != READ)
    engine = create_async_engine(
        url, async_creator=creator, pool_timeout=PATIENCE, hide_parameters=True, **pool
    )

    def connect(connection: Any, _: object) -> None:
        connection.isolation_level = None  # transactions begin where we say, not where sqlite3 does
        for pragma in PRAGMAS + more:
            connection.execute(pragma)

    def start(connection: Connection) -> None:
        connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", connect)
    event.listen(engine.sync_engine, "begin", start)
    return engine
