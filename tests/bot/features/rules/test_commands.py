"""`/rules` as people use them, on a simulated Discord."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random
from typing import Any

import discord
import pytest
from simcord import interactions
from sqlalchemy import event

from bot.rulebook.book import read
from bot.rulebook.lessons import place
from engine import games
from tests.support.driver import by_click, lists, play_on
from tests.support.harness import Stage, ids, words
from tests.support.interactions import fire, payload

BOOK = read("wormholes")
ROOT = Path(__file__).parents[4]
FIRST = place("wormholes", 0)


async def rules(stage: Stage, actor: Any = None, **options: Any) -> Any:
    """Ask for the rules and return the private page."""
    result = await (actor or stage.ada).slash(stage.channel, "rules", **options)
    assert result.ephemeral
    return result.response


@pytest.mark.slow
async def test_rules_open_at_the_beginning_and_can_be_read_through(stage: Stage) -> None:
    page = await rules(stage, game="wormholes")
    for section in BOOK.sections[1:]:
        assert f"rules:wormholes:{section.key}" in ids(page)
        page = (await stage.click(stage.ada, page, f"rules:wormholes:{section.key}")).response
        assert section.heading in words(page)
        assert section.text.split("\n")[0] in words(page)
        assert bool(page.attachments) == bool(section.diagram)
    assert not stage.public()


async def test_rules_begin_with_the_choice_of_a_game(stage: Stage) -> None:
    page = await rules(stage)
    assert ids(page) == [f"rules:{game}:about" for game in games.names()]
    page = (await stage.click(stage.ada, page, "rules:warp6:about")).response
    assert "Warp 6" in words(page)
    assert {"rules:wormholes:about", "rules:tomtube:about"} < {*ids(page)}


async def test_the_contents_lead_to_every_section(stage: Stage) -> None:
    page = await rules(stage, game="wormholes")
    (contents,) = lists(page).items()
    assert contents[1] == [section.key for section in BOOK.sections]
    opened = await stage.ada.select(page, ["W5.3"], custom_id=contents[0])
    assert opened.acknowledged
    assert "The wormhole jump" in words(opened.response)
    (picture,) = opened.response.attachments
    assert picture.filename == "diagram.png"
    assert "two spaces" in picture.description


async def test_a_topic_opens_its_section_or_what_is_found(stage: Stage) -> None:
    assert "Black holes" in words(await rules(stage, topic="W5.4"))
    assert "Black holes" in words(await rules(stage, game="wormholes", topic="black holes"))
    reply = await rules(stage, topic="opponent's base")
    assert "**" in words(reply)
    (hits,) = lists(reply).items()
    opened = await stage.ada.select(reply, [hits[1][0]], custom_id=hits[0])
    assert BOOK.find(hits[1][0]).heading in words(opened.response)  # type: ignore[union-attr]
    nothing = await rules(stage, topic="<@!> **xyzzy**")
    assert "nothing found for" in words(nothing)
    assert "\\<\\@!\\>" in words(nothing)
    assert lists(nothing)


@pytest.mark.slow
async def test_search_names_its_game_and_offers_the_others(stage: Stage) -> None:
    await stage.begin(game="tomtube")
    reply = await rules(stage, topic="black hole in my way")
    assert "Only Tom Tube was searched" in words(reply)
    others = [custom_id for custom_id in ids(reply) if custom_id.startswith("find:")]
    assert others == ["find:wormholes:black hole in my way", "find:warp6:black hole in my way"]
    assert re.search(r"Wormholes \([1-9]\d*\)", words(reply))
    there = (await stage.click(stage.ada, reply, "find:wormholes:")).response
    assert there.id == reply.id
    assert "Only Wormholes was searched" in words(there)
    assert "Black holes" in words(there)


@pytest.mark.slow
async def test_topics_of_other_games_are_proposed(stage: Stage) -> None:
    await stage.begin(game="tomtube")
    offered = await stage.ada.autocomplete(stage.channel, "rules", "topic", "black hole")
    assert {"name": "Wormholes: Black holes", "value": "W5.4"} in offered
    assert "Black holes" in words(await rules(stage, topic="W5.4"))


async def test_topics_are_proposed_while_a_player_types(stage: Stage) -> None:
    offered = await stage.ada.autocomplete(stage.channel, "rules", "topic", "bla")
    assert offered[0] == {"name": "Black holes", "value": "W5.4"}
    every = await stage.ada.autocomplete(stage.channel, "rules", "topic", "", game="wormholes")
    assert len(every) == len(BOOK.sections)
    for typed in ("W5.3", "X1.1", "T9"):
        await stage.ada.autocomplete(stage.channel, "rules", "topic", typed)
    odd = await stage.ada.autocomplete(stage.channel, "rules", "topic", '"* OR', game="wormholes")
    assert len(odd) <= 25


async def test_topics_of_a_named_game_need_no_matches(stage: Stage) -> None:
    statements: list[str] = []
    readers = stage.database._readers.sync_engine  # type: ignore[attr-defined]
    event.listen(readers, "before_cursor_execute", lambda *args: statements.append(args[2]))
    named: dict[str, str]
    for named, reads in (({}, True), ({"game": "wormholes"}, False)):
        statements.clear()
        await stage.ada.autocomplete(stage.channel, "rules", "topic", "bla", **named)
        assert any("FROM matches" in statement for statement in statements) == reads


async def test_a_section_can_be_shown_to_all_and_read_on_in_private(stage: Stage) -> None:
    page = await rules(stage, topic="W5.3")
    reply = await stage.click(stage.ada, page, "rules:wormholes:W5.3:show")
    assert not reply.ephemeral
    public = stage.last()
    assert "The wormhole jump" in words(public)
    assert "Shown by Ada" in words(public)
    assert public.attachments
    assert ids(public) == ["rules:wormholes:W5.3:open"]
    opened = await stage.click(stage.bo, public, "rules:wormholes:W5.3:open")
    assert opened.ephemeral
    assert "The wormhole jump" in words(opened.response)
    assert words(stage.last()) == words(public)


async def test_who_may_not_write_shows_nothing(stage: Stage) -> None:
    hall = stage.guild.create_text_channel(
        "hall",
        overwrites={stage.guild.default_role: discord.PermissionOverwrite(send_messages=False)},
    )
    page = (await stage.eve.slash(hall, "rules", topic="W5.3")).response
    refused = await stage.click(stage.eve, page, "rules:wormholes:W5.3:show")
    assert refused.ephemeral
    assert "can't post" in words(refused.response)
    assert not hall.history()


@pytest.mark.slow
async def test_pages_outlive_a_restart(stage: Stage) -> None:
    await stage.click(stage.ada, await rules(stage, topic="W5.3"), "rules:wormholes:W5.3:show")
    await stage.restart()
    opened = await stage.click(stage.bo, stage.last(), "rules:wormholes:W5.3:open")
    turned = await stage.click(stage.bo, opened.response, "rules:wormholes:W5.5")
    assert "One coin a turn" in words(turned.response)


async def test_private_page_is_in_the_readers_language_shared_is_not(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    real = interactions.base_payload

    def german(*args: Any, **fields: Any) -> Any:
        record, payload = real(*args, **fields)
        return record, payload | {"locale": "de"}

    monkeypatch.setattr(interactions, "base_payload", german)
    page = await rules(stage, topic="Schwarze Löcher")
    assert "verliert den nächsten Zug" in words(page)
    offered = await stage.ada.autocomplete(stage.channel, "rules", "topic", "schwarze l")
    assert offered[0]["name"] == "Schwarze Löcher"
    await stage.click(stage.ada, page, "rules:wormholes:W5.4:show")
    assert "loses its owner's next turn" in words(stage.last())


@pytest.mark.slow
async def test_a_refusal_leads_to_its_rule(stage: Stage) -> None:
    match_id = await stage.begin()
    while (await stage.perspective(match_id)).view.phase != "place":  # type: ignore[attr-defined]
        await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)
    actor = await stage.deciding(match_id)
    coin = (await stage.perspective(match_id, actor)).view.legal[0].args[0]
    refused = await actor.slash(stage.channel, "wormholes place", coin=coin, space="a17")
    assert refused.ephemeral
    assert "Rule W3.3" in words(refused.response)
    opened = await stage.click(actor, refused.response, "rules:wormholes:W3.3:open")
    assert opened.ephemeral
    assert "Placing the coins" in words(opened.response)


async def test_a_button_of_a_section_that_is_gone_says_so(stage: Stage) -> None:
    await stage.click(stage.ada, await rules(stage, topic="W5.3"), "rules:wormholes:W5.3:show")
    for custom_id in (
        "rules:", "rules:chess:W5.3", "rules:wormholes:X", "rules:../x:W5.3:open",
        "look:wormholes:0:place/1", "look:tomtube:3:rhomb/9",
        "howto:wormholes:99", "howto:chess:0", "howto:chess", "try:wormholes:99:move S N",
    ):  # fmt: skip
        result = await fire(stage, payload(stage, stage.ada, stage.last(), "", custom_id))
        assert result.ephemeral
        assert any(name in words(result.response) for name in ("`/rules`", "`/howto`")), custom_id


def test_only_rules_and_results_are_shown_to_all() -> None:
    files = [file for file in (ROOT / "bot").rglob("*.py") if file.name != "replies.py"]
    users = [file for file in files if "show_to_all" in file.read_text(encoding="utf-8")]
    assert {str(file.relative_to(ROOT)) for file in users} == {
        "bot/features/scorecards/commands.py",
        "bot/features/rules/commands.py",
    }


@pytest.mark.slow
async def test_choices_that_no_lesson_offers_change_nothing(stage: Stage) -> None:
    await stage.click(stage.ada, await rules(stage, topic="W5.3"), "rules:wormholes:W5.3:show")
    for line in ("", "place", "place S3 a17", "move S NE", "resign", "place S3 e9 e9", "💥"):
        forged = payload(stage, stage.ada, stage.last(), "", f"try:wormholes:0:{line}")
        result = await fire(stage, forged)
        assert result.ephemeral, line
    assert "The wormhole jump" in words(stage.last())
    assert "step 1" in words(
        (await stage.ada.slash(stage.channel, "howto", game="wormholes")).response
    )
