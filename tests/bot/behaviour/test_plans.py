"""Plans by clicks: written, shown in words, carried out, stopped, cleared."""

from __future__ import annotations

import re
from typing import Any

import pytest

from bot.domain.ids import MatchId, UserId, Version
from bot.interactions.plans import READING_PLAN
from bot.services.plans import SeenPlan
from bot.services.preferences import PreferenceKey
from tests.support.harness import Stage, ids, walk, words
from tests.support.locales import Locales
from tests.support.user_limits import is_running

GALLERY = 12
"""Discord's number of a gallery among the components of a message."""


async def placing(stage: Stage) -> tuple[MatchId, Any, Any, str, str]:
    """A match of Warp 6 in its set-up: who decides, who waits, and the letters of their dice."""
    match_id = await stage.begin(game="warp6")
    first = await stage.deciding(match_id)
    other = stage.bo if first is stage.ada else stage.ada
    match = (await stage.perspective(match_id)).match
    return match_id, first, other, *(match.seat_of(actor.id).lower() for actor in (first, other))


def written_in(opened: Any) -> str:
    """The text in the window of a plan when it opens."""
    (text,) = (
        label["component"]["value"] for label in opened.modal["components"] if "label" in label
    )
    return str(text)


async def write(stage: Stage, actor: Any, panel: Any, *orders: str) -> Any:
    """Type a plan into the window behind *Edit*."""
    opened = await stage.click(actor, panel.response, "plan:1:edit")
    assert opened.modal
    return await actor.submit_modal(opened, {"orders": "\n".join(orders)})


@pytest.mark.slow
async def test_plan_is_written_in_private_and_fires(stage: Stage) -> None:
    match_id, first, other, mine, theirs = await placing(stage)
    before = len(stage.public())
    panel = await stage.click(other, stage.last(), f"plan:{match_id}")
    assert panel.ephemeral
    panel = await write(
        stage, other, panel, f"place {theirs}8a", f"if {mine}6a: {theirs}6a or {theirs}4a"
    )
    assert panel.response.ephemeral
    text = words(panel.response)
    assert "1. Place ◆A" in text
    name = stage.name(first)
    assert f"2. If {name}'s ■A comes first: Place ■A or Place ▲A" in text
    assert len(stage.public()) == before
    await stage.client.context.matches.act(5, match_id, first.id, f"place {mine}8a")
    await stage.computers()
    assert len(stage.public()) == before  # the set-up is redrawn in place
    assert "A was placed on 125" in words(stage.last())
    panel = await other.slash(stage.channel, "plan")
    assert "1. If" in words(panel.response)
    assert "Done: Place ◆A, showing" in words(panel.response)
    await stage.client.context.matches.act(6, match_id, first.id, f"place {mine}8b")
    await stage.client.context.matches.act(7, match_id, other.id, f"place {theirs}8b")
    panel = await other.slash(stage.channel, "plan")
    assert "Done" not in words(panel.response)


@pytest.mark.slow
@pytest.mark.parametrize("way", ["plan", "move"])
async def test_window_that_was_open_while_the_match_moved_on_says_so(
    stage: Stage, way: str
) -> None:
    match_id, first, other, mine, theirs = await placing(stage)
    if way == "plan":
        panel = await other.slash(stage.channel, "plan")
        opened = await stage.click(other, panel.response, "plan:1:edit")
        typed = {"orders": f"place {theirs}8a"}
    else:
        opened = await other.slash(stage.channel, "do")
        typed = {"line": "8a"}
    await stage.client.context.matches.act(5, match_id, first.id, f"place {mine}8a")
    before = (await stage.perspective(match_id)).match.version
    late = await other.submit_modal(opened, typed)
    text = words(late.response)
    assert "since you opened this" in text
    assert (await stage.perspective(match_id)).match.version == before
    if way == "plan":
        reopened = await stage.click(other, late.response, "plan:1:edit")
        assert written_in(reopened) == typed["orders"]
        await other.submit_modal(reopened, typed)
        assert (await stage.perspective(match_id)).match.version > before
    else:
        assert "Here's the board." in text


