"""A backup is whole or there is none, and it comes back without anything getting lost."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert

from bot.app.run import open_database
from bot.storage import backup, file_lock, inspection
from bot.storage.backup import DAY, HOUR, Backups, copy, restore
from bot.storage.factory import connect
from bot.storage.file_lock import DatabaseError, InUseError
from bot.storage.schema import players
from tests.support.databases import change, count, damage_page, fill
from tests.support.metrics import failures_of

NOON = 1_800_014_400.0  # 2027-01-15T12:00:00Z


KILLED = """
import os, signal, sqlite3, sys
connection = sqlite3.connect(sys.argv[1])
connection.execute("INSERT INTO players VALUES (1, '{}')")
connection.commit()
os.kill(os.getpid(), signal.SIGKILL)
"""


class Clock:
    def __init__(self) -> None:
        self.now = NOON

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def path(template: Path, tmp_path: Path) -> Path:
    """A database with a running match."""
    shutil.copyfile(template, tmp_path / "starpost.db")
    await fill(tmp_path / "starpost.db")
    return tmp_path / "starpost.db"


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def backups(path: Path, clock: Clock) -> Backups:
    return Backups(path, path.parent / "elsewhere", 3, clock)


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


async def test_a_backup_is_one_private_file_with_all_matches(path: Path, backups: Backups) -> None:
    backup_path = backups.make()
    assert names(backups.folder) == ["starpost-20270115T120000Z.db"]
    assert backup_path.stat().st_mode & 0o077 == 0
    for table in ("matches", "seats", "actions", "outbox"):
        assert count(backup_path, table) == count(path, table) > 0


async def test_a_backup_has_what_a_running_bot_has_just_written(
    path: Path, backups: Backups
) -> None:
    async with open_database(f"sqlite+aiosqlite:///{path}") as database:
        async with database.write() as connection:
            await connection.execute(insert(players).values(user_id=1, preferences={}))
        async with database.write() as connection:
            await connection.execute(insert(players).values(user_id=2, preferences={}))
            backup_path = backups.make()  # without the rows of the open transaction
    assert count(backup_path, "players") == 1


async def test_a_backup_has_what_a_killed_bot_has_left_in_the_log(
    path: Path, backups: Backups
) -> None:
    subprocess.run([sys.executable, "-c", KILLED, path], check=False)
    path.with_name("starpost.db-shm").unlink()
    assert count(backups.make(), "players") == 1


async def test_the_oldest_backups_go_and_nothing_else_does(backups: Backups, clock: Clock) -> None:
    backups.folder.mkdir()
    for other in ("other-20200101T000000Z.db", "starpost-keep.db", "starpost.db"):
        (backups.folder / other).touch()
    for _ in range(5):
        backups.make()
        clock.now += DAY
    assert names(backups.folder) == [
        "other-20200101T000000Z.db",
        "starpost-20270117T120000Z.db",
        "starpost-20270118T120000Z.db",
        "starpost-20270119T120000Z.db",
        "starpost-keep.db",
        "starpost.db",
    ]


async def test_a_damaged_database_gives_no_backup_and_costs_none(
    path: Path, backups: Backups, clock: Clock
) -> None:
    for _ in range(3):
        backups.make()
        clock.now += DAY
    before = names(backups.folder)
    damage_page(path)
    with pytest.raises(DatabaseError):
        backups.make()
    assert names(backups.folder) == before


async def test_a_copy_with_too_few_rows_is_none(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    counted = backup._counts

    def fewer(connection: sqlite3.Connection) -> dict[str, int]:
        (_, _, file) = connection.execute("PRAGMA database_list").fetchone()
        return counted(connection) | ({"actions": 0} if file.endswith(".part") else {})

    monkeypatch.setattr(backup, "_counts", fewer)
    with pytest.raises(DatabaseError, match="actions cannot be read"):
        copy(path, path.with_name("copy.db"))
    assert "copy" not in " ".join(names(path.parent))


async def test_copy_with_rows_of_missing_matches_is_refused(path: Path, backups: Backups) -> None:
    change(path, "DELETE FROM matches")  # without foreign keys; all seats and actions stay
    change(path, "INSERT INTO players VALUES (1, '{}')")
    with pytest.raises(DatabaseError, match="refers to a missing row of matches"):
        backups.make()
    assert names(backups.folder) == []


async def test_copy_that_is_damaged_on_its_way_is_refused(
    path: Path, backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    verify = backup._verify

    def damaged(backup_path: Path, *rest: Any) -> None:
        damage_page(backup_path, "ix_timers_due_at")  # no row is missing
        verify(backup_path, *rest)

    monkeypatch.setattr(backup, "_verify", damaged)
    with pytest.raises(DatabaseError, match=r"damaged|malformed"):
        backups.make()
    assert names(backups.folder) == []


async def test_a_full_disk_leaves_nothing_behind(
    path: Path, backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(DatabaseError, match="No space left"):
        backups.make()
    assert names(backups.folder) == []


async def test_two_backups_in_one_second_are_two_files(path: Path, backups: Backups) -> None:
    """Such as before an upgrade that failed and is tried again at once."""
    earlier = backups.make()
    content = earlier.read_bytes()
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.execute("INSERT INTO players VALUES (1, '{}')")
    assert [backups.make().name, backups.make().name] == [
        "starpost-20270115T120001Z.db",
        "starpost-20270115T120002Z.db",
    ]
    assert earlier.read_bytes() == content
    assert backups.all()[0] == earlier
    backups.make()
    assert earlier not in backups.all()  # three are kept


async def test_a_copy_never_replaces_a_file(path: Path) -> None:
    with pytest.raises(DatabaseError, match="already exists"):
        copy(path, path)


async def test_a_backup_a_day(backups: Backups, clock: Clock) -> None:
    await backups.daily()
    await backups.daily()
    assert len(backups.all()) == 1
    clock.now += DAY - 1
    await backups.daily()
    assert len(backups.all()) == 1
    clock.now += 1
    await backups.daily()
    assert len(backups.all()) == 2


async def test_a_restart_makes_no_second_backup_of_a_day(
    path: Path, backups: Backups, clock: Clock
) -> None:
    await backups.daily()
    clock.now += HOUR
    await Backups(path, backups.folder, 3, clock).daily()
    assert len(backups.all()) == 1


async def test_a_clock_that_was_set_back_does_not_stop_backups(
    path: Path, backups: Backups, clock: Clock
) -> None:
    await backups.daily()
    clock.now -= 30 * DAY
    await Backups(path, backups.folder, 3, clock).daily()
    assert len(backups.all()) == 2


async def test_daily_in_a_process_whose_clock_is_set_back_goes_on(
    backups: Backups, clock: Clock
) -> None:
    await backups.daily()
    clock.now -= 30 * DAY
    await backups.daily()
    assert len(backups.all()) == 2


async def test_backup_older_by_name_than_all_others_is_kept(backups: Backups, clock: Clock) -> None:
    clock.now += 120 * DAY
    for _ in range(3):
        backups.make()
        clock.now += DAY
    clock.now = NOON
    backup_paths = [backups.make()]
    assert backup_paths[0].exists()
    clock.now += DAY
    backup_paths += [backups.make()]
    assert [path.exists() for path in backup_paths] == [True, True]
    assert len(backups.all()) == 3


async def test_restart_after_a_wrong_clock_makes_no_second_backup(
    path: Path, backups: Backups, clock: Clock
) -> None:
    clock.now += 120 * DAY
    backups.make()
    clock.now = NOON
    await backups.daily()
    clock.now += HOUR
    await Backups(path, backups.folder, 3, clock).daily()
    assert len(backups.all()) == 2


@pytest.mark.errors_wanted
async def test_failed_daily_backup_is_logged_and_retried_in_an_hour(
    backups: Backups, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    backups.folder.touch()
    before = failures_of("backup")
    await backups.daily()
    await backups.daily()
    assert [record.levelname for record in caplog.records] == ["ERROR"]
    assert failures_of("backup") == before + 1
    backups.folder.unlink()
    clock.now += HOUR
    await backups.daily()
    assert len(backups.all()) == 1


async def test_restoring_keeps_what_it_replaces_with_its_log(
    path: Path, backups: Backups, clock: Clock
) -> None:
    backup_path = backups.make()
    with closing(sqlite3.connect(path)) as writer:  # as after a crash: this move is in the log only
        writer.execute("INSERT INTO players VALUES (1, '{}')")
        writer.commit()
        kept = restore(backup_path, path, clock)
    assert kept == path.with_name("starpost.db.replaced-20270115T120000Z")
    assert (count(path, "players"), count(kept, "players")) == (0, 1)
    assert count(path, "actions") == count(backup_path, "actions")


async def test_two_restores_in_one_second_keep_both_databases(
    path: Path, backups: Backups, clock: Clock
) -> None:
    backup_path = backups.make()
    with closing(sqlite3.connect(path)) as writer, writer:
        writer.execute("INSERT INTO players VALUES (1, '{}')")
    kept = [restore(backup_path, path, clock) for _ in range(2)]
    assert [database.name for database in kept if database] == [
        "starpost.db.replaced-20270115T120000Z",
        "starpost.db.replaced-20270115T120001Z",
    ]
    assert [count(database, "players") for database in kept if database] == [1, 0]


async def test_a_match_goes_on_after_restoring(path: Path, backups: Backups) -> None:
    backup_path = backups.make()
    path.unlink()
    assert restore(backup_path, path) is None
    async with open_database(f"sqlite+aiosqlite:///{path}"):
        assert count(path, "matches") == 1


async def test_nothing_is_restored_while_a_bot_is_running(
    path: Path, backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_lock, "WAIT_SECONDS", 0.0)
    backup_path = backups.make()
    database = connect(f"sqlite+aiosqlite:///{path}")
    with pytest.raises(InUseError):
        restore(backup_path, path)
    await database.close()


@pytest.mark.parametrize("fault", ["missing", "text", "damaged", "empty", "newer", "other"])
async def test_an_unfit_backup_changes_nothing(path: Path, backups: Backups, fault: str) -> None:
    backup_path = backups.make()
    if fault in ("missing", "empty"):
        backup_path.unlink()
    if fault == "empty":
        backup_path.touch()
    if fault == "text":
        backup_path.write_text("no database", "utf-8")
    if fault == "damaged":
        damage_page(backup_path)
    if fault == "newer":
        change(backup_path, "UPDATE alembic_version SET version_num = '9999'")
    if fault == "other":
        change(backup_path, "DROP TABLE alembic_version")
    before = path.read_bytes(), names(path.parent)
    with pytest.raises(DatabaseError) as caught:
        restore(backup_path, path)
    assert "\n" not in str(caught.value)
    assert (path.read_bytes(), names(path.parent)) == before


async def test_a_restore_that_is_cut_short_does_not_begin_anew(
    path: Path, backups: Backups, monkeypatch: pytest.MonkeyPatch
) -> None:
    backup_path, aside = backups.make(), backup._set_aside

    def cut_short(database: Path, clock: Clock) -> Path | None:
        aside(database, clock)
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(backup, "_set_aside", cut_short)
    with pytest.raises(DatabaseError, match="Input/output"):
        restore(backup_path, path)
    assert not inspection.is_there(path)
    with pytest.raises(DatabaseError, match="missing or empty"):
        async with open_database(f"sqlite+aiosqlite:///{path}"):
            pass
    monkeypatch.undo()
    restore(backup_path, path)
    assert count(path, "matches") == 1
