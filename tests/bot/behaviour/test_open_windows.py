"""Windows that were open while the match moved on change nothing, and say so."""

from __future__ import annotations

from bot.domain.ids import MatchId, UserId, Version
from bot.services.plans import SeenPlan
from tests.support.matches import MatchFixture, act, lines_of, opponent_of, warp6


async def dice_of(env: MatchFixture, match_id: MatchId, user: UserId) -> str:
    """The letter before the names of a player's dice."""
    return (await env.queries.match(match_id)).seat_of(user).lower()


async def test_plan_written_at_another_decision_is_not_carried_out(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    mine, theirs = await dice_of(env, match_id, first), await dice_of(env, match_id, other)
    write, orders = env.plans.write, f"place {theirs}8a"
    await env.matches.act(next(env.ids), match_id, first, f"place {mine}8a")
    decision = await env.decision(match_id, other)
    for seen_decision in (0, decision - 1, decision + 1):
        late = await write(
            next(env.ids), match_id, other, orders, SeenPlan(Version(0), Version(seen_decision))
        )
        assert late.kind == "stale"
        assert late.sentence.startswith("The match has moved on since you opened this.")
        assert not (await env.plans.read(match_id, other)).plan.orders
    wrong = await write(
        next(env.ids), match_id, first, f"place {mine}8b", SeenPlan(Version(0), Version(decision))
    )
    assert wrong.kind == "stale"
    assert (
        await write(
            next(env.ids), match_id, first, f"place {mine}8b", SeenPlan(Version(0), Version(0))
        )
    ).kind == "done"
    assert (
        await write(next(env.ids), match_id, other, orders, SeenPlan(Version(0), Version(decision)))
    ).kind == "done"
    assert (await lines_of(env, match_id))[-2:] == [
        f"{theirs.upper()} place {theirs}8a",
        f"{mine.upper()} place {mine}8b",
    ]


async def test_window_opened_before_it_was_the_players_turn_says_so(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    lines = len(await lines_of(env, match_id))
    await act(env, match_id)
    action = (await env.queries.view(match_id, other)).view.legal[0].notation
    late = await env.matches.act(next(env.ids), match_id, other, action, Version(0))
    assert late.kind == "stale"
    assert late.sentence == "It has become your turn since you opened this window."
    decision = await env.decision(match_id, other)
    for seen_decision, sentence in (
        (decision - 1, "That move has already been made."),
        (decision + 1, "That move has already been made."),
    ):
        late = await env.matches.act(next(env.ids), match_id, other, action, Version(seen_decision))
        assert (late.kind, late.sentence) == ("stale", sentence)
    assert len(await lines_of(env, match_id)) == lines + 1
    assert (
        await env.matches.act(next(env.ids), match_id, first, "draw offer", Version(0))
    ).kind == "done"
    assert (
        await env.matches.act(next(env.ids), match_id, other, action, Version(decision))
    ).kind == "done"
