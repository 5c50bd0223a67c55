"""Who may ask for a hint, and when: everyone else is refused before a computer player is asked."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import update

from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Player, Rated
from bot.interactions.computers import THINKING, _hint
from bot.interactions.replies import UserError
from bot.interactions.user_limits import UserLimits
from bot.services.computer_turns import ChoiceError, ChoiceRequest, ComputerChoice
from bot.storage.schema import matches
from bot.views.custom_ids import HintId
from tests.support.computer_turns import begin, play_all, properly, turns
from tests.support.matches import ADA, BO, MatchFixture, terms
from tests.support.visitors import Server


async def refusal(
    env: MatchFixture, match_id: MatchId, user_id: UserId = ADA, limits: UserLimits | None = None
) -> str:
    """Ask for a hint that is refused; return the reason."""
    context: Any = SimpleNamespace(
        queries=env.queries,
        computers=True,
        can_play=bool,
        limits=limits or UserLimits(),
    )
    with pytest.raises(UserError) as caught:
        await _hint(context, Server().interaction(user_id), HintId(match_id))
    return str(caught.value)


async def test_hint_is_for_casual_matches_against_the_computer(env: MatchFixture) -> None:
    reason = "There are no hints in a match between people, to keep it fair."
    match_id = await env.begin()
    assert reason in await refusal(env, match_id, await env.on_turn(match_id))
    players = [Player(ADA, "Ada"), Player(BO, "Bo"), computer_player("cadet")]
    three = terms("standard", "warp6", options={"seats": "3"})
    challenged = await env.challenges.challenge(next(env.ids), three, players)
    await env.challenges.accept(next(env.ids), challenged.match_id, BO)
    for user_id in (ADA, BO):
        assert reason in await refusal(env, challenged.match_id, user_id)
    match_id = await begin(env)
    await play_all(env)
    async with env.database.write() as connection:
        await connection.execute(update(matches).values(rated=Rated.RATED))
    assert "no hints in a rated match" in await refusal(env, match_id)


async def test_hint_is_for_the_player_on_turn_and_one_at_a_time(env: MatchFixture) -> None:
    match_id, limits = await begin(env), UserLimits()
    assert "not your turn" in await refusal(env, match_id)
    await play_all(env)
    with limits.of(THINKING).running(ADA):
        assert "still thinking" in await refusal(env, match_id, limits=limits)


async def test_computer_is_not_asked_for_a_seat_that_has_moved(env: MatchFixture) -> None:
    match_id, requests = await begin(env), list[ChoiceRequest]()

    async def choose(request: ChoiceRequest) -> ComputerChoice:
        requests.append(request)
        return await properly(request)

    seat = (await env.queries.match(match_id)).seat_of(ADA)
    with pytest.raises(ChoiceError, match="moved on"):
        await turns(env, choose).hint(match_id, seat)
    assert not requests
    await play_all(env)
    assert (await turns(env, choose).hint(match_id, seat)).view.seat == seat
    assert len(requests) == 1
