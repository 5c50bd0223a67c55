"""The host has turned the computer off, and matches wait for it: their players are told."""

from __future__ import annotations

from typing import Any

import pytest
from discord import ui

from bot.domain.computer_players import computer_player
from bot.domain.ids import MatchId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.storage.schema import computer_jobs
from bot.views import public_boards
from bot.views.images import Drawn
from bot.views.public_boards import BoardState
from render.renderer import DEFAULT_STYLE
from tests.support.computers import jobs
from tests.support.harness import Stage, ids, words

LINE = "the computer is turned off on this bot, so the match waits"


async def waiting(stage: Stage, **fields: Any) -> MatchId:
    """Return a match of Ada in which the computer has to act, but is turned off."""
    await stage.without_threads()
    context = stage.client.context
    place = {"guild_id": stage.guild.id, "channel_id": stage.channel.id}
    terms = Terms(game="warp6", **place, **fields)
    for number in range(1, 20):  # who begins depends on the dice
        players = [Player(stage.ada.id, "Ada"), computer_player()]
        outcome = await context.challenges.challenge(number, terms, players, side="Y")
        assert outcome.kind == "done"
        if await jobs(stage):
            break
        assert (
            await context.matches.act(100 + number, outcome.match_id, stage.ada.id, "resign")
        ).kind
    await deliver(stage)
    return outcome.match_id


async def deliver(stage: Stage) -> None:
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()


async def test_board_says_that_the_match_waits(stage: Stage) -> None:
    match_id = await waiting(stage)
    board = stage.last()
    assert f"<@{stage.ada.id}>: {LINE}" in words(board)
    assert f"abandon:{match_id}" in ids(board)


async def test_boards_are_posted_again_once(stage: Stage) -> None:
    await waiting(stage)
    boards = stage.client.context.boards
    before = stage.last().id
    await boards.repost_paused()
    await deliver(stage)
    board = stage.last()
    assert board.id > before
    assert LINE in words(board)
    assert [user.id for user in board.mentions] == [stage.ada.id]
    await boards.repost_paused()
    await deliver(stage)
    assert stage.last().id == board.id


async def test_person_who_has_to_act_is_not_told(stage: Stage) -> None:
    await stage.begin()
    await stage.client.context.boards.repost_paused()
    await deliver(stage)
    assert LINE not in words(stage.last())
    assert not [custom_id for custom_id in ids(stage.last()) if custom_id.startswith("abandon:")]


@pytest.mark.parametrize("rated", [False, True])
async def test_match_that_waits_is_ended_without_a_result(stage: Stage, *, rated: bool) -> None:
    match_id = await waiting(stage, rated=rated, clock="3d")
    confirmation = await stage.click(stage.ada, stage.last(), f"abandon:{match_id}")
    assert "It then counts for no one." in words(confirmation.response)
    assert "this is a loss" not in words(confirmation.response)
    ended = await stage.click(stage.ada, confirmation.response, "abandon:")
    assert "has ended without a result" in words(ended.response)
    await deliver(stage)
    text = words(stage.last())
    assert ("No ratings change: the match has ended without a result." in text) is rated
    assert not await jobs(stage)


async def test_heartbeat_tells_players_without_computers(stage: Stage) -> None:
    await waiting(stage)
    async with stage.database.write() as connection:
        await connection.execute(computer_jobs.update().values(queued_at=stage.clock.now - 1))
    before = stage.last().id
    await stage.client.runtime.heartbeat.beat.coro(stage.client.runtime.heartbeat)
    await deliver(stage)
    assert stage.last().id > before


@pytest.mark.parametrize("live", [False, True])
@pytest.mark.parametrize("computers", [False, True])
async def test_line_is_on_boards_that_wait(stage: Stage, *, computers: bool, live: bool) -> None:
    perspective = await stage.perspective(await waiting(stage))
    drawn, waits = Drawn(b"", DEFAULT_STYLE), live and not computers
    board = public_boards.board(perspective, drawn, {}, 1, BoardState(live, computers=computers))
    texts = [item for item in board.layout.walk_children() if isinstance(item, ui.TextDisplay)]
    buttons = [item for item in board.layout.walk_children() if isinstance(item, ui.Button)]
    assert any(LINE in text.content for text in texts) is waits
    assert (stage.ada.id in board.pings) is waits
    assert any(str(button.custom_id).startswith("abandon:") for button in buttons) is waits
