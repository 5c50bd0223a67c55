"""Timers: late, repeated, after an outage, and when the clock itself is wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator
from math import inf
from typing import Any

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import func, select, update
from sqlalchemy.exc import OperationalError

from bot import metrics
from bot.app.run import open_database
from bot.domain.clocks import DAY
from bot.domain.ids import MatchId, UserId, Version
from bot.domain.models import Player, TimerKind
from bot.domain.steady_clock import OUTAGE_SECONDS
from bot.services.rows import MatchRow, TimerRow
from bot.services.timers import (
    ERROR_PAUSE_SECONDS,
    LONGEST_ERROR_PAUSE_SECONDS,
    MAX_ERRORS,
    Timers,
)
from bot.shards import Shards
from bot.storage.connection import Connection
from bot.storage.database import Transaction, upsert
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import facts, outbox, seats, timers
from tests.support.databases import vacation_end
from tests.support.matches import ADA, BO, MatchFixture, begun, terms
from tests.support.metrics import failures_of

LOG = "bot.services.timers"


class Hall:
    """An environment, its timers, and a clock to turn."""

    def __init__(self, env: MatchFixture) -> None:
        self.env = env
        self.timers = self.after_a_restart()

    def after_a_restart(self) -> Timers:
        """The timers of a process that has just begun."""
        return self.env.timers()

    async def spend(self, seconds: float) -> None:
        """Let time pass while the bot is there."""
        end = self.env.now + seconds
        while self.env.now < end:
            self.env.now = min(end, self.env.now + OUTAGE_SECONDS / 2)
            await self.timers.fire()

    async def present_until(self, time: float) -> None:
        """As if the bot had been there until then, without a thousand looks at the clock."""
        async with self.env.database.write() as connection:
            noted = update(facts).where(facts.c.name.like(f"{HEARTBEAT}%"))
            await connection.execute(noted.values(value=repr(time)))

    async def status(self, match_id: MatchId) -> str:
        """Return the status of a challenge."""
        return (await self.env.queries.match(match_id)).status

    async def scheduled(self) -> int:
        """How many timers there are."""
        async with self.env.database.read() as connection:
            number = select(func.count()).select_from(timers)
            return int((await connection.execute(number)).scalar_one())


def total_lag() -> float:
    """By how many seconds all timers so far were late."""
    return REGISTRY.get_sample_value("starpost_timer_lag_seconds_sum") or 0.0


@pytest.fixture
async def hall(url: str) -> AsyncIterator[Hall]:
    async with open_database(url) as database:
        new_hall = Hall(MatchFixture(database))
        await new_hall.timers.fire()
        yield new_hall


async def test_a_challenge_lapses_when_its_day_is_over_and_not_before(hall: Hall) -> None:
    match_id = await hall.env.ask()
    hall.env.now += DAY - 60
    await hall.present_until(hall.env.now)
    await hall.spend(59)
    assert await hall.status(match_id) == "challenge"
    before = total_lag()
    await hall.spend(1.5)
    assert await hall.status(match_id) == "closed"
    assert await hall.scheduled() == 0
    assert total_lag() - before == pytest.approx(0.5)


async def test_time_that_many_due_timers_take_is_no_outage(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("bot.services.timers.MAX_AT_ONCE", 2)
    asked = [await hall.env.ask() for _ in range(3)]
    hall.env.now += DAY
    await hall.present_until(hall.env.now)
    expire = hall.timers._handlers[TimerKind.EXPIRE]

    async def slow(*args: Any) -> None:
        hall.env.now += 0.45 * OUTAGE_SECONDS
        await expire(*args)

    monkeypatch.setattr(hall.timers, "_handlers", {TimerKind.EXPIRE: slow})
    assert await hall.timers.fire() == len(asked)
    assert {await hall.status(match_id) for match_id in asked} == {"closed"}
    await hall.timers.fire()
    assert not caplog.messages


async def test_timers_that_fail_delay_no_batch(hall: Hall, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.services.timers.MAX_AT_ONCE", 1)
    first, second = await hall.env.ask(), await hall.env.ask()
    hall.env.now += DAY
    await hall.present_until(hall.env.now)
    expire = hall.timers._handlers[TimerKind.EXPIRE]

    async def unreachable(connection: Connection, row: MatchRow, *rest: Any) -> None:
        if row.id == first:
            raise OperationalError("", {}, Exception())
        await expire(connection, row, *rest)

    monkeypatch.setattr(hall.timers, "_handlers", {TimerKind.EXPIRE: unreachable})
    assert await hall.timers.fire() == 1
    assert [await hall.status(match_id) for match_id in (first, second)] == ["challenge", "closed"]


async def due_challenges(hall: Hall, count: int) -> list[MatchId]:
    """Let the time of some challenges be over for a second."""
    asked = []
    for number in range(count):
        first = 100 + 2 * number
        players = [Player(UserId(first), "Ada"), Player(UserId(first + 1), "Bo")]
        outcome = await hall.env.challenges.challenge(
            next(hall.env.ids), terms(), players, side="O"
        )
        asked.append(outcome.match_id)
    hall.env.now += DAY + 1
    await hall.present_until(hall.env.now)
    return asked


@pytest.mark.parametrize(
    ("count", "exclusive"),
    [(2, [False, False]), (3, [True]), (4, [True, False]), (6, [True, True])],
)
async def test_many_due_timers_share_transactions(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, count: int, exclusive: list[bool]
) -> None:
    """A transaction about several matches excludes all others."""
    monkeypatch.setattr("bot.services.timers.TOGETHER", 3)
    asked, before = await due_challenges(hall, count), total_lag()
    write, options = hall.env.database.write, list[bool]()

    def noted(*, exclusive: bool = False) -> Transaction:
        options.append(exclusive)
        return write(exclusive=exclusive)

    monkeypatch.setattr(hall.env.database, "write", noted)
    assert await hall.timers.fire() == count
    assert options == [False, *exclusive], "the heartbeat comes first"
    assert {await hall.status(match_id) for match_id in asked} == {"closed"}
    assert await hall.scheduled() == 0
    assert total_lag() - before == pytest.approx(count)


@pytest.mark.errors_wanted
@pytest.mark.parametrize(
    ("error", "logged"),
    [
        (ZeroDivisionError(), "timer “expire” failed"),
        (OperationalError("", None, Exception("full")), "timer postponed"),
    ],
)
async def test_timer_that_fails_among_many_fails_alone(
    hall: Hall,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
    logged: str,
) -> None:
    monkeypatch.setattr("bot.services.timers.TOGETHER", 3)
    asked = await due_challenges(hall, 6)
    expire, broken = hall.env.challenges.expire, asked[1]

    async def fail(connection: Connection, row: MatchRow, seat: str, version: int) -> None:
        await expire(connection, row, seat, Version(version))
        if row.id == broken:
            raise error

    monkeypatch.setitem(hall.timers._handlers, "expire", fail)
    before, lag = failures_of("timer"), total_lag()
    assert await hall.timers.fire() == 5
    statuses = {match_id: await hall.status(match_id) for match_id in asked}
    assert statuses == dict.fromkeys(asked, "closed") | {broken: "challenge"}
    assert failures_of("timer") == before + 1
    (message,) = [record.getMessage() for record in caplog.records if record.name == LOG]
    assert message.startswith(logged)
    assert total_lag() - lag == pytest.approx(5)
    queued = [row.match_id for row in await hall.env.queued(kind="update_challenge")]
    assert queued == [match_id for match_id in asked if match_id != broken]


async def test_many_timers_that_two_processes_found_fire_once(
    hall: Hall, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.timers.TOGETHER", 3)
    await due_challenges(hall, 3)
    other = hall.after_a_restart()
    due_timers = await other._due_after(-inf, 0)
    assert await hall.timers.fire() == 3
    assert await other._fire_together(due_timers) == 0
    assert len(await hall.env.queued(kind="update_challenge")) == 3


@pytest.mark.parametrize("days", [7, -7])
async def test_a_clock_that_jumps_takes_no_time_from_players(hall: Hall, days: int) -> None:
    match_id = await hall.env.ask()
    hall.env.now += days * DAY
    await hall.timers.fire()
    assert await hall.status(match_id) == "challenge"
    hall.env.now += DAY - 60
    await hall.present_until(hall.env.now)
    await hall.spend(30)
    assert await hall.status(match_id) == "challenge"
    await hall.spend(60)
    assert await hall.status(match_id) == "closed"


async def test_an_outage_of_48_hours_is_not_counted(hall: Hall) -> None:
    match_id = await hall.env.ask()
    hall.env.now += 2 * DAY
    hall.timers = hall.after_a_restart()
    await hall.timers.fire()
    assert await hall.status(match_id) == "challenge"
    assert (await hall.env.challenges.accept(900, match_id, BO)).kind == "done"


async def test_outage_moves_the_end_of_an_open_challenge(hall: Hall) -> None:
    match_id = await hall.env.ask()
    before = (await hall.env.queries.match(match_id)).expires_at
    hall.env.now += 2 * DAY
    hall.timers = hall.after_a_restart()
    await hall.timers.fire()
    match = await hall.env.queries.match(match_id)
    assert before is not None
    assert match.expires_at == before + 2 * DAY  # what the message tells its readers
    assert match.expires_at == hall.env.now + DAY
    async with hall.env.database.read() as connection:
        due = (await connection.execute(select(timers.c.due_at))).scalar_one()
    assert due == match.expires_at


async def test_what_was_due_before_an_outage_happens_after_it(hall: Hall) -> None:
    match_id = await hall.env.ask()
    await hall.present_until(hall.env.now + DAY + 1)
    hall.env.now += 3 * DAY
    await hall.timers.fire()
    assert await hall.status(match_id) == "closed"


async def test_what_is_due_stays_due_when_the_clock_is_set_back(hall: Hall) -> None:
    match_id = await hall.env.ask()
    await hall.env.vacations.begin(ADA, hall.env.now + DAY)
    hall.env.now += DAY + 20
    await hall.present_until(hall.env.now - 10)
    await hall.timers.heartbeats.record()  # and the process dies before it fires due timers
    async with hall.env.database.write() as connection:
        due = hall.env.now - 15
        await connection.execute(update(outbox).values(next_attempt_at=due))
    hall.env.now -= 7 * DAY
    assert await hall.after_a_restart().fire() == 1
    assert await hall.status(match_id) == "closed"
    await hall.env.vacations.end_due()
    assert await vacation_end(hall.env.database) is None
    async with hall.env.database.read() as connection:
        due_at = (await connection.execute(select(outbox.c.next_attempt_at))).scalars().first()
    assert due_at is not None
    assert due_at < hall.env.now


@pytest.mark.parametrize("times", [1, 3])
async def test_a_timer_that_fails_fires_again_and_holds_up_no_other(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, times: int
) -> None:
    first, second = await hall.env.ask(), await hall.env.ask()
    failures = [OperationalError("", None, Exception("full"))] * times
    expire = hall.env.challenges.expire

    async def fail(connection: Connection, row: MatchRow, seat: str, version: int) -> None:
        await expire(connection, row, seat, Version(version))
        if row.id == first and failures:
            raise failures.pop()

    monkeypatch.setitem(hall.timers._handlers, "expire", fail)
    hall.env.now += DAY + 1
    await hall.present_until(hall.env.now)
    before = failures_of("timer")
    await hall.timers.fire()
    assert await hall.status(first) == "challenge"
    assert await hall.status(second) == "closed"
    for _ in range(times):
        await hall.timers.fire()
    assert await hall.status(first) == "closed"
    assert failures_of("timer") == before + times
    assert await hall.scheduled() == 0


async def test_timer_that_two_processes_found_fires_once(hall: Hall) -> None:
    await hall.env.begin()
    async with hall.env.database.read() as connection:
        rows = await connection.execute(select(timers).where(timers.c.kind == "remind"))
        (timer,) = (TimerRow(*row) for row in rows)
    processes = hall.timers, hall.after_a_restart()
    assert [await process._fire(timer) for process in processes] == [True, False]
    async with hall.env.database.read() as connection:
        reminders = (await connection.execute(select(func.sum(seats.c.reminders)))).scalar_one()
    assert reminders == 1


async def test_process_fires_only_the_timers_of_its_shards(hall: Hall) -> None:
    match_id = await hall.env.ask()
    first, elsewhere = (hall.env.timers(Shards(2, (shard,))) for shard in (0, 1))
    await due_now(hall)
    assert await elsewhere.fire() == 0
    assert await hall.status(match_id) == "challenge"
    assert await first.fire() == 1
    assert await hall.status(match_id) == "closed"


async def test_a_timer_that_fires_twice_changes_nothing(hall: Hall) -> None:
    match_id = await hall.env.begin()
    await hall.env.strike("expire", match_id)
    await hall.env.strike("expire", match_id)
    assert await hall.status(match_id) == "running"


@pytest.mark.parametrize("days", [7, -7])
async def test_vacation_is_moved_with_a_clock_that_jumps(hall: Hall, days: int) -> None:
    vacations = hall.env.vacations
    await vacations.begin(ADA, hall.env.now + DAY)
    hall.env.now += days * DAY
    await hall.timers.fire()
    await vacations.end_due()
    assert await vacation_end(hall.env.database) == hall.env.now + DAY
    hall.env.now -= days * DAY
    await hall.timers.fire()
    await vacations.end_due()
    assert await vacation_end(hall.env.database) == hall.env.now + DAY


async def test_vacation_is_moved_once_by_several_processes(hall: Hall) -> None:
    processes = [hall.env.timers(Shards(2, (shard,))) for shard in range(2)]
    for process in processes:
        await process.fire()
    await hall.env.vacations.begin(ADA, hall.env.now + DAY)
    hall.env.now += 7 * DAY
    for process in processes:
        await process.fire()
    assert await vacation_end(hall.env.database) == hall.env.now + DAY


async def test_beat_in_the_future_of_other_shards_counts_once(hall: Hall) -> None:
    match_id = await hall.env.ask()
    now = hall.env.now
    hall.env.now += 120 * DAY
    await hall.timers.fire()
    hall.env.now = now
    both = hall.env.timers(Shards(2, (0, 1)))
    for _ in range(5):
        hall.env.now += 15
        await both.fire()
    async with hall.env.database.read() as connection:
        due = (await connection.execute(select(timers.c.due_at))).scalar_one()
    assert abs(due - (now + DAY)) <= OUTAGE_SECONDS
    assert (await hall.env.queries.match(match_id)).status == "challenge"


async def test_beat_in_the_future_of_other_shards_leaves_clocks_alone(hall: Hall) -> None:
    await begun(hall.env, "3d")
    now = hall.env.now
    async with hall.env.database.write() as connection:
        await upsert(connection, facts, name=f"{HEARTBEAT}:2:0", value=repr(now + 120 * DAY))
    since: list[float] = []
    for _ in range(5):
        hall.env.now += 15
        await hall.timers.fire()
        async with hall.env.database.read() as connection:
            started = select(seats.c.clock_started_at).where(seats.c.clock_started_at.is_not(None))
            since.append((await connection.execute(started)).scalars().one())
    assert len(set(since)) == 1, "the heartbeat under another SHARD_COUNT counts once"


@pytest.mark.errors_wanted
async def test_timer_with_a_bug_holds_up_no_other(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    broken, other = await hall.env.ask(), await hall.env.ask()
    expire = hall.timers._handlers["expire"]

    async def fail(connection: Connection, row: MatchRow, seat: str, version: int) -> None:
        if row.id == broken:
            raise ZeroDivisionError
        await expire(connection, row, seat, Version(version))

    monkeypatch.setitem(hall.timers._handlers, "expire", fail)
    await due_now(hall)
    assert await hall.timers.fire() == 1
    assert [record.getMessage() for record in caplog.records if record.exc_info] == [
        "timer “expire” failed"
    ]
    assert await hall.status(broken) == "challenge"
    assert await hall.status(other) == "closed"
    monkeypatch.setitem(hall.timers._handlers, "expire", expire)
    await hall.spend(ERROR_PAUSE_SECONDS + 1)
    assert await hall.status(broken) == "closed"


@pytest.mark.slow
@pytest.mark.errors_wanted
async def test_timer_with_a_bug_is_logged_once_and_dropped(
    hall: Hall, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await hall.env.ask()
    fired = 0

    async def fail(*_: object) -> None:
        nonlocal fired
        fired += 1
        raise ZeroDivisionError

    monkeypatch.setitem(hall.timers._handlers, "expire", fail)
    given_up = metrics.GIVEN_UP.labels("timer")._value.get()
    failures, pauses = failures_of("timer"), []
    for _ in range(MAX_ERRORS + 1):
        await due_now(hall)
        await hall.timers.fire()
        await hall.timers.fire()  # not before its pause is over
        pauses += [due - hall.env.now for due in await due_times(hall)]
    assert fired == MAX_ERRORS
    assert failures_of("timer") == failures + MAX_ERRORS
    assert pauses[:2] == [ERROR_PAUSE_SECONDS, 2 * ERROR_PAUSE_SECONDS]
    assert max(pauses) <= LONGEST_ERROR_PAUSE_SECONDS
    assert metrics.GIVEN_UP.labels("timer")._value.get() == given_up + 1
    assert await hall.scheduled() == 0
    assert [record.getMessage() for record in caplog.records if record.exc_info] == [
        "timer “expire” failed"
    ]


async def due_times(hall: Hall) -> list[float]:
    """When the timers are due."""
    async with hall.env.database.read() as connection:
        return list((await connection.execute(select(timers.c.due_at))).scalars())


async def due_now(hall: Hall) -> None:
    """Let all timers be due."""
    async with hall.env.database.write() as connection:
        await connection.execute(update(timers).values(due_at=hall.env.now))
