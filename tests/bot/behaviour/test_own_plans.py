"""Players read their own plans, beside the match as they see it."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import MatchId, UserId, Version
from bot.services.automatic_moves import StopReason
from bot.services.plans import MAX_READINGS, SeenPlan
from engine.game import PUBLIC
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    MatchFixture,
    choose,
    lines_of,
    opponent_of,
    plan,
    take_back,
    warp6,
)


async def test_plan_is_read_with_what_its_player_sees(env: MatchFixture) -> None:
    match_id = await warp6(env, "", setup="secret")
    await choose(env, match_id, ADA)
    for user, seat in ((ADA, "B"), (BO, "Y"), (EVE, PUBLIC)):
        own_plan = await env.plans.read(match_id, user)
        expected = (await env.queries.view(match_id, user)).view
        assert (own_plan.perspective.seat, own_plan.perspective.view.seat) == (seat, seat)
        assert own_plan.perspective.view == expected
        assert not own_plan.plan.orders


async def test_players_read_no_plan_but_their_own(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    seat = (await env.queries.match(match_id)).seat_of(other).lower()
    await plan(env, match_id, other, f"place {seat}8a", f"place {seat}8b")
    for user, count in ((first, 0), (other, 2), (EVE, 0)):
        own_plan = await env.plans.read(match_id, user)
        assert (len(own_plan.plan.orders), own_plan.version) == (count, min(count, 1))
        assert own_plan.made_at == ()
        assert own_plan.stopped is None


async def test_stopped_plan_is_read_with_its_reason_and_when(env: MatchFixture) -> None:
    match_id, mine, theirs, waits = await in_set_up(env)
    await plan(env, match_id, waits, f"if {mine}8b: place {theirs}8a")
    await place(env, match_id, f"{mine}8a")
    own_plan = await env.plans.read(match_id, waits)
    assert (own_plan.version, own_plan.stopped) == (2, StopReason.CONDITION)
    assert own_plan.stopped_at == (await env.queries.match(match_id)).version


async def test_suggested_plan_is_accepted_after_a_space_was_taken(env: MatchFixture) -> None:
    match_id = await env.begin()
    await choose(env, match_id, await env.on_turn(match_id))
    first = await env.on_turn(match_id)
    waits = opponent_of(first)
    side = (await env.queries.match(match_id)).seat_of(first)
    coin, taking = ("C4", "S4") if side == "O" else ("S4", "C4")
    order = f"place {coin} e6 or place {coin} d6"
    ids = match_id, waits
    await env.plans.write(next(env.ids), *ids, order, SeenPlan(Version(0)), suggested=True)
    outcome = await env.matches.act(next(env.ids), match_id, first, f"place {taking} e6")
    assert outcome.kind == "done"
    suggested = str((await env.plans.read(*ids)).plan)
    assert suggested == order
    assert (await plan(env, *ids, suggested)).kind == "done"
    assert (await lines_of(env, match_id))[-1].endswith(f"place {coin[0]}? d6")


@pytest.mark.parametrize("moves", [MAX_READINGS - 1, MAX_READINGS])
async def test_plan_is_read_again_while_the_match_moves_on(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, moves: int
) -> None:
    match_id = await warp6(env, "")
    parse, readings = env.plans._parse, 0

    async def parse_and_move(*args: Any) -> Any:
        """Read the plan; then the match moves on, the first times."""
        nonlocal readings
        parsed, readings = await parse(*args), readings + 1
        if readings <= moves:
            await choose(env, match_id, await env.on_turn(match_id))
        return parsed

    monkeypatch.setattr(env.plans, "_parse", parse_and_move)
    outcome = await plan(env, match_id, ADA, "if y8a: place b4d")
    assert (MAX_READINGS, readings) == (3, 3)
    assert outcome.kind == ("done" if moves < MAX_READINGS else "refused")
    assert ("The match moved on" in outcome.sentence) is (moves == MAX_READINGS)


async def test_plan_that_is_written_again_has_not_stopped(env: MatchFixture) -> None:
    match_id, mine, theirs, waits = await in_set_up(env)
    await plan(env, match_id, waits, f"if {mine}8b: place {theirs}8a")
    await place(env, match_id, f"{mine}8a")
    assert (await env.plans.read(match_id, waits)).stopped_at
    await plan(env, match_id, waits, f"if {mine}8b: place {theirs}8a")
    own_plan = await env.plans.read(match_id, waits)
    assert (own_plan.stopped, own_plan.stopped_at, own_plan.version) == (None, None, 3)


async def test_choices_of_a_plan_are_counted_since_the_players_own(env: MatchFixture) -> None:
    match_id, mine, theirs, waits = await in_set_up(env)
    await plan(env, match_id, waits, *(f"place {theirs}{die}" for die in ("8a", "8b")))
    for number, expected in ((1, (2,)), (2, (2, 4))):
        await place(env, match_id, f"{mine}4{'abcd'[number]}")
        assert (await env.plans.read(match_id, waits)).made_at == expected
    await place(env, match_id, f"{mine}8a")
    assert (await env.plans.read(match_id, waits)).made_at == (2, 4)
    await place(env, match_id, f"{theirs}6a")
    assert (await env.plans.read(match_id, waits)).made_at == ()


async def test_forced_choice_after_a_planned_one_is_not_the_own_one(env: MatchFixture) -> None:
    match_id, mine, theirs, waits = await in_set_up(env)
    for die in ("4a", "4b", "4c", "4d", "6a", "6b", "6c"):
        await place(env, match_id, f"{mine}{die}")
        await place(env, match_id, f"{theirs}{die}")
    await plan(env, match_id, waits, f"place {theirs}8a")
    await place(env, match_id, f"{mine}8a")
    own_plan = await env.plans.read(match_id, waits)
    assert (await env.queries.view(match_id)).view.turn == 1, "the last dice were forced"
    assert own_plan.made_at == (1 + 14 + 1,)


async def test_choices_of_a_plan_are_counted_without_undone_ones(env: MatchFixture) -> None:
    match_id, mine, theirs, waits = await in_set_up(env)
    first = opponent_of(waits)
    await place(env, match_id, f"{mine}4a")
    assert (await take_back(env, match_id, first)).kind == "done"
    await plan(env, match_id, waits, f"place {theirs}8a")
    await place(env, match_id, f"{mine}4b")
    (count,) = (await env.plans.read(match_id, waits)).made_at
    assert (await lines_of(env, match_id))[count].endswith(f" place {theirs}8a")


async def in_set_up(env: MatchFixture) -> tuple[MatchId, str, str, UserId]:
    """A match of Warp 6: its number, the first letters of the dice, and who waits."""
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    match = await env.queries.match(match_id)
    mine, theirs = (match.seat_of(user).lower() for user in (first, opponent_of(first)))
    return match_id, mine, theirs, opponent_of(first)


async def place(env: MatchFixture, match_id: MatchId, die: str) -> None:
    user = await env.on_turn(match_id)
    outcome = await env.matches.act(next(env.ids), match_id, user, f"place {die}")
    assert outcome.kind == "done", outcome
