"""Order of the tasks that wait for a shared resource, including tasks that give up."""

from __future__ import annotations

import asyncio
from collections.abc import Hashable
from itertools import count

import pytest

from bot.resource_pool import ResourcePool


class Desk:
    """A pool whose resources are all taken, and the tasks that wait for one.

    Attributes:
        served: names of the tasks that have got one, in order.
    """

    def __init__(self, size: int = 1) -> None:
        self.pool = ResourcePool(range(size))
        self.served: list[str] = []
        self._taken = self.pool.free[:]
        self.pool.free.clear()

    def wait(self, name: str, owner: Hashable = None, urgency: int = 0) -> asyncio.Task[None]:
        """Queue a task, which keeps what it gets."""
        return asyncio.create_task(self._take(name, owner, urgency))

    async def _take(self, name: str, owner: Hashable, urgency: int) -> None:
        self._taken.append(await self.pool.acquire(urgency, owner))
        self.served.append(name)

    async def give(self, times: int = 1) -> None:
        """Pass resources on, one after another."""
        await rest()
        for _ in range(times):
            self.pool.release(self._taken.pop())
            await rest()


async def rest() -> None:
    """Let all tasks work that can."""
    for _ in range(5):
        await asyncio.sleep(0)


async def test_tasks_of_one_owner_come_in_order_of_arrival() -> None:
    desk = Desk()
    for name in "abc":
        desk.wait(name)
    await desk.give(3)
    assert desk.served == ["a", "b", "c"]


async def test_most_urgent_tasks_come_first() -> None:
    desk = Desk()
    for urgency in (1, 0, 3, 2, 3):
        desk.wait(f"{urgency}", urgency=urgency)
    await desk.give(3)
    desk.wait("2", urgency=2)
    await desk.give(3)
    assert desk.served == ["3", "3", "2", "2", "1", "0"]


async def test_owner_of_many_tasks_waits_for_the_others_between_them() -> None:
    desk, numbers = Desk(), count(1)
    for owner in "AAAABBC":
        desk.wait(f"{owner}{next(numbers)}", owner)
    await desk.give(3)
    assert desk.served == ["A1", "B5", "C7"]
    desk.wait("D8", "D")
    desk.wait("C9", "C")
    await desk.give(6)
    assert desk.served[3:] == ["A2", "B6", "D8", "C9", "A3", "A4"]


async def test_urgency_counts_more_than_whose_turn_it_is() -> None:
    desk = Desk()
    for name in ("A1", "A2", "A3"):
        desk.wait(name, "A", urgency=1)
    desk.wait("B1", "B", urgency=0)
    await desk.give(4)
    assert desk.served == ["A1", "A2", "A3", "B1"]


async def test_turns_within_one_urgency_do_not_depend_on_another() -> None:
    desk = Desk()
    for name in ("A1", "B1"):
        desk.wait(name, name[0], urgency=1)
    for name in ("A2", "B2", "A3"):
        desk.wait(name, name[0], urgency=0)
    await desk.give(5)
    assert desk.served == ["A1", "B1", "A2", "B2", "A3"]


async def test_task_that_has_given_up_takes_no_turn() -> None:
    desk = Desk()
    tasks = {name: desk.wait(name, name[0]) for name in ("A1", "A2", "B1", "C1", "C2")}
    await rest()
    for name in ("A1", "B1", "C2"):
        tasks[name].cancel()
    await desk.give(2)
    assert desk.served == ["A2", "C1"]
    await desk.give(1)
    assert desk.pool.free, "all others have given up"


async def test_resource_of_a_task_that_gives_up_goes_to_the_next() -> None:
    desk = Desk()
    first, _second = desk.wait("A1", "A"), desk.wait("B1", "B")
    await rest()
    desk.pool.release(0)
    first.cancel()  # after it was given a resource, before it could use it
    await rest()
    assert desk.served == ["B1"]


async def test_resources_are_used_at_the_same_time() -> None:
    desk = Desk(2)
    for name in "abc":
        desk.wait(name)
    await rest()
    desk.pool.release(0)
    desk.pool.release(1)
    await rest()
    assert desk.served == ["a", "b"]


async def test_free_resource_needs_no_waiting() -> None:
    pool = ResourcePool(["first", "last"])
    async with pool.acquired(0) as resource:
        assert resource == "last"
        assert pool.free == ["first"]
    assert pool.free == ["first", "last"], "the one used last is taken first"
    with pytest.raises(ValueError, match="broken"):
        async with pool.acquired(0):
            raise ValueError("broken")
    assert len(pool.free) == 2


async def test_all_that_wait_are_refused_at_once() -> None:
    desk = Desk()
    tasks = [desk.wait(name, name, urgency) for urgency, name in enumerate("aab")]
    await rest()
    desk.pool.refuse_waiting(ValueError("closed"))
    await rest()
    assert [str(task.exception()) for task in tasks] == ["closed"] * 3
    late = desk.wait("late")
    await desk.give()
    assert desk.served == ["late"]
    assert late.done()


async def test_impatient_task_gives_up_and_leaves_its_turn_to_others() -> None:
    desk = Desk()
    with pytest.raises(TimeoutError):
        async with desk.pool.acquired(1, patience_seconds=0):
            pytest.fail("it was free")
    desk.wait("other")
    await desk.give()
    assert desk.served == ["other"]
    desk.pool.release(0)
    async with desk.pool.acquired(1, patience_seconds=0) as resource:
        assert resource == 0
    assert desk.pool.free == [0]
