"""From the board to a choice: few clicks, the board beside every list, and a way back."""

from __future__ import annotations

from typing import Any

import pytest

from bot.views.controls import stable_id
from bot.views.custom_id_codec import parse
from tests.support.driver import SELECT, lists, placing
from tests.support.harness import Stage, ids, walk, words


def pictures(message: Any) -> int:
    """How many pictures a message shows."""
    return sum(len(each.get("items", ())) for each in walk(message.components))


async def test_a_click_in_public_leads_at_once_to_the_private_choice(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    button = next(each for each in ids(stage.last()) if each.endswith("first place"))
    result = await stage.click(actor, stage.last(), button)
    assert result.ephemeral
    assert "only you can see this" in words(result.response)
    assert lists(result.response)


@pytest.mark.parametrize("line", ["place {0}", "PLACE {0}", "{0}", "{1}"])
async def test_a_beginning_leads_to_the_rest_beside_the_board(stage: Stage, line: str) -> None:
    match_id, actor = await placing(stage)
    coin = (await stage.perspective(match_id, actor)).view.legal[0].args[0]
    typed = line.format(coin, coin.lower())
    shown = (await actor.slash(stage.channel, "do", action=typed)).response
    entries = [value for values in lists(shown).values() for value in values]
    assert entries
    assert all(value.startswith(f"place {coin} ") for value in entries)
    assert "Chosen: " in words(shown)
    assert "Rows 1 to " in words(shown)
    assert pictures(shown) == 1
    back = await stage.click(actor, shown, f"part:{match_id}:")
    values = [value for values in lists(back.response).values() for value in values]
    assert f"place {coin}" in values


async def test_lists_keep_their_ids_wherever_they_stand(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    board = (await actor.slash(stage.channel, "board", match=match_id)).response
    found = {e["custom_id"]: e["id"] for e in walk(board.components) if e["type"] == SELECT}
    assert found
    assert found == {name: stable_id(parse(name)) for name in found}


async def test_do_proposes_what_can_be_done(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    legal = (await stage.perspective(match_id, actor)).view.legal
    line = " ".join((legal[3].verb, *legal[3].args))
    for typed in (line, line.removeprefix("place ").lower()):
        offered = await actor.autocomplete(stage.channel, "do", "action", typed)
        assert [choice["value"] for choice in offered] == [line]
    other = stage.bo if actor is stage.ada else stage.ada
    assert not await other.autocomplete(stage.channel, "do", "action", "")


async def test_the_game_stands_beside_the_opponent(stage: Stage) -> None:
    described = next(each for each in stage.client.tree.get_commands() if each.name == "play")
    names = [option.name for option in described.parameters]  # type: ignore[union-attr]
    assert names[:2] == ["opponent", "game"]


async def test_a_finished_match_offers_the_next_one_first(stage: Stage) -> None:
    match_id = await stage.begin()
    asked = (await stage.bo.slash(stage.channel, "resign")).response
    await stage.click(stage.bo, asked, f"resign:{match_id}")
    assert next(each for each in ids(stage.last()) if ":" in each).startswith("rematch:")


async def test_do_without_a_choice_opens_a_window_to_type_it(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    coin, space = (await stage.perspective(match_id, actor)).view.legal[0].args
    asked = await actor.slash(stage.channel, "do")
    assert asked.modal
    done = await actor.submit_modal(asked, {"line": f"  PLACE {coin}   {space}"})
    assert done.ephemeral
    assert "Done: " in words(done.response)
    assert f"placed on {space}" in words(stage.last())


async def test_a_beginning_typed_into_the_window_leads_to_the_rest(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    coin = (await stage.perspective(match_id, actor)).view.legal[0].args[0]
    asked = await actor.slash(stage.channel, "do")
    shown = await actor.submit_modal(asked, {"line": coin})
    assert "Chosen: " in words(shown.response)
    assert await stage.deciding(match_id) is actor


async def test_a_window_that_was_left_open_too_long_changes_nothing(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    legal = (await stage.perspective(match_id, actor)).view.legal
    asked = await actor.slash(stage.channel, "do")
    await actor.slash(stage.channel, "do", action=" ".join((legal[0].verb, *legal[0].args)))
    before = await stage.state(match_id)
    late = await actor.submit_modal(asked, {"line": " ".join((legal[1].verb, *legal[1].args))})
    assert late.ephemeral
    assert await stage.state(match_id) == before


async def test_nonsense_typed_into_the_window_is_refused_in_a_sentence(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    asked = await actor.slash(stage.channel, "do")
    shown = await actor.submit_modal(asked, {"line": "*fly* @everyone"})
    assert shown.ephemeral
    assert "I don't understand" in words(shown.response)
    assert await stage.deciding(match_id) is actor
