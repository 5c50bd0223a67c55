"""From the board to a choice: few clicks, the board beside every list, and a way back."""

from __future__ import annotations

import io
from fnmatch import fnmatch
from itertools import product
from random import Random
from typing import Any

import aiohttp
import discord
import pytest
from PIL import Image

from bot.domain.ids import GuildId, MatchId, Version
from bot.views.choices import Menu
from bot.views.controls import menu_of, stable_id
from bot.views.custom_ids import PickId
from engine.game import Action
from render.renderer import Style
from render.wormholes.areas import STEPS_HOME
from render.wormholes.buttons import ARROWS
from render.wormholes.layout import layout
from render.wormholes.words import end_of
from tests.support.driver import by_click, placing, play_on, silently
from tests.support.harness import Stage, ids, walk, words
from tests.support.interactions import fire, payload
from tests.support.wormholes.positions import GAME


def paths(message: Any) -> list[str]:
    """The paths of the buttons that lead to fewer choices."""
    return [
        custom_id.split(":", 3)[3] for custom_id in ids(message) if custom_id.startswith("part:")
    ]


def leading(message: Any, path: str) -> str:
    """The custom_id of the button to a path, which may end with `*`."""
    return next(
        i for i in ids(message) if i.startswith("part:") and fnmatch(i.split(":", 3)[3], path)
    )


def pictures(message: Any) -> int:
    """How many pictures a message shows."""
    return sum(len(part.get("items", ())) for part in walk(message.components))