@pytest.mark.slow
async def test_story_of_one_message_tells_both_turns(stage: Stage) -> None:
    match_id, first, other, _, theirs = await placing(stage)
    act = stage.client.context.matches.act
    number = 100
    while not (await stage.perspective(match_id)).view.turn:
        actor = await stage.deciding(match_id)
        legal = (await stage.perspective(match_id, actor)).view.legal
        await act(number := number + 1, match_id, actor.id, legal[0].notation)
    await stage.computers()
    panel = await other.slash(stage.channel, "plan")
    await write(stage, other, panel, f"up {theirs}4a or down {theirs}4a")
    before = stage.last()
    lines = [action.notation for action in (await stage.perspective(match_id, first)).view.legal]
    line = next(line for line in lines if line.startswith(("up", "down")))
    await act(number + 1, match_id, first.id, line)
    await stage.computers()
    board = stage.last()
    assert board.id != before.id
    story = words(board)
    names = [line.partition(":")[0] for line in story.splitlines() if " from " in line]
    assert names == [stage.name(first), stage.name(other)]
    assert f"<@{first.id}>" in story
    assert f"<@{other.id}>" not in story


@pytest.mark.slow
async def test_refused_plan_is_shown_again_with_its_line(stage: Stage) -> None:
    match_id, _, other, mine, theirs = await placing(stage)
    panel = await other.slash(stage.channel, "plan")
    panel = await write(stage, other, panel, "if wibble: 8a")
    example = f"A line with “if” looks like this: “if {mine}8a: place 8a”."
    assert f"Line 1: “wibble” can't happen in Warp 6. {example}" in words(panel.response)
    panel = await write(stage, other, panel, f"place {theirs}8a", "fly `@everyone`")
    assert "looks like this" not in words(panel.response)
    assert "Line 2: " in words(panel.response)
    assert f"place {theirs}8a\nfly" in words(panel.response)
    assert not (await stage.client.context.plans.read(match_id, other.id)).plan.orders


@pytest.mark.slow
async def test_unknown_word_of_a_line_asks_what_is_meant(stage: Stage) -> None:
    match_id, _, other, mine, theirs = await placing(stage)
    panel = await other.slash(stage.channel, "plan")
    lines = f"8a\nif {mine}8a: 6a or place wibble 6b"
    panel = await write(stage, other, panel, lines)
    question = words(panel.response)
    assert "Line 2: I don't know “wibble” here. Did you mean “place 6b”?" in question
    assert lines in question
    questions = [
        custom_id for custom_id in ids(panel.response) if custom_id.startswith("planmeant:")
    ]
    assert questions == [f"planmeant:{match_id}:0:0:2:1:place {theirs}6b"]
    await stage.restart()
    done = await stage.click(other, panel.response, "planmeant:")
    assert "2. If" in words(done.response)
    plan = (await stage.client.context.plans.read(match_id, UserId(other.id))).plan
    assert str(plan) == f"place {theirs}8a\nif {mine}8a: place {theirs}6a or place {theirs}6b"


@pytest.mark.slow
async def test_unknown_words_of_a_condition_ask_what_is_meant(stage: Stage) -> None:
    match_id, _, other, mine, theirs = await placing(stage)
    panel = await other.slash(stage.channel, "plan")
    panel = await write(stage, other, panel, f"8a\nif Ada takes {mine}8a: 6a or 6b")
    question = words(panel.response)
    assert f"Line 2: I don't know “Ada takes” here. Did you mean “if {mine}8a:”?" in question
    assert f"if {mine}8a: 6a or 6b" in question.splitlines()
    meant_ids = [
        custom_id for custom_id in ids(panel.response) if custom_id.startswith("planmeant:")
    ]
    assert meant_ids == [f"planmeant:{match_id}:0:0:2:-:{mine}8a"]
    done = await stage.click(other, panel.response, "planmeant:")
    assert "2. If" in words(done.response)
    plan = (await stage.client.context.plans.read(match_id, UserId(other.id))).plan
    assert str(plan) == f"place {theirs}8a\nif {mine}8a: place {theirs}6a or place {theirs}6b"


@pytest.mark.slow
@pytest.mark.parametrize("condition", ["wibble", "not {mine}8a", "{mine}8a or {mine}8b"])
async def test_condition_without_a_likely_meaning_is_refused(stage: Stage, condition: str) -> None:
    *_, other, mine, _ = await placing(stage)
    panel = await other.slash(stage.channel, "plan")
    panel = await write(stage, other, panel, f"if {condition.format(mine=mine)}: 8a")
    assert "can't happen in Warp 6" in words(panel.response)
    assert not any(custom_id.startswith("planmeant:") for custom_id in ids(panel.response))


