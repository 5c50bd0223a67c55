"""Claims of lost time: whose time was over first, and who may claim or agree at all."""

from __future__ import annotations

import pytest

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId, UserId
from bot.domain.models import SeatClock
from tests.support.harness import Stage, words
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    MatchFixture,
    choose,
    opponent_of,
    take_back,
    times,
    warp6,
)


async def claim(env: MatchFixture, match_id: MatchId, user: UserId, late: UserId) -> str:
    """A user claims the lost time of another; return the kind of the outcome."""
    seat = (await env.queries.match(match_id)).seat_of(late)
    return (await env.deadlines.claim_win(next(env.ids), match_id, user, seat)).kind


async def agree(env: MatchFixture, match_id: MatchId, user: UserId) -> str:
    """A user agrees to the takeback that was asked for last."""
    version = (await env.queries.match(match_id)).version
    outcome = await env.takebacks.take_back(
        next(env.ids), match_id, user, requested_version=version
    )
    return outcome.kind


async def pass_time(env: MatchFixture, seconds: float) -> None:
    env.now += seconds
    await env.timers().fire()


@pytest.mark.parametrize("user", [ADA, BO])
async def test_claim_when_both_times_ended_together_is_refused(
    env: MatchFixture, user: UserId
) -> None:
    match_id = await warp6(env, "1d", setup="secret")
    other = opponent_of(user)
    await pass_time(env, DAY + 1)
    assert await claim(env, match_id, user, other) == "refused"
    assert (await choose(env, match_id, user)).kind == "done"
    assert await claim(env, match_id, other, user) == "stale"
    assert await claim(env, match_id, user, other) == "done"
    assert (await env.queries.view(match_id)).view.result.startswith(
        (await env.queries.match(match_id)).seat_of(user)
    )


async def test_claim_goes_to_the_player_whose_time_was_over_later(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d", setup="secret")
    away = env.vacations
    await away.begin(BO, env.now + HOUR)
    env.now += HOUR
    await away.end(BO)
    await pass_time(env, DAY + 1)
    assert await claim(env, match_id, ADA, BO) == "refused"
    assert await claim(env, match_id, BO, ADA) == "done"


async def test_claim_before_the_own_timer_fires_is_refused(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d", setup="secret")
    env.now += DAY
    seat = (await env.queries.match(match_id)).seat_of(ADA)
    await env.strike("flag", match_id, seat, await env.decision(match_id, ADA))
    assert await claim(env, match_id, BO, ADA) == "refused"


async def test_lost_time_knows_when_it_was_over(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d")
    first = await env.on_turn(match_id)
    end = env.now + DAY
    await pass_time(env, DAY + HOUR / 60)
    assert (await times(env, match_id))[first] == SeatClock(0.0, end)
    assert (await times(env, match_id))[first].over


async def test_player_who_left_may_not_claim(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d", seats="3")
    late = await env.on_turn(match_id)
    leaver, stays = (user for user in (ADA, BO, EVE) if user != late)
    assert (await env.matches.act(next(env.ids), match_id, leaver, "leave")).kind == "done"
    await pass_time(env, DAY + 1)
    assert await claim(env, match_id, leaver, late) == "refused"
    assert (await env.queries.match(match_id)).status == "running"
    assert await claim(env, match_id, stays, late) == "done"
    assert (await env.queries.match(match_id)).status == "finished"


async def test_player_who_left_may_not_agree_to_a_takeback(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d", seats="3", setup="secret")
    assert (await env.matches.act(next(env.ids), match_id, EVE, "leave")).kind == "done"
    for user in (ADA, BO):
        assert (await choose(env, match_id, user)).kind == "done"
    assert (await take_back(env, match_id, BO)).kind == "ask"
    assert await agree(env, match_id, EVE) == "refused"
    assert await agree(env, match_id, ADA) == "done"


async def test_player_without_time_may_not_agree_to_a_takeback(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d+12h", setup="secret")
    for user in (ADA, BO):
        assert (await choose(env, match_id, user)).kind == "done"
    late = await env.on_turn(match_id)
    if late == BO:  # the one who asks
        assert (await choose(env, match_id, BO)).kind == "done"
        late = ADA
    env.now += 4 * DAY
    assert await agree(env, match_id, late) == "refused"
    assert await claim(env, match_id, opponent_of(late), late) == "stale"  # no timer has fired


@pytest.mark.slow
async def test_board_offers_no_claim_to_players_who_are_late_too(stage: Stage) -> None:
    await stage.begin(game="warp6", setup="secret", clock="1 day per turn", side="Black")
    await stage.spend(25 * HOUR)
    await stage.env.advance_time(30)
    text = words(stage.last())
    for name in ("Ada", "Bo"):
        assert f"{name} is out of time, but a move still counts." in text
    assert "can claim" not in text
    refusal = await stage.click(stage.bo, stage.last(), "claim:")
    assert refusal.ephemeral
    assert "Your own time has run out, too" in words(refusal.response)
