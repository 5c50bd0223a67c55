"""Those who write at the same time share a commit, and nothing else."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from functools import partial
from pathlib import Path

import pytest
import sqlalchemy.exc
from sqlalchemy import event, insert, select, update
from sqlalchemy.exc import IntegrityError, SQLAlchemyError

from bot.storage.group_commit import MOST
from bot.storage.schema import METADATA, players
from bot.storage.sqlite import SQLite
from bot.storage.sqlite_connection import SQLiteConnection


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[SQLite]:
    base = SQLite(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    async with base.write() as connection:
        await connection.run_sync(METADATA.create_all)
    yield base
    await base.close()


@pytest.fixture
def commits(database: SQLite) -> list[int]:
    """Counts the commits of the writer."""
    made = [0]

    def count(_: object) -> None:
        made[0] += 1

    event.listen(database._writer.engine, "commit", count)
    return made


async def add(database: SQLite, user_id: int, then: Callable[[], object] = int) -> None:
    async with database.write() as connection:
        await connection.execute(insert(players).values(user_id=user_id, preferences={}))
        then()


def tell_when_committing(database: SQLite, committing: asyncio.Event) -> None:
    """A commit happens in a thread of its own."""
    tell = partial(asyncio.get_running_loop().call_soon_threadsafe, committing.set)
    event.listen(database._writer.engine, "commit", lambda _: tell())


async def stored(database: SQLite) -> set[int]:
    async with database.read() as connection:
        return set((await connection.execute(select(players.c.user_id))).scalars())


def refuse() -> None:
    raise ValueError("no")


async def test_who_writes_alone_commits_alone(database: SQLite, commits: list[int]) -> None:
    await add(database, 1)
    await add(database, 2)
    assert commits == [2]


async def test_who_writes_at_the_same_time_shares_a_commit(
    database: SQLite, commits: list[int]
) -> None:
    await asyncio.gather(*(add(database, number) for number in range(MOST)))
    assert commits == [1]
    assert await stored(database) == set(range(MOST))


async def test_nobody_waits_for_more_than_so_many(database: SQLite, commits: list[int]) -> None:
    await asyncio.gather(*(add(database, number) for number in range(3 * MOST)))
    assert commits == [3]
    assert await stored(database) == set(range(3 * MOST))


async def test_nobody_goes_on_before_the_commit(database: SQLite) -> None:
    went_on: list[int] = []

    async def work(number: int) -> None:
        await add(database, number)
        went_on.append(number)

    def check(_: object) -> None:
        assert not went_on

    event.listen(database._writer.engine, "commit", check)
    await asyncio.gather(*map(work, range(MOST)))
    assert went_on == list(range(MOST))


async def test_what_fails_is_undone_by_itself(database: SQLite, commits: list[int]) -> None:
    results = await asyncio.gather(
        add(database, 1), add(database, 2, refuse), add(database, 3), return_exceptions=True
    )
    assert [type(each) for each in results] == [type(None), ValueError, type(None)]
    assert await stored(database) == {1, 3}
    assert commits == [1]


async def test_a_row_that_is_there_already_is_the_second_ones_fault(database: SQLite) -> None:
    first, second = await asyncio.gather(add(database, 1), add(database, 1), return_exceptions=True)
    assert first is None
    assert isinstance(second, IntegrityError)
    assert await stored(database) == {1}


async def test_a_commit_that_fails_fails_for_all_of_them(database: SQLite) -> None:
    def fail(_: object) -> None:
        raise SQLAlchemyError("the disk is gone")

    event.listen(database._writer.engine, "commit", fail)
    results = await asyncio.gather(
        *(add(database, number) for number in range(3)), return_exceptions=True
    )
    assert all(isinstance(each, SQLAlchemyError) for each in results), results
    event.remove(database._writer.engine, "commit", fail)
    assert await stored(database) == set()
    await add(database, 9)
    assert await stored(database) == {9}


async def test_rollback_by_sqlite_fails_every_writer(
    database: SQLite,
) -> None:
    """As it does when the disk is full: the whole transaction is rolled back, not the savepoint."""

    async def give_up() -> None:
        async with database.write() as connection:
            assert isinstance(connection, SQLiteConnection)
            connection.raw.rollback()
            raise OSError

    first, second, third = await asyncio.gather(
        add(database, 1), give_up(), add(database, 3), return_exceptions=True
    )
    assert isinstance(first, SQLAlchemyError)
    assert isinstance(second, OSError)
    assert third is None
    assert await stored(database) == {3}


async def test_who_is_cancelled_writes_nothing_and_holds_up_nobody(database: SQLite) -> None:
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


async def test_who_is_cancelled_during_the_commit_takes_nobody_along(database: SQLite) -> None:
    committing = asyncio.Event()
    tell_when_committing(database, committing)
    first, second = (asyncio.create_task(add(database, number)) for number in (1, 2))
    await committing.wait()
    first.cancel()
    await second
    assert await stored(database) == {1, 2}


async def test_a_database_closes_when_what_has_begun_is_on_disk(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'close.db'}"
    base = SQLite(url)
    async with base.write() as connection:
        await connection.run_sync(METADATA.create_all)
    committing = asyncio.Event()
    tell_when_committing(base, committing)
    writing = asyncio.create_task(add(base, 1))
    await committing.wait()
    writing.cancel()
    await base.close()
    again = SQLite(url)
    assert await stored(again) == {1}
    await again.close()


async def test_who_gets_no_turn_in_time_is_told(
    database: SQLite, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database._together, "_patience", 0.0)
    with pytest.raises(sqlalchemy.exc.TimeoutError):
        await add(database, 1)
    monkeypatch.setattr(database._together, "_patience", 5.0)
    await add(database, 2)
    assert await stored(database) == {2}


async def test_transaction_that_cannot_begin_refuses_waiting_writers(
    database: SQLite,
) -> None:
    def fail(_: object) -> None:
        event.remove(database._writer.engine, "begin", fail)
        raise SQLAlchemyError("locked")

    event.listen(database._writer.engine, "begin", fail)
    both = await asyncio.gather(add(database, 1), add(database, 2), return_exceptions=True)
    assert [isinstance(each, SQLAlchemyError) for each in both] == [True, True]
    await add(database, 3)
    assert await stored(database) == {3}


async def rename(database: SQLite) -> None:
    """Changes all, and leaves before SQLite has given all of its answer."""
    async with database.write() as connection:
        change = update(players).values(preferences={"turns": False}).returning(players.c.user_id)
        answer = await connection.execute(change)
        next(iter(answer))


async def test_what_cannot_be_kept_is_undone(database: SQLite) -> None:
    """SQLite keeps nothing while a statement that writes has not come to its end."""
    await asyncio.gather(add(database, 1), add(database, 2))
    with suppress(SQLAlchemyError):
        await rename(database)
        pytest.fail("it was told that it had written")
    await add(database, 3)
    async with database.read() as connection:
        assert not any((await connection.execute(select(players.c.preferences))).scalars())
    assert await stored(database) == {1, 2, 3}


async def test_what_cannot_be_undone_by_itself_takes_the_others_along(database: SQLite) -> None:
    """As when SQLite cannot read what it has put aside."""

    def forbid(action: int, operation: str | None, *_: object) -> int:
        undo = (sqlite3.SQLITE_SAVEPOINT, "ROLLBACK")
        return sqlite3.SQLITE_DENY if (action, operation) == undo else sqlite3.SQLITE_OK

    async def fail() -> None:
        async with database.write() as connection:
            assert isinstance(connection, SQLiteConnection)
            await connection.execute(insert(players).values(user_id=2, preferences={}))
            connection.raw.set_authorizer(forbid)
            raise ValueError

    first, second = await asyncio.gather(add(database, 1), fail(), return_exceptions=True)
    assert isinstance(first, SQLAlchemyError)
    assert isinstance(second, ValueError)
    assert await stored(database) == set()
