"""SQLite: one file, one process, a single connection that writes and others that only read.

It runs with WAL, `synchronous=FULL` and `BEGIN IMMEDIATE`: an acknowledged write survives a power
cut, and two writers never meet (SQLite before 3.51.3 can corrupt a WAL written by two).

Each connection is one of aiosqlite's, with a thread of its own: neither a statement nor the sync of
a commit blocks the event loop.
"""

from __future__ import annotations

import asyncio
import logging
import shutil
import sqlite3
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing, nullcontext, suppress
from pathlib import Path
from typing import Any

import sqlalchemy
from sqlalchemy import URL, event
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import OperationalError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.database_errors import FULL, Trouble, trouble
from bot.resource_pool import ResourcePool
from bot.storage.aiosqlite_connection import OneTripConnection, open_connection
from bot.storage.backup import Backups
from bot.storage.connection import checked_out, dispose
from bot.storage.database import (
    CONNECTION_WAIT_SECONDS,
    FILE_LOCK_WAIT_SECONDS,
    Database,
    Transaction,
)
from bot.storage.erasure_list import ErasureFile
from bot.storage.file_lock import DatabaseError, DatabaseLock, DatabaseUnavailableError
from bot.storage.inspection import (
    SchemaState,
    integrity_error,
    is_there,
    open_read_only,
    schema_state,
)
from bot.storage.private import close_to_others, create, resolve
from bot.storage.purge import Purge, folder_literal
from bot.urgency import IS_URGENT

log = logging.getLogger(__name__)

PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
    "PRAGMA busy_timeout=0",  # until here a connection waits for a process that recovers the log
)

LOG_INDEX_BYTES = 65_536
"""Minimum free bytes for SQLite to create the index of its log, which has 32 KiB."""

BEGIN_READING = "BEGIN"
"""Begins nothing before the first statement, so it is sent with that."""

LOCK_POLL_SECONDS = 0.05
"""Seconds between two attempts to begin while another program has locked the file."""

READERS = 8
"""Most transactions that read at the same time; others wait for the end of one."""


