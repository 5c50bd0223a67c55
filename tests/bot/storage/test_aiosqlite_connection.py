"""One trip to the thread for each statement, or for several."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import aiosqlite
import pytest
from sqlalchemy import bindparam, insert, select, text, update
from sqlalchemy.exc import IntegrityError, OperationalError

from bot.storage import aiosqlite_connection
from bot.storage.aiosqlite_connection import OneTripConnection, open_connection
from bot.storage.connection import read_once, send
from bot.storage.database import COMMIT_STATE, CommitState
from bot.storage.schema import players
from bot.storage.sqlite import SQLite

ADD = insert(players).values(user_id=bindparam("user"), preferences={})


@pytest.fixture
def trips(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list to which each trip to a thread is added."""
    noted = list[str]()
    real: Any = aiosqlite.Connection._execute

    async def execute(self: aiosqlite.Connection, fn: Any, *args: Any, **named: Any) -> Any:
        noted.append(str(args[0]).split()[0] if args else fn.__name__)
        return await real(self, fn, *args, **named)

    monkeypatch.setattr(aiosqlite.Connection, "_execute", execute)
    return noted


async def stored(database: SQLite) -> list[int]:
    async with database.read() as connection:
        return sorted((await connection.execute(select(players.c.user_id))).scalars())


async def test_statement_is_one_trip(database: SQLite, trips: list[str]) -> None:
    async with database.write() as connection:
        await connection.execute(ADD, {"user": 1})
        result = await connection.execute(update(players).values(preferences={"hand": "on"}))
        assert result.rowcount == 1
        assert len((await connection.execute(select(players))).all()) == 1
    assert trips == ["BEGIN", "INSERT", "UPDATE", "SELECT", "COMMIT"]


async def test_only_query_of_a_read_ends_it(database: SQLite, trips: list[str]) -> None:
    await stored(database)
    trips.clear()
    async with database.read() as connection:
        result = await read_once(
            connection, select(players.c.user_id).where(players.c.user_id == 1)
        )
        assert result.all() == []
    assert trips == ["SELECT"]
    async with database.write() as connection:
        await connection.execute(ADD, {"user": 1})
    assert await stored(database) == [1]  # on a connection that has kept no snapshot


async def test_only_query_that_fails_is_rolled_back(database: SQLite, trips: list[str]) -> None:
    await stored(database)
    trips.clear()
    async with database.read() as connection:
        with pytest.raises(OperationalError):
            await read_once(connection, text("SELECT abs(-9223372036854775808)"))
    assert trips == ["SELECT", "rollback"]
    assert await stored(database) == []


async def test_a_transaction_goes_on_after_a_failed_last_query(
    database: SQLite, trips: list[str]
) -> None:
    await stored(database)
    async with database.read() as connection:
        with pytest.raises(OperationalError):
            await read_once(connection, text("SELECT abs(-9223372036854775808)"))
        trips.clear()
        await connection.execute(select(players))
        await connection.execute(select(players))
    assert trips == ["SELECT", "SELECT", "rollback"]


async def test_read_begins_with_its_first_statement(database: SQLite, trips: list[str]) -> None:
    await stored(database)
    trips.clear()
    assert await stored(database) == []
    assert trips == ["SELECT", "rollback"]
    trips.clear()
    async with database.read():
        pass
    assert trips == []


async def test_statements_without_results_go_with_the_next_one(
    database: SQLite, trips: list[str]
) -> None:
    async with database.write() as connection:
        await send(connection, ADD, {"user": 1})
        await send(connection, insert(players), [{"user_id": n, "preferences": {}} for n in (2, 3)])
        users = await connection.execute(select(players.c.user_id).order_by(players.c.user_id))
        assert users.scalars().all() == [1, 2, 3]
        await send(connection, ADD, {"user": 4})
        await connection.execute(
            insert(players), [{"user_id": n, "preferences": {}} for n in (5, 6)]
        )
        await send(connection, text("DELETE FROM players WHERE user_id = :user"), {"user": 2})
        await send(connection, ADD, {"user": 7})
    assert await stored(database) == [1, 3, 4, 5, 6, 7]
    assert trips[:4] == ["BEGIN", "SELECT", "INSERT", "COMMIT"]


