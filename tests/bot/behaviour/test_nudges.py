"""Players who wait nudge the others."""

from __future__ import annotations

import pytest

from bot.domain.clocks import DAY
from tests.support.harness import NOW, Stage, ids, pinged, words
from tests.support.match_card import forged_on_card, on_card

pytestmark = pytest.mark.slow


async def test_a_nudge_pings_only_the_player_to_move(stage: Stage) -> None:
    match_id, patient, late = await stage.waiting()
    answer = await on_card(stage, patient, stage.channel, "nudge:")
    assert answer.ephemeral
    assert "Nudge sent" in words(answer.response)
    message = stage.last()
    assert pinged(stage, message) == [late.id]
    assert f"{stage.name(patient)} would love to see your move" in words(message)
    assert f"#{match_id}" in words(message)
    assert not ids(message)


async def test_nudged_player_who_wants_it_gets_a_dm(stage: Stage) -> None:
    match_id, patient, late = await stage.waiting()
    await stage.prefer(late, turns="on")
    before = len(late.user.dm_channel.history())
    await on_card(stage, patient, stage.channel, "nudge:")
    await stage.env.settle()
    assert len(late.user.dm_channel.history()) == before + 1
    assert f"#{match_id}" in words(late.user.dm_channel.history()[-1])


async def test_a_second_nudge_tells_the_time_of_the_next(stage: Stage) -> None:
    match_id, patient, _ = await stage.waiting()
    await on_card(stage, patient, stage.channel, "nudge:")
    posts = len(stage.public())
    reply = await on_card(stage, patient, stage.channel, "nudge:", match_id)
    assert f"<t:{int(NOW + DAY)}:R>" in words(reply.response)
    await stage.restart()
    reply = await on_card(stage, patient, stage.channel, "nudge:", match_id)
    assert f"<t:{int(NOW + DAY)}:R>" in words(reply.response)
    assert len(stage.public()) == posts
    await stage.spend(DAY)
    answer = await on_card(stage, patient, stage.channel, "nudge:", match_id)
    assert "Nudge sent" in words(answer.response)
    assert len(stage.public()) == posts + 1


async def test_the_own_board_offers_a_nudge_while_waiting(stage: Stage) -> None:
    _, patient, late = await stage.waiting()
    board = await patient.slash(stage.channel, "board")
    answer = await stage.click(patient, board.response, "nudge:")
    assert "Nudge sent" in words(answer.response)
    for actor in (late, stage.eve):
        board = await actor.slash(stage.channel, "board", match=1)
        assert not any(custom_id.startswith("nudge:") for custom_id in ids(board.response))


async def test_a_player_on_vacation_is_not_nudged(stage: Stage) -> None:
    match_id, patient, late = await stage.waiting()
    await late.slash(stage.channel, "vacation", days=3)
    posts = len(stage.public())
    answer = await forged_on_card(stage, patient, stage.channel, match_id, "nudge:")
    assert "away" in words(answer.response)
    board = await patient.slash(stage.channel, "board", match=match_id)
    assert not any(custom_id.startswith("nudge:") for custom_id in ids(board.response))
    assert len(stage.public()) == posts
