"""SQLite from the event loop, without a journey to another thread for each statement.

A statement on a local file takes some ten microseconds; sending it to a thread and back takes
several times that, and so does SQLAlchemy's way of making blocking calls look asynchronous. So
SQLAlchemy's plain SQLite runs where statements are asked for, in the event loop. Only what has to
wait, for the disk or for a lock, goes to the thread that aiosqlite keeps for the connection.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any, Concatenate, ParamSpec, TypeVar

import aiosqlite
from sqlalchemy import Connection, CursorResult, Dialect, Engine, create_engine, event
from sqlalchemy.exc import OperationalError
from sqlalchemy.pool import QueuePool, StaticPool
from sqlalchemy.sql.base import Executable

from bot.storage import gaps
from bot.storage.private import create

P = ParamSpec("P")
T = TypeVar("T")

BEGIN = "BEGIN IMMEDIATE"

PRAGMAS = (
    "PRAGMA journal_mode=WAL",
    "PRAGMA synchronous=FULL",
    "PRAGMA foreign_keys=ON",
    "PRAGMA secure_delete=ON",
)

OPEN_TIMEOUT = 0.7
"""Seconds to wait for a lock while a connection is opened."""

SWEPT = 4096
"""Pages whose gaps are overwritten at once, without other writers: about 20 ms."""


class SQLiteConnection:
    """A `bot.storage.database.Connection` whose statements run where they are asked for.

    Args:
        connection: in a transaction.
    """

    def __init__(self, connection: Connection) -> None:
        self._connection = connection

    @property
    def dialect(self) -> Dialect:
        """How SQLAlchemy speaks to SQLite."""
        return self._connection.dialect

    @property
    def raw(self) -> sqlite3.Connection:
        """SQLite's own."""
        raw: sqlite3.Connection = self._connection.connection.driver_connection  # type: ignore[assignment]
        return raw

    async def execute(
        self, statement: Executable, parameters: Any = None, /
    ) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement."""
        return self._connection.execute(statement, parameters)

    async def run_sync(
        self, fn: Callable[Concatenate[Connection, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Let something work with SQLAlchemy's own connection."""
        return fn(self._connection, *args, **kwargs)


class Readers:
    """As many connections to a file as there are reading at once; they cannot write.

    Args:
        path: the file.
    """

    def __init__(self, path: Path) -> None:
        self.engine = create_engine(
            "sqlite://",
            creator=partial(_connect, path),
            hide_parameters=True,
            poolclass=QueuePool,
            max_overflow=-1,  # who waited for a free one would hold up the event loop
        )
        _prepare(self.engine, *PRAGMAS, "PRAGMA query_only=ON")

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[SQLiteConnection]:
        """A transaction that sees a single moment."""
        with self.engine.connect() as connection:
            connection.exec_driver_sql("BEGIN")
            yield SQLiteConnection(connection)
            connection.commit()

    def close(self) -> None:
        """Close them."""
        self.engine.dispose()


