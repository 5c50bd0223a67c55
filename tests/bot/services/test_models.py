"""The public facts of a match."""

from __future__ import annotations

from tests.support.matches import ADA, BO, EVE, MatchFixture


async def test_a_challenge_awaits_the_players_who_have_to_answer(env: MatchFixture) -> None:
    match = await env.queries.match(await env.ask())
    assert [match.awaits(user) for user in (ADA, BO, EVE)] == [False, True, False]


async def test_a_running_match_awaits_the_player_on_turn(env: MatchFixture) -> None:
    match_id = await env.begin()
    match, user = await env.queries.match(match_id), await env.on_turn(match_id)
    assert [each for each in (ADA, BO, EVE) if match.awaits(each)] == [user]
