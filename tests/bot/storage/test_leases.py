"""One process does the work shared by all; another takes over if it dies."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from bot.app.run import open_database
from bot.storage.leases import Leases, LostLeaseError


class Processes:
    """Processes that share a database, and a clock to turn."""

    def __init__(self) -> None:
        self.now = 1000.0
        self.leases: list[Leases] = []


@pytest.fixture
async def processes(url: str) -> AsyncIterator[Processes]:
    processes = Processes()
    async with open_database(url) as database:
        processes.leases = [Leases(database, f"{n}/9", lambda: processes.now) for n in range(9)]
        yield processes


async def test_one_of_many_gets_it(processes: Processes) -> None:
    taken = await asyncio.gather(*(leases.take("commands", 60) for leases in processes.leases))
    assert sum(lease is not None for lease in taken) == 1


async def test_different_things_are_done_by_different_processes(processes: Processes) -> None:
    assert await processes.leases[0].take("commands", 60)
    assert await processes.leases[1].take("scrub", 60)


async def test_the_same_process_goes_on_after_a_restart(processes: Processes) -> None:
    first = await processes.leases[0].take("commands", 60)
    again = await processes.leases[0].take("commands", 60)
    assert first
    assert again
    assert again.token > first.token


@pytest.mark.parametrize("seconds", [61, -86_400])
async def test_stale_lease_holder_writes_nothing(processes: Processes, seconds: float) -> None:
    old = await processes.leases[0].take("commands", 60)
    assert old
    assert not await processes.leases[1].take("commands", 60)
    processes.now += seconds
    new = await processes.leases[1].take("commands", 60)
    assert new
    database = processes.leases[0]._database

    async def write() -> None:
        async with database.write() as connection:
            await old.fence(connection)

    with pytest.raises(LostLeaseError):
        await write()
    async with database.write() as connection:
        await new.fence(connection)


async def test_extended_lease_is_held_until_its_new_end(processes: Processes) -> None:
    holder, other = processes.leases[:2]
    lease = await holder.take("commands", 60)
    assert lease
    processes.now += 50
    await holder.extend(lease, 60)
    processes.now += 50
    assert not await other.take("commands", 60)
    processes.now += 11
    assert await other.take("commands", 60)
    with pytest.raises(LostLeaseError):
        await holder.extend(lease, 60)


async def test_all_together_do_something_once_in_so_many_seconds(processes: Processes) -> None:
    done: list[float] = []
    for leases in processes.leases:
        while wait := await leases.turn("identify:0", 5.0):
            processes.now += wait
        done.append(processes.now)
    assert [after - before for before, after in pairwise(done)] == [5.0] * 8
    assert await processes.leases[0].turn("identify:1", 5.0) == 0, "another bucket does not wait"


async def test_who_asks_at_the_same_time_gets_different_answers(processes: Processes) -> None:
    waits = await asyncio.gather(*(leases.turn("identify:0", 5.0) for leases in processes.leases))
    assert sorted(waits) == [0.0] + [5.0] * 8


async def test_a_clock_that_was_set_back_makes_no_process_wait_long(processes: Processes) -> None:
    await processes.leases[0].turn("identify:0", 5.0)
    processes.now -= 86_400
    assert await processes.leases[1].turn("identify:0", 5.0) == 0


async def test_slot_taken_while_the_clock_was_ahead_is_free(processes: Processes) -> None:
    lease = processes.leases[0]
    assert not await lease.turn("purge", 10.0)
    for seconds, left in ((0.0, 10.0), (4.0, 6.0), (10.0, 0.0), (-10.0, 20.0), (-11.0, 0.0)):
        processes.now += seconds
        assert await lease.seconds_left("purge", 10.0) == left
        processes.now -= seconds
    assert await lease.seconds_left("another", 10.0) == 0.0


async def test_work_of_a_single_process_needs_no_lease(
    processes: Processes, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, other = processes.leases[:2]
    for is_shared in (False, True):
        monkeypatch.setattr(one._database, "shared", is_shared)
        assert await one.may_work("posts", 60)
        assert await other.may_work("posts", 60) is not is_shared
        assert await one.may_work("posts", 60)
