"""A game that bot/ has never heard of is played through it: only the registries know of it."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.app.client import Starpost
from bot.storage.database import Database
from engine.game import Action
from engine.record import Record
from tests.support.driver import by_click, by_command, play_on
from tests.support.harness import Stage, actor_bot, ids, words
from tests.support.installed import install
from tests.support.match_card import on_card
from tests.support.nim import Nim, NimRenderer

NIM = Nim()


@pytest.fixture
def simcord_bot(monkeypatch: pytest.MonkeyPatch, database: Database) -> Starpost:
    """A bot with four games."""
    install(monkeypatch, NIM, NimRenderer())
    return actor_bot(database)


def anything(state: Any, random: Random) -> Action:
    """Any legal action."""
    return random.choice(NIM.legal(state))


@pytest.mark.slow
async def test_it_is_played_by_clicks_and_commands_with_a_restart(stage: Stage) -> None:
    match_id = await stage.begin(game=NIM.name)
    ways = (by_click, by_command)
    await play_on(stage, match_id, Random(1), ways=ways, strategy=anything, limit=4)
    await stage.restart()
    await play_on(stage, match_id, Random(1), ways=ways, strategy=anything)
    end = stage.last()
    files = {file.filename: await file.read() for file in end.attachments}
    record = Record.parse(files[f"nim-{match_id}.match"].decode())
    assert record.verify() == 1
    assert record.replay().state == await stage.state(match_id)
    assert record.headers["Result"].endswith("last")
    replay = await stage.click(stage.bo, end, "replay:")
    assert "**Nim #1**: step 1 of " in words(replay.response)
    film = await stage.click(stage.bo, replay.response, "film:")
    assert any(file.filename.endswith(".gif") for file in film.response.attachments)
    await stage.click(stage.bo, end, "rematch:")
    assert "challenges you to Nim" in words(stage.last())


@pytest.mark.slow
async def test_everything_else_about_it_works_too(stage: Stage) -> None:
    match_id = await stage.begin(game=NIM.name, clock="1 day per turn")
    actor = await stage.deciding(match_id)
    assert "sticks are left" in words(
        (await actor.slash(stage.channel, "board", text=True)).response
    )
    refusal = await actor.slash(stage.channel, "do", action="take 9")
    assert "You take one to three sticks." in words(refusal.response)
    assert "Done: Take 2" in words((await actor.slash(stage.channel, "do", action="2")).response)
    digest = await stage.click(await stage.deciding(match_id), stage.last(), "since:")
    assert " took 2." in words(digest.response)
    await actor.slash(stage.channel, "draw")
    other = await stage.deciding(match_id)
    confirmation = await stage.click(other, stage.last(), f"act:{match_id}:-:draw accept")
    await stage.click(other, confirmation.response, f"draw:{match_id}:")
    assert (await stage.client.context.queries.match(match_id)).status == "finished"
    assert not any(custom_id.startswith("hand:") for custom_id in ids(stage.last()))
    assert (await actor.slash(stage.channel, "rules")).ephemeral
    verified = await on_card(stage, actor, stage.channel, "verify:")
    assert "follows from the seed" in words(verified.response)
