"""Players who go away, on the simulated Discord: what their opponents see, and how they return."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId
from bot.storage.database import Database
from engine.computer.players import VERSION
from engine.game import CHANCE
from tests.support.driver import by_click, play_on
from tests.support.harness import Stage, actor_bot, ids, words
from tests.support.match_card import on_card
from tests.support.matches import ListingQueries
from tests.support.strategies import Strategy, ahead, swift

pytestmark = [pytest.mark.computers, pytest.mark.slow]

CONTROLS = ("act:", "pick:", "part:", "menu:", "form:")


async def bos_turn(stage: Stage, strategy: Strategy = ahead, **options: Any) -> MatchId:
    """Begin a match, and play until Bo has to decide."""
    match_id = await stage.begin(**options)
    while await stage.deciding(match_id) is not stage.bo:
        await play_on(stage, match_id, Random(1), ways=(by_click,), strategy=strategy, limit=1)
    return match_id


async def go_away(stage: Stage) -> str:
    """Bo goes on vacation, and the computer may play for him."""
    answer = await stage.bo.slash(stage.channel, "vacation", days=5, computer="cadet")
    await stage.computers()
    return words(answer.response)


def has_controls(stage: Stage) -> bool:
    """Whether the latest board has controls for a decision."""
    return any(custom_id.startswith(CONTROLS) for custom_id in ids(stage.last()))


async def test_computer_plays_for_a_player_on_vacation(stage: Stage) -> None:
    match_id = await bos_turn(stage)
    assert "Cadet (bot) plays for you" in await go_away(stage)
    assert "Cadet (bot) can play for Bo if all other players agree" in words(stage.last())
    refusal = await stage.click(stage.eve, stage.last(), "standin:")
    assert "not playing in this match" in words(refusal.response)
    before = len(stage.public())
    await stage.click(stage.ada, stage.last(), "standin:")
    await stage.computers()
    assert await stage.deciding(match_id) is stage.ada
    assert len(stage.public()) == before
    board = words(stage.last())
    assert "Cadet (bot) is playing for Bo" in board
    assert f"<@{stage.bo.id}>" not in board
    games = await stage.bo.slash(stage.channel, "games")
    assert "Ada's turn" in words(games.response) or "playing for you" in words(games.response)


async def test_a_rated_match_does_not_count_with_a_stand_in(stage: Stage) -> None:
    match_id = await bos_turn(stage, rated=True)
    await go_away(stage)
    assert "the result won't change ratings" in words(stage.last())
    await stage.click(stage.ada, stage.last(), "standin:")
    await stage.computers()
    await stage.client.context.matches.act(7, match_id, stage.ada.id, "resign")
    await stage.computers()
    assert "No ratings change: the computer has played for a player." in words(stage.last())


@pytest.mark.parametrize("rated", [False, True])
async def test_plans_are_suggested_in_casual_matches_only(stage: Stage, rated: bool) -> None:
    await stage.begin(rated=rated)
    plan = await stage.ada.slash(stage.channel, "plan")
    assert ("Suggest" in words(plan.response)) is not rated


async def test_player_comes_back_by_the_board(stage: Stage) -> None:
    match_id = await bos_turn(stage)
    await go_away(stage)
    stage.client.context.computer_turns.pause_seconds = 3600.0
    await stage.client.context.stand_ins.agree(
        MatchId(7),
        match_id,
        stage.ada.id,
        (await stage.perspective(match_id, stage.bo)).seat,
        is_gone=False,
    )
    await stage.client.runtime.outbox.flush()
    assert not has_controls(stage)
    games = await stage.bo.slash(stage.channel, "games")
    assert "The computer is playing for you" in words(games.response)
    private = await stage.bo.slash(stage.channel, "board", match=match_id)
    assert "I'm back" in words(private.response)
    refusal = await stage.click(stage.ada, stage.last(), "back:")
    assert "isn't playing for you" in words(refusal.response)
    await stage.click(stage.bo, stage.last(), "back:")
    await stage.client.runtime.outbox.flush()
    assert has_controls(stage)
    assert f"<@{stage.bo.id}>" in words(stage.last())
    assert f"back:{match_id}" not in ids(stage.last())
    await play_on(stage, match_id, Random(1), ways=(by_click,), limit=1)


async def test_vacation_without_the_computer_offers_nothing(stage: Stage) -> None:
    await bos_turn(stage)
    await stage.bo.slash(stage.channel, "vacation", days=5)
    assert "on vacation" in words(stage.last())
    assert not any(custom_id.startswith("standin:") for custom_id in ids(stage.last()))
    refusal = await stage.ada.slash(stage.channel, "vacation", computer="cadet")
    assert "choose `days:`" in words(refusal.response)
    await stage.bo.slash(stage.channel, "vacation", computer="cadet")
    assert any(custom_id.startswith("standin:") for custom_id in ids(stage.last()))
    await stage.bo.slash(stage.channel, "vacation", computer="none")
    assert not any(custom_id.startswith("standin:") for custom_id in ids(stage.last()))


async def test_player_who_has_left_the_server_is_replaced(stage: Stage) -> None:
    match_id = await bos_turn(stage)
    stage.guild.remove_member(stage.bo)
    await stage.spend(1.5 * DAY)
    await stage.client.runtime.timers.fire()
    await stage.computers()
    assert "Bo has left this server" in words(stage.last())
    assert not any(custom_id.startswith("standin:") for custom_id in ids(stage.last()))
    await stage.spend(1.5 * DAY)
    await stage.client.runtime.timers.fire()
    await stage.computers()
    board = words(stage.last())
    assert "Bo has left this server" in board
    private = await stage.ada.slash(stage.channel, "board", match=match_id)
    assert any(custom_id.startswith("standin:") for custom_id in ids(private.response))
    assert "Navigator (bot) can play for Bo" in board
    await stage.click(stage.ada, stage.last(), "standin:")
    await stage.computers()
    assert "Navigator (bot) is playing for Bo" in words(stage.last())
    assert await stage.deciding(match_id) is stage.ada


async def test_match_with_a_stand_in_can_be_verified(stage: Stage) -> None:
    match_id = await bos_turn(stage, swift, game="warp6")
    await go_away(stage)
    await stage.click(stage.ada, stage.last(), "standin:")
    await stage.computers()
    for _ in range(3):
        await play_on(stage, match_id, Random(1), ways=(by_click,), strategy=swift, limit=1)
        await stage.computers()
    context = stage.client.context
    await context.matches.act(2, match_id, stage.ada.id, "resign")
    await stage.computers()
    record = await context.queries.record(match_id)
    seat = (await stage.perspective(match_id, stage.bo)).seat
    assert f" {seat} cadet/{VERSION}" in record.headers["Computer"]
    assert {action.actor for action in record.actions} == {"B", "Y", CHANCE}
    answer = await on_card(stage, stage.ada, stage.channel, "verify:", match_id)
    assert "moves of the computer follow" in words(answer.response)
    await stage.click(stage.ada, stage.last(), "rematch:")
    match = (await ListingQueries(stage.database).list_for(stage.bo.id, "challenge"))[0]
    assert match.unaccepted == match.seat_of(stage.bo.id)


async def test_computer_that_is_off_is_not_offered(stage: Stage, database: Database) -> None:
    await bos_turn(stage)
    await go_away(stage)
    await stage.env.restart_bot(actor_bot(database, stage.clock))
    await stage.bo.slash(stage.channel, "vacation", days=6)
    assert "on vacation" in words(stage.last())
    assert not any(custom_id.startswith("standin:") for custom_id in ids(stage.last()))
