"""Matches in which the computer stands in: clocks, draws, takebacks, messages."""

from __future__ import annotations

from random import Random

import pytest
from sqlalchemy import select

from bot.domain.clocks import DAY
from bot.domain.waiting import GONE_SECONDS
from bot.services.clocks import SEAT_TIMERS, SILENCE
from bot.services.computer_turns import ChoiceRequest, ComputerChoice
from bot.services.preferences import Preferences
from bot.storage.schema import outbox
from engine.computer.players import VERSION
from tests.support.computer_turns import choosers, play_all, properly
from tests.support.matches import (
    ADA,
    BO,
    MatchFixture,
    act,
    begun,
    choose,
    scheduled,
    take_back,
    time_of,
    warp6,
)
from tests.support.stand_ins import (
    agree,
    come_back,
    leave_for_vacation,
    replaced,
    seat_of,
    stored,
    until_turn,
)

PROBED = 0.3
"""Share of the choices that are taken back."""


async def test_clock_of_a_player_who_has_left_stands_still(env: MatchFixture) -> None:
    match_id = await begun(env, "7d")
    await until_turn(env, match_id, BO)
    env.now += GONE_SECONDS
    await agree(env, match_id, ADA, BO, is_gone=True)
    assert (await time_of(env, match_id, BO)) == (4 * DAY, None)
    assert not set(await scheduled(env, match_id)) & (set(SEAT_TIMERS) - set(SILENCE))
    env.now += 5 * DAY
    await come_back(env, match_id)
    assert (await time_of(env, match_id, BO)) == (4 * DAY, env.now)
    assert set(await scheduled(env, match_id)) >= {"flag", "warn", "remind"}


async def test_computer_plays_without_a_clock(env: MatchFixture) -> None:
    match_id = await replaced(env, "3d")
    for _ in range(2):
        await play_all(env)
        env.now += DAY
        await until_turn(env, match_id, ADA)
        assert await time_of(env, match_id, BO) == (3 * DAY, None)
        while await env.on_turn(match_id) == ADA:
            await act(env, match_id)
    assert await time_of(env, match_id, BO) == (3 * DAY, None)
    assert not set(await scheduled(env, match_id)) & (set(SEAT_TIMERS) - set(SILENCE))


async def test_match_of_a_replaced_player_cannot_be_claimed(env: MatchFixture) -> None:
    match_id = await begun(env, "1d")
    await until_turn(env, match_id, BO)
    env.now += GONE_SECONDS
    seat = await seat_of(env, match_id, BO)
    await env.strike("flag", match_id, seat, await env.decision(match_id, BO))
    await agree(env, match_id, ADA, BO, is_gone=True)
    claimed = await env.deadlines.claim_win(next(env.ids), match_id, ADA, seat)
    assert claimed.kind == "stale"
    await play_all(env)
    assert await time_of(env, match_id, BO) == (DAY, None)


async def accept(request: ChoiceRequest) -> ComputerChoice:
    """Accept a draw whatever is asked."""
    return ComputerChoice("draw accept", f"{request.level}/{VERSION}")


async def resign(request: ChoiceRequest) -> ComputerChoice:
    """Resign whatever is asked."""
    if request.level == "random":
        return await properly(request)
    return ComputerChoice("resign", f"{request.level}/{VERSION}")


async def test_stand_in_declines_draws(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await play_all(env)
    before = len(await choosers(env, match_id))
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    await play_all(env, accept)
    view = (await env.queries.view(match_id)).view
    assert not view.offer
    assert not view.result
    assert len(await choosers(env, match_id)) == before


async def test_draw_offered_before_is_declined(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    await until_turn(env, match_id, BO)
    await env.matches.act(next(env.ids), match_id, ADA, "draw offer")
    await leave_for_vacation(env, BO)
    await agree(env, match_id, ADA, BO)
    await play_all(env)
    actions = (await env.queries.record(match_id)).actions
    seat = await seat_of(env, match_id, BO)
    assert [str(action) for action in actions].count(f"{seat} draw decline") == 1
    assert await choosers(env, match_id)


async def test_stand_in_never_resigns(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await play_all(env, resign)
    assert set(await choosers(env, match_id)) == {f"random/{VERSION}"}
    assert (await env.queries.match(match_id)).status == "running"


@pytest.mark.slow
async def test_takeback_that_needs_consent_is_refused(env: MatchFixture) -> None:
    match_id, random, needs_consent = await begun(env, ""), Random(2), False
    while not needs_consent:
        user = await env.on_turn(match_id)
        line = random.choice((await env.queries.view(match_id, user)).view.legal).notation
        assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"
        if user == ADA and random.random() < PROBED:
            needs_consent = (await take_back(env, match_id, ADA)).kind == "ask"
    await leave_for_vacation(env, BO)
    await agree(env, match_id, ADA, BO)
    refusal = await take_back(env, match_id, ADA)
    assert refusal.kind == "refused"
    assert "Bo isn't here to agree" in refusal.sentence
    await come_back(env, match_id)
    assert (await take_back(env, match_id, ADA)).kind == "ask"


async def test_choice_of_the_computer_cannot_be_taken_back(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await play_all(env)
    await come_back(env, match_id)
    assert (await take_back(env, match_id, BO)).kind == "refused"


async def test_taking_back_an_own_choice_is_coming_back(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d")
    while await env.on_turn(match_id) == ADA:
        await choose(env, match_id, ADA)
    await choose(env, match_id, BO)
    await leave_for_vacation(env, BO)
    await agree(env, match_id, ADA, BO)
    assert (await take_back(env, match_id, BO)).kind == "done"
    assert (await stored(env, match_id, BO)).decides_itself


async def test_replaced_player_gets_no_turn_dm(env: MatchFixture) -> None:
    match_id = await replaced(env)
    await Preferences(env.database).set(BO, "turns", "on")
    await play_all(env)
    await until_turn(env, match_id, ADA)
    while await env.on_turn(match_id) == ADA:
        await act(env, match_id)
    async with env.database.read() as connection:
        assert "turn_dm" not in (await connection.execute(select(outbox.c.kind))).scalars().all()
