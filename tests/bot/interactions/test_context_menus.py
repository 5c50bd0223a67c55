"""Context menus: the rules about a board, its replay, and a challenge."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.rulebook.book import read
from engine import games
from render import for_game
from tests.support.driver import play_on
from tests.support.harness import Stage, ids, words
from tests.support.strategies import racing


def heading(game: str, rule: str) -> str:
    """Return the heading of the section about a rule."""
    section = read(game).find(rule)
    assert section
    return section.heading


async def used(stage: Stage, actor: Any, name: str, target: Any) -> str:
    """Use a menu, and return the private answer."""
    answer = await actor.context_menu(stage.channel, name, target)
    assert answer.ephemeral
    return words(answer.response)


@pytest.mark.slow
async def test_rules_are_about_the_decision_on_the_board(stage: Stage) -> None:
    match_id = await stage.begin()
    first = stage.last()
    assert heading("wormholes", "W3.1") in await used(stage, stage.eve, "Rules for this", first)
    await play_on(stage, match_id, Random(1), limit=30)
    text = await used(stage, stage.ada, "Rules for this", stage.last())
    rules = ("W4.1", "W4.2", "W5.3", "W7.1")
    assert any(heading("wormholes", rule) in text for rule in rules)


async def test_rules_of_a_challenge_begin_the_book(stage: Stage) -> None:
    challenge = await stage.challenge(game="warp6")
    assert read("warp6").sections[0].text[:40] in await used(
        stage, stage.bo, "Rules for this", challenge
    )


@pytest.mark.parametrize("name", ["Rules for this", "Replay from here"])
async def test_other_messages_get_a_friendly_sentence(stage: Stage, name: str) -> None:
    message_of_player = await stage.ada.send(stage.channel, "hello")
    await stage.challenge()
    await stage.click(stage.ada, stage.last(), "withdraw:")
    for message in (message_of_player, stage.last()):
        assert "not one of my boards" in await used(stage, stage.ada, name, message)


@pytest.mark.slow
async def test_replay_begins_at_the_turn_of_the_board(stage: Stage) -> None:
    match_id = await stage.begin(game="warp6")
    await play_on(stage, match_id, Random(1), strategy=racing, limit=24)
    board = stage.last()
    refusal = await used(stage, stage.bo, "Replay from here", board)
    assert "isn't over yet" in refusal
    count = int(
        next(custom_id for custom_id in ids(board) if custom_id.startswith("text:")).split(":")[2]
    )
    confirmation = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, confirmation.response, "resign:")
    _, turns = await stage.client.context.queries.turns(match_id)
    place = max(n for n, turn in enumerate(turns) if turn.action_count <= count)
    assert 0 < place < len(turns) - 1
    text = await used(stage, stage.bo, "Replay from here", board)
    assert f"{place + 1} of {len(turns)}" in text
    end = await used(stage, stage.bo, "Replay from here", stage.last())
    assert f"{len(turns)} of {len(turns)}" in end


@pytest.mark.slow
async def test_board_of_a_hidden_match_tells_nothing(stage: Stage) -> None:
    await stage.begin()
    board = stage.env.backend.get_message(stage.channel.id, stage.last().id)
    for row in board.components:
        replace(row)
    text = await used(stage, stage.eve, "Rules for this", stage.last())
    assert "no such match" in text


def replace(part: dict[str, Any]) -> None:
    """Make a component belong to a match that does not exist."""
    if part.get("custom_id", "").startswith("text:"):
        part["custom_id"] = "text:99:1"
    for child in part.get("components", ()):
        replace(child)


@pytest.mark.slow
async def test_challenge_on_a_person_opens_the_card(stage: Stage) -> None:
    answer = await stage.ada.context_menu(stage.channel, "Challenge", stage.bo)
    assert answer.ephemeral
    assert f"Against: <@{stage.bo.id}>" in words(answer.response)
    await stage.ada.click(answer.response, label="Challenge")
    assert "Ada challenges you to Wormholes" in words(stage.last())
    assert "against yourself" in await used(stage, stage.ada, "Challenge", stage.ada)


@pytest.mark.parametrize("game", games.names())
def test_every_decision_has_a_section(game: str) -> None:
    rules = for_game(game).decision_rules
    assert rules
    assert all(read(game).find(rule) for rule in rules.values())
