"""Queries whose rows are read in slices."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import insert, select

from bot.storage import connection as connections
from bot.storage.connection import all_rows, rows_among, slices
from bot.storage.schema import players
from tests.support.matches import MatchFixture


@pytest.fixture
async def many(env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> MatchFixture:
    """Seven players, of whom two are read at once."""
    monkeypatch.setattr(connections, "ROWS_AT_ONCE", 2)
    async with env.database.write() as connection:
        for number in range(1, 8):
            await connection.execute(insert(players).values(user_id=number, preferences={}))
    return env


@pytest.mark.slow
async def test_all_rows_are_read_in_order(many: MatchFixture) -> None:
    query = (
        select(players.c.user_id).where(players.c.user_id > 0).order_by(players.c.user_id.desc())
    )
    async with many.database.read() as connection:
        assert [number for (number,) in await all_rows(connection, query)] == [7, 6, 5, 4, 3, 2, 1]


async def test_other_tasks_go_on_between_slices(many: MatchFixture) -> None:
    query = select(players.c.user_id).where(players.c.user_id > 2)
    turns, sizes, seen = 0, list[int](), list[int]()

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    async with many.database.read() as connection:
        async for rows in slices(connection, query.order_by(players.c.user_id)):
            sizes.append(len(rows))
            seen.append(turns)
    task.cancel()
    assert sizes == [2, 2, 1]
    assert seen == sorted(set(seen)), "a turn between any two"


@pytest.mark.parametrize(
    ("ids", "selected"),
    [([], []), ([2], [2]), ([1, 2, 3], [1, 2, 3]), ([9, 1, 8, 6, 7], [1, 6, 7])],
)
async def test_rows_of_many_ids_are_found(
    many: MatchFixture, ids: list[int], selected: list[int]
) -> None:
    query = select(players.c.user_id)
    async with many.database.read() as connection:
        rows = await rows_among(connection, query, players.c.user_id, ids)
    assert sorted(row.user_id for row in rows) == selected


async def test_other_tasks_go_on_between_ids_without_rows(many: MatchFixture) -> None:
    turns = 0

    async def others() -> None:
        nonlocal turns
        while True:
            turns += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(others())
    async with many.database.read() as connection:
        before = turns
        await rows_among(connection, select(players), players.c.user_id, [91, 92, 93, 94, 95])
    task.cancel()
    assert turns - before >= 3, "for two ids each"
