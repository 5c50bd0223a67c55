"""Removing remains of deleted rows from an SQLite file.

With `secure_delete` SQLite overwrites a row where it is deleted, but leaves copies in its log, and
in unused parts of pages that it has split or merged. Rewriting the file leaves them out.
"""

from __future__ import annotations

import math
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path

from sqlalchemy.exc import OperationalError

from bot.database_errors import BUSY
from bot.storage.aiosqlite_connection import OneTripConnection

QUIET_SECONDS = 5.0
"""Seconds without a click before the file is rewritten."""

PATIENCE_SECONDS = 3600.0
"""Seconds until the file is rewritten even if clicks have to wait for that."""

CHECKPOINT_WAIT_SECONDS = 0.5
"""Seconds to wait for readers of the log before it is emptied."""

FREE_FACTOR = 2
"""Free space needed, in sizes of the file: for a temporary copy, and for the log."""

RETRIED = BUSY | {sqlite3.SQLITE_INTERRUPT}
"""Error codes that mean that another moment will be better."""


class Purge:
    """Rewrites a file when no click waits.

    Args:
        free: returns the free bytes on its disk.
    """

    def __init__(self, path: Path, free: Callable[[], int]) -> None:
        self._path, self._free = path, free
        self._last_click = -math.inf
        self._wanted_since: float | None = None
        self._interruptible: OneTripConnection | None = None

    async def yield_to_click(self) -> None:
        """Let a click write next: interrupt rewriting, unless that has waited for too long."""
        self._last_click = time.monotonic()
        if self._interruptible:
            await self._interruptible.interrupt()

    def may_begin(self) -> bool:
        """Return whether no one has clicked for a while, or the patience is over."""
        now = time.monotonic()
        if self._wanted_since is None:
            self._wanted_since = now
        return now >= self._last_click + QUIET_SECONDS or not self._is_patient

    @property
    def _is_patient(self) -> bool:
        since = self._wanted_since
        return since is None or time.monotonic() < since + PATIENCE_SECONDS

    async def run(self, writer: OneTripConnection) -> bool:
        """Rewrite the file, and empty its log.

        Args:
            writer: the only connection that writes to the file, outside of a transaction.

        Returns:
            Whether that is complete: no click came, and no other program used the file.

        Raises:
            OperationalError: e.g. there is too little free space.
        """
        self._interruptible = writer if self._is_patient else None
        try:
            is_complete = await self._rewrite(writer)
        except sqlite3.Error as error:
            if getattr(error, "sqlite_errorcode", 0) & 0xFF in RETRIED:
                return False
            raise OperationalError("", None, error) from error
        finally:
            self._interruptible = None
        if is_complete:
            self._wanted_since = None
        return is_complete

    async def _rewrite(self, writer: OneTripConnection) -> bool:
        """Rewrite the file; return whether the log is empty afterwards, so all is in the file."""
        if self._free() < FREE_FACTOR * self._path.stat().st_size:
            error = sqlite3.OperationalError("too little free space to remove deleted data")
            error.sqlite_errorcode = sqlite3.SQLITE_FULL
            raise error
        for statement in (
            f"PRAGMA temp_store_directory={folder_literal(self._path)}",
            "VACUUM",
            f"PRAGMA busy_timeout={1000 * CHECKPOINT_WAIT_SECONDS:.0f}",
        ):
            await writer.execute_fetchall(statement)
        try:
            ((is_busy, *_),) = await writer.execute_fetchall("PRAGMA wal_checkpoint(TRUNCATE)")
        finally:
            await writer.execute_fetchall("PRAGMA busy_timeout=0")
        return not is_busy


def folder_literal(path: Path) -> str:
    """Return the folder of a file as a literal of SQL.

    Temporary copies are created there: a container's /tmp is often too small for them.
    """
    folder = str(path.absolute().parent).replace("'", "''")
    return f"'{folder}'"
