"""The files of a database are private to its owner, whichever program makes them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from bot.app.run import open_database
from bot.storage.backup import Backups, copy, restore
from bot.storage.copy import copy as copy_database
from bot.storage.file_lock import DatabaseError, DatabaseLock, InUseError, lock_path
from bot.storage.sqlite import SQLite
from tests.support.databases import fill

OWNER = 12345
"""A user who runs the bot, and who has broken into it."""

root_only = pytest.mark.skipif(os.geteuid() != 0, reason="root is who can be led astray")


def at(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture(autouse=True)
def umask() -> Iterator[None]:
    """Set the mask of most systems: others may read new files."""
    before = os.umask(0o022)
    yield
    os.umask(before)


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder of the bot's user, who can reach it."""
    home = tmp_path / "home"
    home.mkdir()
    if os.geteuid() == 0:
        for folder in (tmp_path, *tmp_path.parents[:-1]):
            folder.chmod(folder.stat().st_mode | 0o011)
        os.chown(home, OWNER, OWNER)
    return home


@pytest.fixture
def victim(tmp_path: Path) -> Path:
    """A file that only root may write to."""
    file = tmp_path / "shadow"
    file.write_text("root's own")
    return file


def plant(link: Path, target: Path) -> None:
    """Put a link there as the bot's user does."""
    link.symlink_to(target)
    if os.geteuid() == 0:
        os.chown(link, OWNER, OWNER, follow_symlinks=False)


def untouched(victim: Path) -> bool:
    return victim.read_text() == "root's own" and victim.stat().st_uid == os.geteuid()


def owners(folder: Path) -> set[int]:
    return {path.stat().st_uid for path in folder.rglob("*")}


@pytest.mark.slow
async def test_files_are_private_while_the_bot_runs(home: Path) -> None:
    path = home / "starpost.db"
    await fill(path)
    async with open_database(at(path)):
        files = sorted(file.name for file in home.iterdir())
        assert files == [f"starpost.db{end}" for end in ("", "-shm", "-wal", ".lock")]
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in home.iterdir()}
    assert set(modes.values()) == {0o600}, modes


@pytest.mark.slow
async def test_files_of_an_earlier_version_are_made_private(home: Path) -> None:
    path = home / "starpost.db"
    await fill(path)
    path.chmod(0o644)
    lock_path(path).chmod(0o644)
    async with open_database(at(path)):
        modes = {file.name: stat.S_IMODE(file.stat().st_mode) for file in home.iterdir()}
    assert set(modes.values()) == {0o600}, modes


@pytest.mark.slow
async def test_group_that_the_host_chose_may_read_on(home: Path) -> None:
    path = home / "starpost.db"
    await fill(path)
    path.chmod(0o640)
    async with open_database(at(path)):
        assert stat.S_IMODE(path.stat().st_mode) == 0o640


@pytest.mark.slow
async def test_link_to_a_database_meets_the_same_lock(home: Path) -> None:
    path, link = home / "starpost.db", home / "other" / "link.db"
    link.parent.mkdir()
    link.symlink_to("../starpost.db")
    await fill(path)
    assert lock_path(link) == link.parent / "../starpost.db.lock"
    with closing(DatabaseLock(path)), pytest.raises(InUseError):
        SQLite(at(link))
    with closing(DatabaseLock(link)), pytest.raises(InUseError):
        SQLite(at(path))


@pytest.mark.slow
async def test_restoring_by_a_link_replaces_the_file(home: Path) -> None:
    path, link = home / "starpost.db", home / "link.db"
    await fill(path)
    backup_path = Backups(path).make()
    link.symlink_to(path)
    path.write_bytes(b"broken")
    assert restore(backup_path, link) is not None
    assert link.is_symlink()
    assert path.read_bytes()[:6] == b"SQLite"


def test_lock_that_is_a_link_is_refused(home: Path, victim: Path) -> None:
    database = home / "starpost.db"
    plant(home / "starpost.db.lock", victim)
    with pytest.raises(DatabaseError, match="symbolic link"):
        DatabaseLock(database)
    assert untouched(victim)


@pytest.mark.slow
@root_only
async def test_root_restores_past_a_planted_lock(home: Path, victim: Path) -> None:
    database = home / "starpost.db"
    await fill(database)
    backup_path = Backups(database).make()
    lock_path(database).unlink()
    plant(home / "starpost.db.lock", victim)
    for work in (lambda: restore(backup_path, database), lambda: SQLite(at(database))):
        with pytest.raises(DatabaseError):
            work()
    with pytest.raises(DatabaseError):
        await copy_database(at(database), at(home / "new.db"))
    assert untouched(victim)


@pytest.mark.slow
@root_only
async def test_root_copies_past_a_planted_part(
    home: Path, victim: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database, victim_to_be = home / "starpost.db", victim.with_name("cron")
    await fill(database)
    removed = Path.unlink

    def unlink(self: Path, missing_ok: bool = False) -> None:
        removed(self, missing_ok)
        if self.name == ".copy.db.part" and not self.is_symlink():
            plant(self, target)

    monkeypatch.setattr(Path, "unlink", unlink)
    for target in (victim, victim_to_be):  # noqa: B007 - read by unlink
        with pytest.raises(DatabaseError):
            copy(database, home / "copy.db")
        removed(home / ".copy.db.part")
    assert untouched(victim)
    assert not victim_to_be.exists()


@pytest.mark.slow
@root_only
async def test_root_does_not_follow_the_owners_link_to_a_database(
    home: Path, victim: Path, tmp_path: Path
) -> None:
    await fill(home / "real.db")
    backup_path = Backups(home / "real.db").make()
    plant(home / "starpost.db", victim)
    with pytest.raises(DatabaseError, match="symbolic link"):
        restore(backup_path, home / "starpost.db")
    plant(home / "folder", tmp_path)
    with pytest.raises(DatabaseError, match="symbolic link"):
        restore(backup_path, home / "folder" / "new.db")
    assert untouched(victim)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["home", "shadow"]


@pytest.mark.slow
@root_only
async def test_what_root_makes_belongs_to_the_owner(home: Path, tmp_path: Path) -> None:
    database, kept = home / "starpost.db", tmp_path / "only-root"
    await fill(database)
    kept.mkdir(0o700)
    copy(database, kept / "backup.db")
    assert owners(kept) == {0}
    Backups(database).make()
    restore(kept / "backup.db", database)
    await copy_database(at(database), at(home / "new.db"))
    assert owners(home) == {OWNER}
    assert os.geteuid() == 0
