"""Replies that seem lost: they may have arrived, and Discord may deliver the interaction again."""

from __future__ import annotations

import copy
from random import Random
from typing import Any
from unittest.mock import AsyncMock

import aiohttp
import discord
import pytest

from tests.support.driver import by_click, placing, play_on
from tests.support.harness import Stage, words
from tests.support.interactions import payload, typed

pytestmark = pytest.mark.slow

INTEGER = 4


async def deliver(stage: Stage, data: Any) -> None:
    stage.env.backend.emit("INTERACTION_CREATE", copy.deepcopy(data))
    await stage.env.settle()


async def deliver_and_lose_reply(stage: Stage, data: Any, method: str = "send_message") -> None:
    with pytest.MonkeyPatch.context() as lost:
        reset = AsyncMock(side_effect=aiohttp.ClientOSError("reset"))
        lost.setattr(discord.InteractionResponse, method, reset)
        await deliver(stage, data)
        reset.assert_awaited_once()


async def test_refusal_whose_reply_is_lost_is_not_carried_out_later(stage: Stage) -> None:
    match_id, actor = await placing(stage)
    other = stage.bo if actor == stage.ada else stage.ada
    _, data = typed(stage, other, "takeback")
    await deliver_and_lose_reply(stage, data)
    await play_on(stage, match_id, Random(1), ways=(by_click,), limit=2)
    before = await stage.state(match_id)
    await deliver(stage, data)
    assert await stage.state(match_id) == before
    taken_back = await other.slash(stage.channel, "takeback")
    assert "Taken back" in words(taken_back.response)


async def test_deletion_whose_reply_is_lost_is_not_repeated(stage: Stage) -> None:
    await stage.begin()
    _, data = payload(stage, stage.ada, stage.last(), "", "erase:yes")
    await deliver_and_lose_reply(stage, data)
    match_id = await stage.begin()
    await deliver(stage, data)
    match = (await stage.perspective(match_id)).match
    assert stage.ada.id in {player.user_id for player in match.players.values()}


async def test_vacation_whose_reply_is_lost_does_not_begin_again(stage: Stage) -> None:
    days = {"name": "days", "type": INTEGER, "value": 20}
    _, data = typed(stage, stage.ada, "vacation", [days])
    await deliver_and_lose_reply(stage, data)
    back = await stage.ada.slash(stage.channel, "vacation", days=0)
    assert "Welcome back" in words(back.response)
    await deliver(stage, data)
    answer = await stage.ada.slash(stage.channel, "vacation", days=0)
    assert "not on vacation" in words(answer.response)


async def test_move_whose_reply_is_lost_counts_once_and_is_answered(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    _, data = payload(stage, actor, stage.last(), "act:")
    before = (await stage.perspective(match_id)).match.version
    await deliver_and_lose_reply(stage, data, "defer")
    defer = AsyncMock()
    monkeypatch.setattr(discord.InteractionResponse, "defer", defer)
    await deliver(stage, data)
    defer.assert_awaited_once()
    assert (await stage.perspective(match_id)).match.version == before + 1


async def test_page_whose_reply_is_lost_is_sent_again(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    _, data = typed(stage, stage.ada, "privacy")
    await deliver_and_lose_reply(stage, data)
    send_message = AsyncMock()
    monkeypatch.setattr(discord.InteractionResponse, "send_message", send_message)
    await deliver(stage, data)
    send_message.assert_awaited_once()
