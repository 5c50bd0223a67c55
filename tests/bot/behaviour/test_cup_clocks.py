"""Dates of cups: outages and clocks that are set neither start a cup nor end one."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest
from sqlalchemy import update

from bot.domain.clocks import DAY
from bot.domain.steady_clock import OUTAGE_SECONDS
from bot.features.cups.due_posts import CupPosts
from bot.features.cups.rows import CupStatus
from bot.storage.database import Database
from bot.storage.schema import cups
from tests.support.cups import CupFixture
from tests.support.machines import Machine, Process, one_process
from tests.support.tiers import sampled


async def beat(process: Process) -> None:
    """Record a heartbeat, and run the due jobs of cups."""
    await process.beat()
    await process.env.cup_dates.run()


async def status(cup: CupFixture, cup_id: int) -> str:
    return (await cup.get(cup_id)).row.status


async def dates(cup: CupFixture, cup_id: int) -> tuple[float | None, float | None]:
    """The start and the end of a cup."""
    row = (await cup.get(cup_id)).row
    return row.starts_at, row.ends_at


@pytest.mark.parametrize("jump", [30 * DAY, -30 * DAY])
@pytest.mark.parametrize("players", [2, 3])
async def test_clock_that_is_set_and_set_back_changes_no_cup(
    database: Database, players: int, jump: float
) -> None:
    machine, process = await one_process(database)
    cup = CupFixture(process.env)
    in_7, in_20 = machine.wall + 7 * DAY, machine.wall + 20 * DAY
    cup_id = await cup.create(players, starts_at=in_7, ends_at=in_20)
    running = await cup.begun(3, ends_at=in_20)
    for seconds in (jump, -jump):
        machine.pass_time(15, jump=seconds)
        await beat(process)
        assert await status(cup, cup_id) == CupStatus.SIGN_UP
        assert await status(cup, running) == CupStatus.RUNNING
    assert await dates(cup, cup_id) == (in_7, in_20)
    assert await dates(cup, running) == (None, in_20)


@pytest.mark.parametrize("restarts", [False, True])
async def test_outage_over_the_last_day_takes_no_time(database: Database, restarts: bool) -> None:
    machine, process = await one_process(database)
    cup = CupFixture(process.env)
    cup_id = await cup.begun(3, ends_at=machine.wall + 2 * DAY)
    machine.pass_time(3 * DAY)
    if restarts:
        process = machine.process(0, count=1)
    await beat(process)
    end = machine.wall + 2 * DAY
    assert await dates(cup, cup_id) == (None, end)
    machine.pass_time(OUTAGE_SECONDS)
    await beat(process)
    assert await status(cup, cup_id) == CupStatus.RUNNING
    assert await dates(cup, cup_id) == (None, end)


async def test_moved_dates_are_shown(database: Database) -> None:
    machine, process = await one_process(database)
    cup, posts = CupFixture(process.env), CupPosts(database)
    dated = await cup.create(2, starts_at=machine.wall + DAY)
    numbers = [dated, await cup.create(2)]
    for cup_id in numbers:
        await posts.shown(cup_id, (await cup.get(cup_id)).row.version)
    machine.pass_time(OUTAGE_SECONDS + 1)
    await beat(process)
    assert [due_cup.cup.row.id for due_cup in await posts.due()] == [dated]


@pytest.mark.parametrize("gap", [-3600.0, 3600.0])
async def test_only_dates_to_come_of_open_cups_move(database: Database, gap: float) -> None:
    machine, process = await one_process(database)
    cup = CupFixture(process.env)
    last = min(machine.wall, machine.wall + gap)
    cases: list[tuple[CupStatus, tuple[float | None, float | None], bool, bool]] = [
        (CupStatus.SIGN_UP, (last + 1, last + 2), True, True),
        (CupStatus.SIGN_UP, (last, last + 1), False, True),
        (CupStatus.SIGN_UP, (last + 1, None), True, False),
        (CupStatus.RUNNING, (last, last), False, False),
        (CupStatus.RUNNING, (None, last + 1), False, True),
        (CupStatus.RUNNING, (None, None), False, False),
        (CupStatus.FINISHED, (last + 1, last + 2), False, False),
        (CupStatus.CANCELLED, (last + 1, last + 2), False, False),
    ]
    cups_before = []
    for state, (starts_at, ends_at), *moves in cases:
        cup_id = await cup.create(0)
        async with database.write() as connection:
            change = update(cups).where(cups.c.id == cup_id)
            row = {"status": state, "starts_at": starts_at, "ends_at": ends_at, "version": 7}
            await connection.execute(change.values(organiser_id=cup_id, **row))
        cups_before.append((cup_id, (starts_at, ends_at), moves))
    machine.pass_time(0, jump=gap)
    await process.env.match_store.heartbeats.record()
    for cup_id, before, moves in cups_before:
        expected = tuple(
            date and date + gap * moved for date, moved in zip(before, moves, strict=True)
        )
        assert await dates(cup, cup_id) == expected
        assert (await cup.get(cup_id)).row.version == 7 + any(moves)


async def test_cup_of_a_process_that_is_down_waits_for_it(database: Database) -> None:
    machine = Machine(database)
    first, second = machine.process(0), machine.process(1)
    await first.beat()
    await second.beat()
    cup = CupFixture(second.env)
    running = await cup.begun(3, guild_id=1 << 22, ends_at=machine.wall + 100)
    starting = await cup.create(3, guild_id=1 << 22, starts_at=machine.wall + 100)
    other = await cup.begun(3, guild_id=2 << 22, ends_at=machine.wall + 100)
    for _ in range(10):
        machine.pass_time(60)
        await beat(first)
    assert await status(cup, other) == CupStatus.FINISHED
    assert await dates(cup, running) == (None, machine.wall - 500)
    assert await status(cup, running) == CupStatus.RUNNING
    assert await status(cup, starting) == CupStatus.SIGN_UP
    await beat(second)
    assert await dates(cup, running) == (None, machine.wall + 100)
    assert await status(cup, running) == CupStatus.RUNNING
    machine.pass_time(100)
    await beat(second)
    assert await status(cup, running) == CupStatus.FINISHED
    assert await status(cup, starting) == CupStatus.RUNNING


@pytest.mark.slow
@sampled(2, 10, 200)
async def test_cup_ends_when_its_time_has_passed_with_the_bot(
    database: Database, samples: int
) -> None:
    """Whatever happens in between: outages, clocks that are set, restarts."""
    for seed in range(samples):
        random = Random(seed)
        machine, process = await one_process(database)
        process.env.ids = count(1000 * seed + 1)
        cup = CupFixture(process.env)
        seconds_left = 12 * 15.0
        cup_id = await cup.begun(3, ends_at=machine.wall + seconds_left)
        while seconds_left > 0:
            assert await status(cup, cup_id) == CupStatus.RUNNING
            match random.choice(("time", "time", "outage", "restart", "set", "set back")):
                case "time":
                    machine.pass_time(15)
                    seconds_left -= 15
                case "outage":
                    machine.pass_time(random.randint(121, 10**6))
                case "restart":
                    machine.pass_time(random.randint(121, 10**6))
                    process = machine.process(0, count=1)
                case "set":
                    machine.pass_time(0, jump=random.randint(121, 10**7))
                case "set back":
                    machine.pass_time(0, jump=-random.randint(121, 10**7))
            await beat(process)
        assert await status(cup, cup_id) == CupStatus.FINISHED
