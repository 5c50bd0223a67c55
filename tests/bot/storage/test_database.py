"""The database keeps what it was told, and lets nobody else in."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import OperationalError

from bot.storage.database import Database, InUseError
from bot.storage.migrate import upgrade
from bot.storage.schema import METADATA, players


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    """An empty database file."""
    base = Database(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    async with base.write() as connection:
        await connection.run_sync(METADATA.create_all)
    yield base
    await base.close()


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]
)
async def test_sqlite_runs_as_it_must_not_to_lose_anything(
    database: Database, pragma: str, value: object
) -> None:
    async with database.write() as connection:
        assert (await connection.execute(text(f"PRAGMA {pragma}"))).scalar_one() == value


async def test_what_was_written_can_be_read(database: Database) -> None:
    async with database.write() as connection:
        await connection.execute(insert(players).values(user_id=1, preferences={"dm": True}))
    async with database.read() as connection:
        assert (await connection.execute(select(players.c.preferences))).scalar_one() == {
            "dm": True
        }


async def test_a_failed_transaction_leaves_nothing(database: Database) -> None:
    async def fail() -> None:
        async with database.write() as connection:
            await connection.execute(insert(players).values(user_id=1, preferences={}))
            raise RuntimeError

    with pytest.raises(RuntimeError):
        await fail()
    async with database.read() as connection:
        assert (await connection.execute(select(players.c.user_id))).all() == []


async def test_readers_cannot_write(database: Database) -> None:
    with pytest.raises(OperationalError, match="readonly"):
        async with database.read() as connection:
            await connection.execute(insert(players).values(user_id=1, preferences={}))


async def test_a_second_start_on_the_same_file_is_refused(database: Database) -> None:
    with pytest.raises(InUseError, match="Another Starpost is running"):
        Database(str(database.url))


async def test_a_closed_database_lets_others_in(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
    await Database(url).close()
    await Database(url).close()


async def test_migrations_lead_to_the_schema_of_the_program(tmp_path: Path) -> None:
    base = Database(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    await upgrade(base)
    await upgrade(base)  # a second start changes nothing

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with base.read() as connection:
        assert await connection.run_sync(differences) == []
    await base.close()
