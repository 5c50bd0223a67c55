"""PostgreSQL: several programs at once, and a server that is stopped and started again."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import AsyncExitStack
from pathlib import Path
from types import SimpleNamespace

import asyncpg  # type: ignore[import-untyped]
import pytest
from sqlalchemy import insert, make_url, select, text
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from bot.app.run import open_database
from bot.database_errors import Trouble, trouble
from bot.shards import Shards
from bot.storage.factory import connect
from bot.storage.file_lock import DatabaseError, DatabaseUnavailableError
from bot.storage.migrate import upgrade
from bot.storage.postgres import POOL_SIZE, SHARED
from bot.storage.postgres_connection import PING, PostgresConnection, driver_of
from bot.storage.presence import present
from bot.storage.schema import players
from tests.support.fake_discord import until
from tests.support.pgbouncer import through
from tests.support.postgres import TEMPLATE, Outside, Server

ROOT = Path(__file__).parents[3]

CONNECTIONS = POOL_SIZE + 2
"""Most connections of a process: also one for its shards, and one for a migration or a purge."""

END_SESSIONS = (
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
    " WHERE application_name = 'starpost' AND datname = current_database()"
)


@pytest.fixture
def empty(postgres: Server) -> Iterator[str]:
    """A database without tables."""
    with postgres.database("template0") as url:
        yield url


@pytest.fixture(params=["direct", "PgBouncer"])
def migrated(postgres: Server, request: pytest.FixtureRequest) -> Iterator[str]:
    """A database with all tables, either by the server's own address or through a pooler."""
    with postgres.database() as url:
        pooled = request.param == "PgBouncer"
        yield through(url, request.getfixturevalue("pooler")) if pooled else url


