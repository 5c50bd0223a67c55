"""Answers in the player's language, boards in the server's, direct messages in the receiver's."""

from __future__ import annotations

import re
from typing import Any

import discord
import pytest
from sqlalchemy import select

from bot import i18n
from bot.app.client import Starpost
from bot.domain.ids import MatchId
from bot.storage.schema import players
from render.i18n import using
from tests.support.harness import Stage, play, words

BRACKET = "["
"""Begins whatever is said in the pseudo-language."""


LINK = re.compile(r"\[([^][]*)\]\(https://[^)]*\)")
"""A link with its words."""


async def row_of(stage: Stage, actor: Any) -> dict[str, str] | None:
    """Return the stored preferences of a user."""
    async with stage.database.read() as connection:
        query = select(players.c.preferences).where(players.c.user_id == actor.id)
        stored: dict[str, str] | None = (await connection.execute(query)).scalar_one_or_none()
        return stored


@pytest.mark.slow
async def test_answer_is_in_the_players_language_board_in_the_servers(
    stage: Stage, locales: dict[int, str], pseudo_language: str
) -> None:
    locales[stage.bo.id] = pseudo_language
    await stage.begin()
    assert BRACKET not in words(stage.last())
    assert BRACKET not in words((await stage.ada.slash(stage.channel, "games")).response)
    answer = await stage.bo.slash(stage.channel, "games")
    assert words(answer.response).startswith(BRACKET)


@pytest.mark.slow
async def test_language_changed_in_a_match_holds_from_the_next_click(
    stage: Stage, locales: dict[int, str], pseudo_language: str
) -> None:
    def speaks(message: Any) -> bool:
        return BRACKET in LINK.sub("", words(message))

    match_id = await stage.begin(game="warp6")
    actor = await stage.deciding(match_id)
    opponent = stage.bo if actor is stage.ada else stage.ada
    card = (await actor.slash(stage.channel, "board")).response
    assert not speaks(card)
    locales[actor.id] = pseudo_language
    text = (await stage.click(actor, stage.board(match_id), "text:")).response
    assert speaks(text)
    await stage.click(actor, stage.board(match_id), "act:")
    assert not speaks(stage.board(match_id))
    story = (await stage.click(actor, stage.board(match_id), "since:")).response
    assert speaks(story)
    assert not speaks((await stage.click(opponent, stage.board(match_id), "since:")).response)


@pytest.mark.slow
async def test_language_of_a_server_is_its_locale_or_its_choice(
    stage: Stage, locales: dict[int, str], pseudo_language: str
) -> None:
    club = stage.env.create_guild("Klub", preferred_locale=pseudo_language)
    room = club.create_text_channel("games")
    ada, bo = club.add_member(stage.ada.user), club.add_member(stage.bo.user)
    answer = await play(ada, room, opponent=bo)
    assert BRACKET not in words(answer.response)
    assert BRACKET in words(room.last_message)
    await stage.client.context.servers.choose(club.id, language="en")
    await play(ada, room, opponent=bo)
    assert BRACKET not in words(room.last_message)
    await stage.client.context.servers.choose(stage.guild.id, language=pseudo_language)
    await stage.challenge()
    assert BRACKET in words(stage.last())


async def test_manager_of_a_server_chooses_its_language(
    stage: Stage, locales: dict[int, str]
) -> None:
    role = stage.guild.create_role("Host", permissions=discord.Permissions(manage_guild=True))
    user = stage.env.create_user("host", global_name="Host")
    host = stage.guild.add_member(user, roles=[role])
    panel = await host.slash(stage.channel, "server")
    await host.select(panel.response, ["de"], custom_id="server:language")
    assert (await stage.client.context.servers.settings(stage.guild.id)).language == "de"


@pytest.mark.slow
async def test_a_direct_message_is_in_the_receivers_language(
    stage: Stage, locales: dict[int, str], pseudo_language: str
) -> None:
    locales[stage.bo.id] = pseudo_language
    await stage.begin()
    messages = (actor.user.dm_channel.history()[0] for actor in (stage.ada, stage.bo))
    to_ada, to_bo = (LINK.sub(r"\1", words(message)) for message in messages)
    assert BRACKET not in to_ada
    assert BRACKET in to_bo


