"""One database: a single connection that writes, others that only read.

SQLite runs with WAL, `synchronous=FULL` and `BEGIN IMMEDIATE`: what was acknowledged survives a
power cut, and two writers never meet (SQLite before 3.51.3 can corrupt a WAL written by two).
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import URL, event, make_url
from sqlalchemy.engine import Connection
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot import metrics
from bot.storage.inline import connector
from bot.storage.lock import DatabaseError, InUseError, Lock
from bot.storage.together import Together

__all__ = ["Database", "DatabaseError", "InUseError"]

PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA busy_timeout=1500",
)

PATIENCE = 5.0
"""Seconds to wait for a connection that somebody in this process has. For a lock that another
process has it is 1.5 (`busy_timeout`), so that a player hears of it within Discord's 3 s."""


class Database:
    """Transactions on one database file.

    Args:
        url: e.g. `sqlite+aiosqlite:///starpost.db`.

    Raises:
        InUseError: another process has opened it.
        DatabaseError: its folder cannot be written to.
    """

    def __init__(self, url: str) -> None:
        self.url = make_url(url)
        self.path = Path(self.url.database or "")
        self.lock = Lock(self.path)
        self._writer = _engine(self.url, "BEGIN IMMEDIATE", pool_size=1, max_overflow=0)
        self._together = Together(self._writer, PATIENCE)
        self._readers = _engine(self.url, "BEGIN", ("PRAGMA query_only=ON",), pool_size=4)

    @asynccontextmanager
    async def write(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that may write; it is on disk when the block has been left."""
        with metrics.TRANSACTION.time():
            async with self._together.write() as connection:
                yield connection

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """One transaction that sees a single moment and cannot write."""
        async with self._readers.begin() as connection:
            yield connection

    async def compact(self) -> bool:
        """Write the file anew, so that nothing deleted is left in it; whether that is done.

        It takes a while where there is much, and must be tried again while somebody reads.
        """
        async with self._writer.connect() as connection:
            raw: Any = (await connection.get_raw_connection()).driver_connection
            await raw.execute_fetchall("VACUUM")
            ((busy, *_),) = await raw.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
            return not busy

    async def close(self) -> None:
        """Close all connections and let others in."""
        await self._together.close()
        await self._readers.dispose()
        await self._writer.dispose()
        self.lock.close()


def _engine(url: URL, begin: str, more: tuple[str, ...] = (), **pool: int) -> AsyncEngine:
    """Connections that begin like this; what they say of errors shows no hands and no seeds."""
    creator = connector(url.database or "")
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
