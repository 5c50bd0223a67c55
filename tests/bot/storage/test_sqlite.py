"""One connection writes, others read; a task that fails or is cancelled leaves nothing behind."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from pathlib import Path

import pytest
import sqlalchemy.exc
from sqlalchemy import insert, select, text
from sqlalchemy.exc import IntegrityError, OperationalError, SQLAlchemyError

from bot.storage.database import (
    COMMIT_STATE,
    CommitState,
    DatabaseError,
    DatabaseUnavailableError,
)
from bot.storage.schema import METADATA, players
from bot.storage.sqlite import LOG_INDEX_BYTES, READERS, SQLite
from bot.urgency import IS_URGENT
from tests.support.fake_discord import until
from tests.support.gates import Gate


async def add(database: SQLite, user_id: int, then: Callable[[], object] = int) -> None:
    async with database.write() as connection:
        await connection.execute(insert(players).values(user_id=user_id, preferences={}))
        then()


async def stored(database: SQLite) -> set[int]:
    async with database.read() as connection:
        return set((await connection.execute(select(players.c.user_id))).scalars())


async def test_writers_take_turns_in_the_order_they_came(database: SQLite) -> None:
    order: list[int] = []
    await asyncio.gather(*(add(database, n, lambda n=n: order.append(n)) for n in range(9)))  # type: ignore[misc]
    assert order == list(range(9))
    assert await stored(database) == set(range(9))


async def test_writers_for_whom_a_person_waits_come_first(database: SQLite) -> None:
    order: list[int] = []

    async def write(number: int) -> None:
        IS_URGENT.set(number % 2 == 0)
        await add(database, number, lambda: order.append(number))

    await asyncio.gather(*map(write, range(1, 8)))
    assert order == [1, 2, 4, 6, 3, 5, 7], "the first one found no other writer"


async def test_failed_writer_is_rolled_back_alone(database: SQLite) -> None:
    def refuse() -> None:
        raise ValueError

    results = await asyncio.gather(
        add(database, 1), add(database, 2, refuse), add(database, 3), return_exceptions=True
    )
    assert list(map(type, results)) == [type(None), ValueError, type(None)]
    assert await stored(database) == {1, 3}


async def test_commit_that_fails_is_rolled_back(database: SQLite) -> None:
    """SQLite leaves the transaction open."""

    async def add_an_orphan() -> None:
        async with database.write() as connection:
            await connection.execute(text("PRAGMA defer_foreign_keys=ON"))
            await connection.execute(insert(players).values(user_id=1, preferences={}))
            orphan = "INSERT INTO seats (match_id, seat, user_id, name) VALUES (7, 'O', 1, 'Ada')"
            await connection.execute(text(orphan))

    with pytest.raises(IntegrityError):
        await add_an_orphan()
    await add(database, 2)
    assert await stored(database) == {2}


async def test_writer_cancelled_in_its_block_writes_nothing(database: SQLite) -> None:
    inside = asyncio.Event()

    async def linger() -> None:
        async with database.write() as connection:
            await connection.execute(insert(players).values(user_id=1, preferences={}))
            inside.set()
            await asyncio.Event().wait()

    lingering = asyncio.create_task(linger())
    await inside.wait()
    waiting = asyncio.create_task(add(database, 2))
    other = asyncio.create_task(add(database, 3))
    await asyncio.sleep(0)
    waiting.cancel()
    lingering.cancel()
    await other
    assert await stored(database) == {3}
    assert waiting.cancelled()
    assert lingering.cancelled()


@pytest.mark.parametrize("statement", ["BEGIN IMMEDIATE", "INSERT", "COMMIT"])
async def test_loop_goes_on_while_the_disk_is_slow(database: SQLite, statement: str) -> None:
    gate = Gate(database, statement)
    writing = asyncio.create_task(add(database, 1))
    await until(gate.reached.is_set)
    for _ in range(100):
        await asyncio.sleep(0)
    assert await stored(database) == set()
    assert not writing.done()
    gate.open()
    await writing
    assert await stored(database) == {1}


async def test_many_transactions_leave_time_for_others(database: SQLite) -> None:
    order: list[int] = []

    async def job() -> None:
        for number in range(3):
            await add(database, number)
            order.append(number)

    working = asyncio.create_task(job())
    await asyncio.sleep(0)
    order.append(9)
    await working
    assert order[-1] != 9


CANCELLED = [("BEGIN IMMEDIATE", {2}), ("INSERT", {2}), ("COMMIT", {1, 2})]
"""Statements in which a writer is cancelled, and the players that are stored after another one."""


@pytest.mark.parametrize("times", [1, 3])
@pytest.mark.parametrize(("statement", "players_after"), CANCELLED)
async def test_writer_cancelled_in_a_statement_frees_the_file(
    database: SQLite, statement: str, players_after: set[int], times: int
) -> None:
    gate = Gate(database, statement)
    working = asyncio.create_task(add(database, 1))
    await until(gate.reached.is_set)
    other = asyncio.create_task(add(database, 2))
    for _ in range(times):
        working.cancel()
        for _ in range(10):
            await asyncio.sleep(0)
    assert not working.done()
    assert not other.done()
    gate.open()
    await asyncio.wait({working})
    assert working.cancelled()
    await other
    assert await stored(database) == players_after


@pytest.mark.parametrize(
    ("statement", "state"), [("INSERT", CommitState.NO), ("COMMIT", CommitState.UNKNOWN)]
)
async def test_writer_cancelled_in_its_commit_leaves_doubt(
    database: SQLite, statement: str, state: CommitState
) -> None:
    gate = Gate(database, statement)
    states = list[CommitState]()

    async def write() -> None:
        COMMIT_STATE.set(CommitState.NO)
        try:
            await add(database, 1)
        finally:
            states.append(COMMIT_STATE.get())

    working = asyncio.create_task(write())
    await until(gate.reached.is_set)
    working.cancel()
    gate.open()
    await asyncio.wait({working})
    assert states == [state]


async def test_cancelled_commit_notifies_no_listener(database: SQLite) -> None:
    calls = list[int]()
    database.listen("topic", lambda: calls.append(1))
    gate = Gate(database, "COMMIT")
    working = asyncio.create_task(add(database, 1, lambda: database.notify("topic")))
    await until(gate.reached.is_set)
    assert not calls
    working.cancel()
    gate.open()
    await asyncio.wait({working})
    assert not calls
    await add(database, 2, lambda: database.notify("topic"))
    assert calls == [1]


async def test_statement_of_a_cancelled_task_is_interrupted(database: SQLite) -> None:
    endless = text(
        "WITH RECURSIVE n(x) AS (SELECT 1 UNION ALL SELECT x FROM n) SELECT max(x) FROM n"
    )
    async with database.read() as connection:  # its connection is the next one's
        await connection.execute(select(players))

    async def read() -> None:
        async with database.read() as connection:
            await connection.execute(endless)

    reading = asyncio.create_task(read())
    await asyncio.wait({reading}, timeout=0.1)
    reading.cancel()
    async with asyncio.timeout(10):
        await asyncio.wait({reading})
    assert reading.cancelled()
    assert await stored(database) == set()


async def test_readers_beyond_the_limit_wait(database: SQLite) -> None:
    async with AsyncExitStack() as stack:
        for _ in range(READERS):
            await stack.enter_async_context(database.read())
        waiting = asyncio.create_task(stored(database))
        await asyncio.wait({waiting}, timeout=0.1)
        assert not waiting.done()
    assert await waiting == set()


async def test_reader_cancelled_in_a_statement_leaves_no_snapshot(database: SQLite) -> None:
    async with database.read() as connection:  # its connection is the next one's
        assert not (await connection.execute(select(players))).all()
    for _ in range(3):
        reading = asyncio.create_task(stored(database))
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        reading.cancel()
        await asyncio.wait({reading})
    await add(database, 1)
    assert await stored(database) == {1}
    assert await database.purge()  # which no open snapshot lets happen


async def test_readers_cancelled_with_all_tasks_free_connections(database: SQLite) -> None:
    """The tasks that a cancelled one has just started are cancelled before they run."""

    async def read() -> None:
        async with database.read() as connection:
            await connection.execute(select(players))
            asyncio.get_running_loop().call_soon(cancel_all)

    def cancel_all() -> None:
        for task in asyncio.all_tasks() - {test}:
            task.cancel()

    test = asyncio.current_task()
    for _ in range(READERS + 1):
        await asyncio.wait({asyncio.create_task(read())})
    assert await stored(database) == set()


async def test_database_closes_after_the_commit_in_progress(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'close.db'}"
    base = SQLite(url)
    async with base.write() as connection:
        await connection.run_sync(METADATA.create_all)
    gate = Gate(base, "COMMIT")
    writing = asyncio.create_task(add(base, 1))
    await until(gate.reached.is_set)
    closing_it = asyncio.create_task(base.close())
    await asyncio.wait({closing_it}, timeout=0.05)
    assert not closing_it.done()
    gate.open()
    await closing_it
    await writing
    again = SQLite(url)
    assert await stored(again) == {1}
    await again.close()


async def test_writer_without_a_turn_in_time_is_refused(
    database: SQLite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.sqlite.CONNECTION_WAIT_SECONDS", 0.0)
    async with database.write():
        with pytest.raises(sqlalchemy.exc.TimeoutError):
            await add(database, 1)
    monkeypatch.undo()
    await add(database, 2)
    assert await stored(database) == {2}


async def test_file_locked_by_another_program_is_awaited(database: SQLite) -> None:
    with closing(sqlite3.connect(database.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        gate = Gate(database, "BEGIN IMMEDIATE")
        gate.open()
        task = asyncio.create_task(add(database, 1))
        await until(gate.reached.is_set)
        assert await stored(database) == set()
        assert not task.done()
        other.rollback()
    async with asyncio.timeout(10):
        await task
    assert await stored(database) == {1}


async def test_writer_cancelled_before_a_locked_file_leaves_it(database: SQLite) -> None:
    with closing(sqlite3.connect(database.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(add(database, 1))
        await asyncio.sleep(0)
        task.cancel()
        await asyncio.wait({task})
        assert task.cancelled()
        other.rollback()
    await add(database, 2)
    assert await stored(database) == {2}


async def test_file_locked_for_too_long_refuses_the_writer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.storage.sqlite.FILE_LOCK_WAIT_SECONDS", 0.0)
    database = SQLite(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    async with database.write() as connection:
        await connection.run_sync(METADATA.create_all)
    with closing(sqlite3.connect(database.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(OperationalError, match="locked"):
            await add(database, 1)
    await add(database, 2)
    assert await stored(database) == {2}
    await database.close()


async def test_file_that_cannot_be_opened_is_a_database_error(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    database = SQLite(f"sqlite+aiosqlite:///{tmp_path / 'folder.db'}")
    with pytest.raises(SQLAlchemyError, match="unable to open"):
        async with database.write():
            pass
    await database.close()


async def test_start_waits_for_a_process_that_recovers_the_log(tmp_path: Path) -> None:
    path = tmp_path / "test.db"
    with closing(sqlite3.connect(path, check_same_thread=False, isolation_level=None)) as other:
        for statement in ("PRAGMA journal_mode=WAL", "CREATE TABLE a (b)"):
            other.execute(statement)
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("INSERT INTO a VALUES (1)")  # from here on no other process can open it
        base = SQLite(f"sqlite+aiosqlite:///{path}")
        threading.Timer(0.1, other.close).start()
        async with base.read() as connection:
            assert (await connection.execute(text("SELECT b FROM a"))).scalar_one() == 1
        await base.close()


@pytest.mark.parametrize(
    ("code", "free", "error"),
    [
        (sqlite3.SQLITE_IOERR_SHMSIZE, LOG_INDEX_BYTES - 1, DatabaseUnavailableError),
        (sqlite3.SQLITE_CANTOPEN, LOG_INDEX_BYTES - 1, DatabaseError),
        (sqlite3.SQLITE_IOERR_SHMSIZE, LOG_INDEX_BYTES, DatabaseError),
    ],
)
async def test_file_on_a_full_disk_can_be_opened_later(
    database: SQLite, monkeypatch: pytest.MonkeyPatch, code: int, free: int, error: type[Exception]
) -> None:
    def fail(*_: object, **_names: object) -> None:
        failure = sqlite3.OperationalError("disk I/O error")
        failure.sqlite_errorcode = code
        raise failure

    monkeypatch.setattr(database, "free", lambda: free)
    monkeypatch.setattr(sqlite3, "connect", fail)
    with pytest.raises(error, match="full" if error is DatabaseUnavailableError else "I/O"):
        database.prepare(None)
