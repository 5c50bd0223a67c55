"""SQLite: one file, one process, a single connection that writes and others that only read.

It runs with WAL, `synchronous=FULL` and `BEGIN IMMEDIATE`: what was acknowledged survives a power
cut, and two writers never meet (SQLite before 3.51.3 can corrupt a WAL written by two).
"""

from __future__ import annotations

import logging
import shutil
import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

from sqlalchemy.exc import OperationalError

from bot.storage.backup import Backups
from bot.storage.database import FILE_LOCKED, PATIENCE, Connection, Database, Transaction
from bot.storage.erasures import ErasureFile
from bot.storage.file_lock import DatabaseError, Lock
from bot.storage.group_commit import GroupCommit
from bot.storage.inspection import Standing, damage, is_there, reading, standing
from bot.storage.private import close_to_others, real
from bot.storage.sqlite_connection import Readers, Writer

log = logging.getLogger(__name__)


class SQLite(Database):
    """Transactions on one database file.

    Args:
        url: e.g. `sqlite+aiosqlite:///starpost.db`.

    Raises:
        InUseError: another process has opened it.
        DatabaseError: its folder cannot be written to.
    """

    def __init__(self, url: str) -> None:
        super().__init__(url)
        named = Path(self.url.database or "")
        self.lock = Lock(named)
        self.path = real(named)
        ends = ("", "-wal", "-shm", ".lock", ".erased")
        close_to_others(*(self.path.with_name(self.path.name + end) for end in ends))
        self.erasures = ErasureFile(self.path)
        self._writer = Writer(self.path, FILE_LOCKED)
        self._together = GroupCommit(self._writer.begin, PATIENCE)
        self._readers = Readers(self.path)

    @property
    def name(self) -> str:
        """The file."""
        return str(self.path)

    @asynccontextmanager
    async def write(self, *, alone: bool = False) -> AsyncIterator[Connection]:
        """See `Database`; there is one writer at a time here."""
        with self._writing() as commits:
            async with self._together.write() as connection:
                yield connection
                commits()

    def read(self) -> Transaction:
        """See `Database`."""
        return self._readers.begin()

    def migration(self) -> Transaction:
        """See `Database`."""
        return self.write()

    def free(self) -> int:
        """See `Database`."""
        return shutil.disk_usage(self.path.absolute().parent).free

    def prepare(self, backups: Backups | None) -> None:
        """See `Database`; an older one is backed up."""
        backups = backups or Backups(self.path)
        if not is_there(self.path):
            backups.refuse_anew()
            return
        with reading(self.path) as connection:
            broken = damage(connection, quick=True)
            if broken:
                raise DatabaseError(f"{self.path} is damaged: {broken}.")
            found = standing(connection)
        if found is Standing.EMPTY:
            backups.refuse_anew()
        if found is Standing.OLDER:
            backups.make()
            _rewrite(self.path)

    def settle(self) -> None:
        """See `Database`."""
        self.lock.mark()

    def beat(self) -> None:
        """See `Database`; a sign of life that is no write goes on when the disk is full."""
        self.lock.beat()

    async def overwrite(self) -> bool:
        """See `Database`; it must be retried while a reader is active."""
        try:
            return await self._writer.overwrite()
        except (OSError, sqlite3.Error) as error:
            raise OperationalError("", None, error) from error

    async def close(self) -> None:
        """See `Database`."""
        await self._together.close()
        self._readers.close()
        await self._writer.close()
        self.lock.close()


def _rewrite(path: Path) -> None:
    """Rewrite a file of an earlier version without rows deleted before `secure_delete`.

    The temporary copy is made beside the file: a container's /tmp is often too small for it.
    """
    folder = str(path.absolute().parent).replace("'", "''")
    try:
        with closing(sqlite3.connect(path, isolation_level=None)) as connection:
            connection.execute(f"PRAGMA temp_store_directory='{folder}'")
            try:
                connection.execute("VACUUM")
            finally:
                connection.execute("PRAGMA temp_store_directory=''")
    except sqlite3.Error as error:
        log.warning("what was deleted earlier still stands in free parts of %s: %s", path, error)
