"""Heartbeats: time counts only while the bot runs and the clock is right."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import Column, insert, select, update

from bot.app.run import open_database
from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId
from bot.domain.steady_clock import OUTAGE_SECONDS
from bot.services.heartbeats import HEARTBEAT_CLOCK_SKEW_SECONDS
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.services.rows import SeatRow
from bot.services.vacation import NotAwayError
from bot.shards import SNOWFLAKE_MILLISECOND
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.schema import absences, computer_jobs, matches, outbox, seats, timers
from tests.support.databases import vacation_end
from tests.support.machines import Machine, Process, one_process
from tests.support.matches import ADA, BO, MatchFixture, act, begun, scheduled

FRIDAY = datetime(2026, 11, 27, tzinfo=UTC).timestamp()


async def while_second_is_down(
    machine: Machine, clock: str = "7d+12h"
) -> tuple[Process, Process, MatchId]:
    """Begin a match of the second of two processes, which records no heartbeat for an hour."""
    first, second = machine.process(0), machine.process(1)
    await first.beat()
    await second.beat()
    match_id = await begun(second.env, clock)
    await move_to_shard(machine.database, match_id, 1)
    for _ in range(60):
        machine.pass_time(60)
        await first.beat()
    return first, second, match_id


async def clocks(database: Database) -> list[SeatRow]:
    """Return the seats of the only match, the one whose player began first."""
    async with database.read() as connection:
        (number,) = (await connection.execute(select(seats.c.match_id).distinct())).scalars()
        return sorted(await seats_of(connection, number), key=lambda seat: seat.seat != "O")


async def move_to_shard(database: Database, match_id: MatchId, shard: int) -> None:
    async with database.write() as connection:
        there = update(matches).where(matches.c.id == match_id)
        await connection.execute(there.values(guild_id=shard * SNOWFLAKE_MILLISECOND))


@pytest.mark.parametrize("jump", [7 * DAY, -7 * DAY])
@pytest.mark.parametrize("late", [5, 100])
async def test_a_clock_that_is_set_changes_no_clock(url: str, jump: float, late: float) -> None:
    async with open_database(url) as database:
        machine, process = await one_process(database)
        match_id = await begun(process.env, "7d+12h")
        machine.pass_time(10, jump=jump)
        await act(process.env, match_id)
        machine.pass_time(late)
        await process.beat()
        mover, waiter = await clocks(database)
        assert (mover.seconds_left, mover.clock_started_at) == (7 * DAY - 10 + DAY / 2, None)
        assert (waiter.seconds_left, waiter.clock_started_at) == (7 * DAY, machine.wall - late)
        assert process.env.clock() == machine.wall


async def test_a_process_started_after_a_jump_counts_no_gap(url: str) -> None:
    async with open_database(url) as database:
        machine, process = await one_process(database)
        await begun(process.env, "7d+12h")
        machine.pass_time(10, jump=7 * DAY)
        await machine.process(0, count=1).beat()
        started = max(clock.clock_started_at or 0.0 for clock in await clocks(database))
        assert started == machine.wall


@pytest.mark.parametrize("hours", [1, 24 * 8])
async def test_a_choice_after_an_outage_costs_no_time(url: str, hours: float) -> None:
    async with open_database(url) as database:
        machine, process = await one_process(database)
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
        assert await vacation_end(database) == machine.wall + DAY
        machine.pass_time(5, jump=seconds)
        await first.beat()
        assert not await second.env.vacations.end(ADA, due=True)
        assert await vacation_end(database) == machine.wall + DAY - 5


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
        assert await vacation_end(database) == machines[0].wall + DAY - 300


async def test_a_vacation_keeps_its_end_when_the_clock_is_set(url: str) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        first, second = machine.process(0), machine.process(1)
        await first.beat()
        await second.beat()
        await second.env.vacations.begin(ADA, second.env.clock() + DAY)
        machine.pass_time(5, jump=3600)
        await first.beat()
        end = await vacation_end(database)
        await second.env.vacations.begin(ADA, None, "cadet")
        assert await vacation_end(database) == end
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


@pytest.mark.first(test=3)
@pytest.mark.parametrize("clock", ["7d+12h", "7d+12hw"])
@pytest.mark.parametrize("hour", [12, 23.5, 48, 71.5])
async def test_moving_from_a_process_that_is_down_costs_no_time(
    url: str, clock: str, hour: float
) -> None:
    """It is down for an hour, on a working day, over the beginning or the end of a weekend."""
    async with open_database(url) as database:
        machine = Machine(database)
        machine.wall = FRIDAY + hour * HOUR
        first, second, match_id = await while_second_is_down(machine, clock)
        user = await second.env.on_turn(match_id)
        there = (None, 77)
        moved = await first.env.boards.move(1, match_id, user, there)
        assert moved.kind == "done"
        mover, _ = await clocks(database)
        assert mover.seconds_left == 7 * DAY
        assert mover.parsed_days_off.spent(mover.clock_started_at or 0.0, machine.wall) == 0
        end = mover.parsed_days_off.after(machine.wall, 7 * DAY)
        assert (await scheduled(first.env, match_id))["flag"] == [end]
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
                await process.env.match_store.heartbeats.record()
        assert process.env.clock() == before
        await act(process.env, match_id)
        await process.beat()
        assert process.env.clock() == machine.wall
        assert all((clock.seconds_left or 0.0) >= 7 * DAY - 10 for clock in await clocks(database))


TIMES = (
    timers.c.due_at,
    matches.c.expires_at,
    outbox.c.next_attempt_at,
    computer_jobs.c.lease_expires_at,
)
"""The stored times of a challenge that a gap changes."""


async def times_of(database: Database, match_id: MatchId) -> list[float]:
    """Return the `TIMES` of a challenge."""
    async with database.read() as connection:
        queries = [select(time).where(number_in(time) == match_id) for time in TIMES]
        return [(await connection.execute(query)).scalar_one() for query in queries]


async def challenge(env: MatchFixture, at: float) -> MatchId:
    """A challenge with all of its times at this one."""
    match_id = await env.ask()
    async with env.database.write() as connection:
        job = {"match_id": match_id, "seat": "X", "version": 1, "queued_at": at, "attempts": 0}
        await connection.execute(insert(computer_jobs).values(job))
        for time in TIMES:
            statement = update(time.table).where(number_in(time) == match_id)
            await connection.execute(statement.values({time.name: at}))
    return match_id


def number_in(column: Column[Any]) -> Column[Any]:
    """Return the number of the match in the table of a column."""
    number: Column[Any] = column.table.c["id" if column.table is matches else "match_id"]
    return number


@pytest.mark.parametrize("gap", [-3600.0, 3600.0])
async def test_only_times_after_the_last_heartbeat_move(url: str, gap: float) -> None:
    async with open_database(url) as database:
        machine, process = await one_process(database)
        last = min(machine.wall, machine.wall + gap)
        due = await challenge(process.env, last)
        later = await challenge(process.env, last + 1)
        machine.pass_time(0, jump=gap)
        await process.env.match_store.heartbeats.record()
        assert await times_of(database, due) == [last] * 4
        # After an outage, messages and turns are due at once.
        moved, sent = last + 1 + gap, last + 1 + min(gap, 0.0)
        assert await times_of(database, later) == [moved, moved, sent, sent]


@pytest.mark.parametrize("gap", [-3600.0, 3600.0])
async def test_vacation_that_was_over_stays_over(url: str, gap: float) -> None:
    async with open_database(url) as database:
        machine, process = await one_process(database)
        last = min(machine.wall, machine.wall + gap)
        ends = {ADA: last, BO: last + 1}
        async with database.write() as connection:
            for user, end in ends.items():
                row = {"user_id": user, "ends_at": end, "started_at": last - DAY}
                await connection.execute(insert(absences).values(row))
        machine.pass_time(0, jump=gap)
        await process.beat()
        async with database.read() as connection:
            query = select(absences.c.user_id, absences.c.ends_at, absences.c.started_at)
            rows = (await connection.execute(query)).all()
        assert set(rows) == {(ADA, last, last - DAY), (BO, last + 1 + gap, last - DAY + gap)}


@pytest.mark.parametrize(
    ("seconds", "gap"),
    [
        (OUTAGE_SECONDS, 0.0),
        (OUTAGE_SECONDS + 1, OUTAGE_SECONDS + 1),
        (-HEARTBEAT_CLOCK_SKEW_SECONDS, 0.0),
        (-HEARTBEAT_CLOCK_SKEW_SECONDS - 1, -HEARTBEAT_CLOCK_SKEW_SECONDS - 1),
    ],
)
async def test_only_large_gaps_between_heartbeats_move_times(
    url: str, seconds: float, gap: float
) -> None:
    async with open_database(url) as database:
        machine, process = await one_process(database)
        at = machine.wall + DAY
        match_id = await challenge(process.env, at)
        machine.pass_time(max(seconds, 0.0), jump=min(seconds, 0.0))
        await process.beat()
        assert (await times_of(database, match_id))[:2] == [at + gap] * 2
        assert process.env.clock() == machine.wall


async def test_present_of_a_process_that_never_ran_is_now(url: str) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        first = machine.process(0)
        await first.beat()
        match_id = await begun(first.env, "7d+12h")
        await move_to_shard(database, match_id, 1)
        machine.pass_time(10)
        async with database.write() as connection:
            row = await load(connection, match_id)
            assert row
            heartbeats = first.env.match_store.heartbeats
            assert await heartbeats.time_of(connection, row) == machine.wall


@asynccontextmanager
async def exclusive_noted(
    database: Database, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[list[bool]]:
    """Note of each transaction that writes whether it is exclusive."""
    write, noted = database.write, list[bool]()

    @asynccontextmanager
    async def noting(*, exclusive: bool = False) -> AsyncIterator[Connection]:
        noted.append(exclusive)
        async with write(exclusive=exclusive) as connection:
            yield connection

    with monkeypatch.context() as patched:
        patched.setattr(database, "write", noting)
        yield noted


async def test_heartbeat_without_a_gap_blocks_no_other_process(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        heartbeats = machine.process(0, count=1).env.match_store.heartbeats
        async with exclusive_noted(database, monkeypatch) as noted:
            await heartbeats.record()
            machine.pass_time(15)
            await heartbeats.record()
        assert noted == [False, False]


@pytest.mark.parametrize("jump", [0.0, 3600.0])
async def test_changes_for_all_processes_are_exclusive(
    url: str, monkeypatch: pytest.MonkeyPatch, jump: float
) -> None:
    async with open_database(url) as database:
        machine = Machine(database)
        first, second = machine.process(0), machine.process(1)
        await first.beat()
        await second.beat()
        machine.pass_time(5, jump=jump)
        await first.beat()
        async with exclusive_noted(database, monkeypatch) as noted:
            heartbeats = second.env.match_store.heartbeats
            async with heartbeats.write_in_step() as connection:
                await connection.execute(select(absences))
                assert noted[-1]
            assert second.env.clock() == machine.wall
