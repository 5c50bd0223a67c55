"""*End without a result…*: a match ends without a result by the consent of its players."""

from __future__ import annotations

from random import Random

import pytest

from bot.domain.ids import MatchId
from tests.support.driver import play_on, silently
from tests.support.harness import Stage, ids, pinged, words
from tests.support.interactions import unchanged
from tests.support.match_card import forged_on_card, on_card

pytestmark = pytest.mark.slow


async def proposed(stage: Stage) -> MatchId:
    """A match that Ada would end without a result."""
    await stage.without_threads()
    match_id = await stage.begin()
    confirmation = await on_card(stage, stage.ada, stage.channel, "abandon:")
    assert "if Bo agree" in words(confirmation.response)
    await stage.click(stage.ada, confirmation.response, f"abandon:{match_id}:")
    return match_id


async def test_the_other_player_is_asked_and_confirms(stage: Stage) -> None:
    match_id = await proposed(stage)
    request = stage.last()
    assert pinged(stage, request) == [stage.bo.id]
    assert "Ada" in words(request)
    question = await stage.click(stage.bo, request, "abandon:")
    assert question.ephemeral
    done = await stage.click(stage.bo, question.response, f"abandon:{match_id}:")
    assert "has ended without a result" in words(done.response)
    end = stage.last()
    assert "The match was ended without a result." in words(end)
    assert any(attachment.filename.endswith(".match") for attachment in end.attachments)
    replay = await stage.bo.slash(stage.channel, "replay")
    await stage.bo.click(replay.response, label="Last")
    assert "without a result" in words(replay.response)
    verification = await on_card(stage, stage.bo, stage.channel, "verify:")
    assert "follow" in words(verification.response)


async def test_a_move_answers_the_proposal(stage: Stage) -> None:
    match_id = await proposed(stage)
    request = stage.last()
    question = await stage.click(stage.bo, request, "abandon:")
    await play_on(stage, match_id, Random(1), ways=(silently,), limit=1)
    late = await stage.click(stage.bo, question.response, f"abandon:{match_id}:")
    assert "moved on" in words(late.response)
    assert (await stage.client.context.queries.match(match_id)).status == "running"


async def test_a_proposal_outlives_a_restart(stage: Stage) -> None:
    match_id = await proposed(stage)
    await stage.restart()
    question = await stage.click(stage.bo, stage.last(), "abandon:")
    await stage.click(stage.bo, question.response, f"abandon:{match_id}:")
    assert (await stage.client.context.queries.match(match_id)).status == "finished"


async def test_cancel_and_others_change_nothing(stage: Stage) -> None:
    await stage.without_threads()
    match_id = await stage.begin()
    async with unchanged(stage):
        confirmation = await on_card(stage, stage.ada, stage.channel, "abandon:")
        await stage.click(stage.ada, confirmation.response, "cancel")
        other = await forged_on_card(stage, stage.eve, stage.channel, match_id, "abandon:")
        assert "not playing" in words(other.response)
        assert not ids(other.response)
    over = await stage.ada.slash(stage.channel, "resign")
    await stage.click(stage.ada, over.response, "resign:")
    late = await forged_on_card(stage, stage.ada, stage.channel, match_id, "abandon:")
    assert "isn't running" in words(late.response)
