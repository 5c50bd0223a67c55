"""A connection of aiosqlite that makes one trip to its thread for each statement.

SQLAlchemy makes four with aiosqlite's own: for a cursor, the statement, its rows and the end of the
cursor. In a busy event loop each of them waits for its turn. Statements without a result can be
postponed: they go with the next one.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple, Self, TypeVar

import aiosqlite

T = TypeVar("T")

CHUNK = 64
"""Number of rows that aiosqlite reads at once where it is asked for rows one by one."""


class Rows(list[Any]):
    """All rows of a statement, and its cursor's description."""

    def __init__(self, cursor: sqlite3.Cursor, rows: Iterable[Any]) -> None:
        super().__init__(rows)
        self.description = cursor.description
        self.rowcount = cursor.rowcount
        self.lastrowid = cursor.lastrowid


class ClosingCursor(sqlite3.Cursor):
    """A cursor that is closed when its rows are read.

    Attributes:
        is_last: whether the transaction ends with its statement, which has written nothing.
    """

    is_last = False

    def fetchall(self) -> Rows:
        """Return all rows."""
        rows = Rows(self, super().fetchall())
        self.close()
        if self.is_last:
            self.connection.rollback()
        return rows


class Many(NamedTuple):
    """The values of a statement that is run for each of several rows."""

    rows: Iterable[Any]


Statement = tuple[str, Any]
"""A statement and its values."""


class After(NamedTuple):
    """The values of a statement that others precede."""

    postponed: Sequence[Statement]
    parameters: Any


class Last(NamedTuple):
    """The values of the last statement of a transaction that only reads."""

    parameters: Any


class FetchingConnection(sqlite3.Connection):
    """SQLite's own connection, whose statements return `Rows`; its thread uses it."""

    def execute(self, sql: str, parameters: Any = (), /) -> ClosingCursor:
        """Run a statement, after those that precede it."""
        if isinstance(parameters, Last):
            cursor = self.execute(sql, parameters.parameters)
            cursor.is_last = True
            return cursor
        if isinstance(parameters, After):
            for statement in parameters.postponed:
                self.execute(*statement).close()
            return self.execute(sql, parameters.parameters)
        cursor = self.cursor(ClosingCursor)
        if isinstance(parameters, Many):
            return cursor.executemany(sql, parameters.rows)
        return cursor.execute(sql, parameters)


class OneTripCursor:
    """The cursor that SQLAlchemy uses; `Connection.execute` has already read all rows."""

    def __init__(self, connection: OneTripConnection) -> None:
        self._connection = connection
        self._rows: Sequence[Any] = ()
        self.description: Any = None
        self.rowcount = -1
        self.lastrowid: int | None = None

    async def __aenter__(self) -> Self:
        """Return the cursor; it holds nothing in the database."""
        return self

    async def execute(self, sql: str, parameters: Any = ()) -> None:
        """Run a statement and read its rows."""
        if self._connection.postpones:
            self._connection.postponed.append((sql, parameters))
            return
        rows: Any = await self._connection.execute_fetchall(sql, parameters)
        self._rows = rows
        self.description = rows.description
        self.rowcount, self.lastrowid = rows.rowcount, rows.lastrowid

    async def executemany(self, sql: str, parameters: Iterable[Any]) -> None:
        """Run a statement for each of several sets of parameters."""
        await self.execute(sql, Many(parameters))

    async def fetchall(self) -> Sequence[Any]:
        """Return all rows."""
        return self._rows

    async def close(self) -> None:
        """Do nothing: the cursor in the thread is closed."""


class OneTripConnection(aiosqlite.Connection):
    """A connection whose thread has always finished when a method returns or raises.

    So a task that is cancelled frees the connection when its statement has been interrupted, or its
    commit is done.

    Attributes:
        postpones: whether statements of cursors are postponed.
        ends: whether the transaction, which only reads, ends with the next statement.
        postponed: statements that go to the thread with the next one, or with the commit.
        stopped: done once the thread has ended on request; None before that.
    """

    def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
        super().__init__(connector, CHUNK)
        self.postpones = self.ends = False
        self.postponed: list[Statement] = []
        self.stopped: asyncio.Future[Any] | None = None

    @contextmanager
    def postponing(self) -> Iterator[None]:
        """Postpone the statements in the block, which have no result."""
        self.postpones = True
        try:
            yield
        finally:
            self.postpones = False

    @contextmanager
    def ending(self) -> Iterator[None]:
        """End the transaction with the statement in the block."""
        self.ends = True
        try:
            yield
        finally:
            self.ends = False

    def stop(self) -> asyncio.Future[Any] | None:
        """Close the connection and end the thread, after all that it was given.

        SQLAlchemy calls it twice for a task that is cancelled while it closes a connection: the
        thread that ends at the first request would never answer the second.
        """
        if self.stopped is None:
            self.stopped = super().stop()
        return self.stopped

    def cursor(self) -> OneTripCursor:  # type: ignore[override]
        """Return a cursor."""
        return OneTripCursor(self)

    async def execute_fetchall(self, sql: str, parameters: Any = None) -> Any:  # type: ignore[override]
        """Run a statement, after those postponed, and return its rows."""
        values = self._after_postponed(parameters or ())
        values = Last(values) if self.ends else values
        return await self._finished(super().execute_fetchall(sql, values), self.interrupt)

    async def commit(self) -> None:
        """Commit the transaction, after the statements postponed."""
        values = self._after_postponed(())
        await self._finished(super().execute_fetchall("COMMIT", values))

    async def rollback(self) -> None:
        """Roll the transaction back, if there is one."""
        self.postponed.clear()
        if self.in_transaction:
            await self._finished(super().rollback())

    def _after_postponed(self, parameters: Any) -> Any:
        """Return the values of the next statement, with the statements that precede it."""
        if not self.postponed:
            return parameters
        postponed, self.postponed = self.postponed, []
        return After(postponed, parameters)

    async def _finished(
        self, operation: Awaitable[T], stop: Callable[[], Awaitable[None]] | None = None
    ) -> T:
        """Await an operation; if the task is cancelled, wait for the thread, and cancel then.

        Args:
            operation: something that the thread does.
        """
        try:
            return await operation
        except asyncio.CancelledError:
            if stop:
                await stop()
            await _wait_for(asyncio.ensure_future(super().execute_fetchall("SELECT 1")))
            raise


async def _wait_for(future: asyncio.Future[Any]) -> None:
    """Wait until a future is done, even if the task is cancelled meanwhile."""
    while not future.done():
        with suppress(asyncio.CancelledError):
            await asyncio.wait({future})
    future.exception()  # retrieved, so that asyncio does not log it


async def open_connection(path: Path, lock_seconds: float) -> OneTripConnection:
    """Open a connection without implicit transactions.

    Args:
        lock_seconds: maximum seconds to wait for a lock on the database.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    connections = list[OneTripConnection]()
    opened = list[sqlite3.Connection]()

    def connect() -> sqlite3.Connection:
        opened.append(
            sqlite3.connect(
                path,
                timeout=lock_seconds,
                isolation_level=None,
                factory=FetchingConnection,
                check_same_thread=False,  # only to close it below
            )
        )
        return opened[0]

    def create() -> None:
        connections.append(OneTripConnection(connect))

    starter = Thread(target=create, daemon=True)  # hence the connection's thread is one, too
    starter.start()
    starter.join()
    (connection,) = connections
    try:
        await connection
    except BaseException:
        if stopped := connection.stop():
            await _wait_for(stopped)
        for connected in opened:  # aiosqlite drops it if the task is cancelled
            connected.close()
        raise
    return connection
