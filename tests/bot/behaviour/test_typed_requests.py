"""What players type besides moves: back, hint, draw; and questions about what they meant."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import MatchId
from render import for_game
from render.renderer import DEFAULT_STYLE
from render.wormholes.buttons import ARROWS
from render.wormholes.layout import layout
from tests.support.driver import placing
from tests.support.harness import Stage, ids, words
from tests.support.rated import place_dice


async def racing(stage: Stage) -> tuple[MatchId, Any]:
    """A race of Warp 6, and the player on turn."""
    match_id = await stage.begin(game="warp6")
    await place_dice(stage, match_id)
    return match_id, await stage.deciding(match_id)


async def type_(stage: Stage, actor: Any, line: str) -> Any:
    """Type a line into `/do`, and return the reply."""
    answer = await actor.slash(stage.channel, "do", action=line)
    assert answer.ephemeral
    return answer.response


async def test_ambiguous_text_asks_with_buttons(stage: Stage) -> None:
    match_id, actor = await racing(stage)
    view = (await stage.perspective(match_id, actor)).view
    die = view.legal[0].args[0]
    meant = [action.notation for action in view.legal if action.args == (die,)]
    question = await type_(stage, actor, f"my {die[1:]} please")
    assert words(question).startswith("That could mean “move ")
    decision = (await stage.client.context.queries.match(match_id)).decisions[view.seat]
    assert ids(question) == [f"act:{match_id}:{decision}:{line}" for line in meant]
    assert await stage.deciding(match_id) is actor
    await actor.click(question, custom_id=ids(question)[-1])
    assert await stage.deciding(match_id) is not actor


@pytest.mark.slow
async def test_compass_of_a_turned_picture_is_asked_about(stage: Stage) -> None:
    match_id = await stage.begin(placing="random")
    context = stage.client.context
    for _ in range(200):
        actor = await stage.deciding(match_id)
        view = (await stage.perspective(match_id, actor)).view
        moves = [action for action in view.legal if action.verb == "move"]
        if moves:
            break
        await type_(stage, actor, view.legal[0].notation)
    ship, way = moves[0].args
    before = (await context.queries.record(match_id)).actions
    question = await type_(stage, actor, f"move {ship} {way.lower()}")
    arrow = ARROWS[layout(DEFAULT_STYLE, view.seat).way(way)]
    text = words(question).replace("\ufe0e", "")
    assert text.startswith(f"In records, {way} means {arrow} on your picture. Did you mean {arrow}")
    assert f"{arrow}" in text.split("\n", 1)[1], "on a button"
    direct = await actor.slash(stage.channel, "wormholes move", ship=ship, direction=way)
    assert "Did you mean" in words(direct.response)
    twice = words(await type_(stage, actor, f"move {ship} {way}; move {ship} {way.lower()}"))
    assert "Did you mean" in twice
    plan = await actor.slash(stage.channel, "plan")
    opened = await stage.click(actor, plan.response, f"plan:{match_id}:edit")
    refused = await actor.submit_modal(opened, {"orders": f"\n{ship} {way.lower()}"})
    assert f"Line 2: In records, {way} means" in words(refused.response)
    assert (await context.queries.record(match_id)).actions == before
    question = await type_(stage, actor, f"move {ship} {way.lower()}")
    (custom_id,) = [custom_id for custom_id in ids(question) if custom_id.endswith(f" {way}")]
    await actor.click(question, custom_id=custom_id)
    lines = (await context.queries.record(match_id)).actions
    assert str(moves[0]) in map(str, lines[len(before) :])


@pytest.mark.slow
async def test_back_takes_the_last_choice_back(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    before = await stage.state(match_id)
    view = (await stage.perspective(match_id, actor)).view
    await type_(stage, actor, view.legal[0].notation)
    other = stage.bo if actor is stage.ada else stage.ada
    assert await stage.deciding(match_id) is other
    assert "Taken back" not in words(await type_(stage, other, "back"))
    answer = words(await type_(stage, actor, "Undo, please!"))
    assert answer == "Taken back. A line on the board tells all players.", "from memory"
    assert await stage.state(match_id) == before


@pytest.mark.slow
async def test_takeback_names_the_choice(stage: Stage) -> None:
    match_id, actor = await racing(stage)
    view = (await stage.perspective(match_id, actor)).view
    change = next(action for action in view.legal if action.verb == "up")
    await type_(stage, actor, change.notation)
    answer = words(await type_(stage, actor, "back"))
    choice = for_game(view.game).done(view, change)
    assert answer == f"Taken back: {choice}. A line on the board tells all players."


@pytest.mark.slow
async def test_draw_is_offered_or_answered_by_buttons(stage: Stage) -> None:
    match_id, actor = await racing(stage)
    other = stage.bo if actor is stage.ada else stage.ada
    assert "offered a draw" in words(await type_(stage, actor, "draw?"))
    answer = await type_(stage, other, "Remis")
    assert ids(answer) == [f"act:{match_id}:-:draw accept", f"act:{match_id}:-:draw decline"]
    assert "declined" in words(await type_(stage, other, "no"))


async def test_answer_without_an_offer_makes_no_move(stage: Stage) -> None:
    match_id, actor = await racing(stage)
    before = await stage.state(match_id)
    text = words(await type_(stage, actor, "accept the draw"))
    assert "There is no draw offer for you to answer. Try “" in text
    assert "“no” isn't possible right now. Try “" in words(await type_(stage, actor, "no"))
    assert await stage.state(match_id) == before


async def test_resigning_is_asked_about(stage: Stage) -> None:
    match_id, actor = await racing(stage)
    answer = await type_(stage, actor, "I give up")
    assert "can't be undone" in words(answer)
    assert ids(answer)[0].startswith(f"resign:{match_id}:")


async def test_known_words_that_fit_nothing_are_not_possible(stage: Stage) -> None:
    _match_id, actor = await racing(stage)
    text = words(await type_(stage, actor, "8a off the board"))
    assert "“8a off the board” isn't possible right now. Try “" in text
    question = words(await type_(stage, actor, "Teleport 8a"))
    assert question.startswith("I don't know “Teleport” here. Did you mean “move 8a”, “up 8a” or")
    assert "I can't read “Teleport”" in words(await type_(stage, actor, "Teleport"))


async def test_hint_between_people_is_refused(stage: Stage) -> None:
    _match_id, actor = await racing(stage)
    assert "There are no hints in a match between people" in words(
        await type_(stage, actor, "hint?")
    )
