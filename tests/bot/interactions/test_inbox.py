"""`/games`: a row for each match, with a picture, whose turn it is, and a button to it."""

from __future__ import annotations

import asyncio
from random import Random
from types import SimpleNamespace
from typing import Any

import discord
import pytest
from sqlalchemy import update

from bot.app.drawing import START_WAITING
from bot.domain.ids import MatchId
from bot.interactions import inbox
from bot.services.nudges import NUDGE_PAUSE_SECONDS
from bot.storage.schema import seats
from bot.views.inbox import MAX_OPEN_SEATS, PAGE_SIZE
from engine.game import PUBLIC
from tests.support.driver import play_on
from tests.support.harness import Stage, ids, play, walk, words
from tests.support.matches import ADA, BO, MatchFixture
from tests.support.strategies import racing

SECTION, THUMBNAIL, LINK = 9, 11, 5


async def listed(stage: Stage, actor: Any) -> Any:
    """Return the list of an actor."""
    answer = await actor.slash(stage.channel, "games")
    assert answer.ephemeral
    return answer.response


def links(message: Any) -> list[str]:
    """Return the URLs of a list's buttons."""
    return [part["url"] for part in walk(message.components) if part.get("style") == LINK]


def pictures(message: Any) -> list[str]:
    """Return the alt texts of the thumbnails in a list."""
    sections = [part for part in walk(message.components) if part["type"] == SECTION]
    accessories = [section["accessory"] for section in sections]
    return [accessory["description"] for accessory in accessories if accessory["type"] == THUMBNAIL]


@pytest.mark.slow
async def test_each_match_has_a_picture_and_a_button(stage: Stage) -> None:
    match_id = await stage.begin()
    board = stage.last()
    await stage.challenge(game="warp6")
    challenge = stage.last()
    page = await listed(stage, stage.ada)
    assert len(page.attachments) == 2
    assert all(file.size < 20_000 for file in page.attachments)
    assert sorted(pictures(page)) == ["The board of Warp 6 #2", "The board of Wormholes #1"]
    place = f"https://discord.com/channels/{stage.guild.id}/{stage.channel.id}"
    assert sorted(links(page)) == sorted([f"{place}/{board.id}", f"{place}/{challenge.id}"])
    assert f"**Wormholes #{match_id}** with Bo" in words(page)
    assert "Challenge, waiting for Bo; expires <t:" in words(page)
    assert "**You are challenged**; expires <t:" in words(await listed(stage, stage.bo))


@pytest.mark.slow
async def test_own_turns_come_first_and_say_since_when(stage: Stage) -> None:
    first, second = await stage.begin(), await stage.begin(game="warp6")
    actor = await stage.deciding(first)
    while await stage.deciding(second) is actor:
        await play_on(stage, second, Random(1), strategy=racing, limit=1)
    text = words(await listed(stage, actor))
    assert text.index("**Your turn** (<t:1800000000:R>)") < text.index("Turn: ")
    other = stage.bo if actor is stage.ada else stage.ada
    assert f"Turn: {stage.name(other)} (<t:1800000000:R>)" in text


@pytest.mark.slow
async def test_no_turn_of_yours_while_the_computer_stands_in(stage: Stage) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    match = await stage.client.context.queries.match(match_id)
    async with stage.database.write() as connection:
        condition = (seats.c.match_id == match_id) & (seats.c.seat == match.seat_of(actor.id))
        await connection.execute(update(seats).where(condition).values(level="cadet"))
    text = words(await listed(stage, actor))
    assert "**Your turn**" not in text
    assert f"Turn: {stage.name(actor)}" in text
    assert "The computer is playing for you." in text
    choices = await actor.autocomplete(stage.channel, "board", "match", "")
    assert choices == [{"name": f"#{match_id} Wormholes: {shown_opponent(text)}", "value": 1}]


def shown_opponent(text: str) -> str:
    """Return the opponent in the first row of a list."""
    return text.splitlines()[0].partition(" with ")[2]


