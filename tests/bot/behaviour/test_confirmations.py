"""Irreversible actions need confirmation, by every way, and are confirmed only once."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId
from tests.support.harness import Stage, ids, play, words

pytestmark = pytest.mark.slow


async def status(stage: Stage, match_id: MatchId) -> str:
    """Return the status of a match."""
    return (await stage.client.context.queries.match(match_id)).status


async def by_command(stage: Stage, match_id: MatchId, line: str) -> Any:
    """Type the choice after `/do`."""
    return await stage.ada.slash(stage.channel, "do", action=line, match=match_id)


async def by_window(stage: Stage, match_id: MatchId, line: str) -> Any:
    """Type the choice into the window that `/do` opens."""
    opened = await stage.ada.slash(stage.channel, "do", match=match_id)
    return await stage.ada.submit_modal(opened, {"line": line})


@pytest.mark.parametrize("way", [by_command, by_window])
@pytest.mark.parametrize("line", ["resign", "RESIGN", "Resign "])
async def test_typed_resignation_asks_first(stage: Stage, way: Any, line: str) -> None:
    match_id = await stage.begin()
    confirmation = await way(stage, match_id, line)
    assert await status(stage, match_id) == "running"
    assert "can't be undone" in words(confirmation.response)
    answer = await stage.click(stage.ada, confirmation.response, "cancel")
    assert "Nothing has changed" in words(answer.response)
    assert await status(stage, match_id) == "running"
    confirmation = await way(stage, match_id, line)
    await stage.click(stage.ada, confirmation.response, f"resign:{match_id}:")
    assert await status(stage, match_id) == "finished"
    assert "Bo wins" in words(stage.last())


async def test_resign_command_offers_cancel(stage: Stage) -> None:
    await stage.begin()
    confirmation = await stage.bo.slash(stage.channel, "resign")
    assert [custom_id.partition(":")[0] for custom_id in ids(confirmation.response)] == [
        "resign",
        "cancel",
    ]
    assert "against Ada" in words(confirmation.response)


async def test_resignation_of_a_match_that_is_over_is_not_asked(stage: Stage) -> None:
    """As by the button of a card that was opened before the end."""
    match_id = await stage.begin()
    more = await stage.click(stage.ada, stage.board(match_id), f"more:{match_id}")
    confirmation = await stage.bo.slash(stage.channel, "resign")
    await stage.click(stage.bo, confirmation.response, f"resign:{match_id}:")
    refusal = await stage.click(stage.ada, more.response, f"resign:{match_id}")
    assert words(refusal.response).startswith("This match is over.")
    assert "cancel" not in ids(refusal.response)


async def test_leaving_a_match_of_three_asks_first(stage: Stage) -> None:
    await play(
        stage.ada, stage.channel, game="warp6", opponent=stage.bo, opponent2=stage.eve, seats="3"
    )
    challenge = stage.last()
    for actor in (stage.bo, stage.eve):
        await stage.click(actor, challenge, "accept:")
    confirmation = await by_command(stage, MatchId(1), "leave")
    assert "play on without you" in words(confirmation.response)
    assert not (await stage.perspective(MatchId(1))).view.departed
    done = await stage.click(stage.ada, confirmation.response, "resign:")
    assert "You've left" in words(done.response)
    assert (await stage.perspective(MatchId(1))).view.departed


async def test_refused_resignation_is_not_asked(stage: Stage) -> None:
    match_id = await stage.begin()
    refusal = await by_command(stage, match_id, "leave")
    assert "In a match of two, resign" in words(refusal.response)
    assert "cancel" not in ids(refusal.response)


async def test_accepting_a_draw_asks_first(stage: Stage) -> None:
    match_id = await stage.begin()
    await stage.ada.slash(stage.channel, "draw")
    confirmation = await stage.click(stage.bo, stage.last(), f"act:{match_id}:-:draw accept")
    assert confirmation.ephemeral
    assert await status(stage, match_id) == "running"
    await stage.click(stage.bo, confirmation.response, "draw:")
    assert await status(stage, match_id) == "finished"


@pytest.mark.usefixtures("old_cards")
async def test_confirming_after_the_match_went_on_does_nothing(stage: Stage) -> None:
    match_id = await stage.begin()
    confirmation = await stage.ada.slash(stage.channel, "resign")
    await stage.bo.slash(stage.channel, "draw")
    late = await stage.click(stage.ada, confirmation.response, "resign:")
    assert "moved on since" in words(late.response)
    assert await status(stage, match_id) == "running"


@pytest.mark.usefixtures("old_cards")
async def test_claim_after_the_player_came_back_does_nothing(stage: Stage) -> None:
    match_id = await stage.begin(clock="1 day per turn")
    late = await stage.deciding(match_id)
    other = stage.bo if late is stage.ada else stage.ada
    await stage.spend(1.1 * DAY)
    await stage.env.advance_time(30)
    confirmation = await stage.click(other, stage.last(), "claim:")
    assert f"{stage.name(late)} loses on time" in words(confirmation.response)
    await late.slash(stage.channel, "do", action="first move")
    stale = await stage.click(other, confirmation.response, "claim:")
    assert "moved on since" in words(stale.response)
    assert await status(stage, match_id) == "running"


async def test_deleting_data_can_be_cancelled(stage: Stage) -> None:
    await stage.begin()
    answer = await stage.ada.slash(stage.channel, "privacy")
    confirmation = await stage.click(stage.ada, answer.response, "erase:ask")
    reply = await stage.click(stage.ada, confirmation.response, "cancel")
    assert "Nothing has changed" in words(reply.response)
    assert await status(stage, MatchId(1)) == "running"


async def test_window_for_a_decision_already_made_is_stale(stage: Stage) -> None:
    match_id = await stage.begin()
    first = await stage.deciding(match_id)
    await first.slash(stage.channel, "do", action="first place")
    opened = await first.slash(stage.channel, "do")
    before = (await stage.perspective(match_id, first)).view.legal
    for actor in (first, stage.bo if first is stage.ada else stage.ada):
        legal = (await stage.perspective(match_id, actor)).view.legal
        await actor.slash(stage.channel, "do", action=" ".join(("place", *legal[0].args)))
    legal_again = (await stage.perspective(match_id, first)).view.legal
    line = next(" ".join((action.verb, *action.args)) for action in legal_again if action in before)
    late = await first.submit_modal(opened, {"line": line})
    assert "already been made" in words(late.response)
    assert (await stage.perspective(match_id, first)).view.legal == legal_again
