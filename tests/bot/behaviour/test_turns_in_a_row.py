"""Clocks of a player who has several turns in a row: each turn has its own time."""

from __future__ import annotations

from random import Random

import pytest
from sqlalchemy import delete, select

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId
from bot.domain.models import MatchStatus, SeatClock
from bot.services.match_store import load
from bot.storage.schema import earlier_clocks, seats
from engine import games
from tests.support.matches import (
    BO,
    PLAYERS,
    MatchFixture,
    alone,
    choose,
    opponent_of,
    plan,
    scheduled,
    take_back,
    terms,
    time_of,
    times,
)
from tests.support.tomtube.games import greedy


async def moves(env: MatchFixture, match_id: MatchId) -> tuple[str, ...]:
    """The choices of the player on turn."""
    user = await env.on_turn(match_id)
    view = (await env.queries.view(match_id, user)).view
    return tuple(action.notation for action in view.legal)


@pytest.mark.parametrize(
    ("clock", "left"), [("3d", 3 * DAY), ("3d+12h", 2 * DAY + 12 * HOUR)], ids=str
)
async def test_next_turn_of_a_player_has_its_own_time(
    env: MatchFixture, clock: str, left: float
) -> None:
    match_id = await alone(env, clock)
    user = await env.on_turn(match_id)
    before = await time_of(env, match_id, user)
    env.now += DAY
    assert (await choose(env, match_id, user)).kind == "done"
    assert await env.on_turn(match_id) == user
    left += before.seconds_left - 3 * DAY
    assert await time_of(env, match_id, user) == SeatClock(left, env.now)
    due = await scheduled(env, match_id)
    assert due["flag"] == [env.now + left]
    assert due["warn"] == [env.now + left - min(DAY, left / 4)]
    assert due["gone"] == [env.now + 3 * DAY]


async def test_turn_in_time_after_a_late_one_cannot_be_claimed(env: MatchFixture) -> None:
    match_id = await alone(env, "1d")
    user = await env.on_turn(match_id)
    match = await env.queries.match(match_id)
    late = (match_id, opponent_of(user), match.seat_of(user))
    env.now += DAY
    await env.timers().fire()
    claim = env.deadlines.claim_win
    assert (await claim(next(env.ids), *late, confirms=True)).kind == "confirm"
    await choose(env, match_id, user)
    assert (await claim(next(env.ids), *late, confirms=True)).kind == "stale"
    assert await time_of(env, match_id, user) == SeatClock(DAY, env.now)


async def test_taking_back_turn_after_turn_gains_no_time(env: MatchFixture) -> None:
    match_id = await alone(env, "3d")
    user = await env.on_turn(match_id)
    begin = env.now
    for _ in range(2):
        env.now += HOUR
        await choose(env, match_id, user)
    for _ in range(2):
        env.now += HOUR
        assert (await take_back(env, match_id, user)).kind == "done"
    assert await time_of(env, match_id, user) == SeatClock(3 * DAY, begin)
    assert (await scheduled(env, match_id))["flag"] == [begin + 3 * DAY]


async def test_turn_stays_once_its_own_time_would_be_over(env: MatchFixture) -> None:
    match_id = await alone(env, "1d")
    user = await env.on_turn(match_id)
    env.now += 2 * HOUR
    await choose(env, match_id, user)
    env.now += 22 * HOUR
    refusal = await take_back(env, match_id, user)
    assert (refusal.kind, "out of time" in refusal.sentence) == ("refused", True)
    env.now -= 1
    assert (await take_back(env, match_id, user)).kind == "done"


async def test_turns_of_an_earlier_version_are_taken_back_as_then(env: MatchFixture) -> None:
    """They had one time, and no clock of theirs is stored."""
    match_id = await alone(env, "3d")
    user = await env.on_turn(match_id)
    await choose(env, match_id, user)
    before = await time_of(env, match_id, user)
    async with env.database.write() as connection:
        await connection.execute(delete(earlier_clocks))
    env.now += HOUR
    assert (await take_back(env, match_id, user)).kind == "done"
    assert await time_of(env, match_id, user) == before
    await choose(env, match_id, user)
    assert await time_of(env, match_id, user) == SeatClock(3 * DAY, env.now)


