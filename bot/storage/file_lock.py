"""The lock beside a database file, which tells others three things.

While it is held, a process works on the database; the system releases it when that dies. Its text
says that there has been a database, so that a missing one is not taken for the first start. Its
time is that of the last heartbeat.
"""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from bot.storage.private import append_to, real

MARK = "Starpost keeps matches in the database beside this file.\n"


class InUseError(Exception):
    """Another process works on this database."""


class DatabaseUnavailableError(Exception):
    """The database server does not answer; the text is one line."""


class DatabaseError(Exception):
    """The database cannot be used; the text is one line that says why."""


class Lock:
    """Held from its making until `close`.

    Args:
        database: the file to work on alone.

    Raises:
        InUseError: another process has it.
        DatabaseError: its folder cannot be written to.
    """

    def __init__(self, database: Path) -> None:
        try:
            self.path = beside(database)
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self._file = open(append_to(self.path), "a", encoding="utf-8")  # noqa: PTH123, SIM115
        except OSError as error:
            raise DatabaseError(f"{database.parent} is not writable: {error.strerror}.") from error
        try:
            fcntl.flock(self._file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            self._file.close()
            raise InUseError(f"Another Starpost is running on {database.name}.") from error

    def mark_initialised(self) -> None:
        """Note that there is a database from now on."""
        if not is_initialised(self.path):
            self._file.write(MARK)
            self._file.flush()
            os.fsync(self._file.fileno())

    def touch_heartbeat(self) -> None:
        """Note that the bot is alive."""
        os.utime(self._file.fileno())

    def close(self) -> None:
        """Let others in."""
        self._file.close()


def beside(database: Path) -> Path:
    """Where the lock of a database is: beside the file itself, not beside a link to it."""
    file = real(database)
    return file.with_name(f"{file.name}.lock")


def is_initialised(lock: Path) -> bool:
    """Whether there has been a database beside this lock."""
    return lock.exists() and lock.stat().st_size > 0


def last_touched(database: Path) -> float | None:
    """When the bot on this database was last known to be alive; None if never."""
    lock = beside(database)
    return lock.stat().st_mtime if lock.exists() else None