@pytest.mark.slow
async def test_many_matches_have_pages(stage: Stage) -> None:
    for _ in range(PAGE_SIZE + 1):
        await play(stage.ada, stage.channel)
    page = await listed(stage, stage.ada)
    assert len(pictures(page)) == PAGE_SIZE
    assert "Page 1 of 2" in words(page)
    turned = await stage.ada.click(page, custom_id="games:1")
    assert turned.response.id == page.id
    assert len(pictures(turned.response)) == 1
    assert "Page 2 of 2" in words(turned.response)
    await stage.click(stage.ada, stage.last(), "withdraw:")
    last = await stage.ada.click(turned.response, custom_id="games:0")
    assert "Page" not in words(last.response)


@pytest.mark.slow
async def test_player_who_is_waited_for_can_be_nudged(stage: Stage) -> None:
    match_id = await stage.begin()
    late = await stage.deciding(match_id)
    other = stage.bo if late is stage.ada else stage.ada
    assert f"nudge:{match_id}" not in ids(await listed(stage, other))
    await stage.spend(NUDGE_PAUSE_SECONDS)
    assert f"nudge:{match_id}" not in ids(await listed(stage, late))
    page = await listed(stage, other)
    before = len(stage.public())
    answer = await other.click(page, custom_id=f"nudge:{match_id}")
    assert "Nudge sent" in words(answer.response)
    await stage.env.settle()
    assert len(stage.public()) == before + 1
    assert f"<@{late.id}>" in words(stage.last())


@pytest.mark.slow
async def test_open_seats_of_the_server_can_be_taken(stage: Stage) -> None:
    for _ in range(MAX_OPEN_SEATS + 1):
        await play(stage.ada, stage.channel)
    page = await listed(stage, stage.bo)
    assert "You have no matches in progress" in words(page)
    joins = [custom_id for custom_id in ids(page) if custom_id.startswith("accept:")]
    assert joins == [f"accept:{number}" for number in (4, 3, 2)]
    await stage.bo.click(page, custom_id="accept:4")
    assert (await stage.client.context.queries.match(MatchId(4))).status == "running"
    assert "accept:4" not in ids(await listed(stage, stage.bo))


async def test_open_seats_in_hidden_channels_are_not_shown(stage: Stage) -> None:
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = stage.guild.create_text_channel("secret", overwrites={stage.bo: hidden})
    await play(stage.ada, secret)
    assert "accept:1" not in ids(await listed(stage, stage.bo))
    assert "accept:1" in ids(await listed(stage, stage.eve))


@pytest.mark.slow
async def test_slow_pictures_are_left_out(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    match_id = await stage.begin()

    async def late(*_: Any) -> bytes:
        await asyncio.Event().wait()
        raise AssertionError("this is never drawn")

    monkeypatch.setattr(inbox, "DRAWING_TIMEOUT_SECONDS", 0.0)
    monkeypatch.setattr(stage.client.context.images, "thumbnail", late)
    page = await listed(stage, stage.ada)
    assert f"#{match_id}" in words(page)
    assert not pictures(page)
    assert len(links(page)) == 1


@pytest.mark.slow
async def test_pictures_are_drawn_two_at_a_time(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(4):
        await stage.begin()
    images, two = stage.client.context.images, asyncio.Barrier(2)
    draw, in_progress, most = images.thumbnail, set[object](), list[int]()

    async def in_pairs(*args: Any) -> bytes:
        in_progress.add(asyncio.current_task())
        most.append(len(in_progress))
        async with two:
            png = await draw(*args)
        in_progress.discard(asyncio.current_task())
        return png

    monkeypatch.setattr(images, "thumbnail", in_pairs)
    assert len(pictures(await listed(stage, stage.ada))) == 4
    assert max(most) == START_WAITING - 1, "one more would start a process"


async def test_pictures_show_what_their_reader_knows(env: MatchFixture) -> None:
    match = await env.queries.match(await env.begin())
    context: Any = SimpleNamespace(queries=env.queries)
    for user_id in (ADA, BO):
        perspective = await inbox._perspective(context, match, user_id)
        assert perspective
        assert perspective.seat == perspective.view.seat == match.seat_of(user_id) != PUBLIC
