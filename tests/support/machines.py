"""Processes of the bot on a machine whose clock can be set."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.steady_clock import SteadyClock
from bot.services.timers import Timers
from bot.shards import Shards
from bot.storage.database import Database
from tests.support.matches import MatchFixture


class Machine:
    """A machine with a wall clock that can be set, and processes on one database."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.wall, self.elapsed = 1_800_000_000.0, 0.0

    def process(self, shard: int, count: int = 2) -> Process:
        """Start the process of a shard."""
        clock = SteadyClock(lambda: self.wall, lambda: self.elapsed)
        shards = Shards(count, (shard,))
        env = MatchFixture(self.database, 1 + shard * 1000, clock=clock, shards=shards)
        return Process(env, env.timers(shards))

    def pass_time(self, seconds: float, jump: float = 0.0) -> None:
        """Let time pass, in which the clock is set."""
        self.wall, self.elapsed = self.wall + seconds + jump, self.elapsed + seconds


class Process(NamedTuple):
    """A process of the bot."""

    env: MatchFixture
    timers: Timers

    async def beat(self) -> None:
        """Record a heartbeat, and fire the due timers."""
        await self.timers.fire()


async def one_process(database: Database) -> tuple[Machine, Process]:
    """Start the only process, and record a heartbeat."""
    machine = Machine(database)
    process = machine.process(0, count=1)
    await process.beat()
    return machine, process
