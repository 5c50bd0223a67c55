"""The lock beside the database."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from bot.storage import file_lock
from bot.storage.backup import Backups, restore
from bot.storage.file_lock import (
    POLL_SECONDS,
    WAIT_SECONDS,
    DatabaseLock,
    InUseError,
    is_initialised,
    last_touched,
    lock_path,
)
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


class FakeTime:
    """A clock that moves only in pauses.

    Attributes:
        pauses: seconds of each pause so far.
        after_pause: called after each pause.
    """

    def __init__(self) -> None:
        self.pauses = list[float]()
        self.after_pause: Callable[[], None] = lambda: None

    def sleep(self, seconds: float) -> None:
        self.pauses.append(seconds)
        self.after_pause()

    def monotonic(self) -> float:
        return sum(self.pauses)


@pytest.fixture
def fake_time(monkeypatch: pytest.MonkeyPatch) -> FakeTime:
    fake = FakeTime()
    monkeypatch.setattr(file_lock, "time", fake)
    return fake


def test_lock_of_a_process_that_is_ending_is_awaited(tmp_path: Path, fake_time: FakeTime) -> None:
    ending = DatabaseLock(tmp_path / "starpost.db")

    def release_at_last() -> None:
        if fake_time.monotonic() >= 0.9 * WAIT_SECONDS:
            ending.close()

    fake_time.after_pause = release_at_last
    DatabaseLock(tmp_path / "starpost.db").close()
    assert set(fake_time.pauses) == {POLL_SECONDS}


def test_lock_of_a_running_process_is_refused(tmp_path: Path, fake_time: FakeTime) -> None:
    with closing(DatabaseLock(tmp_path / "starpost.db")):
        assert not fake_time.pauses
        with pytest.raises(InUseError, match=r"Another Starpost is running on starpost\.db\."):
            DatabaseLock(tmp_path / "starpost.db")
    assert fake_time.monotonic() == pytest.approx(WAIT_SECONDS, abs=POLL_SECONDS)


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
