"""Challenges, requests and boards are answered by `/games` and `/board`, without their messages."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.domain.ids import MatchId
from tests.support.harness import Stage, ids, play, words
from tests.support.staged_cups import create, finish


async def listed(stage: Stage, actor: Any) -> Any:
    """Return the list of an actor."""
    return (await actor.slash(stage.channel, "games")).response


async def status(stage: Stage, match_id: int = 1) -> str:
    return (await stage.client.context.queries.match(MatchId(match_id))).status


def forget_messages(stage: Stage) -> None:
    """Delete all messages of the channel, as a moderator does."""
    stage.env.backend.messages[stage.channel.id].clear()


@pytest.mark.slow
async def test_challenge_without_its_message_is_accepted(stage: Stage) -> None:
    await stage.challenge()
    forget_messages(stage)
    answer = await stage.bo.click(await listed(stage, stage.bo), custom_id="accept:1")
    assert await status(stage) == "running"
    assert "board.png" in [attachment.filename for attachment in answer.response.attachments]


@pytest.mark.slow
async def test_challenge_without_its_message_is_declined(stage: Stage) -> None:
    await stage.challenge()
    forget_messages(stage)
    answer = await stage.bo.click(await listed(stage, stage.bo), custom_id="decline:1")
    assert await status(stage) == "closed"
    assert "Bo declined the challenge" in words(answer.response)


async def test_challenger_withdraws_without_the_message(stage: Stage) -> None:
    await stage.challenge()
    forget_messages(stage)
    games = await listed(stage, stage.ada)
    assert "accept:1" not in ids(games)
    answer = await stage.ada.click(games, custom_id="withdraw:1")
    assert await status(stage) == "closed"
    assert "Ada withdrew the challenge" in words(answer.response)


async def test_board_shows_a_challenge_with_its_buttons(stage: Stage) -> None:
    await stage.challenge()
    proposed = await stage.bo.autocomplete(stage.channel, "board", "match", "")
    assert [choice["value"] for choice in proposed] == [1]
    answer = await stage.bo.slash(stage.channel, "board", match=1)
    assert answer.ephemeral
    assert {"accept:1", "decline:1"} <= set(ids(answer.response))
    more = await stage.click(stage.bo, answer.response, "more:1")
    assert {"luck:1", "block:1"} <= set(ids(more.response))


@pytest.mark.slow
async def test_button_in_games_opens_a_challenge_and_a_match(stage: Stage) -> None:
    await stage.challenge()
    card = await stage.bo.click(await listed(stage, stage.bo), custom_id="show:1")
    assert "Ada challenges you" in words(card.response)
    board = await stage.bo.click(card.response, custom_id="accept:1")
    assert "board.png" in [file.filename for file in board.response.attachments]
    forget_messages(stage)
    board = await stage.ada.click(await listed(stage, stage.ada), custom_id="show:1")
    assert "board.png" in [attachment.filename for attachment in board.response.attachments]
    await stage.env.settle()
    assert stage.board(MatchId(1)) is not None, "a board that was deleted is posted again"


async def test_closed_challenge_is_not_shown(stage: Stage) -> None:
    await stage.challenge()
    games = await listed(stage, stage.bo)
    await stage.click(stage.ada, stage.last(), "withdraw:")
    answer = await stage.bo.click(games, custom_id="show:1")
    assert "This challenge is no longer open" in words(answer.response)


async def test_spectator_opens_a_board_without_requests(stage: Stage) -> None:
    await stage.begin()
    await stage.ada.slash(stage.channel, "draw")
    answer = await stage.eve.slash(stage.channel, "board", match=1)
    assert not any("draw accept" in custom_id for custom_id in ids(answer.response))


@pytest.mark.slow
async def test_draw_is_answered_on_the_private_board(stage: Stage) -> None:
    await stage.begin()
    await stage.ada.slash(stage.channel, "draw")
    forget_messages(stage)
    board = await stage.bo.slash(stage.channel, "board")
    assert "Ada offers a draw." in words(board.response)
    assert "act:1:-:draw accept" in ids(board.response)
    assert "act:1:-:draw accept" in ids(await listed(stage, stage.bo))


@pytest.mark.slow
async def test_sign_up_of_a_cup_is_in_games(stage: Stage) -> None:
    await create(stage)
    await finish(stage)
    forget_messages(stage)
    games = await listed(stage, stage.bo)
    assert "**Spring**: the sign-up is open." in words(games)
    answer = await stage.bo.click(games, custom_id="cupjoin:1")
    assert "You're in: **Spring**" in words(answer.response)
    assert "cupjoin:1" not in ids(await listed(stage, stage.bo))


async def test_sign_up_in_a_hidden_channel_is_not_in_games(stage: Stage) -> None:
    hidden = discord.PermissionOverwrite(view_channel=False)
    secret = stage.guild.create_text_channel("secret", overwrites={stage.bo: hidden})
    await stage.ada.slash(secret, "cup create", name="Spring", game="warp6")
    assert "cupjoin:1" not in ids(await listed(stage, stage.bo))
    assert "cupjoin:1" in ids(await listed(stage, stage.eve))


async def test_challenge_that_is_refused_is_marked_in_games(stage: Stage) -> None:
    path = f"/channels/{stage.channel.id}/messages"
    stage.env.inject_error("POST", path, status=400, code=200000, times=None)
    await play(stage.ada, stage.channel, opponent=stage.bo)
    await stage.env.settle()
    assert "I couldn't post this challenge" in words(await listed(stage, stage.ada))
    assert "accept:1" in ids(await listed(stage, stage.bo))
