"""Heartbeats: time counts only while the bot runs and the clock is right."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import NamedTuple

import pytest
from sqlalchemy import select, update

from bot.app.heartbeat import HEARTBEAT_SECONDS
from bot.app.run import open_database
from bot.services.match_rows import people_of
from bot.services.steady_clock import SteadyClock
from bot.services.stored import StoredSeat
from bot.services.time_controls import DAY
from bot.services.timers import Timers
from bot.services.vacation import NotAwayError
from bot.shards import SNOWFLAKE_MILLISECOND, Shards
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.schema import absences, matches, seats
from tests.support.matches import ADA, BO, MatchFixture, act, begun


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
        """Record a heartbeat, and do what is due."""
        await self.timers.fire()


async def while_second_is_down(machine: Machine) -> tuple[Process, Process, int]:
    """Begin a match of the second of two processes, which records no heartbeat for an hour."""
    first, second = machine.process(0), machine.process(1)
    await first.beat()
    await second.beat()
    match_id = await begun(second.env, "7d+12h")
    await move_to_shard(machine.database, match_id, 1)
    for _ in range(60):
        machine.pass_time(60)
        await first.beat()
    return first, second, match_id


async def clocks(database: Database) -> list[StoredSeat]:
    """Return the seats of the only match, the one whose player began first."""
    async with database.read() as connection:
        (number,) = (await connection.execute(select(seats.c.match_id).distinct())).scalars()
        return sorted(await people_of(connection, number), key=lambda each: each.seat != "O")


async def move_to_shard(database: Database, match_id: int, shard: int) -> None:
    async with database.write() as connection:
        there = update(matches).where(matches.c.id == match_id)
        await connection.execute(there.values(guild_id=shard * SNOWFLAKE_MILLISECOND))


async def until(database: Database) -> float | None:
    async with database.read() as connection:
        return (await connection.execute(select(absences.c.ends_at))).scalar_one_or_none()


async def test_a_choice_after_a_jump_costs_no_time(url: str) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        process = machine.process(0, count=1)
        await process.beat()
        match_id = await begun(process.env, "7d+12h")
        machine.pass_time(10, jump=7 * DAY)
        await act(process.env, match_id)
        await process.beat()
        stored = await clocks(database)
        assert all((each.seconds_left or 0.0) >= 7 * DAY - 10 for each in stored)
        started = max(each.clock_started_at or 0.0 for each in stored)
        assert started <= process.env.clock() + HEARTBEAT_SECONDS
        assert process.env.clock() == machine.wall


@pytest.mark.parametrize("hours", [1, 24 * 8])
async def test_a_choice_after_an_outage_costs_no_time(url: str, hours: float) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        process = machine.process(0, count=1)
        await process.beat()
        match_id = await begun(process.env, "7d+12h")
        machine.pass_time(10)
        await process.beat()
        machine.pass_time(hours * 3600.0)
        await act(process.env, match_id)
        await process.beat()
        mover, waiter = await clocks(database)
        assert (mover.seconds_left, mover.clock_started_at) == (7 * DAY - 10 + DAY / 2, None)
        assert (waiter.seconds_left, waiter.clock_started_at) == (7 * DAY, machine.wall)


@pytest.mark.parametrize("seconds", [300, -300])
async def test_a_vacation_is_stored_in_the_time_of_all(url: str, seconds: float) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        first, second = machine.process(0), machine.process(1)
        await first.beat()
        await second.beat()
        machine.pass_time(5, jump=seconds)
        await first.beat()
        await second.env.vacations.begin(ADA, second.env.clock() + DAY)
        await second.beat()
        assert await until(database) == machine.wall + DAY
        machine.pass_time(5, jump=seconds)
        await first.beat()
        assert not await second.env.vacations.end(ADA, due=True)
        assert await until(database) == machine.wall + DAY  # a gap counts as a whole


async def test_clocks_that_differ_shorten_no_vacation(url: str) -> None:
    async with open_database(url) as database:
        machines = Machine(database), Machine(database)
        machines[0].pass_time(0, jump=30)
        first, second = machines[0].process(0), machines[1].process(1)
        await first.beat()
        await second.beat()
        await first.env.vacations.begin(ADA, first.env.clock() + DAY)
        for _ in range(20):
            for machine, process in zip(machines, (first, second), strict=True):
                machine.pass_time(15)
                await process.beat()
        assert await until(database) == machines[0].wall + DAY - 300


async def test_a_vacation_keeps_its_end_when_the_clock_is_set(
    url: str,
) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        first, second = machine.process(0), machine.process(1)
        await first.beat()
        await second.beat()
        await second.env.vacations.begin(ADA, second.env.clock() + DAY)
        machine.pass_time(5, jump=3600)
        await first.beat()
        end = await until(database)
        await second.env.vacations.begin(ADA, None, "cadet")
        assert await until(database) == end
        with pytest.raises(NotAwayError):
            await second.env.vacations.begin(BO, None, "cadet")


@pytest.mark.parametrize("jump", [0.0, 3600.0])
async def test_going_away_while_another_process_is_down_costs_no_time(
    url: str, jump: float
) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        first, second, match_id = await while_second_is_down(machine)
        machine.pass_time(5, jump=jump)
        await first.beat()
        user = await second.env.on_turn(match_id)
        await first.env.vacations.begin(user, first.env.clock() + DAY)
        await second.beat()
        mover, _ = await clocks(database)
        assert (mover.seconds_left, mover.clock_started_at) == (7 * DAY, None)
        await first.env.vacations.end(user)
        mover, _ = await clocks(database)
        assert (mover.seconds_left, mover.clock_started_at) == (7 * DAY, machine.wall)


async def test_moving_from_a_process_that_is_down_costs_no_time(url: str) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        first, second, match_id = await while_second_is_down(machine)
        user = await second.env.on_turn(match_id)
        there = (None, 77)
        moved = await first.env.boards.move(1, match_id, user, there)
        assert moved.kind == "done"
        mover, _ = await clocks(database)
        assert (mover.seconds_left, mover.clock_started_at) == (7 * DAY, machine.wall)
        await second.beat()
        assert (await clocks(database))[0] == mover


async def test_clock_stays_as_it_was_if_a_gap_cannot_be_stored(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_database(url) as database:
        machine, write = Machine(database), database.write
        process = machine.process(0, count=1)
        await process.beat()
        match_id = await begun(process.env, "7d+12h")
        machine.pass_time(10, jump=7 * DAY)
        before = process.env.clock()

        @asynccontextmanager
        async def refused(*, exclusive: bool = False) -> AsyncIterator[Connection]:
            async with write(exclusive=exclusive) as connection:
                yield connection
                if exclusive:
                    raise RuntimeError("it cannot be stored")

        with monkeypatch.context() as broken:
            broken.setattr(database, "write", refused)
            with pytest.raises(RuntimeError, match="cannot be stored"):
                await process.env.transactions.heartbeats.record()
        assert process.env.clock() == before
        await act(process.env, match_id)
        await process.beat()
        assert process.env.clock() == machine.wall
        assert all((each.seconds_left or 0.0) >= 7 * DAY - 10 for each in await clocks(database))
