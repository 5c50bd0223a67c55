"""Interactions are kept a while longer than Discord may repeat them, then deleted."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count

import pytest
from sqlalchemy import func, insert, select

from bot.app.run import open_database
from bot.features.privacy.retention import (
    BATCH_ROWS,
    LEASE_NAME,
    LEASE_SECONDS,
    MAX_DELAY_SECONDS,
    RETENTION_SECONDS,
    Retention,
)
from bot.shards import SNOWFLAKE_MILLISECOND
from bot.storage.database import Database
from bot.storage.leases import Lease, Leases, LostLeaseError
from bot.storage.schema import interactions, leases
from tests.support.matches import BO, MatchFixture

NOW = 1_800_000_000.0


class Store:
    """Interactions of a long time, numbered as Discord does."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.now = NOW
        self._more = count()

    def process(self, name: str) -> Retention:
        """One that looks after the store."""
        return Retention(
            self.database, Leases(self.database, name, lambda: self.now), lambda: self.now
        )

    async def put(self, number: int, age: float, *, noted: float | None = None) -> None:
        """So many interactions of this age in seconds, which we have noted at another one."""
        first = int((NOW - age) * 1000) * SNOWFLAKE_MILLISECOND
        at = NOW - (age if noted is None else noted)
        rows = [
            {"id": first + next(self._more), "result": {}, "received_at": at} for _ in range(number)
        ]
        async with self.database.write() as connection:
            await connection.execute(insert(interactions), rows)

    async def left(self) -> int:
        """How many there are."""
        async with self.database.read() as connection:
            counted = select(func.count()).select_from(interactions)
            return int((await connection.execute(counted)).scalar_one())


@pytest.fixture
async def store(url: str) -> AsyncIterator[Store]:
    async with open_database(url) as database:
        yield Store(database)


async def test_what_is_old_is_forgotten_a_batch_at_a_time(store: Store) -> None:
    await store.put(2 * BATCH_ROWS + 5, RETENTION_SECONDS + 1)
    await store.put(3, 0)
    left = []
    for _ in range(4):
        await store.process("0/1").delete_expired()
        left.append(await store.left())
    assert left == [BATCH_ROWS + 8, 8, 8, 8]


async def test_what_may_come_again_is_kept(store: Store) -> None:
    await store.put(BATCH_ROWS, RETENTION_SECONDS - 1)
    await store.put(1, 0)
    await store.process("0/1").delete_expired()
    assert await store.left() == BATCH_ROWS + 1


async def test_a_few_are_forgotten_within_an_hour(store: Store) -> None:
    await store.put(2, RETENTION_SECONDS + MAX_DELAY_SECONDS - 1)
    await store.put(2, RETENTION_SECONDS - 10)
    await store.put(1, 0)
    await store.process("0/1").delete_expired()
    assert await store.left() == 5
    store.now += 2
    await store.put(1, -2)
    await store.process("0/1").delete_expired()
    assert await store.left() == 4


@pytest.mark.parametrize(("hours", "left"), [(23, BATCH_ROWS + 1), (25, 1)])
async def test_interactions_are_remembered_for_a_day(store: Store, hours: int, left: int) -> None:
    await store.put(BATCH_ROWS, hours * 3600.0)
    await store.put(1, 0)
    await store.process("0/1").delete_expired()
    assert await store.left() == left


async def test_a_repeated_click_within_a_day_counts_once(store: Store) -> None:
    env = MatchFixture(store.database, int((NOW - 23 * 3600.0) * 1000) * SNOWFLAKE_MILLISECOND)
    env.now = NOW - 23 * 3600.0
    match_id = await env.ask()
    again = next(env.ids)
    first = await env.challenges.accept(again, match_id, BO)
    assert first.kind == "done"
    await store.put(BATCH_ROWS, 30 * 3600.0)
    await store.put(1, 0)
    await store.process("0/1").delete_expired()
    assert await env.challenges.accept(again, match_id, BO) == first


