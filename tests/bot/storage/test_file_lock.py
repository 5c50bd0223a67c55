"""The lock beside the database."""

from __future__ import annotations

import os
import time
from contextlib import closing
from pathlib import Path

import pytest

from bot.storage.backup import Backups, restore
from bot.storage.file_lock import DatabaseLock, is_initialised, last_touched, lock_path
from tests.support.databases import fill

SOMEBODY = 12345


def test_a_heartbeat_is_the_time_of_the_lock(tmp_path: Path) -> None:
    database = tmp_path / "starpost.db"
    assert last_touched(database) is None
    with closing(DatabaseLock(database)) as lock:
        os.utime(lock.path, (0, 0))
        lock.touch_heartbeat()
    assert time.time() - (last_touched(database) or 0) < 60


def test_a_mark_stays(tmp_path: Path) -> None:
    for _ in range(2):
        with closing(DatabaseLock(tmp_path / "starpost.db")) as lock:
            lock.mark_initialised()
    assert is_initialised(lock.path)
    assert lock.path.read_text("utf-8").count("\n") == 1


@pytest.mark.slow
@pytest.mark.skipif(os.geteuid() != 0, reason="only root can make files that others cannot use")
async def test_what_root_does_leaves_the_bot_its_files(tmp_path: Path) -> None:
    for folder in (tmp_path, *tmp_path.parents):  # as the folders of a real installation are
        folder.chmod(folder.stat().st_mode | 0o011)
    os.chown(tmp_path, SOMEBODY, SOMEBODY)
    database = tmp_path / "starpost.db"
    await fill(database)
    backup_path = Backups(database).make()
    restore(backup_path, database)
    for path in (backup_path.parent, backup_path, database, lock_path(database)):
        assert (path.stat().st_uid, path.stat().st_gid) == (SOMEBODY, SOMEBODY), path
