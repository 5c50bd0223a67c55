"""Clocks and timers of seats: each function changes its own seat and match, to the second."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from sqlalchemy import delete, insert, select

from bot.domain.clocks import DAY, HOUR
from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, Version
from bot.domain.models import SeatClock
from bot.domain.terms import Terms
from bot.services.clocks import (
    SEAT_TIMERS,
    DecisionChange,
    EarlierClock,
    change_clocks,
    earlier_clocks_of,
    pause_clock,
    ran_out,
    record_reminders,
    resume_clock,
    unschedule,
    update_seat,
)
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.services.rows import LoggedAction, MatchRow, SeatRow
from bot.storage.connection import Connection
from bot.storage.schema import actions, earlier_clocks, timers
from tests.support.matches import ADA, PLAYERS, MatchFixture, choose, opponent_of, times, warp6

NOW = 1000.0

SEAT = SeatRow(
    match_id=MatchId(1),
    seat="B",
    user_id=ADA,
    name="Ada",
    joined_at=0.0,
    seconds_left=None,
    clock_started_at=None,
    level=None,
    joinable=False,
    agreed_by="",
    reminded_at=None,
    ended_at=None,
    days_off=None,
    reminders=0,
    away_until=None,
    stand_in=None,
    preferences=None,
)

Place = tuple[int, str]
"""Number of a match, and a seat in it."""


class Stored(NamedTuple):
    """A row of `earlier_clocks`, without its place."""

    seconds_left: float
    clock_started_at: float | None
    was_pending: bool = True


class Opened(NamedTuple):
    """A match in a transaction."""

    connection: Connection
    row: MatchRow
    people: dict[str, SeatRow]


@asynccontextmanager
async def opened(env: MatchFixture, match_id: MatchId) -> AsyncIterator[Opened]:
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        people = await seats_of(connection, match_id)
        yield Opened(connection, row, {person.seat: person for person in people})


async def timers_of(env: MatchFixture, *kinds: str) -> dict[tuple[int, str, str], Any]:
    """Place and kind of each timer of a decision → its version, and when it is due."""
    query = select(timers).where(timers.c.kind.in_(kinds or SEAT_TIMERS))
    async with env.database.read() as connection:
        rows = (await connection.execute(query)).all()
    by_kind = {(row.match_id, row.seat, row.kind): (row.version, row.due_at) for row in rows}
    assert len(by_kind) == len(rows), "two timers of one kind"
    return by_kind


async def store(env: MatchFixture, place: Place, *clocks: Stored) -> None:
    """Store earlier clocks of a seat, for one action after the other."""
    async with env.database.write() as connection:
        for number, clock in enumerate(clocks, 1):
            where = {"match_id": place[0], "seat": place[1], "action_number": number}
            await connection.execute(insert(earlier_clocks).values(**where, **clock._asdict()))


async def stored(env: MatchFixture, place: Place) -> list[tuple[float, float | None]]:
    """The earlier clocks of a seat, action after action."""
    table = earlier_clocks.c
    query = select(table.seconds_left, table.clock_started_at).order_by(table.action_number)
    async with env.database.read() as connection:
        seat_query = query.where(table.match_id == place[0], table.seat == place[1])
        return [(left, started) for left, started in await connection.execute(seat_query)]


async def two_matches(env: MatchFixture, clock: str) -> tuple[MatchId, MatchId]:
    """Two matches in which both seats have to decide."""
    return await warp6(env, clock, setup="secret"), await warp6(env, clock, setup="secret")


@pytest.mark.parametrize(
    ("seconds_left", "started_at", "end"),
    [
        (None, None, None),
        (10.0, None, None),
        (1.0, None, None),
        (0.0, None, 0.0),
        (0.0, 990.0, 990.0),
        (10.0, 990.0, 1000.0),
        (10.0, 990.5, None),
    ],
)
def test_time_has_run_out_from_its_last_moment_on(
    seconds_left: float | None, started_at: float | None, end: float | None
) -> None:
    seat = replace(SEAT, seconds_left=seconds_left, clock_started_at=started_at)
    assert ran_out(seat, NOW) == end


@pytest.mark.parametrize(
    ("clock", "remaining"),
    [
        (EarlierClock(None, None), 0.0),
        (EarlierClock(0.0, 990.0), -10.0),
        (EarlierClock(50.0, None), 50.0),
        (EarlierClock(50.0, 990.0), 40.0),
    ],
)
def test_remaining_time_of_a_stored_clock(clock: EarlierClock, remaining: float) -> None:
    assert clock.remaining(NOW) == remaining


async def test_pause_stops_the_stored_clocks_of_a_seat(env: MatchFixture) -> None:
    match_id, other_id = await two_matches(env, "3d")
    started_at = NOW - 40
    others = [(match_id, "Y"), (other_id, "B")]
    for place in others:
        await store(env, place, Stored(100.0, started_at))
    standing, over, last = Stored(50.0, None), Stored(40.0, started_at), Stored(41.0, started_at)
    await store(env, (match_id, "B"), Stored(100.0, started_at), standing, over, last)
    async with opened(env, match_id) as match:
        await pause_clock(match.connection, match.row, match.people["B"], NOW)
    assert await stored(env, (match_id, "B")) == [(60, None), (50, None), (40, 960), (1, None)]
    for place in others:
        assert await stored(env, place) == [(100.0, started_at)]


async def test_resume_starts_the_stored_clocks_that_ran(env: MatchFixture) -> None:
    match_id, other_id = await two_matches(env, "3d")
    others = [(match_id, "Y"), (other_id, "B")]
    for place in others:
        await store(env, place, Stored(60.0, None))
    waits, running = Stored(60.0, None, was_pending=False), Stored(60.0, 960.0)
    over, last = Stored(0.0, None), Stored(1.0, None)
    await store(env, (match_id, "B"), Stored(60.0, None), waits, running, over, last)
    async with opened(env, match_id) as match:
        await resume_clock(match.connection, match.row, match.people["B"], NOW)
    starts = [started_at for _, started_at in await stored(env, (match_id, "B"))]
    assert starts == [NOW, None, 960.0, None, NOW]
    for place in others:
        assert await stored(env, place) == [(60.0, None)]


async def test_choice_stores_which_clocks_were_running(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d")
    user = await env.on_turn(match_id)
    await choose(env, match_id, user)
    match = await env.queries.match(match_id)
    async with env.database.read() as connection:
        query = select(earlier_clocks.c.seat, earlier_clocks.c.was_pending)
        rows = (await connection.execute(query)).all()
    assert {row.seat: row.was_pending for row in rows} == {
        match.seat_of(user): True,
        match.seat_of(opponent_of(user)): False,
    }


async def test_estimated_clocks_ignore_those_of_other_matches(env: MatchFixture) -> None:
    match_id, other_id = await two_matches(env, "3d+12h")
    for number in (match_id, other_id):
        env.now += HOUR
        await choose(env, number, ADA)
    async with opened(env, match_id) as match:
        of_match = earlier_clocks.c.match_id == match_id  # as an earlier version left it
        await match.connection.execute(delete(earlier_clocks).where(of_match))
        query = select(actions).where(actions.c.match_id == match_id)
        rows = await match.connection.execute(query.order_by(actions.c.number.desc()))
        action = LoggedAction(*rows.first() or ())
        clocks = await earlier_clocks_of(
            match.connection, match.row, [*match.people.values()], action
        )
    seat = action.line.partition(" ")[0]
    assert clocks == {
        seat: EarlierClock(3 * DAY - HOUR, NOW + HOUR, guessed=True),
        {"B": "Y", "Y": "B"}[seat]: EarlierClock(3 * DAY, None, guessed=True),
    }


async def test_timers_of_other_seats_and_matches_stay(env: MatchFixture) -> None:
    match_id, _ = await two_matches(env, "3d")
    before = await timers_of(env)
    async with opened(env, match_id) as match:
        await unschedule(match.connection, match.people["B"], SEAT_TIMERS)
    kept = {place: due for place, due in before.items() if place[:2] != (match_id, "B")}
    assert 0 < len(kept) < len(before)
    assert await timers_of(env) == kept


@pytest.mark.parametrize("clock", ["3d", ""])
async def test_renewed_decision_renews_only_its_own_timers(env: MatchFixture, clock: str) -> None:
    match_id, _ = await two_matches(env, clock)
    before, now = await timers_of(env), env.now + HOUR
    async with opened(env, match_id) as match:
        version = Version(match.row.version + 1)
        decisions = {**match.row.decisions, "B": version}
        change = DecisionChange(match.row, decisions, 0, now)
        await change_clocks(match.connection, [([*match.people.values()], change)])
    again = {"remind": now + DAY, "gone": now + 3 * DAY}
    renewed = {
        (*place, kind): (version, again.get(kind, due))
        for (*place, kind), (_, due) in before.items()
        if place == [match_id, "B"]
    }
    assert len(renewed) == (4 if clock else 2)
    assert await timers_of(env) == before | renewed


async def test_renewed_decision_without_a_stored_clock_starts_one(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d", setup="secret")
    now = env.now + HOUR
    async with opened(env, match_id) as match:
        seat = match.people["B"]
        await unschedule(match.connection, seat, SEAT_TIMERS)
        await update_seat(match.connection, seat, seconds_left=None, clock_started_at=None)
        people = await seats_of(match.connection, match_id)
        change = DecisionChange(match.row, {**match.row.decisions, "B": Version(99)}, 0, now)
        await change_clocks(match.connection, [(people, change)])
    user = (await env.queries.match(match_id)).players["B"].user_id
    assert (await times(env, match_id))[user] == SeatClock(3 * DAY, now)
    assert (await timers_of(env, "flag"))[match_id, "B", "flag"] == (99, now + 3 * DAY)


@pytest.mark.parametrize(
    ("earlier", "flag", "warn"),
    [
        (EarlierClock(4 * DAY, NOW - 3 * DAY + 1), NOW + DAY + 1, NOW + 1),
        # The warning was due just now
        (EarlierClock(4 * DAY, NOW - 3 * DAY), NOW + DAY, NOW + 18 * HOUR),
        (EarlierClock(DAY, NOW - DAY + 4), NOW + 4, NOW + 3),
        (EarlierClock(DAY, NOW - DAY), NOW, None),
        (EarlierClock(DAY, NOW - DAY - 4), NOW - 4, None),
    ],
)
async def test_takeback_restores_the_clock_of_a_pending_decision(
    env: MatchFixture, earlier: EarlierClock, flag: float, warn: float | None
) -> None:
    match_id = await warp6(env, "3d", setup="secret")
    before = await timers_of(env)
    async with opened(env, match_id) as match:
        guess = EarlierClock(HOUR, None, guessed=True)
        row, clocks = match.row, {"B": earlier, "Y": guess}
        change = DecisionChange(row, row.decisions, 0, NOW, clocks)
        await change_clocks(match.connection, [([*match.people.values()], change)])
    players = (await env.queries.match(match_id)).players
    clocks_after = await times(env, match_id)
    assert clocks_after[players["B"].user_id] == (earlier.seconds_left, earlier.started_at)
    assert clocks_after[players["Y"].user_id] == SeatClock(3 * DAY, NOW)
    version = row.decisions["B"]
    place_of_seat: tuple[int, str] = (match_id, "B")
    assert await timers_of(env) == {
        **{place: due for place, due in before.items() if place[:2] != place_of_seat},
        (*place_of_seat, "flag"): (version, flag),
        (*place_of_seat, "remind"): (version, NOW + DAY),
        (*place_of_seat, "gone"): (version, NOW + 3 * DAY),
        **({(*place_of_seat, "warn"): (version, warn)} if warn else {}),
    }


@pytest.mark.parametrize(
    ("behind", "counted"), [(0, 2), (1, 1)], ids=["of this decision", "of an earlier one"]
)
async def test_renewed_decision_keeps_its_own_reminders_only(
    env: MatchFixture, behind: int, counted: int
) -> None:
    match_id, _ = await two_matches(env, "3d")
    async with opened(env, match_id) as match:
        version = Version(match.row.version + 1)
        for seat in "BY":
            reminded_at = match.row.decisions[seat] - behind
            await update_seat(
                match.connection, match.people[seat], reminders=1, reminded_at=reminded_at
            )
        people = await seats_of(match.connection, match_id)
        decisions = {**match.row.decisions, "B": version}
        change = DecisionChange(match.row, decisions, 0, NOW)
        await change_clocks(match.connection, [(people, change)])
        row = replace(match.row, decisions=decisions)
        await record_reminders(match.connection, row, "B")
        reminded = {seat.seat: seat for seat in await seats_of(match.connection, match_id)}
    assert (reminded["B"].reminders, reminded["B"].reminded_at) == (counted, version)
    assert reminded["Y"].reminders == 1
    assert reminded["Y"].reminded_at == match.row.decisions["Y"] - behind


async def test_choice_at_the_end_of_the_time_gets_the_increment(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d+12h")
    user = await env.on_turn(match_id)
    env.now += 3 * DAY
    await env.timers().fire()
    assert (await times(env, match_id))[user].over
    await choose(env, match_id, user)
    assert (await times(env, match_id))[user] == SeatClock(12 * HOUR, None)


async def test_computer_has_no_clock_and_no_timers(env: MatchFixture) -> None:
    terms = Terms(game="warp6", clock="3d", guild_id=None, channel_id=ChannelId(5))
    players = [PLAYERS[0], computer_player()]
    challenge = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    while await env.on_turn(challenge.match_id) == ADA:
        await choose(env, challenge.match_id, ADA)
    assert set(await times(env, challenge.match_id)) <= {ADA}
    assert not await timers_of(env)
