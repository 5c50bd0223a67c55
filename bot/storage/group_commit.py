"""Transactions that go to the disk together.

A commit waits for the disk, and SQLite has one writer. So those who come while it waits do not
commit one after another: each works in a savepoint of one transaction, in the order in which they
came, and none goes on before that transaction is on disk. Where only one comes at a time, nothing
is different. What fails is rolled back by itself; if the commit fails, it fails for all of them.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager
from typing import Any

import sqlalchemy.exc
from sqlalchemy.exc import InvalidRequestError, OperationalError

from bot.storage.sqlite_connection import SQLiteConnection

Begun = AbstractAsyncContextManager[SQLiteConnection]

MOST = 10
"""Maximum transactions in one commit: the first one waits for all of them."""


class WriteRequest:
    """A request to write.

    Attributes:
        given: the connection, when it is their turn.
        left: whether the work was done, when they have ended.
        written: when it is on disk.
    """

    def __init__(self) -> None:
        loop = asyncio.get_running_loop()
        self.given: asyncio.Future[SQLiteConnection] = loop.create_future()
        self.left: asyncio.Future[bool] = loop.create_future()
        self.written: asyncio.Future[None] = loop.create_future()


class GroupCommit:
    """Writes with one connection.

    Args:
        begin: begins a transaction; what is done in it is on disk when it has ended.
        patience: seconds to wait for a turn.
    """

    def __init__(self, begin: Callable[[], Begun], patience: float) -> None:
        self._begin = begin
        self._patience = patience
        self._queue: deque[WriteRequest] = deque()
        self._driver: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def write(self) -> AsyncIterator[SQLiteConnection]:
        """One transaction; it is on disk when the block has been left.

        Raises:
            SQLAlchemyError: it did not get a turn in time, or could not be written.
        """
        seat = WriteRequest()
        self._queue.append(seat)
        if self._driver is None or self._driver.done():
            self._driver = asyncio.create_task(self._drive(), name="writer")
        try:
            connection = await self._turn(seat)
            with _savepoint(connection.raw):
                yield connection
            seat.left.set_result(True)
        finally:
            if not seat.left.done():
                seat.left.set_result(False)
        await seat.written

    async def close(self) -> None:
        """Wait until what has begun is on disk."""
        if self._driver is not None:
            await asyncio.wait({self._driver})

    async def _turn(self, seat: WriteRequest) -> SQLiteConnection:
        try:
            async with asyncio.timeout(self._patience):
                return await seat.given
        except TimeoutError:
            raise sqlalchemy.exc.TimeoutError("others write for too long") from None

    async def _drive(self) -> None:
        """Serve write requests until none is left."""
        while self._queue:
            concerned: list[asyncio.Future[Any]] = [self._queue[0].given]
            try:
                async with self._begin() as connection:
                    concerned.clear()
                    await self._serve(connection, concerned)
            except Exception as error:  # noqa: BLE001 - it is theirs whose work it was
                if self._queue and self._queue[0].given in concerned:  # it never began
                    concerned = [each.given for each in self._queue]  # all of them have waited
                    self._queue.clear()
                for future in concerned:
                    if not future.done():
                        future.set_exception(error)
            else:
                for future in concerned:
                    if not future.done():
                        future.set_result(None)

    async def _serve(
        self, connection: SQLiteConnection, written: list[asyncio.Future[Any]]
    ) -> None:
        """Let those who wait work, one after another; notes who has to hear of the commit."""
        while self._queue and len(written) < MOST:
            seat = self._queue.popleft()
            if seat.given.done():  # gone meanwhile
                continue
            seat.given.set_result(connection)
            if await seat.left:
                written.append(seat.written)
            if not connection.raw.in_transaction:  # given up as a whole, as when the disk is full
                raise InvalidRequestError("the work of another took this down with it")


@contextmanager
def _savepoint(raw: sqlite3.Connection) -> Iterator[None]:
    """Keep what is done in the block, or none of it."""
    try:
        raw.execute("SAVEPOINT own")
        try:
            yield
            raw.execute("RELEASE own")
        except BaseException:
            _undo(raw)
            raise
    except sqlite3.Error as error:
        raise OperationalError("", None, error) from error


def _undo(raw: sqlite3.Connection) -> None:
    """Take back what was done in the savepoint; if that fails, all of the transaction."""
    try:
        raw.execute("ROLLBACK TO own")
        raw.execute("RELEASE own")
    except sqlite3.Error:
        raw.rollback()
