"""Leases of workers while the wall clock is set, which each process notices on its own."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.clocks import DAY
from bot.domain.steady_clock import OUTAGE_SECONDS, SteadyClock
from bot.outbox.worker import LEASE_SECONDS, OutboxWorker
from tests.support.outbox import OutboxFixture

JUMPS = pytest.mark.parametrize("jump", [7 * DAY, -7 * DAY, 60.0, -60.0])
"""Clock changes in seconds: a large one, and one shorter than an outage."""


class Machine:
    """A machine with a wall clock that can be set, and two processes that have run for long."""

    def __init__(self, env: OutboxFixture) -> None:
        self.env, self.wall, self.elapsed = env, 1_800_000_000.0, 0.0
        self.clocks = [SteadyClock(lambda: self.wall, lambda: self.elapsed) for _ in range(2)]
        self.first, self.second = map(env.new_worker, self.clocks)
        self.run(LEASE_SECONDS + 1)

    def run(self, seconds: float) -> None:
        """Let time pass, in which both processes record heartbeats."""
        self.elapsed, self.wall = self.elapsed + seconds, self.wall + seconds
        for clock in self.clocks:
            clock.synchronise(self.wall)

    async def deliver(self, worker: OutboxWorker) -> int:
        """Let a worker send what it may; return the number of attempts of all workers."""
        await worker.flush()
        return len(self.env.sender.delivered)


@pytest.fixture
def machine(outbox_env: OutboxFixture) -> Machine:
    """A machine with two processes."""
    return Machine(outbox_env)


@JUMPS
async def test_a_process_that_follows_first_ends_no_lease(machine: Machine, jump: float) -> None:
    gate = machine.env.sender.gate = asyncio.Event()
    await machine.env.put("post_board")
    machine.first.wake()
    await machine.env.sender.busy.wait()
    machine.wall += jump
    machine.clocks[1].synchronise(machine.wall)
    assert await machine.deliver(machine.second) == 1
    gate.set()
    assert await machine.deliver(machine.first) == 1
    assert await machine.env.left() == []


@JUMPS
async def test_a_process_that_has_not_followed_ends_no_lease(machine: Machine, jump: float) -> None:
    gate = machine.env.sender.gate = asyncio.Event()
    await machine.env.put("post_board")
    machine.wall += jump
    machine.clocks[0].synchronise(machine.wall)
    machine.first.wake()
    await machine.env.sender.busy.wait()
    assert await machine.deliver(machine.second) == 1
    gate.set()
    assert await machine.deliver(machine.first) == 1


@JUMPS
async def test_the_lease_of_a_dead_process_ends_once_all_follow(
    machine: Machine, jump: float
) -> None:
    machine.env.sender.gate = asyncio.Event()
    await machine.env.put("post_board")
    machine.first.wake()
    await machine.env.sender.busy.wait()
    await machine.first.stop()
    machine.env.sender.gate = None
    machine.wall += jump
    machine.run(0.0)
    machine.run(LEASE_SECONDS)
    assert await machine.deliver(machine.second) == 1
    machine.run(2 * LEASE_SECONDS)
    assert await machine.deliver(machine.second) == 2


@JUMPS
async def test_nothing_is_sent_with_a_wrong_clock_but_what_was_begun(
    machine: Machine, jump: float
) -> None:
    machine.wall += jump
    await machine.env.put("post_board", "post_result")
    assert await machine.deliver(machine.first) == 0
    machine.run(0.0)
    assert await machine.deliver(machine.first) == 2


async def test_nothing_is_sent_between_outage_and_heartbeat(machine: Machine) -> None:
    machine.wall, machine.elapsed = machine.wall + 900, machine.elapsed + 900
    await machine.env.put("post_board")
    assert await machine.deliver(machine.first) == 0
    machine.run(0.0)
    assert await machine.deliver(machine.first) == 1


async def test_a_new_process_ends_no_lease_of_an_old_one(machine: Machine) -> None:
    machine.env.sender.gate = asyncio.Event()
    await machine.env.put("post_board")
    machine.first.wake()
    await machine.env.sender.busy.wait()
    machine.wall -= 7 * DAY
    new = machine.env.new_worker(SteadyClock(lambda: machine.wall, lambda: machine.elapsed))
    assert await machine.deliver(new) == 1
    machine.env.sender.gate.set()
    await machine.deliver(machine.first)


async def test_a_clock_that_runs_a_bit_fast_changes_nothing(machine: Machine) -> None:
    machine.wall += 14
    assert not machine.clocks[0].is_wrong
    machine.run(1.0)
    assert machine.clocks[0].seconds_since_jump == LEASE_SECONDS + 2
    machine.wall, machine.elapsed = machine.wall + OUTAGE_SECONDS, machine.elapsed + OUTAGE_SECONDS
    assert not machine.clocks[0].is_wrong