@pytest.mark.slow
@pytest.mark.parametrize("orders", ["f3 wobble", "drift f3 f4", "drift"])
async def test_refused_plan_names_places_as_they_are_typed(stage: Stage, orders: str) -> None:
    match_id = await stage.begin(game="tomtube")
    actor = await stage.deciding(match_id)
    panel = await write(stage, actor, await actor.slash(stage.channel, "plan"), orders)
    assert f"“{orders}”" in words(panel.response) or "“wobble”" in words(panel.response)
    assert not re.search(r"-?\d,-?\d", words(panel.response))


@pytest.mark.slow
async def test_an_order_can_be_what_a_button_says(stage: Stage) -> None:
    match_id, actor, *_ = await placing(stage)
    label = next(
        part["label"]
        for part in walk(stage.last().components)
        if part.get("custom_id", "").startswith(f"act:{match_id}:")
    )
    panel = await write(stage, actor, await actor.slash(stage.channel, "plan"), label)
    assert "Done: Place" in words(panel.response)
    assert (await stage.client.context.queries.record(match_id)).actions[-1].verb == "place"


@pytest.mark.slow
@pytest.mark.usefixtures("old_cards")
async def test_refused_plan_is_edited_again(stage: Stage) -> None:
    _, _, other, _, theirs = await placing(stage)
    orders = f"place {theirs}8a\n\nfly `8b`  now\n" + "x" * 2970
    panel = await other.slash(stage.channel, "plan")
    panel = await write(stage, other, panel, orders)
    await stage.restart()
    opened = await stage.click(other, panel.response, "plan:1:edit")
    assert written_in(opened) == orders.replace("`", "'")
    panel = await other.submit_modal(opened, {"orders": "fly"})
    opened = await stage.click(other, panel.response, "plan:1:edit")
    assert written_in(opened) == "fly"
    await write(stage, other, await other.slash(stage.channel, "plan"), f"{theirs}8a")
    panel = await other.submit_modal(opened, {"orders": f"{theirs}8b"})
    assert "Your plan has changed since you opened it." in words(panel.response)
    opened = await stage.click(other, panel.response, "plan:1:edit")
    assert written_in(opened) == f"{theirs}8b"
    panel = await other.click(panel.response, custom_id="plan:1")
    assert "1. Place ◆A" in words(panel.response)
    opened = await stage.click(other, panel.response, "plan:1:edit")
    assert written_in(opened) == "place 8a"


@pytest.mark.slow
async def test_stopped_plan_says_why_and_goes_on_by_a_click(stage: Stage) -> None:
    match_id, first, other, mine, theirs = await placing(stage)
    panel = await other.slash(stage.channel, "plan")
    await write(stage, other, panel, f"if {mine}8b: {theirs}8a", f"place {theirs}8b")
    await stage.client.context.matches.act(5, match_id, first.id, f"place {mine}8a")
    own_plan = await stage.client.context.plans.read(match_id, other.id)
    assert own_plan.stopped is None  # the second order has no condition
    panel = await other.slash(stage.channel, "plan")
    await write(stage, other, panel, f"move {theirs}8a")
    await stage.client.context.matches.act(6, match_id, first.id, f"place {mine}8b")
    await stage.computers()
    assert not any("stopped" in words(message) for message in stage.public())
    panel = await other.slash(stage.channel, "plan")
    assert "I've stopped playing it: line 1, “Move ◆A”, wasn't possible." in words(panel.response)
    panel = await stage.click(other, panel.response, "plan:1:resume")
    assert "stopped" not in words(panel.response)
    panel = await stage.click(other, panel.response, "plan:1:clear")
    assert "With *Edit*, you write down your next moves" in words(panel.response)


@pytest.mark.slow
async def test_turn_that_a_plan_plays_is_told_above_the_next_choice(stage: Stage) -> None:
    match_id, *_rest = await placing(stage)
    context = stage.client.context
    for number in range(10, 28):
        actor = await stage.deciding(match_id)
        view = (await stage.perspective(match_id, actor)).view
        await context.matches.act(number, match_id, actor.id, view.legal[0].notation)
    actor = await stage.deciding(match_id)
    other = stage.bo if actor is stage.ada else stage.ada
    match = (await stage.perspective(match_id)).match
    mine, theirs = (match.seat_of(player.id).lower() for player in (actor, other))
    await context.plans.write(5, match_id, other.id, f"move {theirs}8a", SeenPlan(Version(0)))
    done = await actor.slash(stage.channel, "do", action=f"move {mine}8a")
    text = words(done.response)
    assert "Done:" not in text
    names = [match.names[seat] for seat in (mine.upper(), theirs.upper())]
    lines = [line for line in text.splitlines() if line.startswith("- ")]
    assert all(name in line for name, line in zip(names, lines, strict=True)), lines