class Writer:
    """The connection to a file that writes: one transaction at a time.

    Both the event loop and a thread that waits use it, never at the same time.

    Args:
        path: the file.
        patience: seconds to wait for what another program has locked.
    """

    def __init__(self, path: Path, patience: float) -> None:
        self._path = path
        self._patience = patience
        self._free = asyncio.Lock()
        self._held: _DriverThread | None = None
        self._file: int | None = None
        self.engine = create_engine(
            "sqlite://", creator=self._raw, hide_parameters=True, poolclass=StaticPool
        )
        _prepare(self.engine, *PRAGMAS)

    @asynccontextmanager
    async def begin(self) -> AsyncIterator[SQLiteConnection]:
        """A transaction; it is on disk when the block has been left."""
        async with self._alone() as held:
            with self.engine.connect() as connection:
                try:
                    connection.exec_driver_sql(BEGIN)
                except OperationalError as error:
                    if error.orig.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY:  # type: ignore[union-attr]
                        raise
                    await held.do(self._patiently, connection, BEGIN)
                try:
                    yield SQLiteConnection(connection)
                    await held.do(connection.commit)
                except BaseException:
                    held.raw.rollback()  # SQLAlchemy does not, after a commit that has failed
                    raise

    async def overwrite(self) -> bool:
        """Overwrite what is left of deleted rows in the file and its log.

        Returns:
            whether that is done; if not, a reader was active, and it has to be retried.
        """
        page: int | None = 0
        while page is not None:
            async with self._alone() as held:
                with self.engine.connect() as connection:
                    swept, more = await held.do(self._sweep, SQLiteConnection(connection).raw, page)
            if not swept:
                return False
            page = page + SWEPT if more else None
        return True

    def _sweep(self, raw: sqlite3.Connection, page: int) -> tuple[bool, bool]:
        """Overwrite the gaps of some pages; return whether that worked, and whether to go on.

        The log is emptied first, so that all pages are in the file, and stays empty as long as this
        connection may write. What it has read of these pages is dropped, or it would write the old
        bytes with the next change of a page.
        """
        busy, *_ = raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
        if busy:
            return False, False
        raw.execute(BEGIN)
        try:
            log = self._path.with_name(f"{self._path.name}-wal")
            if log.exists() and log.stat().st_size:
                return False, False
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR)
            more = gaps.overwrite(self._file, page, SWEPT)
        finally:
            raw.rollback()
            raw.execute("PRAGMA shrink_memory")
        return True, more

    async def close(self) -> None:
        """Close it when no transaction writes any more.

        The file is closed last: to close it takes away all locks on it that this process has.
        """
        async with self._free:
            self.engine.dispose()
            if self._held is not None:
                await self._held.close()
                self._held = None
            if self._file is not None:
                os.close(self._file)
                self._file = None

    @asynccontextmanager
    async def _alone(self) -> AsyncIterator[_DriverThread]:
        """Hold the connection exclusively in the block; open it when it is first needed."""
        async with self._free:
            if self._held is None:
                try:
                    raw = _connect(self._path)
                except sqlite3.Error as error:
                    raise OperationalError("", None, error) from error
                held = _DriverThread(raw)
                await held
                self._held = held
            yield self._held

    def _raw(self) -> sqlite3.Connection:
        if self._held is None:
            raise sqlite3.ProgrammingError("the connection is closed")
        return self._held.raw

    def _patiently(self, connection: Connection, statement: str) -> None:
        """Wait for who has locked the file; in the event loop all would wait."""
        raw = SQLiteConnection(connection).raw
        raw.execute(f"PRAGMA busy_timeout={self._patience * 1000:.0f}")
        try:
            connection.exec_driver_sql(statement)
        finally:
            raw.execute("PRAGMA busy_timeout=0")


class _DriverThread(aiosqlite.Connection):
    """SQLite's own connection, and a thread that waits for it."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        super().__init__(lambda: raw, iter_chunk_size=64)
        self._thread.daemon = True  # as SQLAlchemy does with its own

    @property
    def raw(self) -> sqlite3.Connection:
        """SQLite's own."""
        return self._conn

    async def do(self, work: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """Do something in the thread.

        Who is cancelled hears of it when that is done: until then the connection is not free.
        """
        there = self._execute(work, *args, **kwargs)  # type: ignore[no-untyped-call]
        doing: asyncio.Future[T] = asyncio.ensure_future(there)
        cancelled: asyncio.CancelledError | None = None
        while not doing.done():
            try:
                await asyncio.wait({doing})
            except asyncio.CancelledError as error:
                cancelled = error
        if cancelled is not None:
            doing.exception()  # retrieved, so that asyncio does not log it
            raise cancelled
        return doing.result()


def _connect(path: Path) -> sqlite3.Connection:
    """A connection that waits for no lock by itself; transactions begin where we say."""
    with suppress(OSError):  # it is there, or SQLite will say why not
        create(path)
    return sqlite3.connect(path, timeout=0, isolation_level=None, check_same_thread=False)


def _prepare(engine: Engine, *pragmas: str) -> None:
    """Say what each connection starts with.

    The first pragma reads the file. After a crash another process that has just opened it, such as
    a backup, may be recovering its log; without a timeout the start failed then.
    """

    def connect(connection: sqlite3.Connection, _: object) -> None:
        connection.execute(f"PRAGMA busy_timeout={1000 * OPEN_TIMEOUT:.0f}")
        for pragma in pragmas:
            connection.execute(pragma)
        connection.execute("PRAGMA busy_timeout=0")

    event.listen(engine, "connect", connect)
