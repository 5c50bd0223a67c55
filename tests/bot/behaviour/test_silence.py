"""Opponents of a player who has left or is silent see it, and can continue without them."""

from __future__ import annotations

import pytest

from bot.domain.clocks import DAY
from bot.domain.waiting import NOTICE_SECONDS
from tests.support.harness import Stage, ids, words
from tests.support.match_card import on_card


async def pass_days(stage: Stage, days: float) -> None:
    """Let days pass, and fire the due timers."""
    await stage.spend(days * DAY)
    await stage.client.runtime.timers.fire()
    await stage.client.runtime.outbox.flush()


@pytest.mark.slow
async def test_a_player_who_has_left_gets_notice_but_no_nudge(stage: Stage) -> None:
    match_id, patient, late = await stage.waiting()
    stage.guild.remove_member(late)
    posts = len(stage.public())
    answer = await on_card(stage, patient, stage.channel, "nudge:", match_id)
    assert f"{stage.name(late)} has left this server" in words(answer.response)
    assert "Nudge sent" not in words(answer.response)
    assert not ids(answer.response), "too early to give notice"
    assert len(stage.public()) == posts
    board = await patient.slash(stage.channel, "board", match=match_id)
    assert "has left" not in words(board.response), "Discord is asked after a day only"
    await pass_days(stage, 3.1)
    assert f"{stage.name(late)} has left this server" in words(stage.last())
    assert f"<@{patient.id}>" not in words(stage.last())
    answer = await on_card(stage, patient, stage.channel, "nudge:", match_id)
    assert ids(answer.response) == [f"abandon:{match_id}"]
    board = await patient.slash(stage.channel, "board", match=match_id)
    assert f"{stage.name(late)} has left this server" in words(board.response)
    assert {f"abandon:{match_id}"} < {*ids(board.response)}
    assert not any(custom_id.startswith("standin:") for custom_id in ids(board.response)), (
        "it is off"
    )
    confirmation = await stage.click(patient, board.response, "abandon:")
    assert "3 days' notice" in words(confirmation.response)
    notice = await stage.click(patient, confirmation.response, "notice:")
    assert f"Notice given in Wormholes #{match_id}" in words(notice.response)
    await stage.client.runtime.outbox.flush()
    assert "Unless" in words(stage.last())
    games = await patient.slash(stage.channel, "games")
    assert f"Last notice to {stage.name(late)}" in words(games.response)
    await pass_days(stage, NOTICE_SECONDS / DAY)
    assert (await stage.client.context.queries.match(match_id)).status == "finished"
    assert "without a result" in words(stage.last())


@pytest.mark.slow
async def test_four_weeks_of_silence_are_enough(stage: Stage) -> None:
    match_id, patient, late = await stage.waiting()
    await stage.prefer(late, remind="off")
    await pass_days(stage, 3)
    await pass_days(stage, 24.9)
    games = await patient.slash(stage.channel, "games")
    assert f"nudge:{match_id}" in ids(games.response)
    for command in ("board", "games"):
        answer = await patient.slash(stage.channel, command)
        assert f"abandon:{match_id}" not in ids(answer.response)
    confirmation = await on_card(stage, patient, stage.channel, "abandon:", match_id)
    assert "agree" in words(confirmation.response), "the usual proposal"
    await pass_days(stage, 0.2)
    assert f"{stage.name(late)} hasn't moved since" in words(stage.last())
    for command in ("board", "games"):
        answer = await patient.slash(stage.channel, command)
        assert f"abandon:{match_id}" in ids(answer.response)
        answer = await late.slash(stage.channel, command)
        assert f"abandon:{match_id}" not in ids(answer.response)
    confirmation = await stage.click(patient, stage.last(), "abandon:")
    assert f"Give {stage.name(late)} 3 days' notice" in words(confirmation.response)
    reply = await stage.click(late, stage.last(), "abandon:")
    assert "notice" not in words(reply.response)
    await stage.click(patient, confirmation.response, "notice:")
    again = await on_card(stage, patient, stage.channel, "abandon:", match_id)
    assert "agree" in words(again.response)