@pytest.mark.slow
async def test_plan_does_not_start_before_a_draw_offer_is_answered(stage: Stage) -> None:
    _match_id, first, other, *_letters = await placing(stage)
    panel = await first.slash(stage.channel, "plan")
    assert "-# With *Edit*, you write down your next moves. It's your turn" in words(panel.response)
    assert (await other.slash(stage.channel, "draw")).acknowledged
    panel = await first.slash(stage.channel, "plan")
    assert "at each of your turns, I make one" in words(panel.response)


@pytest.mark.slow
async def test_dm_about_the_turn_says_that_the_plan_has_stopped(stage: Stage) -> None:
    match_id, first, other, mine, theirs = await placing(stage)
    await stage.client.context.preferences.set(other.id, PreferenceKey.TURNS, "on")
    panel = await other.slash(stage.channel, "plan")
    await write(stage, other, panel, f"move {theirs}8a")
    await stage.client.context.matches.act(5, match_id, first.id, f"place {mine}8a")
    await stage.ping()
    sent = [words(message) for message in other.user.dm_channel.history()]
    assert "I've stopped playing it: the next line wasn't possible." in sent[-1]
    await stage.client.context.matches.act(6, match_id, other.id, f"place {theirs}8a")
    await stage.client.context.matches.act(7, match_id, first.id, f"place {mine}8b")
    await stage.ping()
    sent = [words(message) for message in other.user.dm_channel.history()]
    assert "stopped" not in sent[-1]


@pytest.mark.slow
async def test_forced_moves_are_switched_in_the_panel(stage: Stage) -> None:
    await placing(stage)
    panel = await stage.ada.slash(stage.channel, "plan")
    assert "plan:1:forced-off" in ids(panel.response)
    panel = await stage.click(stage.ada, panel.response, "plan:1:forced-off")
    assert (await stage.client.context.preferences.preferences(stage.ada.id))["forced"] == "off"
    assert "plan:1:forced-on" in ids(panel.response)


@pytest.mark.slow
async def test_plan_of_another_match_or_spectator_is_not_shown(stage: Stage) -> None:
    match_id, _, other, _, theirs = await placing(stage)
    panel = await other.slash(stage.channel, "plan")
    await write(stage, other, panel, f"place {theirs}8a")
    answer = await stage.click(stage.eve, stage.last(), f"plan:{match_id}")
    assert words(answer.response) == "You're not playing in this match."
    refusal = await stage.client.context.plans.write(
        9, match_id, stage.eve.id, "", SeenPlan(Version(1))
    )
    assert refusal.kind == "unknown"
    assert (await stage.client.context.plans.read(match_id, other.id)).plan.orders


@pytest.mark.slow
async def test_plan_is_german_for_german_players(stage: Stage, locales: Locales) -> None:
    _, _, other, _, theirs = await placing(stage)
    locales[other.id] = "de"
    panel = await other.slash(stage.channel, "plan")
    panel = await write(stage, other, panel, f"place {theirs}8a")
    assert "1. ◆A setzen" in words(panel.response)


@pytest.mark.slow
async def test_plan_on_the_own_turn_says_what_it_has_done(stage: Stage) -> None:
    _, first, other, mine, theirs = await placing(stage)
    sentence = "It's your turn now: when you send the form, I play its first line at once."
    panel = await first.slash(stage.channel, "plan")
    assert "-# With *Edit*, you write down your next moves. It's your turn" in words(panel.response)
    assert "finished" not in words(panel.response)
    opened = await stage.click(first, panel.response, "plan:1:edit")
    assert sentence in str(opened.modal)
    panel = await first.submit_modal(opened, {"orders": f"place {mine}8a"})
    assert "Done: Place ◆A, showing" in words(panel.response)
    finished = "-# Your plan is finished: I've made all its moves. With *Edit*, you write down your"
    assert finished in words(panel.response)
    panel = await other.slash(stage.channel, "plan")
    panel = await write(stage, other, panel, f"{theirs}8a", f"if {mine}8b: {theirs}6a", "4a")
    assert re.search(
        r"^Done: Place ◆A, showing \d\.\n-# When it's your move, .*\n1\. If",
        words(panel.response),
        re.MULTILINE,
    )
    panel = await other.slash(stage.channel, "plan")
    opened = await stage.click(other, panel.response, "plan:1:edit")
    assert sentence not in str(opened.modal)


