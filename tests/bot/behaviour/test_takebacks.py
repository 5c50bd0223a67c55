"""Taking back: free until a player has learned something, then with consent; never dice."""

from __future__ import annotations

from random import Random

import pytest

from bot.domain.ids import MatchId
from engine import games
from engine.game import CHANCE
from engine.wormholes.state import State
from tests.support.driver import by_click, play_on, silently
from tests.support.harness import Stage, ids, words
from tests.support.strategies import wild

pytestmark = pytest.mark.slow


async def placed(stage: Stage) -> tuple[MatchId, State]:
    """A match in which a coin was just placed; the position before."""
    match_id = await stage.begin()
    while (await stage.state(match_id)).phase != "place":
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    before = await stage.state(match_id)
    await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    return match_id, before


async def test_the_own_last_choice_is_taken_back_at_once(stage: Stage) -> None:
    match_id = await stage.begin()
    while (await stage.state(match_id)).phase != "place":
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    before = await stage.state(match_id)
    actor = await stage.deciding(match_id)
    await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    old = stage.last()
    result = await actor.slash(stage.channel, "takeback")
    assert "Taken back" in words(result.response)
    assert await stage.state(match_id) == before
    assert await stage.deciding(match_id) is actor
    assert stage.last().id == old.id
    name = "Ada" if actor is stage.ada else "Bo"
    assert f"{name} took back the last move." in words(stage.last())
    await play_on(stage, match_id, Random(2), ways=(by_click,), limit=1)
    assert "took back" not in words(stage.last())
    await play_on(stage, match_id, Random(2), ways=(silently,), limit=30)
    assert await stage.replayed(match_id) == await stage.state(match_id)


async def test_others_and_dice_are_not_taken_back(stage: Stage) -> None:
    match_id, _ = await placed(stage)
    other = await stage.deciding(match_id)
    refusal = await other.slash(stage.channel, "takeback")
    assert "haven't made a move yet" in words(refusal.response)
    first = stage.bo if other is stage.ada else stage.ada
    await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    refusal = await first.slash(stage.channel, "takeback")
    assert words(refusal.response).startswith("Another player has moved since")
    while True:
        actor = await stage.deciding(match_id)
        await play_on(stage, match_id, Random(2), ways=(silently,), limit=1)
        if (await stage.client.context.queries.record(match_id)).actions[-1].actor == CHANCE:
            break
    refusal = await actor.slash(stage.channel, "takeback")
    assert words(refusal.response).startswith("Dice have been rolled since")
    fresh = await stage.begin()
    actor = await stage.deciding(fresh)
    rolled = await actor.slash(stage.channel, "takeback", match=fresh)
    assert "haven't made a move yet that you could take back" in words(rolled.response)


async def test_after_a_coin_was_turned_the_other_has_to_agree(stage: Stage) -> None:
    match_id = await (await stage.without_forced_moves()).begin()
    random = Random(4)
    for _ in range(200):
        before, secrets = await stage.state(match_id), await _secrets(stage, match_id)
        actor = await stage.deciding(match_id)
        await play_on(stage, match_id, random, ways=(silently,), strategy=wild, limit=1)
        learned = await _secrets(stage, match_id) < secrets
        last = (await stage.client.context.queries.record(match_id)).actions[-1]
        if learned and last.actor != CHANCE and await stage.deciding(match_id) is actor:
            break
    else:
        pytest.fail("no coin was turned")
    other = stage.bo if actor is stage.ada else stage.ada
    request_answer = await actor.slash(stage.channel, "takeback")
    assert "asked the other players" in words(request_answer.response)
    request = stage.last()
    assert "do you agree" in words(request)
    stored_message = stage.env.backend.get_message(stage.channel.id, request.id)
    assert stored_message.ping_user_ids == [other.id]
    answer = await stage.click(actor, request, "agree:")
    assert "already been answered" in words(answer.response)
    assert await stage.state(match_id) != before
    await stage.click(other, request, "agree:")
    assert await stage.state(match_id) == before
    assert ids(stage.last()) == []
    assert "No longer open." in words(stage.last())


async def _secrets(stage: Stage, match_id: MatchId) -> int:
    """Return the number of coins on the board whose value no player has seen."""
    record = await stage.client.context.queries.record(match_id)
    return sum(action.verb == "place" and "?" in str(action) for action in record.actions)


async def test_wish_names_who_asks_and_calls_the_others(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6", setup="secret")
    for actor in (stage.ada, stage.bo):  # the higher dice start
        view = (await stage.perspective(match_id, actor)).view
        action = games.get("warp6").fill(
            view.legal[0], {stage.ada: lambda n: n - 1, stage.bo: lambda _: 0}[actor]
        )
        line = " ".join((action.verb, *action.args))
        await actor.slash(stage.channel, "do", action=line)
    assert await stage.deciding(match_id) is stage.ada
    answer = await stage.bo.slash(stage.channel, "takeback")
    assert "asked the other players" in words(answer.response)
    request = stage.last()
    assert f"**Bo** asks to take back the last move. <@{stage.ada.id}>: do you" in words(request)
    stored_message = stage.env.backend.get_message(stage.channel.id, request.id)
    assert set(stored_message.ping_user_ids) == {stage.ada.id}