@pytest.mark.slow
async def test_a_click_in_public_leads_at_once_to_the_private_choice(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    button = next(custom_id for custom_id in ids(stage.last()) if custom_id.endswith("first place"))
    result = await stage.click(actor, stage.last(), button)
    assert result.ephemeral
    assert "Continue here." in words(result.response)
    assert paths(result.response)


@pytest.mark.slow
@pytest.mark.parametrize("line", ["place {0}", "PLACE {0}", "{0}", "{1}"])
async def test_a_beginning_leads_to_the_rest_beside_the_board(stage: Stage, line: str) -> None:
    match_id, actor = await placing(stage)
    coin = (await stage.perspective(match_id, actor)).view.legal[0].args[0]
    typed = line.format(coin, coin.lower())
    panel = (await actor.slash(stage.channel, "do", action=typed)).response
    lines = [custom_id.split(":", 3)[3] for custom_id in ids(panel) if custom_id.startswith("act:")]
    assert lines
    assert all(line.startswith(f"place {coin} ") for line in lines)
    assert "Chosen: " in words(panel)
    assert "10–11" in words(panel)
    assert pictures(panel) == 1
    back = await actor.click(panel, custom_id=leading(panel, "place/*"))
    assert any(path.startswith(f"place {coin}/") for path in paths(back.response))


@pytest.mark.slow
async def test_a_coin_is_placed_with_three_presses(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    area = (await actor.click(stage.last(), custom_id=leading(stage.last(), "place/8-9"))).response
    assert pictures(area) == 1
    spaces = (await actor.click(area, custom_id=leading(area, "place *"))).response
    labels = [
        part["label"] for part in walk(spaces.components) if "act:" in part.get("custom_id", "")
    ]
    assert len(labels) == 12
    seat = (await stage.perspective(match_id, actor)).seat
    assert labels == sorted(labels, key=lambda name: STEPS_HOME[seat][name])
    await stage.click(actor, spaces, "act:")
    assert f"Ada placed a coin of the Crowns on {labels[0]}" in words(stage.last())


@pytest.mark.slow
async def test_private_board_is_deleted_after_the_last_choice(stage: Stage) -> None:
    """So the board in the channel stays the last message."""
    _, actor = await placing(stage)
    area = (await actor.click(stage.last(), custom_id=leading(stage.last(), "place/8-9"))).response
    spaces = (await actor.click(area, custom_id=leading(area, "place *"))).response
    assert spaces.id in stage.env.backend.messages[stage.channel.id]
    await stage.click(actor, spaces, "act:")
    assert spaces.id not in stage.env.backend.messages[stage.channel.id]


@pytest.mark.slow
async def test_private_board_that_cannot_be_deleted_stays(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, actor = await placing(stage)
    area = (await actor.click(stage.last(), custom_id=leading(stage.last(), "place/8-9"))).response
    spaces = (await actor.click(area, custom_id=leading(area, "place *"))).response

    async def fail(_: discord.Interaction[Any]) -> None:
        raise aiohttp.ServerDisconnectedError

    monkeypatch.setattr(discord.Interaction, "delete_original_response", fail)
    before = await stage.client.context.queries.match(match_id)
    await stage.click(actor, spaces, "act:")
    after = await stage.client.context.queries.match(match_id)
    assert after.version > before.version
    late = await stage.click(actor, spaces, "act:")
    assert await stage.client.context.queries.match(match_id) == after
    assert "That move has already been made." in words(late.response)


@pytest.mark.slow
async def test_another_area_is_one_press_away(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    board = (await actor.slash(stage.channel, "board", match=match_id)).response
    other = (await actor.click(board, custom_id=leading(board, "place/8-9"))).response
    assert "place/8-9" not in paths(other)
    assert {path.rpartition("/")[2] for path in paths(other) if path.startswith("place ")} == {
        "8-9"
    }


@pytest.mark.slow
@pytest.mark.parametrize("path", ["place/7-7", "place S9/8-9", "jump", "place/8-9/8-9", "/"])
async def test_a_path_that_leads_nowhere_is_refused(stage: Stage, path: str) -> None:
    match_id, actor = await placing(stage)
    before = await stage.state(match_id)
    forged = payload(
        stage,
        actor,
        stage.last(),
        "",
        leading(stage.last(), "place/8-9").replace("place/8-9", path),
    )
    assert (await fire(stage, forged)).ephemeral
    assert await stage.state(match_id) == before


def test_list_has_an_id_of_its_own() -> None:
    name = PickId(MatchId(1), Version(2), 0)
    (select,) = menu_of(name, Menu("Which?", (("drift 1,2", "1"),))).children
    assert select.id == stable_id(name) != stable_id(PickId(MatchId(1), Version(2), 1))


@pytest.mark.slow
async def test_do_proposes_what_can_be_done(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    legal = (await stage.perspective(match_id, actor)).view.legal
    line = " ".join((legal[3].verb, *legal[3].args))
    for typed in (line, line.removeprefix("place ").lower()):
        choices = await actor.autocomplete(stage.channel, "do", "action", typed)
        assert [choice["value"] for choice in choices] == [line]
    other = stage.bo if actor is stage.ada else stage.ada
    assert not await other.autocomplete(stage.channel, "do", "action", "")


@pytest.mark.slow
async def test_do_proposes_moves_of_the_match_that_can_be_meant(stage: Stage) -> None:
    first, actor = await placing(stage)
    second = await stage.begin(game="warp6")
    if (theirs := await stage.deciding(second)) is not actor:
        line = (await stage.perspective(second, theirs)).view.legal[0].notation
        await stage.client.context.matches.act(99, second, theirs.id, line)
    for match_id in (first, second):
        line = (await stage.perspective(match_id, actor)).view.legal[0].notation
        choices = await actor.autocomplete(stage.channel, "do", "action", line)
        assert line in [choice["value"] for choice in choices]


@pytest.mark.slow
async def test_the_game_stands_beside_the_opponent(stage: Stage) -> None:
    described = next(
        command for command in stage.client.tree.get_commands() if command.name == "play"
    )
    names = [option.name for option in described.parameters]  # type: ignore[union-attr]
    assert names[:2] == ["opponent", "game"]


@pytest.mark.slow
async def test_a_finished_match_offers_the_next_one_first(stage: Stage) -> None:
    match_id = await stage.begin()
    confirmation = (await stage.bo.slash(stage.channel, "resign")).response
    await stage.click(stage.bo, confirmation, f"resign:{match_id}")
    assert next(custom_id for custom_id in ids(stage.last()) if ":" in custom_id).startswith(
        "rematch:"
    )
    assert not [custom_id for custom_id in ids(stage.last()) if custom_id.startswith("hand:")]


@pytest.mark.slow
async def test_do_without_a_choice_opens_a_window_to_type_it(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    coin, space = (await stage.perspective(match_id, actor)).view.legal[0].args
    window = await actor.slash(stage.channel, "do")
    assert window.modal
    done = await actor.submit_modal(window, {"line": f"  PLACE {coin}   {space}"})
    assert done.ephemeral
    assert "Done: " in words(done.response)
    assert f"Ada placed a coin of the Crowns on {space}" in words(stage.last())


@pytest.mark.slow
async def test_do_says_where_a_coin_threw_the_ship(stage: Stage) -> None:
    match_id, random = await stage.begin(), Random(3)
    while not (thrown := throws(await stage.state(match_id))):
        await play_on(stage, match_id, random, ways=(silently,), limit=1)
    action, end, last = thrown
    actor = await stage.deciding(match_id)
    done = await actor.slash(stage.channel, "do", action=action.notation)
    assert f" → {end} → {last}." in words(done.response)


def throws(state: Any) -> tuple[Action, str, str] | None:
    """A legal move of one ship with one jump, the spaces where both end; None if there is none."""
    for action in GAME.legal(state):
        if action.verb == "move":
            _, events = GAME.apply(state, action)
            ends = [event.facts[-1] for event in events if event.kind in ("moved", "jumped")]
            if len(ends) == 2:
                return action, ends[0], ends[1]
    return None


@pytest.mark.slow
async def test_a_beginning_typed_into_the_window_leads_to_the_rest(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    coin = (await stage.perspective(match_id, actor)).view.legal[0].args[0]
    window = await actor.slash(stage.channel, "do")
    answer = await actor.submit_modal(window, {"line": coin})
    assert "Chosen: " in words(answer.response)
    assert await stage.deciding(match_id) is actor


@pytest.mark.slow
async def test_a_window_that_was_left_open_too_long_changes_nothing(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    legal = (await stage.perspective(match_id, actor)).view.legal
    window = await actor.slash(stage.channel, "do")
    await actor.slash(stage.channel, "do", action=" ".join((legal[0].verb, *legal[0].args)))
    before = await stage.state(match_id)
    late = await actor.submit_modal(window, {"line": " ".join((legal[1].verb, *legal[1].args))})
    assert late.ephemeral
    assert await stage.state(match_id) == before


@pytest.mark.slow
async def test_nonsense_typed_into_the_window_is_refused_in_a_sentence(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    window = await actor.slash(stage.channel, "do")
    answer = await actor.submit_modal(window, {"line": "*fly* @everyone"})
    assert answer.ephemeral
    assert "I can't read" in words(answer.response)
    assert await stage.deciding(match_id) is actor


@pytest.mark.slow
@pytest.mark.parametrize("by_window", [False, True])
async def test_arrow_of_the_own_board_is_read(stage: Stage, *, by_window: bool) -> None:
    match_id, actor, _ = await both_ships(stage)
    await stage.client.context.preferences.set(actor.id, "turned", "on")
    view = (await stage.perspective(match_id, actor)).view
    ship, way = next(action.args for action in view.legal if action.verb == "move")
    style = await stage.client.context.preferences.style(actor.id, None)
    line = f"move {ship} {ARROWS[layout(style, view.seat).way(way)]}"
    if by_window:
        window = await actor.slash(stage.channel, "do")
        await actor.submit_modal(window, {"line": line})
    else:
        await actor.slash(stage.channel, "do", action=line)
    lines = (await stage.client.context.queries.record(match_id)).actions
    assert f"{view.seat} move {ship} {way}" in map(str, lines)


@pytest.mark.slow
async def test_directions_are_proposed_by_arrows_of_ones_own_board(stage: Stage) -> None:
    match_id, actor, _ = await both_ships(stage)
    for orientation in ("landscape", "portrait"):
        await stage.prefer(actor, orientation=orientation, turned="on")
        style = await stage.client.context.preferences.style(actor.id, None)
        view = (await stage.perspective(match_id, actor)).view
        ship = view.legal[0].args[0]
        choices = await actor.autocomplete(
            stage.channel, "wormholes move", "direction", "", ship=ship
        )
        assert choices
        ways = {action.args[1] for action in view.legal if action.args[0] == ship}
        arrows = {ARROWS[layout(style, view.seat).way(way)] for way in ways}
        assert {choice["value"] for choice in choices} == arrows
        for choice in choices:
            assert choice["name"].startswith(f"{choice['value']}: ")


@pytest.mark.slow
async def test_boards_of_a_server_in_portrait_have_its_arrows(stage: Stage) -> None:
    context = stage.client.context
    await context.servers.choose(GuildId(stage.guild.id), orientation="portrait")
    match_id, actor, _ = await both_ships(stage)
    view: Any = (await stage.perspective(match_id, actor)).view
    where = layout(Style(orientation="portrait"), view.seat)
    private = (await actor.slash(stage.channel, "board", match=match_id)).response
    for message in (stage.board(match_id), private):
        with Image.open(io.BytesIO(await message.attachments[0].read())) as picture:
            assert picture.size == where.size
        labels = words(message).replace("\ufe0e", "").split("\n")
        for action in view.legal:
            if action.verb == "move":
                arrow = ARROWS[where.way(action.args[1])]
                assert f"{arrow} {end_of(view, action)}" in labels
    await stage.prefer(actor, orientation="landscape")
    private = (await actor.slash(stage.channel, "board", match=match_id)).response
    with Image.open(io.BytesIO(await private.attachments[0].read())) as picture:
        assert picture.width > picture.height


async def both_ships(stage: Stage) -> tuple[MatchId, Any, Any]:
    """A match in which a player can move both ships, the player, and the window for it."""
    match_id = await stage.begin(placing="random")
    for _ in range(20):
        if turn := [custom_id for custom_id in ids(stage.last()) if custom_id.startswith("turn:")]:
            actor = await stage.deciding(match_id)
            return match_id, actor, await actor.click(stage.last(), custom_id=turn[0])
        await play_on(stage, match_id, Random(3), ways=(by_click,), limit=1)
    raise AssertionError("no turn with two ships")


def first_values(window: Any) -> dict[str, str]:
    """The first choice of each ship in a window."""
    menus = [label["component"] for label in window.modal["components"]]
    assert [2 <= len(menu["options"]) <= 10 for menu in menus] == [True, True]
    return {menu["custom_id"]: menu["options"][0]["value"] for menu in menus}


def values_one_after_another(window: Any, seat: str, state: Any) -> dict[str, str]:
    """Choose a value for each ship; the second is still possible after the first."""
    names = [label["component"]["custom_id"] for label in window.modal["components"]]
    options = [
        [option["value"] for option in label["component"]["options"]]
        for label in window.modal["components"]
    ]
    for first, second in product(*options):
        after, _ = GAME.apply(state, Action.parse(f"{seat} {first}"))
        if Action.parse(f"{seat} {second}") in GAME.legal(after):
            return dict(zip(names, (first, second), strict=True))
    raise AssertionError("no two choices go together")


@pytest.mark.slow
async def test_both_ships_are_moved_in_one_window(stage: Stage) -> None:
    match_id, actor, window = await both_ships(stage)
    before, state = await stage.perspective(match_id, actor), await stage.replayed(match_id)
    values = values_one_after_another(window, before.seat, state)
    count = len((await stage.client.context.queries.record(match_id)).actions)
    done = await actor.submit_modal(window, values)
    assert done.acknowledged
    lines = [
        str(action) for action in (await stage.client.context.queries.record(match_id)).actions
    ]
    assert lines[count : count + 2] == [f"{before.seat} {value}" for value in values.values()]


@pytest.mark.slow
async def test_a_window_for_a_turn_that_is_over_changes_nothing(stage: Stage) -> None:
    match_id, actor, window = await both_ships(stage)
    await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    before = await stage.state(match_id)
    late = await actor.submit_modal(window, first_values(window))
    assert "already been made" in words(late.response)
    assert await stage.state(match_id) == before


@pytest.mark.slow
async def test_a_choice_of_the_opponent_says_whose_turn_it_is(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    match, other = await stage.client.context.queries.match(match_id), stage.bo
    if actor is other:
        other = stage.ada
    seat = next(iter(match.decisions))
    assert "Which area? (numbers at the edge)" in words(stage.last())
    late = await other.click(stage.last(), custom_id=leading(stage.last(), "place/8-9"))
    sentence = f"It's {match.names[seat]}'s turn; you can already plan ahead with *Plan*."
    assert sentence in words(late.response)
    assert [custom_id for custom_id in ids(late.response) if custom_id.startswith("plan:")]


@pytest.mark.slow
async def test_area_of_a_setup_fits_on_a_phone(stage: Stage) -> None:
    """There are at most seven rows of at most three buttons, *Back* among them."""
    match_id = await stage.begin()
    while True:
        actor = await stage.deciding(match_id)
        view = (await stage.perspective(match_id, actor)).view
        if len(view.legal) > 2:
            break
        await actor.slash(stage.channel, "do", action=view.legal[0].notation)
    areas = [custom_id for custom_id in ids(stage.last()) if custom_id.startswith("part:")]
    assert len(areas) == 6
    areas = areas[:2]
    cards = [(await stage.click(actor, stage.last(), area)).response for area in areas]
    for area, card in zip(areas, cards, strict=True):
        assert "Another area (numbers at the edge):" in words(card)
        rows = [
            part
            for part in walk(card.components)
            if part["type"] == discord.ComponentType.action_row.value
        ]
        labels = [[button["label"] for button in row["components"]] for row in rows]
        assert len(rows) <= 7
        assert all(len(row) <= 3 for row in labels)
        others = [custom_id for custom_id in ids(card) if custom_id in areas]
        assert others == [other for other in areas if other != area]
    assert any("Back" in words(card).split("\n") for card in cards)
