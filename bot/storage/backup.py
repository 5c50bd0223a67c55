"""Backups: complete, verified copies of the database, made while the bot runs.

`VACUUM INTO` reads a snapshot of the database without blocking; a file copy could lose data that
is still in the write-ahead log.
"""

from __future__ import annotations

import asyncio
import logging
import os
import re
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path

from bot import metrics
from bot.storage.file_lock import DatabaseError, DatabaseLock, is_initialised, lock_path
from bot.storage.inspection import (
    SchemaState,
    integrity_error,
    is_there,
    newer_text,
    open_read_only,
    schema_state,
)
from bot.storage.private import as_owner, create, resolve

log = logging.getLogger(__name__)

TIME_FORMAT = "%Y%m%dT%H%M%SZ"
HOUR, DAY = 3600.0, 86_400.0

REPLACED = ".replaced-"
"""Part of the name of a database that was replaced by a restored one."""

REPLACED_KEPT_SECONDS = 30 * DAY
"""Seconds until a replaced database is deleted: it may hold data that players deleted."""

GROWING = ("matches", "seats", "actions", "players")
"""Tables that lose no rows during a backup: a copy with fewer rows is incomplete."""


class Backups:
    """The backups of one database, in a separate folder; the oldest ones are deleted.

    Args:
        folder: the folder of the backups; by default `backups` beside the database.
    """

    def __init__(
        self,
        database: Path,
        folder: Path | None = None,
        keep: int = 7,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.folder = folder or database.parent / "backups"
        self._database = database
        self._keep = keep
        self._clock = clock
        self._next = 0.0

    def all(self) -> list[Path]:
        """Return all backups, the oldest first."""
        if not self.folder.is_dir():
            return []
        ours = re.compile(re.escape(self._database.stem) + r"-\d{8}T\d{6}Z\.db")
        return sorted(path for path in self.folder.iterdir() if ours.fullmatch(path.name))

    def make(self) -> Path:
        """Create a backup and delete the oldest ones.

        Raises:
            DatabaseError: it cannot be created; existing backups are kept.
        """
        try:
            path = _unused(self._clock(), self._path)
            if not self.folder.exists():
                self.folder.parent.mkdir(parents=True, exist_ok=True)
                with as_owner(self.folder.parent):
                    self.folder.mkdir()
            copy(self._database, path)
            with as_owner(self.folder):
                for old in self._surplus(path):
                    old.unlink()
        except OSError as error:
            raise DatabaseError(f"{self.folder} is not writable: {error.strerror}.") from error
        return path

    def _path(self, stamp: str) -> Path:
        return self.folder / f"{self._database.stem}-{stamp}.db"

    def _surplus(self, backup: Path) -> list[Path]:
        """Return the backups to delete after this one has been made.

        Names that sort after it come from a clock that was wrong: those are deleted first, so that
        they neither count as the newest nor displace the ones made after them.
        """
        others = sorted(
            (path for path in self.all() if path != backup), key=lambda path: path < backup
        )
        return others[: max(0, len(others) + 1 - self._keep)]

    def refuse_new_database(self) -> None:
        """Refuse to create a new database in place of a missing one.

        Raises:
            DatabaseError: there are signs of an earlier database.
        """
        lock = lock_path(self._database)
        signs = ([lock] if is_initialised(lock) else []) + self.all()[-1:]
        if signs:
            raise DatabaseError(
                f"{self._database} is missing or empty, but a database existed here (see "
                f"{' and '.join(map(str, signs))}). Restore it with `starpost restore FILE`, or "
                "move these files away to start afresh."
            )

    async def daily(self) -> None:
        """Create a backup if the last one is a day old; log a failure and retry in an hour."""
        now = self._clock()
        if now < self._next <= now + DAY:  # later than that, the clock has been set back
            return
        self._next = now + HOUR
        try:
            due = self._last() + DAY
            if now >= due:
                log.info("backup: %s", await asyncio.to_thread(self.make))
                due = now + DAY
        except (DatabaseError, OSError) as error:
            log.error("backup failed: %s", error)  # noqa: TRY400 - the sentence says it all
            metrics.FAILURES.labels("backup", type(error).__name__).inc()
        else:
            self._next = due

    def age(self) -> float | None:
        """Return the age of the newest backup in seconds; None if there is none."""
        last = self._last()
        return self._clock() - last if last else None

    def _last(self) -> float:
        """Return the UTC time of the newest backup; 0 if there is none, or only from the future."""
        prefix = f"{self._database.stem}-"
        stamps = (path.stem.removeprefix(prefix) for path in self.all())
        times = (
            datetime.strptime(stamp, TIME_FORMAT).replace(tzinfo=UTC).timestamp()
            for stamp in stamps
        )
        return max((at for at in times if at <= self._clock()), default=0.0)


def copy(source: Path, target: Path) -> None:
    """Copy a snapshot of a database.

    The copy gets its name only once it is complete, verified and on disk.

    Raises:
        DatabaseError: the source is damaged, or the target exists or cannot be written.
    """
    try:
        with open_read_only(source) as connection:
            before = _counts(connection)  # as the user who may read the source
            with as_owner(target.parent):
                _write(connection, before, source, target)
    except OSError as error:
        raise DatabaseError(f"{target} cannot be written: {error.strerror}.") from error


def _write(
    connection: sqlite3.Connection, before: dict[str, int], source: Path, target: Path
) -> None:
    """Write a copy, and rename it once it is complete."""
    if target.exists() or target.is_symlink():
        raise DatabaseError(f"{target} already exists.")
    part = target.with_name(f".{target.name}.part")
    part.unlink(missing_ok=True)
    try:
        create(part)
        connection.execute("VACUUM INTO ?", (str(part),))
        _verify(part, before, source)
        _sync(part)
        part.replace(target)
        _sync(target.parent)
    finally:
        with suppress(OSError):
            part.unlink(missing_ok=True)


def _verify(copy: Path, before: dict[str, int], source: Path) -> None:
    """Verify that a copy is undamaged and lacks no rows.

    Raises:
        DatabaseError: it is damaged or lacks rows.
    """
    with open_read_only(copy) as connection:
        after = _counts(connection)
        broken = integrity_error(connection)
    fewer = [table for table, count in before.items() if after.get(table, 0) < count]
    if broken or fewer:
        raise DatabaseError(f"{source} is damaged: {broken or f'{fewer[0]} cannot be read'}.")


def _counts(connection: sqlite3.Connection) -> dict[str, int]:
    """Return the number of rows of each table that exists."""
    tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
    return {
        table: connection.execute(f"SELECT count(*) FROM {table}").fetchone()[0]  # noqa: S608
        for table in GROWING
        if table in tables
    }


def _sync(path: Path) -> None:
    """Flush a file, or the entries of a folder, to disk."""
    handle = os.open(path, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def restore(source: Path, database: Path, clock: Callable[[], float] = time.time) -> Path | None:
    """Replace a database with a backup.

    Returns:
        The new path of the replaced database; None if there was none.

    Raises:
        InUseError: a bot is running on the database.
        DatabaseError: the backup is damaged, empty, newer than this program or not a backup.
    """
    with closing(DatabaseLock(database)) as lock:
        try:
            kept = _replace(source, resolve(database), clock)
        except OSError as error:
            raise DatabaseError(f"{database} cannot be replaced: {error.strerror}.") from error
        lock.mark_initialised()
        return kept


def _replace(source: Path, database: Path, clock: Callable[[], float]) -> Path | None:
    new = database.with_name(f"{database.name}.new")
    with as_owner(database.parent):
        new.unlink(missing_ok=True)
    try:
        copy(source, new)
        with as_owner(database.parent):
            _refuse_unfit(source, new)
            kept = _set_aside(database, clock)
            new.replace(database)
            _sync(database.parent)
            return kept
    finally:
        with as_owner(database.parent):
            new.unlink(missing_ok=True)


def _refuse_unfit(source: Path, copied: Path) -> None:
    with open_read_only(copied) as connection:
        state = schema_state(connection)
        if state is SchemaState.EMPTY:
            raise DatabaseError(f"{source} is empty.")
        if state is SchemaState.NEWER:
            raise DatabaseError(f"{source} {newer_text(connection.execute)}")


def _unused(at: float, path_of: Callable[[str], Path]) -> Path:
    """Return a path that is named after a time: the first one from `at` on that is free.

    So a repetition within a second, such as of an upgrade that failed, replaces no file.

    Args:
        at: UTC seconds.
        path_of: returns the path for a time as text.
    """
    while True:
        path = path_of(datetime.fromtimestamp(at, UTC).strftime(TIME_FORMAT))
        if not os.path.lexists(path):
            return path
        at += 1


def _set_aside(database: Path, clock: Callable[[], float]) -> Path | None:
    """Rename a database and its accompanying files.

    The database goes first: without its log it would look complete but lack the last moves.
    """
    kept = _unused(clock(), lambda stamp: database.with_name(f"{database.name}{REPLACED}{stamp}"))
    was_there = is_there(database)
    for end in ("", "-wal", "-shm"):
        part = database.with_name(database.name + end)
        if part.exists():
            part.replace(kept.with_name(kept.name + end))
    return kept if was_there else None


def drop_replaced(database: Path, clock: Callable[[], float] = time.time) -> None:
    """Delete databases that were replaced by restored ones more than a month ago."""
    database = resolve(database)
    ours = re.compile(re.escape(f"{database.name}{REPLACED}") + r"(\d{8}T\d{6}Z)(-wal|-shm)?")
    for path in database.parent.iterdir():
        match = ours.fullmatch(path.name)
        if match is None:
            continue
        at = datetime.strptime(match[1], TIME_FORMAT).replace(tzinfo=UTC).timestamp()
        if clock() - at > REPLACED_KEPT_SECONDS:
            path.unlink(missing_ok=True)
            log.info("deleted %s: it was replaced a month ago", path)