async def test_error_of_a_postponed_statement_is_raised_by_the_next(database: SQLite) -> None:
    async def write() -> None:
        async with database.write() as connection:
            await send(connection, ADD, {"user": 1})
            await send(connection, ADD, {"user": 1})
            with pytest.raises(IntegrityError):
                await connection.execute(select(players))
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await write()
    assert await stored(database) == []


async def test_error_of_a_postponed_statement_comes_with_the_commit(database: SQLite) -> None:
    async def write() -> None:
        async with database.write() as connection:
            await send(connection, ADD, {"user": 1})
            await send(connection, ADD, {"user": 1})

    COMMIT_STATE.set(CommitState.NO)
    with pytest.raises(IntegrityError):
        await write()
    assert COMMIT_STATE.get() is CommitState.NO
    async with database.write() as connection:
        await connection.execute(ADD, {"user": 2})
    assert await stored(database) == [2]


async def test_rollback_covers_the_postponed_statements(
    database: SQLite,
) -> None:
    async def write() -> None:
        async with database.write() as connection:
            await send(connection, ADD, {"user": 1})
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await write()
    async with database.write() as connection:
        await connection.execute(ADD, {"user": 2})
    assert await stored(database) == [2]


async def test_thread_of_a_connection_that_cannot_be_opened_is_awaited(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    connections = list[OneTripConnection]()

    class Noted(OneTripConnection):
        def __init__(self, connector: Callable[[], sqlite3.Connection]) -> None:
            super().__init__(connector)
            connections.append(self)

    monkeypatch.setattr(aiosqlite_connection, "OneTripConnection", Noted)
    with pytest.raises(sqlite3.OperationalError, match="unable to open"):
        await open_connection(tmp_path, 0.0)
    stopped = connections[0].stopped
    assert stopped
    assert stopped.done()


async def test_thread_of_an_open_connection_ends_with_the_process(tmp_path: Path) -> None:
    before = set(threading.enumerate())
    connection = await open_connection(tmp_path / "test.db", 0.0)
    (thread,) = set(threading.enumerate()) - before
    assert thread.daemon
    await connection.close()


async def test_connection_closes_though_its_thread_is_stopped(tmp_path: Path) -> None:
    connection = await open_connection(tmp_path / "test.db", 0.0)
    closing = asyncio.create_task(connection.close())
    await asyncio.sleep(0)
    connection.stop()
    async with asyncio.timeout(10):
        await closing


@pytest.fixture
def open_and_closed(monkeypatch: pytest.MonkeyPatch) -> tuple[list[object], list[object]]:
    """Return two lists to which connections are added as they are opened and closed."""
    opened, closed = list[object](), list[object]()

    class Noting(aiosqlite_connection.FetchingConnection):
        def __init__(self, *args: Any, **options: Any) -> None:
            super().__init__(*args, **options)
            opened.append(self)

        def close(self) -> None:
            if self not in closed:
                closed.append(self)
            super().close()

    monkeypatch.setattr(aiosqlite_connection, "FetchingConnection", Noting)
    return opened, closed


async def test_connection_cancelled_while_it_opens_is_closed(
    tmp_path: Path, open_and_closed: tuple[list[object], list[object]]
) -> None:
    opening = asyncio.create_task(open_connection(tmp_path / "test.db", 1.0))
    await asyncio.sleep(0)
    opening.cancel()
    await asyncio.wait({opening})
    assert opening.cancelled()
    opened, closed = open_and_closed
    assert opened == closed != []


def test_connection_that_opens_as_the_loop_ends_is_closed(
    tmp_path: Path, open_and_closed: tuple[list[object], list[object]]
) -> None:
    async def end_meanwhile() -> None:
        opening.append(asyncio.ensure_future(open_connection(tmp_path / "test.db", 1.0)))
        await asyncio.sleep(0)

    opening = list[asyncio.Future[OneTripConnection]]()
    asyncio.run(end_meanwhile())
    assert opening[0].cancelled()
    opened, closed = open_and_closed
    assert opened == closed != []
