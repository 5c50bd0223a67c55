"""What happens by the clock: late, again, after an outage, and when the clock itself is wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Any

import pytest
from sqlalchemy import Row, func, select, update
from sqlalchemy.exc import OperationalError

from bot.clocks import DAY
from bot.run import opened
from bot.storage.database import Connection
from bot.storage.schema import facts, timers
from bot.timers import ABSENT, BEAT, Timers
from tests.bot.test_matches import BO, Club


class Hall:
    """A club, its timers, and a clock to turn."""

    def __init__(self, club: Club) -> None:
        self.club = club
        self.timers = self.after_a_restart()

    def after_a_restart(self) -> Timers:
        """The timers of a process that has just begun."""
        return Timers(self.club.database, self.club.matches, lambda: self.club.now)

    async def spend(self, seconds: float) -> None:
        """Let time pass while the bot is there."""
        end = self.club.now + seconds
        while self.club.now < end:
            self.club.now = min(end, self.club.now + ABSENT / 2)
            await self.timers.fire()

    async def present_until(self, time: float) -> None:
        """As if the bot had been there until then, without a thousand looks at the clock."""
        async with self.club.database.write() as connection:
            noted = update(facts).where(facts.c.name.like(f"{BEAT}%"))
            await connection.execute(noted.values(value=repr(time)))

    async def status(self, match_id: int) -> str:
        """What has become of a challenge."""
        return (await self.club.tables.match(match_id)).status

    async def armed(self) -> int:
        """How many timers there are."""
        async with self.club.database.read() as connection:
            number = select(func.count()).select_from(timers)
            return int((await connection.execute(number)).scalar_one())


@pytest.fixture
async def hall(url: str) -> AsyncIterator[Hall]:
    async with opened(url) as database:
        made = Hall(Club(database))
        await made.timers.fire()
        yield made


async def test_a_challenge_lapses_when_its_day_is_over_and_not_before(hall: Hall) -> None:
    match_id = await hall.club.ask()
    hall.club.now += DAY - 60
    await hall.present_until(hall.club.now)
    await hall.spend(59)
    assert await hall.status(match_id) == "challenge"
    await hall.spend(2)
    assert await hall.status(match_id) == "closed"
    assert await hall.armed() == 0


@pytest.mark.parametrize("days", [7, -7])
async def test_a_clock_that_jumps_takes_no_time_from_anybody(hall: Hall, days: int) -> None:
    match_id = await hall.club.ask()
    hall.club.now += days * DAY
    await hall.timers.fire()
    assert await hall.status(match_id) == "challenge"
    hall.club.now += DAY - 60
    await hall.present_until(hall.club.now)
    await hall.spend(30)
    assert await hall.status(match_id) == "challenge"
    await hall.spend(60)
    assert await hall.status(match_id) == "closed"


async def test_an_outage_of_48_hours_is_not_counted(hall: Hall) -> None:
    match_id = await hall.club.ask()
    hall.club.now += 2 * DAY
    hall.timers = hall.after_a_restart()
    await hall.timers.fire()
    assert await hall.status(match_id) == "challenge"
    assert (await hall.club.matches.accept(900, match_id, BO)).kind == "done"


async def test_what_was_due_before_an_outage_happens_after_it(hall: Hall) -> None:
    match_id = await hall.club.ask()
    await hall.present_until(hall.club.now + DAY + 1)
    hall.club.now += 3 * DAY
    await hall.timers.fire()
    assert await hall.status(match_id) == "closed"


@pytest.mark.parametrize("times", [1, 3])
async def test_a_timer_that_fails_fires_again_and_holds_up_no_other(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    first, second = await hall.club.ask(), await hall.club.ask()
    failures = [OperationalError("", None, Exception("full"))] * times
    expire = hall.club.matches.expire

    async def fail(connection: Connection, row: Row[Any], seat: str, version: int) -> None:
        await expire(connection, row, seat, version)
        if row.id == first and failures:
            raise failures.pop()

    monkeypatch.setitem(hall.timers._ways, "expire", fail)
    hall.club.now += DAY + 1
    await hall.present_until(hall.club.now)
    await hall.timers.fire()
    assert await hall.status(first) == "challenge"
    assert await hall.status(second) == "closed"
    for _ in range(times):
        await hall.timers.fire()
    assert await hall.status(first) == "closed"
    assert await hall.armed() == 0


async def test_a_timer_that_fires_twice_changes_nothing(hall: Hall) -> None:
    match_id = await hall.club.begin()
    await hall.club.strike("expire", match_id)
    await hall.club.strike("expire", match_id)
    assert await hall.status(match_id) == "running"
