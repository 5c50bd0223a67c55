"""What players read of their own plans, beside the match as they see it."""

from __future__ import annotations

from bot.services.going_on import StopReason
from engine.game import PUBLIC
from tests.support.matches import ADA, BO, EVE, MatchFixture, choose, plan, warp6


async def test_plan_is_read_with_what_its_player_sees(env: MatchFixture) -> None:
    match_id = await warp6(env, "", setup="secret")
    await choose(env, match_id, ADA)
    for user, seat in ((ADA, "B"), (BO, "Y"), (EVE, PUBLIC)):
        own = await env.plans.read(match_id, user)
        expected = (await env.queries.view(match_id, user)).view
        assert (own.perspective.seat, own.perspective.view.seat) == (seat, seat)
        assert own.perspective.view == expected
        assert not own.plan.orders


async def test_players_read_no_plan_but_their_own(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    other = ADA + BO - first
    seat = (await env.queries.match(match_id)).seat_of(other).lower()
    await plan(env, match_id, other, f"place {seat}8a", f"place {seat}8b")
    for user, count in ((first, 0), (other, 2), (EVE, 0)):
        own = await env.plans.read(match_id, user)
        assert (len(own.plan.orders), own.version) == (count, min(count, 1))
        assert own.made_at == ()
        assert own.stopped is None


async def test_stopped_plan_is_read_with_its_reason_and_when(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    match = await env.queries.match(match_id)
    mine, theirs = (match.seat_of(user).lower() for user in (first, ADA + BO - first))
    await plan(env, match_id, ADA + BO - first, f"if {mine}8b: place {theirs}8a")
    line = f"place {mine}8a"
    assert (await env.matches.act(next(env.ids), match_id, first, line)).kind == "done"
    own = await env.plans.read(match_id, ADA + BO - first)
    assert (own.version, own.stopped) == (2, StopReason.CONDITION)
    assert own.stopped_at == (await env.queries.match(match_id)).version
