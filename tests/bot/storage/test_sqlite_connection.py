"""Statements run in the event loop; waits for the disk run in a thread."""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections import defaultdict
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path

import pytest
from sqlalchemy import insert, select, text
from sqlalchemy.exc import SQLAlchemyError

from bot.storage.database import Transaction
from bot.storage.schema import METADATA, players
from bot.storage.sqlite import SQLite
from bot.storage.sqlite_connection import SQLiteConnection
from tests.support.fake_discord import until

HERE = threading.get_ident()


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SQLite]:
    base = SQLite(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    async with base.write() as connection:
        await connection.run_sync(METADATA.create_all)
    yield base
    await base.close()


async def traced(begin: Callable[[], Transaction]) -> dict[str, set[bool]]:
    """Notes each statement's first word, and whether it has run in the event loop's thread."""
    where: defaultdict[str, set[bool]] = defaultdict(set)

    def note(statement: str) -> None:
        where[statement.split(maxsplit=1)[0]].add(threading.get_ident() == HERE)

    async with begin() as connection:
        assert isinstance(connection, SQLiteConnection)
        connection.raw.set_trace_callback(note)
    where.clear()
    return where


async def test_only_commits_of_what_is_written_go_to_the_thread(database: SQLite) -> None:
    written, read = await traced(database.write), await traced(database.read)
    async with database.write() as connection:
        await connection.execute(insert(players).values(user_id=1, preferences={}))
    async with database.read() as connection:
        assert (await connection.execute(select(players.c.user_id))).scalar_one() == 1
    assert {word for word, here in written.items() if False in here} == {"COMMIT"}
    assert {"BEGIN", "INSERT"} <= set(written)
    assert set().union(*read.values()) == {True}
    assert {"BEGIN", "SELECT", "COMMIT"} <= set(read)


async def test_who_waits_for_a_lock_waits_in_the_thread(database: SQLite) -> None:
    async def write() -> None:
        async with database.write():
            pass

    written = await traced(database.write)
    with closing(sqlite3.connect(database.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        task = asyncio.create_task(write())
        await until(lambda: False in written["BEGIN"])
        async with database.read() as connection:
            assert not (await connection.execute(select(players.c.user_id))).all()
        assert not task.done()
        other.rollback()
    async with asyncio.timeout(10):
        await task


def hold(database: SQLite, word: str) -> tuple[threading.Event, threading.Event]:
    """Make the writer wait before this statement; tells when it does, and until when."""
    begun, gate = threading.Event(), threading.Event()

    def wait(statement: str) -> None:
        if statement.startswith(word):
            begun.set()
            gate.wait(5)  # a longer wait would mean that the loop is blocked

    with database._writer.engine.connect() as connection:
        SQLiteConnection(connection).raw.set_trace_callback(wait)
    return begun, gate


@pytest.mark.parametrize("word", ["COMMIT", "PRAGMA"])
async def test_cancelled_task_leaves_the_connection_after_the_thread(
    database: SQLite, word: str
) -> None:
    async def work() -> None:
        if word == "PRAGMA":
            await database.overwrite()
        async with database._writer.begin() as connection:
            await connection.execute(insert(players).values(user_id=1, preferences={}))

    begun, gate = hold(database, word)
    working = asyncio.create_task(work())
    await until(begun.is_set)
    for _ in range(3):
        working.cancel()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
    left = working.done()
    gate.set()
    assert not left
    await asyncio.wait({working})
    assert working.cancelled()
    async with database.write() as other:
        found = (await other.execute(select(players.c.user_id))).scalars().all()
    assert found == ([1] if word == "COMMIT" else [])


async def test_file_that_cannot_be_opened_is_a_database_error(tmp_path: Path) -> None:
    (tmp_path / "folder.db").mkdir()
    database = SQLite(f"sqlite+aiosqlite:///{tmp_path / 'folder.db'}")
    with pytest.raises(SQLAlchemyError, match="unable to open"):
        async with database.write():
            pass
    await database.close()


async def test_overwriting_waits_for_other_programs(database: SQLite) -> None:
    with closing(sqlite3.connect(database.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        assert not await database.overwrite()
    assert await database.overwrite()


async def test_start_waits_for_a_process_that_recovers_the_log(tmp_path: Path) -> None:
    path = tmp_path / "test.db"
    with closing(sqlite3.connect(path, check_same_thread=False, isolation_level=None)) as other:
        for statement in ("PRAGMA journal_mode=WAL", "CREATE TABLE a (b)"):
            other.execute(statement)
        other.execute("PRAGMA locking_mode=EXCLUSIVE")
        other.execute("INSERT INTO a VALUES (1)")  # from here on no other process opens it
        base = SQLite(f"sqlite+aiosqlite:///{path}")
        threading.Timer(0.1, other.close).start()
        async with base.read() as connection:
            assert (await connection.execute(text("SELECT b FROM a"))).scalar_one() == 1
        await base.close()
