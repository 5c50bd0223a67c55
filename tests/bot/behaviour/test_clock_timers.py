"""The timers of clocks: set once, at the right moment, and kept when the decision stays."""

from __future__ import annotations

import pytest
from sqlalchemy import select

from bot.domain.clocks import DAY, HOUR, warning
from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import SeatClock
from bot.domain.terms import Terms
from bot.storage.schema import seats
from tests.support.matches import (
    ADA,
    BO,
    PLAYERS,
    MatchFixture,
    begun,
    choose,
    opponent_of,
    plan,
    scheduled,
    take_back,
    times,
    warp6,
)


async def boards_with_a_ping(env: MatchFixture, match_id: MatchId) -> int:
    """How many boards with a ping were queued."""
    return len(await env.queued(match_id=match_id, kind="post_board"))


async def reminded(env: MatchFixture, match_id: MatchId) -> list[int]:
    """How often the players who have been reminded were."""
    condition = (seats.c.match_id == match_id) & (seats.c.reminders > 0)
    async with env.database.read() as connection:
        return list(
            (await connection.execute(select(seats.c.reminders).where(condition))).scalars()
        )


async def fire(env: MatchFixture) -> None:
    await env.timers().fire()


async def draws(env: MatchFixture, match_id: MatchId, *lines: str) -> None:
    """Players offer a draw and decline it."""
    for line in lines:
        user, words = (ADA, line) if line == "draw offer" else (BO, line)
        assert (await env.matches.act(next(env.ids), match_id, user, words)).kind == "done"


@pytest.mark.parametrize(
    ("seconds_left", "before"),
    [(4 * DAY, DAY), (30 * DAY, DAY), (2 * DAY, DAY / 2), (DAY, 6 * HOUR)],
)
def test_warning_comes_a_day_or_a_quarter_before_the_end(
    seconds_left: float, before: float
) -> None:
    assert warning(seconds_left) == before


@pytest.mark.parametrize(
    ("clock", "moment"),
    [("1d", 18 * HOUR), ("3d", 54 * HOUR), ("7d", 6 * DAY), ("7d+12h", 6 * DAY)],
)
async def test_warning_is_posted_at_its_moment_and_once(
    env: MatchFixture, clock: str, moment: float
) -> None:
    match_id = await begun(env, clock)
    start = env.now
    env.now = start + moment - 1
    await fire(env)
    posted = await boards_with_a_ping(env, match_id)
    assert (await scheduled(env, match_id))["warn"] == [start + moment]
    env.now = start + moment
    await fire(env)
    assert await boards_with_a_ping(env, match_id) == posted + 1
    await draws(env, match_id, "draw offer", "draw decline")
    posted = await boards_with_a_ping(env, match_id)
    env.now += 60
    await fire(env)
    assert await boards_with_a_ping(env, match_id) == posted
    assert "warn" not in await scheduled(env, match_id)


async def test_end_of_the_time_is_posted_and_counts_as_a_reminder(env: MatchFixture) -> None:
    match_id = await begun(env, "1d")
    posted = await boards_with_a_ping(env, match_id)
    env.now += DAY
    await fire(env)  # the reminder, the warning and the end
    assert await boards_with_a_ping(env, match_id) == posted + 3
    assert await reminded(env, match_id) == [3]
    env.now += 60
    await fire(env)
    assert await boards_with_a_ping(env, match_id) == posted + 3


async def test_draw_offer_leaves_clocks_and_timers_alone(env: MatchFixture) -> None:
    match_id = await begun(env, "3d")
    user = await env.on_turn(match_id)
    env.now += HOUR
    await env.deadlines.snooze(next(env.ids), match_id, user)
    before, clocks = await scheduled(env, match_id), await times(env, match_id)
    env.now += HOUR
    await draws(env, match_id, "draw offer")
    env.now += HOUR
    await draws(env, match_id, "draw decline")
    assert await scheduled(env, match_id) == before
    assert await times(env, match_id) == clocks
    env.now += 3 * DAY
    await fire(env)
    assert (await times(env, match_id))[user].over


async def test_secret_choice_of_another_player_repeats_no_warning(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d", setup="secret")
    env.now += 20 * HOUR
    await fire(env)
    before = await scheduled(env, match_id)
    assert "warn" not in before
    await choose(env, match_id, ADA)
    await take_back(env, match_id, ADA)
    await choose(env, match_id, ADA)
    after = await scheduled(env, match_id)
    assert "warn" not in after
    assert after["flag"] == [before["flag"][0]]


async def test_clock_runs_on_over_the_choices_of_a_turn(env: MatchFixture) -> None:
    terms = Terms(game="tomtube", clock="3d+12h", guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    match_id = outcome.match_id
    for _ in range(30):
        user, before = await env.on_turn(match_id), await times(env, match_id)
        decision = await env.decision(match_id, user)
        view = (await env.queries.view(match_id, user)).view
        line = next((a for a in view.legal if a.verb == "build"), view.legal[0])
        words = " ".join((line.verb, *line.args))
        env.now += HOUR
        assert (await env.matches.act(next(env.ids), match_id, user, words)).kind == "done"
        if await env.on_turn(match_id) == user:
            break
    else:
        pytest.fail("no turn had two choices")
    assert await env.decision(match_id, user) != decision
    assert (await times(env, match_id))[user] == before[user]
    start = before[user].started_at
    assert start is not None
    due = await scheduled(env, match_id)
    assert due["flag"] == [start + before[user].seconds_left]
    assert due["warn"] == [
        start + before[user].seconds_left - DAY * min(1.0, before[user].seconds_left / 4 / DAY)
    ]
    assert due["remind"] == [env.now + DAY]
    env.now = due["flag"][0]
    await fire(env)
    assert (await times(env, match_id))[user].over


async def test_timers_after_a_vacation_are_those_of_the_time_left(env: MatchFixture) -> None:
    match_id = await begun(env, "7d")
    away = env.vacations
    user = await env.on_turn(match_id)
    env.now += HOUR
    await away.begin(user, env.now + 2 * DAY)
    env.now += 2 * DAY
    await away.end_due()
    due = await scheduled(env, match_id)
    assert due["flag"] == [env.now + 7 * DAY - HOUR]
    assert due["warn"] == [env.now + 6 * DAY - HOUR]
    assert due["remind"] == [env.now + DAY]


async def test_timers_after_a_takeback_are_those_before_the_choice(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d")
    user, before = await env.on_turn(match_id), await scheduled(env, match_id)
    env.now += HOUR
    await choose(env, match_id, user)
    env.now += HOUR
    await take_back(env, match_id, user)
    after = await scheduled(env, match_id)
    assert after["flag"] == before["flag"]
    assert after["warn"] == before["warn"]
    assert after["remind"] == [env.now + DAY]


async def test_turn_that_comes_back_at_once_has_its_increment(env: MatchFixture) -> None:
    """A plan answers in the transaction of the choice, which has stopped the mover's clock."""
    match_id = await warp6(env, "3d+12h")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    seat = (await env.queries.match(match_id)).seat_of(other)
    await plan(env, match_id, other, f"place {seat.lower()}8a")
    env.now += HOUR
    await choose(env, match_id, first)
    assert await env.on_turn(match_id) == first
    clocks = await times(env, match_id)
    assert clocks[first] == SeatClock(3 * DAY + 11 * HOUR, env.now)
    assert (await scheduled(env, match_id))["flag"] == [env.now + 3 * DAY + 11 * HOUR]