class SQLite(Database):
    """Transactions on one database file.

    Args:
        url: e.g. `sqlite+aiosqlite:///starpost.db`.

    Raises:
        InUseError: another process has opened it.
        DatabaseError: the folder cannot be written to.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        named = Path(self.url.database or "")
        self.lock = DatabaseLock(named)
        self.path = resolve(named)
        ends = ("", "-wal", "-shm", ".lock", ".erased")
        close_to_others(*(self.path.with_name(self.path.name + end) for end in ends))
        self.erasures = ErasureFile(self.path)
        self._sole = ResourcePool(["writer"])
        self._writer = _engine(self.path, 1, "BEGIN IMMEDIATE", *PRAGMAS)
        self._readers = _engine(self.path, READERS, BEGIN_READING, *PRAGMAS, "PRAGMA query_only=ON")
        self._purge = Purge(self.path, self.free)

    @property
    def name(self) -> str:
        """Return the path of the file."""
        return str(self.path)

    @asynccontextmanager
    async def write(self, *, exclusive: bool = False) -> AsyncIterator[AsyncConnection]:
        """See `Database`; there is one writer at a time."""
        until = time.monotonic() + FILE_LOCK_WAIT_SECONDS
        with self._writing() as before_commit:
            async with self._sole_writer(), await checked_out(self._writer) as connection:
                await _begin(connection, until)
                try:
                    yield connection
                    await before_commit(connection)
                    await connection.commit()
                finally:
                    await connection.rollback()  # without effect after a commit

    @asynccontextmanager
    async def _sole_writer(self) -> AsyncIterator[None]:
        """Exclude the other writers of this process; those for whom a person waits come first.

        Raises:
            TimeoutError: another writer took too long.
        """
        if IS_URGENT.get():
            await self._purge.yield_to_click()
        try:
            async with asyncio.timeout(CONNECTION_WAIT_SECONDS):
                writer = await self._sole.acquire(IS_URGENT.get())
        except TimeoutError:
            raise sqlalchemy.exc.TimeoutError("others write for too long") from None
        try:
            yield
        finally:
            self._sole.release(writer)

    @asynccontextmanager
    async def read(self) -> AsyncIterator[AsyncConnection]:
        """See `Database`."""
        async with await checked_out(self._readers) as connection:
            await connection.begin()
            yield connection

    def migration(self) -> Transaction:
        """See `Database`."""
        return self.write()

    def free(self) -> int:
        """See `Database`."""
        return shutil.disk_usage(self.path.absolute().parent).free

    def prepare(self, backups: Backups | None) -> None:
        """See `Database`; an older database is backed up."""
        backups = backups or Backups(self.path)
        if not is_there(self.path):
            backups.refuse_new_database()
            return
        try:
            state = self._read_schema_state()
        except DatabaseError as error:
            code = getattr(error.__cause__, "sqlite_errorcode", 0) & 0xFF
            if code in FULL and self.free() < LOG_INDEX_BYTES:
                sentence = f"{self.path} cannot be opened: its disk is full; free some space."
                raise DatabaseUnavailableError(sentence) from error
            raise
        if state is SchemaState.EMPTY:
            backups.refuse_new_database()
        if state is SchemaState.OLDER:
            backups.make()
            _rewrite(self.path)

    def _read_schema_state(self) -> SchemaState:
        """Return the state of the schema of an undamaged file.

        Raises:
            DatabaseError: it is damaged.
        """
        with open_read_only(self.path) as connection:
            broken = integrity_error(connection, quick=True)
            if broken:
                raise DatabaseError(f"{self.path} is damaged: {broken}.")
            return schema_state(connection)

    def mark_initialised(self) -> None:
        """See `Database`."""
        self.lock.mark_initialised()

    def touch_heartbeat(self) -> None:
        """See `Database`; this heartbeat writes no data, so it works with a full disk."""
        self.lock.touch_heartbeat()

    async def purge(self) -> bool:
        """See `Database`; it waits until no one clicks."""
        if not self._purge.may_begin():
            return False
        async with self._sole_writer(), await checked_out(self._writer) as connection:
            driver: Any = (await connection.get_raw_connection()).driver_connection
            return await self._purge.run(driver)

    async def close(self) -> None:
        """See `Database`."""
        async with self._sole.acquired(urgency=True):
            await dispose(self._writer, CONNECTION_WAIT_SECONDS)
            await dispose(self._readers, CONNECTION_WAIT_SECONDS)
        self.lock.close()


async def _begin(connection: AsyncConnection, until: float) -> None:
    """Begin a transaction when no other program has locked the file.

    Args:
        until: end of waiting for the lock, by `time.monotonic`.

    Raises:
        OperationalError: another program has locked the file.
    """
    while True:
        try:
            await connection.begin()
        except OperationalError as error:
            if trouble(error) is not Trouble.BUSY or time.monotonic() > until:
                raise
        else:
            return
        await asyncio.sleep(LOCK_POLL_SECONDS)


def _engine(path: Path, size: int, begin: str, *pragmas: str) -> AsyncEngine:
    """Return an engine for a file.

    Args:
        size: maximum number of connections.
        begin: the statement that begins a transaction, as SQLAlchemy's SQLite manual recommends.
        pragmas: set up each connection.
    """

    async def connect() -> OneTripConnection:
        with suppress(OSError):  # it exists, or SQLite will say why it cannot be opened
            create(path)
        return await open_connection(path, FILE_LOCK_WAIT_SECONDS)

    engine = create_async_engine(
        URL.create("sqlite+aiosqlite", database=str(path)),
        hide_parameters=True,
        async_creator=connect,
        pool_size=size,
        max_overflow=0,
        pool_timeout=CONNECTION_WAIT_SECONDS,
        pool_use_lifo=True,  # so the fewest threads are in use
    )

    def prepare(connection: DBAPIConnection, _: object) -> None:
        cursor = connection.cursor()
        for pragma in pragmas:
            cursor.execute(pragma)
        cursor.close()

    def begin_transaction(connection: sqlalchemy.Connection) -> None:
        driver: Any = connection.connection.driver_connection
        with driver.postponing() if begin == BEGIN_READING else nullcontext():
            connection.exec_driver_sql(begin)

    event.listen(engine.sync_engine, "connect", prepare)
    event.listen(engine.sync_engine, "begin", begin_transaction)
    return engine


def _rewrite(path: Path) -> None:
    """Rewrite a file of an earlier version without rows deleted before `secure_delete`.

    The temporary copy is created beside the file: a container's /tmp is often too small for it.
    """
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA temp_store_directory={folder_literal(path)}")
            try:
                connection.execute("VACUUM")
            finally:
                connection.execute("PRAGMA temp_store_directory=''")
    except sqlite3.Error as error:
        log.warning("deleted data may remain in free pages of %s: %s", path, error)
