"""The database keeps committed rows, and admits one process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from sqlalchemy import insert, select, text
from sqlalchemy.engine import Connection
from sqlalchemy.exc import DBAPIError

from bot.app.run import open_database
from bot.domain.ids import GuildId
from bot.services.servers import Servers
from bot.storage import file_lock
from bot.storage.database import Database
from bot.storage.factory import connect
from bot.storage.file_lock import InUseError
from bot.storage.migrate import upgrade
from bot.storage.schema import METADATA, guilds, players


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    """An empty database."""
    async with open_database(url) as base:
        yield base


@pytest.fixture
async def file(tmp_path: Path) -> AsyncIterator[Database]:
    """An empty database file."""
    async with open_database(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}") as base:
        yield base


@pytest.mark.parametrize(
    ("pragma", "value"), [("journal_mode", "wal"), ("synchronous", 2), ("foreign_keys", 1)]
)
async def test_sqlite_runs_as_it_must_not_to_lose_anything(
    file: Database, pragma: str, value: object
) -> None:
    async with file.write() as connection:
        assert (await connection.execute(text(f"PRAGMA {pragma}"))).scalar_one() == value


@pytest.mark.slow
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
    with pytest.raises(DBAPIError, match=r"readonly|read-only"):
        async with database.read() as connection:
            await connection.execute(insert(players).values(user_id=1, preferences={}))


async def test_a_reader_sees_a_single_moment(database: Database) -> None:
    async with database.read() as reader:
        assert (await reader.execute(select(players))).all() == []
        async with database.write() as writer:
            await writer.execute(insert(players).values(user_id=1, preferences={}))
        assert (await reader.execute(select(players))).all() == []


async def test_who_writes_alone_waits_for_the_others_and_they_for_it(url: str) -> None:
    order: list[str] = []
    async with open_database(url) as database:

        async def note(name: str, *, exclusive: bool) -> None:
            async with database.write(exclusive=exclusive) as connection:
                await connection.execute(select(1))
                order.append(f"{name} begins")
                await asyncio.sleep(0)
                order.append(f"{name} ends")

        async with database.write() as connection:
            await connection.execute(select(1))  # on PostgreSQL, it begins with its first statement
            waiting = [asyncio.create_task(note(n, exclusive=True)) for n in ("one", "two")]
            await asyncio.wait(waiting, timeout=0.1)
            assert not order
        await asyncio.gather(*waiting)
    assert [line.split()[1] for line in order] == ["begins", "ends"] * 2


async def test_one_row_is_made_by_the_first_and_changed_by_both(database: Database) -> None:
    servers = Servers(database)
    await asyncio.gather(*(servers.choose(GuildId(1), **{name: name}) for name in "abcdefgh"))
    async with database.read() as connection:
        (row,) = (await connection.execute(select(guilds))).all()
    assert sorted(row.settings) == list("abcdefgh")


async def test_a_second_start_on_the_same_file_is_refused(
    file: Database, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_lock, "WAIT_SECONDS", 0.0)
    with pytest.raises(InUseError, match="Another Starpost is running"):
        connect(str(file.url))


async def test_a_closed_database_lets_others_in(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
    await connect(url).close()
    await connect(url).close()


async def test_migrations_lead_to_the_schema_of_the_program(url: str) -> None:
    base = connect(url)
    await upgrade(base)
    await upgrade(base)  # a second start changes nothing

    def differences(connection: Connection) -> list[object]:
        return list(compare_metadata(MigrationContext.configure(connection), METADATA))

    async with base.read() as connection:
        assert await connection.run_sync(differences) == []
    await base.close()


async def test_database_closes_after_a_transaction_that_reads(url: str) -> None:
    base = connect(url)
    inside, over = asyncio.Event(), asyncio.Event()

    async def read() -> None:
        async with base.read() as connection:
            await connection.execute(text("SELECT 1"))
            inside.set()
            await over.wait()

    reading = asyncio.create_task(read())
    await inside.wait()
    closing = asyncio.create_task(base.close())
    await asyncio.wait({closing}, timeout=0.05)
    assert not closing.done()
    over.set()
    await asyncio.gather(reading, closing)
