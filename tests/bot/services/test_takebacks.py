"""Why a choice cannot be taken back."""

from __future__ import annotations

from tests.support.matches import ADA, BO, MatchFixture, act, take_back


async def test_after_a_draw_offer_it_is_too_late_to_take_back(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    await act(env, match_id)
    other = ADA + BO - user
    assert (await env.matches.act(next(env.ids), match_id, other, "draw offer")).kind == "done"
    refused = await take_back(env, match_id, user)
    assert refused.kind == "refused"
    assert refused.sentence.startswith("Something else has happened since your move")
    unmoved = await take_back(env, match_id, other)
    assert unmoved.sentence == "You haven't made a move yet that you could take back."