async def test_commit_is_durable_and_locks_do_not_wait_for_long(migrated: str) -> None:
    wanted = {
        "synchronous_commit": "on",
        "lock_timeout": "900ms",
        "idle_in_transaction_session_timeout": "10s",
        "transaction_isolation": "read committed",
    }
    async with open_database(migrated) as database:
        async with database.write() as connection:
            for name, value in wanted.items():
                assert (await connection.execute(text(f"SHOW {name}"))).scalar_one() == value
        async with database.read() as connection:
            result = await connection.execute(text("SHOW idle_in_transaction_session_timeout"))
            assert result.scalar_one() == "10s"


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The queries sent to the server besides prepared statements."""
    trips = list[str]()

    async def execute(connection: PostgresConnection, query: str) -> str:
        trips.append(query)
        result: str = await asyncpg.Connection.execute(connection, query)
        return result

    monkeypatch.setattr(PostgresConnection, "execute", execute)
    return trips


async def test_transaction_costs_two_trips_besides_its_statements(
    migrated: str, trips: list[str]
) -> None:
    async with open_database(migrated) as database:
        trips.clear()
        async with database.read():
            pass
        assert trips == []
        async with database.read() as connection:
            await connection.execute(select(players))
        begin, end = trips
        assert begin.startswith("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY; SET LOCAL ")
        assert end == "COMMIT"
        trips.clear()
        async with database.write() as connection:
            await connection.execute(insert(players).values(user_id=1, preferences={}))
        begin, end = trips
        assert begin.startswith("BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE; SET LOCAL ")
        assert begin.endswith(f"; {SHARED}")
        assert end == "COMMIT"


@pytest.mark.parametrize(
    ("migrated", "names"), [("direct", 1), ("PgBouncer", 0)], indirect=["migrated"]
)
async def test_statement_is_prepared_once_but_never_by_name_in_a_pool(
    migrated: str, names: int
) -> None:
    prepared = "SELECT count(*) FROM pg_prepared_statements WHERE statement LIKE 'INSERT%'"
    async with open_database(migrated) as database, database.write() as connection:
        for user_id in (1, 2):
            await connection.execute(insert(players), [{"user_id": user_id, "preferences": {}}])
        assert (await connection.execute(text(prepared))).scalar_one() == names


async def test_connection_is_usable_after_a_lock_was_not_free(
    migrated: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.postgres.ROW_LOCK_WAIT_SECONDS", 0.05)
    async with open_database(migrated) as database, database.write() as first:
        await first.execute(select(players))
        with pytest.raises(DBAPIError) as caught:
            async with database.write(exclusive=True) as second:
                await second.execute(select(players))
        assert trouble(caught.value) is Trouble.BUSY
        async with database.write() as second:
            await second.execute(insert(players).values(user_id=1, preferences={}))


async def test_cancelled_wait_for_the_lock_holds_nothing(
    migrated: str, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.postgres.ROW_LOCK_WAIT_SECONDS", 30.0)
    direct = postgres.url(str(make_url(migrated).database))
    waits = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
    async with open_database(migrated) as database:

        async def write_alone() -> None:
            async with database.write(exclusive=True) as connection:
                await connection.execute(select(players))

        async with database.write() as first:
            await first.execute(select(players))
            waiting = asyncio.create_task(write_alone())
            with Outside(direct) as outside:
                await until(lambda: outside.rows(waits) == [(1,)])
            waiting.cancel()
            await asyncio.wait({waiting})
            assert waiting.cancelled()
            async with database.write() as second:
                await second.execute(insert(players).values(user_id=1, preferences={}))
        await write_alone()


async def test_closed_connection_is_replaced_before_it_is_used(migrated: str) -> None:
    async with open_database(migrated) as database:
        async with database.read() as connection:
            await connection.execute(select(players))
            driver = driver_of(connection)
        await driver.close()
        async with database.read() as connection:
            assert (await connection.execute(select(players))).all() == []
            assert driver_of(connection) is not driver


@pytest.mark.parametrize(("idle", "pings"), [(10.0, 0), (10.1, 1)])
async def test_only_a_connection_that_was_idle_is_tested(
    migrated: str, trips: list[str], monkeypatch: pytest.MonkeyPatch, idle: float, pings: int
) -> None:
    async with open_database(migrated) as database:
        for now in (0.0, idle):
            clock = SimpleNamespace(monotonic=lambda now=now: now)
            monkeypatch.setattr("bot.storage.postgres_connection.time", clock)
            async with database.read() as connection:
                await connection.execute(select(players))
    assert trips.count(PING) == pings


async def test_idle_connection_that_is_lost_is_replaced(
    postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.postgres_connection.IDLE_SECONDS", -1.0)
    with postgres.database() as url:
        async with open_database(url) as database:
            async with database.read() as connection:
                await connection.execute(select(players))
            with Outside(url) as outside:  # its thread waits, so this loop has noticed nothing
                outside.execute(END_SESSIONS)
            async with database.read() as connection:
                assert (await connection.execute(select(players))).all() == []


async def test_connections_are_kept_and_the_last_one_is_used_first(
    migrated: str,
) -> None:
    async with open_database(migrated) as database:
        drivers = list[PostgresConnection]()
        async with AsyncExitStack() as stack:
            for _number in range(POOL_SIZE):
                reading = await stack.enter_async_context(database.read())
                await reading.execute(select(players))
                drivers.append(driver_of(reading))
        assert not any(driver.is_closed() for driver in drivers)
        for _number in range(2):
            async with database.write() as connection:
                await connection.execute(select(players))
                assert driver_of(connection) is drivers[0]  # the stack gave it back last


async def test_connections_of_a_process_are_limited(
    migrated: str, postgres: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.postgres.CONNECTION_WAIT_SECONDS", 0.01)
    url = make_url(migrated)
    direct = postgres.url(str(url.database))
    async with open_database(migrated) as database, AsyncExitStack() as stack:
        await stack.enter_async_context(present(url, Shards()))
        for _number in range(POOL_SIZE):
            reading = await stack.enter_async_context(database.read())
            await reading.execute(select(players))
        with pytest.raises(SQLAlchemyError) as caught:
            await stack.enter_async_context(database.read())
        assert trouble(caught.value) is Trouble.BUSY
        migrating = await stack.enter_async_context(database.migration())
        await migrating.execute(select(players))
        with Outside(direct) as outside:
            count = "SELECT count(*) FROM pg_stat_activity WHERE application_name LIKE 'starpost%'"
            assert outside.rows(f"{count} AND datname = current_database()") == [(CONNECTIONS,)]
    page = (ROOT / "docs" / "hosts" / "hosting.md").read_text("utf-8")
    assert f"at most {CONNECTIONS} connections" in " ".join(page.split())


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
        with pytest.raises(DBAPIError) as caught:
            async with database.read() as connection:
                await connection.execute(select(players))
        assert trouble(caught.value) is Trouble.UNREACHABLE
        own_server.start()
        async with database.read() as connection:
            (row,) = (await connection.execute(select(players))).all()
    assert row.user_id == 1
