"""The board is redrawn for players who are watching, and posted for those who are not."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.domain.ids import MatchId
from bot.services.pings import WATCHING_SECONDS
from tests.support.driver import by_click, play_on
from tests.support.harness import Stage, pinged, words
from tests.support.strategies import racing

pytestmark = [pytest.mark.slow, pytest.mark.watched]


async def racing_match(stage: Stage) -> MatchId:
    """A match of Warp 6 in which both players have just moved for the first time."""
    await stage.without_forced_moves()
    match_id = await stage.begin(game="warp6")
    while (await stage.perspective(match_id)).view.turn < 3:
        await move(stage, match_id)
    return match_id


async def move(stage: Stage, match_id: MatchId) -> Any:
    """Let the player move who has to; return the other one."""
    actor = await stage.deciding(match_id)
    while await stage.deciding(match_id) is actor:
        await play_on(stage, match_id, Random(1), ways=(by_click,), strategy=racing, limit=1)
    return await stage.deciding(match_id)


async def test_quick_turns_are_shown_on_one_board(stage: Stage) -> None:
    match_id = await racing_match(stage)
    before = [message.id for message in stage.public()]
    for _ in range(6):
        text = words(stage.last())
        await move(stage, match_id)
        assert words(stage.last()) != text
    assert [message.id for message in stage.public()] == before


async def test_player_who_stopped_watching_is_pinged_once(stage: Stage) -> None:
    match_id = await racing_match(stage)
    board = stage.last()
    actor = await move(stage, match_id)
    assert stage.last().id == board.id
    for _ in range(3):
        await stage.ping()
    (ping,) = [message for message in stage.public() if message.id > board.id]
    assert pinged(stage, ping) == [actor.id]
    await move(stage, match_id)
    assert ping.id not in [message.id for message in stage.public()]


async def test_player_who_chose_long_ago_gets_a_new_board(stage: Stage) -> None:
    match_id = await racing_match(stage)
    board = stage.last()
    await stage.spend(WATCHING_SECONDS)
    actor = await move(stage, match_id)
    new = stage.last()
    assert new.id != board.id
    assert pinged(stage, new) == [actor.id]
    await move(stage, match_id)
    assert stage.last().id == new.id


async def test_draw_offer_is_posted_also_for_watchers(stage: Stage) -> None:
    match_id = await racing_match(stage)
    board, actor = stage.last(), await stage.deciding(match_id)
    await actor.slash(stage.channel, "draw", match=match_id)
    assert stage.last().id != board.id


async def test_end_is_posted_also_for_watchers(stage: Stage) -> None:
    match_id = await racing_match(stage)
    board, actor = stage.last(), await stage.deciding(match_id)
    confirmation = await actor.slash(stage.channel, "resign", match=match_id)
    await stage.click(actor, confirmation.response, "resign:")
    assert stage.last().id != board.id