async def test_plan_of_several_turns_gets_the_increment_of_each(env: MatchFixture) -> None:
    match_id = await alone(env, "3d+12h")
    user = await env.on_turn(match_id)
    before, there = await time_of(env, match_id, user), (await moves(env, match_id))[0]
    await choose(env, match_id, user)
    back = (await moves(env, match_id))[0]
    await take_back(env, match_id, user)
    assert (await plan(env, match_id, user, back, there)).kind == "done"
    await choose(env, match_id, user)
    assert await time_of(env, match_id, user) == SeatClock(before.seconds_left + 36 * HOUR, env.now)
    for turns in (2, 1, 0):
        assert (await take_back(env, match_id, user)).kind == "done"
        left = before.seconds_left + turns * 12 * HOUR
        assert await time_of(env, match_id, user) == SeatClock(left, env.now)


async def test_turn_of_a_player_who_is_away_has_its_full_time(env: MatchFixture) -> None:
    match_id = await alone(env, "3d")
    user = await env.on_turn(match_id)
    env.now += DAY
    await env.vacations.begin(user, env.now + 5 * DAY)
    env.now += DAY
    await choose(env, match_id, user)
    assert await time_of(env, match_id, user) == SeatClock(3 * DAY, None)
    assert not (await scheduled(env, match_id)).keys() & {"flag", "warn"}
    await env.vacations.end(user)
    assert await time_of(env, match_id, user) == SeatClock(3 * DAY, env.now)


async def test_reminders_begin_anew_with_each_turn(env: MatchFixture) -> None:
    match_id = await alone(env, "")
    user = await env.on_turn(match_id)
    decision = await env.decision(match_id, user)
    seat = (await env.queries.match(match_id)).seat_of(user)
    await env.change_seat(match_id, seat, reminders=2, reminded_at=decision)
    await choose(env, match_id, user)
    query = select(seats.c.reminded_at).where(seats.c.seat == seat)
    async with env.database.read() as connection:
        reminded_at = (await connection.execute(query)).scalar_one()
    assert reminded_at == decision
    assert decision != await env.decision(match_id, user)


async def a_good_move(env: MatchFixture, match_id: MatchId, random: Random) -> str:
    """A move after which the match ends soon."""
    async with env.database.write() as connection:  # `load` locks the match
        row = await load(connection, match_id)
    assert row
    game, state = games.get(row.game), row.state()
    legal = game.legal(state)
    return (
        greedy(state, legal, random) if row.game == "tomtube" else random.choice(legal)
    ).notation


@pytest.mark.slow
@pytest.mark.parametrize(("game", "seed"), [("wormholes", 6), ("tomtube", 3)])
async def test_each_turn_of_a_whole_match_has_its_own_time(
    env: MatchFixture, game: str, seed: int
) -> None:
    """Warp 6 has no turns in a row: a player always has a move, and leaves by ending the match."""
    side = games.get(game).seats({})[0]
    challenge = await env.challenges.challenge(
        next(env.ids), terms(games.get(game).rules[0], game, clock="3d"), PLAYERS, side=side
    )
    match_id, random = challenge.match_id, Random(seed)
    await env.challenges.accept(next(env.ids), match_id, BO)
    view, in_a_row = (await env.queries.view(match_id, None)).view, 0
    while view.pending:
        user, turn = await env.on_turn(match_id), view.turn
        before = await times(env, match_id)
        env.now += random.randrange(2 * 24) * HOUR
        action = await a_good_move(env, match_id, random)
        assert (await env.matches.act(next(env.ids), match_id, user, action)).kind == "done"
        view = (await env.queries.view(match_id, None)).view
        if view.pending and await env.on_turn(match_id) == user:
            is_new = view.turn != turn
            clock = SeatClock(3 * DAY, env.now) if is_new else before[user]
            assert await time_of(env, match_id, user) == clock
            in_a_row += is_new
    assert (await env.queries.match(match_id)).status == MatchStatus.FINISHED
    assert in_a_row
