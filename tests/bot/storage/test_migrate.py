"""A database that cannot be gone on with is refused; one that is changed is backed up before."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.app.run import open_database
from bot.storage import inspection
from bot.storage.backup import restore
from bot.storage.file_lock import DatabaseError, lock_path
from bot.version import version
from tests.support.databases import age, change, count, damage_page, fill


def address(path: Path) -> str:
    return f"sqlite+aiosqlite:///{path}"


@pytest.fixture
async def path(tmp_path: Path) -> Path:
    """A database with a running match."""
    await fill(tmp_path / "starpost.db")
    return tmp_path / "starpost.db"


async def start(path: Path) -> None:
    async with open_database(address(path)):
        pass


@pytest.mark.slow
async def test_a_migration_makes_a_backup_before(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    age(path.parent, monkeypatch)
    await start(path)
    assert count(path, "later") == 0
    (backup,) = (path.parent / "backups").iterdir()
    assert count(backup, "matches") == 1
    assert count(backup, "sqlite_master WHERE name = 'later'") == 0


@pytest.mark.slow
async def test_a_start_without_a_migration_makes_none(path: Path) -> None:
    await start(path)
    assert not (path.parent / "backups").exists()


@pytest.mark.slow
async def test_without_room_for_a_backup_nothing_is_migrated(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    age(path.parent, monkeypatch)
    (path.parent / "backups").touch()
    with pytest.raises(DatabaseError, match="backups"):
        await start(path)
    assert count(path, "sqlite_master WHERE name = 'later'") == 0


@pytest.mark.slow
async def test_newer_database_is_refused_with_its_version(path: Path) -> None:
    change(
        path,
        "UPDATE alembic_version SET version_num = '9999'",
        "UPDATE facts SET value = '9.8.7' WHERE name = 'migrated_by'",
    )
    with pytest.raises(DatabaseError) as refused:
        await start(path)
    advice = f"version 9.8.7 brought it to schema 9999, and {version()} knows none after"
    assert "is from a newer Starpost than this one" in str(refused.value)
    assert f"{advice} {inspection.revisions()[-1]}." in str(refused.value)
    assert "\n" not in str(refused.value)


@pytest.mark.slow
async def test_newer_database_of_an_unknown_version_is_refused(path: Path) -> None:
    change(path, "UPDATE alembic_version SET version_num = '9999'", "DELETE FROM facts")
    with pytest.raises(DatabaseError, match="an unknown version brought it to schema 9999"):
        await start(path)


@pytest.mark.slow
async def test_each_migration_stores_the_version_that_made_it(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    change(path, "UPDATE facts SET value = '0.0.1' WHERE name = 'migrated_by'")
    await start(path)
    assert count(path, "facts WHERE name = 'migrated_by' AND value = '0.0.1'") == 1
    age(path.parent, monkeypatch)
    await start(path)
    assert count(path, f"facts WHERE name = 'migrated_by' AND value = '{version()}'") == 1


@pytest.mark.slow
async def test_downgrade_by_the_backup_from_before_loses_no_match(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as later:
        age(path.parent, later)
        await start(path)
    with pytest.raises(DatabaseError, match="restore the backup from before"):
        await start(path)
    (backup,) = (path.parent / "backups").iterdir()
    restore(backup, path)
    await start(path)
    assert count(path, "matches WHERE status = 'running'") == 1


@pytest.mark.slow
async def test_a_damaged_database_is_refused(path: Path) -> None:
    damage_page(path)
    with pytest.raises(DatabaseError, match="damaged"):
        await start(path)


@pytest.mark.slow
async def test_a_database_of_another_program_is_refused(path: Path) -> None:
    change(path, "DROP TABLE alembic_version")
    with pytest.raises(DatabaseError, match="other program"):
        await start(path)


@pytest.mark.slow
async def test_an_empty_one_in_place_of_a_database_is_refused(path: Path) -> None:
    path.write_bytes(b"")
    with pytest.raises(DatabaseError, match=r"missing or empty.*starpost\.db\.lock"):
        await start(path)
    assert path.read_bytes() == b""


@pytest.mark.slow
async def test_a_missing_database_is_noticed_by_its_backups_too(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    age(path.parent, monkeypatch)
    await start(path)  # makes a backup
    path.unlink()
    lock_path(path).unlink()
    with pytest.raises(DatabaseError, match=r"missing or empty.*backups"):
        await start(path)
    assert not path.exists()


@pytest.mark.slow
async def test_backups_that_cannot_be_listed_are_one_line(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise PermissionError(13, "Permission denied", str(folder))

    path.unlink()
    (path.parent / "backups").mkdir()
    monkeypatch.setattr(Path, "iterdir", refuse)
    with pytest.raises(DatabaseError, match="backups: Permission denied"):
        await start(path)


@pytest.mark.slow
async def test_who_moves_the_signs_away_begins_anew(path: Path) -> None:
    path.unlink()
    lock_path(path).unlink()
    await start(path)
    assert count(path, "matches") == 0


async def test_without_migrations_nothing_begins(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspection, "MIGRATIONS", tmp_path)
    with pytest.raises(DatabaseError, match="reinstall Starpost"):
        await start(tmp_path / "starpost.db")


@pytest.mark.slow
async def test_a_start_that_failed_is_no_sign_of_a_database(tmp_path: Path) -> None:
    lock_path(tmp_path / "starpost.db").touch()  # locked once, before there was a database
    await start(tmp_path / "starpost.db")
