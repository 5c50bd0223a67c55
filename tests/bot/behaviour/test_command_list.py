"""The entries behind "/" are few; the rest is reached by clicks."""

from __future__ import annotations

import pytest
from discord.app_commands import Group

from tests.support.harness import Actor, Stage, ids, words
from tests.support.match_card import card_of, on_card

MOST = 34
"""Entries behind "/"; each command of a group is one."""

MOST_OF_A_GAME = 4
"""Typed verbs of each game."""


async def test_few_commands_are_offered(simcord_bot: Actor) -> None:
    entries = [entry for entry in simcord_bot.tree.walk_commands() if not isinstance(entry, Group)]
    assert len(entries) <= MOST
    names = {entry.qualified_name for entry in entries}
    play = "play games board do plan rules howto help replay analyse takeback draw resign"
    others = "settings vacation profile leaderboard server privacy"
    assert names >= {*play.split(), *others.split(), "cup create", "cup status"}


async def test_each_game_has_at_most_four_commands(simcord_bot: Actor) -> None:
    groups = {
        entry.name: {command.name for command in entry.commands}
        for entry in simcord_bot.tree.get_commands()
        if isinstance(entry, Group)
    }
    assert groups["wormholes"] == {"place", "move", "jump", "send"}
    assert groups["warp6"] == {"move", "up", "down", "warps"}
    assert groups["tomtube"] == {"build", "rhomb", "drift", "jump"}
    assert all(
        0 < len(groups[name]) <= MOST_OF_A_GAME for name in ("wormholes", "warp6", "tomtube")
    )


@pytest.mark.slow
async def test_what_lost_its_command_is_on_the_card_of_a_match(stage: Stage) -> None:
    await stage.without_threads()
    match_id = await stage.begin()
    waiting = stage.bo if await stage.deciding(match_id) is stage.ada else stage.ada
    elsewhere = stage.guild.create_text_channel("elsewhere")
    hand = await on_card(stage, waiting, elsewhere, "hand:", match_id)
    assert "Your coins" in words(hand.response)
    nudged = await on_card(stage, waiting, elsewhere, "nudge:", match_id)
    assert "Nudge sent" in words(nudged.response)
    end = await on_card(stage, waiting, elsewhere, "abandon:", match_id)
    assert "without a result" in words(end.response)
    moved = await on_card(stage, waiting, elsewhere, "move:", match_id)
    assert words(moved.response).splitlines() == [
        f"Wormholes #{match_id} continues here.",
        "Back to the board",
    ]
    assert (await stage.client.context.queries.match(match_id)).channel_id == elsewhere.id
    question = await on_card(stage, waiting, elsewhere, "resign:", match_id)
    await stage.click(waiting, question.response, "resign:")
    verified = await on_card(stage, waiting, elsewhere, "verify:", match_id)
    assert "from the seed" in words(verified.response)
    card = await card_of(stage, waiting, elsewhere, match_id, "replay")
    assert {"replay", "verify", "open", "notes", "dice", "howto", "rules"} == {
        custom_id.partition(":")[0] for custom_id in ids(card.response)
    }
    window = await stage.click(waiting, card.response, "open")
    assert window.modal


async def test_card_opens_from_the_board_and_leads_back_to_it(stage: Stage) -> None:
    match_id = await stage.begin()
    board = stage.board(match_id)
    card = await stage.click(stage.ada, board, "more:")
    assert card.response.ephemeral
    back = await stage.click(stage.ada, card.response, "show:")
    assert back.response.id == card.response.id
    assert any(custom_id.startswith("more:") for custom_id in ids(back.response))
