"""A private panel that is out of date says so, and becomes the current one by the click."""

from __future__ import annotations

from typing import Any

import pytest

from bot.domain.ids import MatchId
from tests.support.harness import Stage, ids, words


async def opened(stage: Stage) -> tuple[MatchId, Any, Any]:
    """Begin placing coins; return the match, its player, and a private panel of this player."""
    match_id = await stage.begin()
    actor = await stage.deciding(match_id)
    await actor.slash(stage.channel, "do", action="first place")
    actor = await stage.deciding(match_id)
    return match_id, actor, await stage.click(actor, stage.last(), "part:")


async def place(stage: Stage, match_id: MatchId) -> None:
    """Place a coin."""
    actor = await stage.deciding(match_id)
    (action, *_) = (await stage.perspective(match_id, actor)).view.legal
    await actor.slash(stage.channel, "do", action=action.notation)


@pytest.mark.slow
@pytest.mark.usefixtures("old_cards")
@pytest.mark.parametrize("moves", [1, 2])
async def test_a_stale_panel_becomes_the_current_board(stage: Stage, moves: int) -> None:
    match_id, actor, panel = await opened(stage)
    old = next(custom_id for custom_id in ids(panel.response) if custom_id.startswith("part:"))
    for _ in range(moves):
        await place(stage, match_id)
    late = await actor.click(panel.response, custom_id=old)
    assert late.response.id == panel.response.id
    assert "already been made. Here's the board." in words(late.response)
    assert [file.filename for file in late.response.attachments] == ["board.png"]
    match = await stage.client.context.queries.match(match_id)
    choices = [custom_id for custom_id in ids(late.response) if custom_id.startswith("part:")]
    assert bool(choices) == (await stage.deciding(match_id) is actor)
    (decision,) = match.decisions.values()
    assert all(choice.startswith(f"part:{match_id}:{decision}:") for choice in choices)


@pytest.mark.slow
@pytest.mark.usefixtures("old_cards")
async def test_a_stale_choice_in_a_panel_changes_nothing(stage: Stage) -> None:
    match_id, actor, panel = await opened(stage)
    path = next(custom_id for custom_id in ids(panel.response) if custom_id.startswith("part:"))
    panel = await actor.click(panel.response, custom_id=path)
    await place(stage, match_id)
    count = len((await stage.client.context.queries.record(match_id)).actions)
    old = next(
        custom_id
        for custom_id in ids(panel.response)
        if custom_id.startswith(("act:", "pick:", "part:"))
    )
    late = await actor.click(panel.response, custom_id=old)
    assert late.response.id == panel.response.id
    assert "already been made" in words(late.response)
    assert len((await stage.client.context.queries.record(match_id)).actions) == count
