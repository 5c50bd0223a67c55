"""What cannot be undone is asked first, whichever way it comes, and confirmed once only."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.time_controls import DAY
from tests.support.harness import Stage, ids, play, words


async def status(stage: Stage, match_id: int) -> str:
    """Return how far a match is."""
    return (await stage.client.context.queries.match(match_id)).status


async def by_command(stage: Stage, match_id: int, line: str) -> Any:
    """Type the choice after `/do`."""
    return await stage.ada.slash(stage.channel, "do", action=line, match=match_id)


async def by_window(stage: Stage, match_id: int, line: str) -> Any:
    """Type the choice into the window that `/do` opens."""
    opened = await stage.ada.slash(stage.channel, "do", match=match_id)
    return await stage.ada.submit_modal(opened, {"line": line})


@pytest.mark.slow
@pytest.mark.parametrize("way", [by_command, by_window])
@pytest.mark.parametrize("line", ["resign", "RESIGN", "Resign "])
async def test_typed_resignation_asks_first(stage: Stage, way: Any, line: str) -> None:
    match_id = await stage.begin()
    asked = await way(stage, match_id, line)
    assert await status(stage, match_id) == "running"
    assert "can't be undone" in words(asked.response)
    kept = await stage.click(stage.ada, asked.response, "cancel")
    assert "Nothing has changed" in words(kept.response)
    assert await status(stage, match_id) == "running"
    asked = await way(stage, match_id, line)
    await stage.click(stage.ada, asked.response, f"resign:{match_id}:")
    assert await status(stage, match_id) == "finished"
    assert "Bo wins" in words(stage.last())


@pytest.mark.slow
async def test_resign_command_offers_cancel(stage: Stage) -> None:
    await stage.begin()
    asked = await stage.bo.slash(stage.channel, "resign")
    assert [custom_id.partition(":")[0] for custom_id in ids(asked.response)] == [
        "resign",
        "cancel",
    ]
    assert "against Ada" in words(asked.response)


@pytest.mark.slow
async def test_leaving_a_match_of_three_asks_first(stage: Stage) -> None:
    await play(
        stage.ada, stage.channel, game="warp6", opponent=stage.bo, opponent2=stage.eve, seats="3"
    )
    asked = stage.last()
    for actor in (stage.bo, stage.eve):
        await stage.click(actor, asked, "accept:")
    asked = await by_command(stage, 1, "leave")
    assert "play on without you" in words(asked.response)
    assert not (await stage.perspective(1)).view.departed
    done = await stage.click(stage.ada, asked.response, "resign:")
    assert "You've left" in words(done.response)
    assert (await stage.perspective(1)).view.departed


@pytest.mark.slow
async def test_refused_resignation_is_not_asked(stage: Stage) -> None:
    match_id = await stage.begin()
    refused = await by_command(stage, match_id, "leave")
    assert "In a match of two, resign" in words(refused.response)
    assert "cancel" not in ids(refused.response)


@pytest.mark.slow
async def test_accepting_a_draw_asks_first(stage: Stage) -> None:
    match_id = await stage.begin()
    await stage.ada.slash(stage.channel, "draw")
    asked = await stage.click(stage.bo, stage.last(), f"act:{match_id}:-:draw accept")
    assert asked.ephemeral
    assert await status(stage, match_id) == "running"
    await stage.click(stage.bo, asked.response, "draw:")
    assert await status(stage, match_id) == "finished"


@pytest.mark.slow
async def test_confirming_after_the_match_went_on_does_nothing(stage: Stage) -> None:
    match_id = await stage.begin()
    asked = await stage.ada.slash(stage.channel, "resign")
    await stage.bo.slash(stage.channel, "draw")
    late = await stage.click(stage.ada, asked.response, "resign:")
    assert "moved on since" in words(late.response)
    assert await status(stage, match_id) == "running"


@pytest.mark.slow
async def test_claim_after_the_player_came_back_does_nothing(stage: Stage) -> None:
    match_id = await stage.begin(clock="1 day per turn")
    late = await stage.deciding(match_id)
    other = stage.bo if late is stage.ada else stage.ada
    await stage.spend(1.1 * DAY)
    await stage.env.advance_time(30)
    asked = await stage.click(other, stage.last(), "claim:")
    assert f"{stage.name(late)} loses on time" in words(asked.response)
    await late.slash(stage.channel, "do", action="first move")
    stale = await stage.click(other, asked.response, "claim:")
    assert "moved on since" in words(stale.response)
    assert await status(stage, match_id) == "running"


@pytest.mark.slow
async def test_deleting_data_can_be_cancelled(stage: Stage) -> None:
    await stage.begin()
    answer = await stage.ada.slash(stage.channel, "privacy")
    asked = await stage.click(stage.ada, answer.response, "erase:ask")
    kept = await stage.click(stage.ada, asked.response, "cancel")
    assert "Nothing has changed" in words(kept.response)
    assert await status(stage, 1) == "running"


@pytest.mark.slow
async def test_window_for_a_decision_already_made_is_stale(stage: Stage) -> None:
    match_id = await stage.begin()
    first = await stage.deciding(match_id)
    await first.slash(stage.channel, "do", action="first place")
    opened = await first.slash(stage.channel, "do")
    before = (await stage.perspective(match_id, first)).view.legal
    for actor in (first, stage.bo if first is stage.ada else stage.ada):
        legal = (await stage.perspective(match_id, actor)).view.legal
        await actor.slash(stage.channel, "do", action=" ".join(("place", *legal[0].args)))
    again = (await stage.perspective(match_id, first)).view.legal
    line = next(" ".join((action.verb, *action.args)) for action in again if action in before)
    late = await first.submit_modal(opened, {"line": line})
    assert "already been made" in words(late.response)
    assert (await stage.perspective(match_id, first)).view.legal == again
