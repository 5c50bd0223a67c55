"""The lock file beside a database file; it serves three purposes.

While it is held, a process works on the database; the system releases it when the process dies. Its
content records that a database has existed, so that a missing one is not taken for the first start.
Its modification time is the time of the last heartbeat.

PyPI's filelock cannot replace it: it keeps the file it locks to itself, so neither content nor time
could be written through the lock, and it opens the file without the precautions of `append_to`.
"""

from __future__ import annotations

import fcntl
import os
import time
from io import TextIOWrapper
from pathlib import Path

from bot.storage.private import append_to, resolve

MARK = "Starpost keeps matches in the database beside this file.\n"

HEARTBEAT_MAX_AGE_SECONDS = 60.0
"""Maximum age of the last heartbeat of a bot that is alive."""

WAIT_SECONDS = 2.0
"""Seconds to wait for the lock: after a process was killed, the system may need a moment to release
it, and a worker that the process was just starting holds a copy until its own program runs."""

POLL_SECONDS = 0.05
"""Seconds between two attempts to take the lock."""


class InUseError(Exception):
    """Another process is using the database."""


class DatabaseUnavailableError(Exception):
    """The database cannot be used for the moment; the text is one line."""


class DatabaseError(Exception):
    """The database cannot be used; the text is the reason in one line."""


class DatabaseLock:
    """An exclusive lock on a database file, held from creation until `close`.

    Raises:
        InUseError: another process holds it and does not release it soon.
        DatabaseError: the folder cannot be written to.
    """

    def __init__(self, database: Path) -> None:
        try:
            self.path = lock_path(database)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(append_to(self.path), "a", encoding="utf-8")  # noqa: PTH123, SIM115
        except OSError as error:
            raise DatabaseError(f"{database.parent} is not writable: {error.strerror}.") from error
        try:
            _lock(self._file)
        except OSError as error:
            self._file.close()
            raise InUseError(f"Another Starpost is running on {database.name}.") from error

    def mark_initialised(self) -> None:
        """Record that the database exists from now on."""
        if not is_initialised(self.path):
            self._file.write(MARK)
            self._file.flush()
            os.fsync(self._file.fileno())

    def touch_heartbeat(self) -> None:
        """Record a heartbeat."""
        os.utime(self._file.fileno())

    def close(self) -> None:
        """Release the lock."""
        self._file.close()


def _lock(file: TextIOWrapper) -> None:
    """Lock a file; blocking is harmless, because nothing runs before the database is open.

    Raises:
        OSError: another process holds the lock for too long.
    """
    until = time.monotonic() + WAIT_SECONDS
    while True:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if time.monotonic() >= until:
                raise
            time.sleep(POLL_SECONDS)
        else:
            return


def lock_path(database: Path) -> Path:
    """Return the path of a database's lock: beside the file itself, not beside a link to it."""
    file = resolve(database)
    return file.with_name(f"{file.name}.lock")


def is_initialised(lock: Path) -> bool:
    """Return whether there has been a database beside this lock."""
    return lock.exists() and lock.stat().st_size > 0


def last_touched(database: Path) -> float | None:
    """Return the time of the last heartbeat on this database; None if there was none."""
    lock = lock_path(database)
    return lock.stat().st_mtime if lock.exists() else None
