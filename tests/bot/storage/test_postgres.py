"""PostgreSQL: several programs at once, and a server that is stopped and started again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest
from sqlalchemy import insert, make_url, select, text
from sqlalchemy.exc import OperationalError

from bot.app.run import open_database
from bot.storage.factory import connect
from bot.storage.file_lock import DatabaseError, DatabaseUnavailableError
from bot.storage.migrate import upgrade
from bot.storage.schema import players
from tests.support.postgres import TEMPLATE, Outside, Server


@pytest.fixture
def empty(postgres: Server) -> Iterator[str]:
    """A database without tables."""
    with postgres.database("template0") as url:
        yield url


@pytest.mark.slow
async def test_commit_is_durable_and_locks_do_not_wait_for_long(empty: str) -> None:
    wanted = {
        "synchronous_commit": "on",
        "lock_timeout": "900ms",
        "idle_in_transaction_session_timeout": "10s",
        "transaction_isolation": "read committed",
    }
    async with open_database(empty) as database, database.write() as connection:
        for name, value in wanted.items():
            assert (await connection.execute(text(f"SHOW {name}"))).scalar_one() == value


@pytest.mark.slow
async def test_isolation_does_not_follow_the_servers_default(empty: str) -> None:
    async with open_database(empty):
        pass
    name = make_url(empty).database
    with Outside(empty) as outside:
        for default in ("isolation = 'serializable'", "read_only = on"):
            outside.execute(f"ALTER DATABASE {name} SET default_transaction_{default}")
    async with open_database(empty) as database:
        async with database.write() as first, database.write() as second:
            for user_id, connection in enumerate((first, second), 1):
                result = await connection.execute(text("SHOW transaction_isolation"))
                assert result.scalar_one() == "read committed"
                await connection.execute(select(players))
                await connection.execute(insert(players).values(user_id=user_id, preferences={}))
        async with database.read() as connection:
            result = await connection.execute(text("SHOW transaction_isolation"))
            assert result.scalar_one() == "repeatable read"
            assert len((await connection.execute(select(players))).all()) == 2
        async with database.migration() as connection:
            result = await connection.execute(text("SHOW transaction_isolation"))
            assert result.scalar_one() == "read committed"


@pytest.mark.slow
async def test_programs_that_start_at_once_migrate_once(empty: str) -> None:
    bases = [connect(empty) for _ in range(4)]
    await asyncio.gather(*map(upgrade, bases))
    for base in bases:
        await base.close()
    with Outside(empty) as outside:
        assert len(outside.rows("SELECT version_num FROM alembic_version")) == 1


@pytest.mark.slow
async def test_a_newer_database_is_refused(empty: str) -> None:
    async with open_database(empty):
        pass
    with Outside(empty) as outside:
        outside.execute("UPDATE alembic_version SET version_num = '9999'")
    with pytest.raises(DatabaseError, match="newer Starpost"):
        async with open_database(empty):
            pass


async def test_a_database_of_another_program_is_refused(empty: str) -> None:
    with Outside(empty) as outside:
        outside.execute("CREATE TABLE recipes (name text)")
    with pytest.raises(DatabaseError, match="other program"):
        async with open_database(empty):
            pass


async def test_a_migration_that_fails_is_taken_back(
    empty: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Outside(empty) as outside:
        outside.execute("CREATE TYPE ix_timers_due AS (x int)")  # in the way of an index
        with pytest.raises(DatabaseError, match="cannot be opened"):
            async with open_database(empty):
                pass
        tables = "SELECT tablename FROM pg_tables WHERE schemaname = 'public'"
        assert outside.rows(tables) == []


async def test_unreachable_server_is_one_line_without_the_password() -> None:
    url = "postgresql+asyncpg://starpost:hush@127.0.0.1:1/none"
    with pytest.raises(DatabaseUnavailableError, match="does not answer") as caught:
        async with open_database(url):
            pass
    assert "hush" not in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.slow
async def test_a_server_that_comes_back_is_used_again(own_server: Server) -> None:
    async with open_database(own_server.url(TEMPLATE)) as database:
        async with database.write() as connection:
            await connection.execute(insert(players).values(user_id=1, preferences={}))
        own_server.stop()
        with pytest.raises(OperationalError):
            async with database.read() as connection:
                await connection.execute(select(players))
        own_server.start()
        async with database.read() as connection:
            (row,) = (await connection.execute(select(players))).all()
    assert row.user_id == 1
