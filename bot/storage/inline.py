"""SQLite without a journey to another thread for each statement.

A statement on a local file takes some ten microseconds, and sending it to a thread and back takes
several times that. So statements run where they are asked for, in the event loop; whatever has to
wait, for the disk or for a lock, still goes to the connection's own thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

import aiosqlite

WAITING = frozenset({"commit", "close"})
"""What a connection does that waits for the disk."""

STATEMENTS = ("BEGIN IMMEDIATE", "VACUUM", "PRAGMA")
"""How statements begin that wait for a lock or for the disk."""


class Inline(aiosqlite.Connection):
    """A connection whose statements run in the event loop."""

    async def _execute(self, fn: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Call something of the connection or of a cursor, here or in the thread."""
        sql = args[0] if args and isinstance(args[0], str) else ""
        connection = getattr(fn, "__self__", None) is self._connection
        if (connection and fn.__name__ in WAITING) or sql.startswith(STATEMENTS):
            return await super()._execute(fn, *args, **kwargs)  # type: ignore[no-untyped-call]
        if not self._running or not self._connection:
            raise ValueError("Connection closed")
        return fn(*args, **kwargs)


def connector(path: str) -> Callable[[], Awaitable[aiosqlite.Connection]]:
    """Makes connections to a file, as `create_async_engine` wants it.

    They may be used by two threads; never at once, since a connection is one task's at a time.
    """
    connect = partial(sqlite3.connect, path, check_same_thread=False)

    async def make() -> aiosqlite.Connection:
        connection = Inline(connect, iter_chunk_size=64)
        connection._thread.daemon = True  # noqa: SLF001 - as SQLAlchemy does with its own
        return await connection

    return make
