"""PostgreSQL through PgBouncer in transaction mode: each transaction may have another session."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from contextlib import AsyncExitStack, asynccontextmanager

import pytest
from sqlalchemy import func, insert, select, text

from bot.app.run import open_database
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.schema import players
from tests.support.matches import MatchFixture, act
from tests.support.pgbouncer import through
from tests.support.postgres import Server, long_waits

ROUNDS = 12
"""More than PgBouncer has sessions: a statement meets each more than once."""

PROCESSES = 3


@pytest.fixture
def direct(postgres: Server) -> Iterator[str]:
    """The server's own URL of an empty database with all tables."""
    with long_waits(), postgres.database() as url:
        yield url


@pytest.fixture
def pooled(direct: str, pooler: int) -> str:
    """The URL of this database through PgBouncer."""
    return through(direct, pooler)


async def session(connection: Connection) -> int:
    """Return the server's number of the session of a transaction."""
    return int((await connection.execute(text("SELECT pg_backend_pid()"))).scalar_one())


@asynccontextmanager
async def processes(url: str) -> AsyncIterator[list[Database]]:
    """Several databases on one URL, as several processes have them, and as many sessions."""
    async with AsyncExitStack() as stack:
        databases = [await stack.enter_async_context(open_database(url)) for _ in range(PROCESSES)]
        async with AsyncExitStack() as reading:
            for database in databases:
                await session(await reading.enter_async_context(database.read()))
        yield databases


async def test_transactions_of_a_process_have_several_sessions(pooled: str) -> None:
    sessions = set()
    async with processes(pooled) as (database, *_):
        for _round in range(ROUNDS):
            async with database.read() as connection:
                sessions.add(await session(connection))
    assert len(sessions) >= PROCESSES


async def test_statements_work_in_every_session(pooled: str) -> None:
    async with processes(pooled) as databases:

        async def add_and_count(database: Database, first: int) -> None:
            for number in range(first, first + ROUNDS):
                row = {"user_id": number, "preferences": {}}
                async with database.write() as connection:
                    await connection.execute(insert(players), [row])
                    await connection.execute(insert(players).values(row | {"user_id": -number}))
                async with database.read() as connection:
                    mine = players.c.user_id.in_([number, -number])
                    assert len((await connection.execute(select(players).where(mine))).all()) == 2

        jobs = (add_and_count(base, 1000 * i + 1) for i, base in enumerate(databases))
        await asyncio.gather(*jobs)
        async with databases[0].read() as connection:
            rows = await connection.execute(select(func.count()).select_from(players))
            assert rows.scalar_one() == 2 * ROUNDS * PROCESSES


async def test_exclusive_transaction_excludes_those_of_other_processes(pooled: str) -> None:
    async with processes(pooled) as (one, two, _):
        order = list[str]()

        async def write() -> None:
            async with two.write() as connection:
                await session(connection)
                order.append("other")

        async with one.write(exclusive=True) as connection:
            await session(connection)
            writing = asyncio.create_task(write())
            async with two.read() as reader:  # reads do not wait, and give the writer time
                await session(reader)
            order.append("exclusive")
        await writing
    assert order == ["exclusive", "other"]


@pytest.mark.slow
async def test_match_is_played_by_two_processes(pooled: str) -> None:
    async with processes(pooled) as (one, two, _):
        first, second = MatchFixture(one), MatchFixture(two)
        second.ids = first.ids
        match_id = await first.begin()
        before = await first.lines()
        for _round in range(ROUNDS):
            await act(first, match_id)
            await act(second, match_id)
        assert await second.lines() >= before + 2 * ROUNDS


@pytest.mark.slow
async def test_empty_database_is_migrated_and_purged(postgres: Server, pooler: int) -> None:
    with postgres.database("template0") as direct:
        url = through(direct, pooler)
        async with open_database(url) as database:
            assert await database.purge()
        async with open_database(url) as database, database.read() as connection:
            assert (await connection.execute(select(players))).all() == []