@pytest.mark.slow
async def test_plan_of_two_moves_names_both(stage: Stage) -> None:
    match_id = await stage.begin(game="wormholes")
    ships, number = set[str](), 100
    while len(ships) < 2:
        actor = await stage.deciding(match_id)
        legal = (await stage.perspective(match_id, actor)).view.legal
        ships = {action.args[0] for action in legal if action.verb == "move"}
        if len(ships) < 2:
            await stage.client.context.matches.act(
                number := number + 1, match_id, actor.id, legal[0].notation
            )
    first, second = (next(e for e in legal if e.args[:1] == (ship,)) for ship in sorted(ships))
    panel = await actor.slash(stage.channel, "plan")
    panel = await write(stage, actor, panel, first.notation, second.notation)
    assert re.search(r"^Done: \w+ → \w+; \w+ → \w+\.$", words(panel.response), re.MULTILINE)


@pytest.mark.slow
async def test_plan_leads_back_to_the_private_board(stage: Stage) -> None:
    _, first, other, mine, _ = await placing(stage)
    for actor in (first, other):
        board = await actor.slash(stage.channel, "board")
        panel = await actor.click(board.response, custom_id="plan:1")
        assert not panel.response.attachments
        panel = await stage.click(actor, panel.response, "plan:1:board")
        assert panel.response.id == board.response.id
        assert words(panel.response) == words(board.response)
        assert panel.response.attachments
    panel = await first.slash(stage.channel, "plan")
    panel = await write(stage, first, panel, f"place {mine}8a")
    panel = await stage.click(first, panel.response, "plan:1:board")
    assert "Place ◆B" not in words(panel.response)


EXAMPLES = {
    "wormholes": r"`if e9: place (\w)4 e10`: If e9 comes first: (Suns|Crowns) 4 on e10",
    "warp6": r"`if \w8a: place 8a`: If \w+'s ◆A comes first: Place ◆A",
    "tomtube": "`if build: drift module1 or build`: If Build comes first: Drift to",
}
"""An example of each game with its meaning."""


@pytest.mark.slow
@pytest.mark.parametrize("game", EXAMPLES)
async def test_window_explains_a_plan_by_examples(stage: Stage, game: str) -> None:
    await stage.begin(game=game)
    panel = await stage.ada.slash(stage.channel, "plan")
    opened = await stage.click(stage.ada, panel.response, "plan:1:edit")
    about = next(part["content"] for part in opened.modal["components"] if "content" in part)
    assert re.search(EXAMPLES[game], about)


async def test_each_player_has_one_plan_read_at_a_time(stage: Stage) -> None:
    match_id, _, other, _, theirs = await placing(stage)
    panel = await stage.click(other, stage.last(), f"plan:{match_id}")
    limit = stage.client.context.limits.of(READING_PLAN)
    with limit.running(other.id):
        refusal = await write(stage, other, panel, f"place {theirs}8a")
    assert "still reading a plan of yours" in words(refusal.response)
    plans = stage.client.context.plans
    assert not (await plans.read(match_id, other.id)).plan.orders
    await write(stage, other, panel, f"place {theirs}8a")
    assert (await plans.read(match_id, other.id)).plan.orders
    assert not is_running(limit, other.id)


@pytest.mark.slow
async def test_plan_is_drawn_on_the_board(stage: Stage) -> None:
    _, first, other, _, theirs = await placing(stage)
    panel = await stage.click(other, stage.last(), "plan:")
    assert not panel.response.attachments, "there is nothing to draw"
    panel = await write(stage, other, panel, f"place {theirs}8a", f"place {theirs}6a")
    (picture,) = panel.response.attachments
    assert (await picture.read()).startswith(b"\x89PNG")
    (item,) = [part for part in walk(panel.response.components) if part.get("type") == GALLERY]
    alt = item["items"][0]["description"]
    assert alt.startswith("1. Place ◆A\n2. Place ■A")
    assert first is not other


@pytest.mark.slow
@pytest.mark.usefixtures("old_cards")
async def test_plan_of_a_match_that_is_over_is_not_edited(stage: Stage) -> None:
    match_id, first, *_ = await placing(stage)
    panel = await first.slash(stage.channel, "plan")
    await stage.client.context.matches.act(5, match_id, first.id, "resign")
    late = await stage.click(first, panel.response, "plan:1:edit")
    assert not late.modal
    assert "This match is over." in words(late.response)
