"""SQLite without a journey to another thread for each statement.

A statement on a local file takes some ten microseconds, and sending it to a thread and back takes
several times that. So statements run where they are asked for, in the event loop; only what has to
wait, for the disk or for a lock, goes to the connection's own thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import aiosqlite

SLOW = ("VACUUM", "PRAGMA")
"""How statements begin that wait for the disk."""


class Inline(aiosqlite.Connection):
    """A connection whose statements run in the event loop.

    Args:
        connect: makes SQLite's own connection.
        patience: seconds to wait for what another program has locked.
        writes: whether commits wait for the disk.
    """

    def __init__(
        self, connect: Callable[[], sqlite3.Connection], patience: float, *, writes: bool
    ) -> None:
        super().__init__(connect, iter_chunk_size=64)
        self._patience = patience
        self._waiting = {"close", "commit"} if writes else {"close"}
        self._thread.daemon = True  # as SQLAlchemy does with its own

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call something of the connection or of a cursor, here or in the thread."""
        sql = args[0] if args and isinstance(args[0], str) else ""
        connection = getattr(fn, "__self__", None) is self._connection
        if (connection and fn.__name__ in self._waiting) or sql.startswith(SLOW):
            return await super()._execute(fn, *args, **kwargs)  # type: ignore[no-untyped-call]
        if not self._running or not self._connection:
            raise ValueError("Connection closed")
        try:
            return fn(*args, **kwargs)
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise
        patiently = partial(self._patiently, fn, *args, **kwargs)
        return await super()._execute(patiently)  # type: ignore[no-untyped-call]

    def _patiently(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call it again, and wait for who has locked it; in the event loop all would wait."""
        self._conn.execute(f"PRAGMA busy_timeout={self._patience * 1000:.0f}")
        try:
            return fn(*args, **kwargs)
        finally:
            self._conn.execute("PRAGMA busy_timeout=0")


def connector(
    path: str, patience: float, *, writes: bool
) -> Callable[[], Awaitable[aiosqlite.Connection]]:
    """Makes connections to a file, as `create_async_engine` wants it; see `Inline`.

    They may be used by two threads; never at once, since a connection is one task's at a time.
    """
    connect = partial(sqlite3.connect, path, timeout=0, check_same_thread=False)

    async def make() -> aiosqlite.Connection:
        return await Inline(connect, patience, writes=writes)

    return make