async def test_a_language_that_is_chosen_holds_whatever_discord_says(
    stage: Stage, locales: dict[int, str], pseudo_language: str
) -> None:
    await stage.client.context.preferences.set(stage.ada.id, "language", "de")
    locales[stage.ada.id] = pseudo_language
    answer = await stage.ada.slash(stage.channel, "games")
    assert BRACKET not in words(answer.response)
    assert await stage.client.context.preferences.language(stage.ada.id) == "de"
    await stage.client.context.preferences.set(stage.ada.id, "language", "discord")
    answer = await stage.ada.slash(stage.channel, "games")
    assert BRACKET in words(answer.response)


@pytest.mark.slow
async def test_a_language_is_noted_only_when_it_is_another_one(
    stage: Stage, locales: dict[int, str]
) -> None:
    await stage.ada.slash(stage.channel, "games")
    assert await row_of(stage, stage.ada) is None
    locales[stage.ada.id] = "de"
    await stage.ada.slash(stage.channel, "games")
    assert await row_of(stage, stage.ada) == {"locale": "de"}
    locales[stage.ada.id] = "lt"  # which has no catalogue
    await stage.ada.slash(stage.channel, "games")
    assert await row_of(stage, stage.ada) == {"locale": "en"}


async def test_every_language_can_be_chosen_by_its_own_name(
    stage: Stage, locales: dict[int, str]
) -> None:
    locales[stage.ada.id] = "de"
    panel = await stage.ada.slash(stage.channel, "settings")
    assert "Deine Einstellungen" in words(panel.response)
    window = await stage.click(stage.ada, panel.response, "preferences:others")
    assert {"Wie in Discord", "English", "Deutsch"} <= set(re.findall(r"[\w ]+", str(window.modal)))


@pytest.mark.slow
async def test_proposals_are_in_the_players_language(
    stage: Stage, locales: dict[int, str], pseudo_language: str
) -> None:
    await stage.begin()
    mover = await stage.deciding(MatchId(1))
    locales[mover.id] = pseudo_language
    choices = await mover.autocomplete(stage.channel, "board", "match", "")
    assert BRACKET in choices[0]["name"]


async def test_a_page_that_is_shown_to_all_is_in_the_servers_language(
    stage: Stage, locales: dict[int, str]
) -> None:
    locales[stage.ada.id] = "de"
    page = await stage.ada.slash(stage.channel, "rules", game="wormholes", topic="W1.1")
    assert "Galaxie, Basen und Schiffe" in words(page.response)
    await stage.click(stage.ada, page.response, "rules:wormholes:W1.1:show")
    assert "Galaxie, Basen und Schiffe" not in words(stage.last())


async def test_pictures_speak_the_language_of_who_asked_for_them(
    simcord_bot: Starpost, monkeypatch: pytest.MonkeyPatch
) -> None:
    heard: list[str] = []

    def hear() -> bytes:
        heard.append(i18n.current_language())
        return b""

    with using(i18n.catalogue("de")):
        await simcord_bot.context.images.draw(hear)
    await simcord_bot.context.images.draw(hear)
    assert heard == ["de", "en"]


@pytest.mark.slow
async def test_commands_are_named_as_in_the_readers_discord(
    stage: Stage, locales: dict[int, str]
) -> None:
    await stage.prefer(stage.ada, language="de")
    answer = await stage.ada.slash(stage.channel, "help")
    assert "**Spielen:** `/play` beginnt" in words(answer.response)
    locales[stage.ada.id] = "de"
    answer = await stage.ada.slash(stage.channel, "help")
    assert "**Spielen:** `/spielen` beginnt" in words(answer.response)
    await stage.prefer(stage.ada, language="en")
    answer = await stage.ada.slash(stage.channel, "help")
    assert "**Play:** `/spielen` starts" in words(answer.response)
