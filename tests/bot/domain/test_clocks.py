"""Clocks: they run for the players who have to decide, and run out."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.domain.clocks import (
    DAY,
    HOUR,
    OFFERED_CLOCKS,
    Clock,
    common_clock,
    days_off_rule,
    stops_for_vacations,
    warning,
    with_days_off,
)
from bot.domain.days_off import DaysOffRule
from bot.views.invitations import clock_label
from tests.support.harness import Stage, ids, words
from tests.support.matches import MatchFixture, act, begun, opponent_of


@pytest.mark.parametrize(
    "text",
    [
        "",
        "3",
        "d",
        "3d+",
        "3m",
        "3d+12h+1h",
        "-3d",
        "3 d",
        "9d9",
        "0d",
        "0d+1h",
        "7d+0h",
        "!",
        "3d!!",
        "!3d",
        "3d!+1h",
        "w",
        "3dx",
        "3dwo",
        "3d!w",
        "w3d",
    ],
)
def test_only_the_notation_is_a_clock(text: str) -> None:
    if not text:
        assert Clock.parse(text) is None
        return
    with pytest.raises(ValueError, match="Write a clock"):
        Clock.parse(text)


@pytest.mark.parametrize("label", OFFERED_CLOCKS)
def test_label_of_an_offered_clock_says_what_it_is(label: str) -> None:
    times = re.findall(r"(\d+) ([dh])", label)
    assert OFFERED_CLOCKS[label] == "+".join(f"{number}{unit}" for number, unit in times)


def test_hours_and_days_are_read_as_seconds() -> None:
    assert Clock.parse("2d+12h") == Clock(172_800.0, 43_200.0)


@pytest.mark.parametrize("text", ["3d", "7d+12h"])
def test_clock_without_vacations_is_otherwise_the_same(text: str) -> None:
    assert Clock.parse(f"{text}!") == Clock.parse(text)
    assert stops_for_vacations(text)
    assert not stops_for_vacations(f"{text}!")
    assert common_clock(f"{text}!") == common_clock(text) == text


@pytest.mark.parametrize("label", [label for label, clock in OFFERED_CLOCKS.items() if clock])
def test_label_of_a_clock_says_if_vacations_do_not_count(label: str) -> None:
    clock = OFFERED_CLOCKS[label]
    assert clock_label(clock) == label
    assert clock_label(f"{clock}!") == f"{label}, even on vacation"
    assert (clock_label("5d"), clock_label("5d!")) == ("5d", "5d, even on vacation")


@pytest.mark.parametrize("common", ["3d", "7d+12h"])
@pytest.mark.parametrize("rule", DaysOffRule)
@pytest.mark.parametrize("end", ["", "!"])
def test_rule_for_days_off_is_part_of_the_clock(common: str, rule: DaysOffRule, end: str) -> None:
    clock = with_days_off(f"{common}{end}", rule)
    assert clock == f"{common}{rule}{end}"
    assert Clock.parse(clock) == Clock.parse(common)
    assert days_off_rule(clock) == rule
    assert stops_for_vacations(clock) is not bool(end)
    assert with_days_off(clock, DaysOffRule.WEEKENDS) == f"{common}w{end}"
    assert with_days_off(clock, DaysOffRule.NONE) == f"{common}{end}"
    assert len(clock) <= 16, "the column is as long"


def test_no_clock_has_no_days_off() -> None:
    assert with_days_off("", DaysOffRule.OWN) == ""
    assert days_off_rule("") == DaysOffRule.NONE
    assert clock_label("5do!") == "5d, not on each player's days off, even on vacation"
    assert clock_label("3dw") == "3 days per turn, not on weekends"


def test_budget_that_is_used_up_leaves_only_the_increment() -> None:
    assert Clock(7 * DAY, HOUR).after_turn(DAY, 2 * DAY) == HOUR


@given(st.floats(0, 1e7), st.floats(0, 1e7))
def test_time_is_never_negative(seconds_left: float, spent: float) -> None:
    assert Clock(7 * DAY, HOUR).after_turn(seconds_left, spent) >= HOUR
    assert Clock(DAY).after_turn(seconds_left, spent) == DAY
    assert 0 <= warning(seconds_left) <= DAY


async def test_a_clock_runs_for_the_one_who_has_to_decide(env: MatchFixture) -> None:
    match_id = await begun(env, "7d+12h")
    first = await env.on_turn(match_id)
    match = await env.queries.match(match_id)
    assert match.times[match.seat_of(first)].started_at == env.now
    assert set(match.times) == {match.seat_of(first)}
    env.now += DAY
    while await env.on_turn(match_id) == first:
        await act(env, match_id)
    match = await env.queries.match(match_id)
    time = match.times[match.seat_of(first)]
    assert time.started_at is None
    assert time.seconds_left == pytest.approx(6 * DAY + 12 * HOUR)
    assert match.times[match.seat_of(opponent_of(first))].started_at == env.now


async def test_a_lost_time_can_be_claimed_by_the_other_only(env: MatchFixture) -> None:
    match_id = await begun(env, "1d")
    late = await env.on_turn(match_id)
    other = opponent_of(late)
    seat = (await env.queries.match(match_id)).seat_of(late)
    early = await env.deadlines.claim_win(next(env.ids), match_id, other, seat)
    assert early.kind == "stale"
    env.now += DAY + 1
    timers = env.timers()
    assert await timers.fire() >= 1
    assert (await env.queries.match(match_id)).times[seat].over
    outcome = await env.deadlines.claim_win(next(env.ids), match_id, late, seat)
    assert outcome.kind == "refused"
    done = await env.deadlines.claim_win(next(env.ids), match_id, other, seat)
    assert done.kind == "done"
    record = await env.queries.record(match_id)
    assert record.headers["Result"].endswith(" time")
    assert record.verify() > 0


async def test_who_decides_after_all_plays_on(env: MatchFixture) -> None:
    match_id = await begun(env, "1d")
    late = await env.on_turn(match_id)
    env.now += 2 * DAY
    await env.timers().fire()
    while await env.on_turn(match_id) == late:
        await act(env, match_id)
    match = await env.queries.match(match_id)
    assert match.status == "running"
    assert not any(time.over for time in match.times.values())
    stale = await env.deadlines.claim_win(
        next(env.ids), match_id, opponent_of(late), match.seat_of(late)
    )
    assert stale.kind == "stale"


async def test_timers_of_a_decision_that_is_made_do_nothing(env: MatchFixture) -> None:
    match_id = await begun(env, "1d")
    await env.strike("flag", match_id, "O", 999)
    await env.strike("remind", match_id, "D", 999)
    assert not any(t.over for t in (await env.queries.match(match_id)).times.values())


@pytest.mark.slow
async def test_the_board_shows_the_time_and_offers_the_claim(stage: Stage) -> None:
    match_id = await stage.begin(clock="1 day per turn")
    assert "Deadline: <t:" in words(stage.last())
    late = await stage.deciding(match_id)
    other = stage.bo if late is stage.ada else stage.ada
    before = stage.last().id
    await stage.spend(25 * HOUR)
    await stage.env.advance_time(30)
    board = stage.last()
    assert board.id != before
    assert "is out of time" in words(board)
    assert any(i.startswith("claim:") for i in ids(board))
    stored_message = stage.env.backend.get_message(stage.channel.id, board.id)
    assert set(stored_message.ping_user_ids) == {late.id, other.id}
    confirmation = await stage.click(other, board, "claim:")
    assert (await stage.client.context.queries.match(match_id)).status == "running"
    await stage.click(other, confirmation.response, "claim:")
    assert "on time" in words(stage.last())


@pytest.mark.slow
async def test_a_slow_player_is_called_again_if_they_want(stage: Stage) -> None:
    await stage.prefer(stage.ada, remind="off")
    match_id = await stage.begin()
    slow = await stage.deciding(match_id)
    before = stage.last().id
    await stage.spend(25 * HOUR)
    await stage.env.advance_time(30)
    assert (stage.last().id == before) == (slow is stage.ada)


@pytest.mark.parametrize("days", [7, -7, 2])
async def test_neither_an_absence_nor_a_leap_of_the_clock_costs_time(
    env: MatchFixture, days: int
) -> None:
    match_id = await begun(env, "1h")
    timers = env.timers()
    await timers.fire()
    env.now += 60
    await timers.fire()
    env.now += days * DAY
    assert await timers.fire() == 0
    (time,) = (await env.queries.match(match_id)).times.values()
    assert time.started_at is not None
    assert env.now - time.started_at == pytest.approx(60)
    while not time.over:
        env.now += 100
        await timers.fire()
        (time,) = (await env.queries.match(match_id)).times.values()