@pytest.mark.parametrize(
    ("age", "noted"),
    [(RETENTION_SECONDS + 1, 0), (RETENTION_SECONDS - 1, RETENTION_SECONDS + 1)],
)
async def test_what_only_one_clock_calls_old_is_kept(
    store: Store, age: float, noted: float
) -> None:
    await store.put(BATCH_ROWS, age, noted=noted)
    await store.put(1, 0)
    await store.process("0/1").delete_expired()
    assert await store.left() == BATCH_ROWS + 1


@pytest.mark.parametrize(("younger", "left"), [(0, BATCH_ROWS + 1), (1, 1)])
@pytest.mark.parametrize("by_id", [True, False])
async def test_rows_are_old_after_their_last_moment(
    store: Store, by_id: bool, younger: int, left: int
) -> None:
    await store.put(BATCH_ROWS - 1, RETENTION_SECONDS + 1)
    last = int((NOW - RETENTION_SECONDS) * 1000) * SNOWFLAKE_MILLISECOND
    age = RETENTION_SECONDS + (1 if by_id else younger)
    rows = [
        {"id": last - (younger if by_id else 1), "result": {}, "received_at": NOW - age},
        {"id": int(NOW * 1000) * SNOWFLAKE_MILLISECOND, "result": {}, "received_at": NOW},
    ]
    async with store.database.write() as connection:
        await connection.execute(insert(interactions), rows)
    await store.process("0/1").delete_expired()
    assert await store.left() == left


async def test_a_process_that_lost_its_lease_deletes_nothing(
    store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    await store.put(BATCH_ROWS, RETENTION_SECONDS + 1)
    await store.put(1, 0)
    process, other = store.process("0/2"), Leases(store.database, "1/2", lambda: store.now)
    take = process._leases.take

    async def take_late(name: str, seconds: float) -> Lease | None:
        """Take the lease, then do nothing until another process has taken it."""
        lease = await take(name, seconds)
        store.now += LEASE_SECONDS + 1
        assert await other.take(name, seconds)
        return lease

    monkeypatch.setattr(process._leases, "take", take_late)
    with pytest.raises(LostLeaseError):
        await process.delete_expired()
    assert await store.left() == BATCH_ROWS + 1


async def test_a_clock_that_is_years_ahead_forgets_nothing_young(store: Store) -> None:
    await store.put(BATCH_ROWS, 0)
    store.now += 1000 * RETENTION_SECONDS
    await store.process("0/1").delete_expired()
    assert await store.left() == BATCH_ROWS


async def test_one_process_does_it_for_all(store: Store) -> None:
    await store.put(3 * BATCH_ROWS, RETENTION_SECONDS + 1)
    await store.put(1, 0)
    for name in ("0/2", "1/2"):
        await store.process(name).delete_expired()
    assert await store.left() == 2 * BATCH_ROWS + 1
    store.now += LEASE_SECONDS + 1
    await store.process("1/2").delete_expired()
    assert await store.left() == BATCH_ROWS + 1


async def test_where_nothing_is_old_nothing_is_written(store: Store) -> None:
    await store.put(BATCH_ROWS - 1, RETENTION_SECONDS + 1)
    await store.put(1, 0)
    await store.process("0/1").delete_expired()
    async with store.database.read() as connection:
        taken = select(leases).where(leases.c.name == LEASE_NAME)
        assert (await connection.execute(taken)).first() is None


async def test_a_click_that_comes_again_meanwhile_gets_its_answer(store: Store) -> None:
    await store.put(BATCH_ROWS, RETENTION_SECONDS + 1)
    env = MatchFixture(store.database, int(NOW * 1000) * SNOWFLAKE_MILLISECOND)
    env.now = NOW
    match_id = await env.ask()
    again = next(env.ids)
    first = await env.challenges.accept(again, match_id, BO)
    await store.process("0/1").delete_expired()
    assert await store.left() == 2
    assert await env.challenges.accept(again, match_id, BO) == first
