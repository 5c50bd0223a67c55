"""Boards are edited through the click on them, which Discord does not count as a request."""

from __future__ import annotations

import pytest

from bot import clicked_messages
from bot.domain.ids import MatchId
from tests.support.harness import Stage, ids

pytestmark = pytest.mark.slow

BY_CLICK = "/webhooks/*/*/messages/*"


async def edits_after_move(stage: Stage) -> list[str]:
    """Make a move by a click, and return the first words of the paths of all edits."""
    before, actor = stage.last(), await stage.deciding(MatchId(1))
    start = len(stage.env.http_requests)
    await stage.click(actor, before, "act:")
    former = next(message for message in stage.public() if message.id == before.id)
    assert not any(custom_id.startswith("act:") for custom_id in ids(former))
    assert former.attachments
    requests = stage.env.http_requests[start:]
    return [request.path.split("/")[1] for request in requests if request.method == "PATCH"]


async def test_clicked_board_loses_its_controls_by_the_click(stage: Stage) -> None:
    await stage.begin()
    assert await edits_after_move(stage) == ["webhooks"]


async def test_refused_edit_by_a_click_is_made_in_the_channel(stage: Stage) -> None:
    await stage.begin()
    stage.env.inject_error("PATCH", BY_CLICK, status=401, code=50027, times=1)
    assert await edits_after_move(stage) == ["webhooks", "channels"]


async def test_click_of_long_ago_is_not_used(stage: Stage, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clicked_messages, "KEPT_SECONDS", -1.0)
    await stage.begin()
    assert await edits_after_move(stage) == ["channels"]


async def test_click_whose_answer_failed_is_not_used(stage: Stage) -> None:
    await stage.begin()
    path = "/interactions/*/*/callback"
    stage.env.inject_error("POST", path, status=404, code=10062, times=1)
    before, actor = stage.last(), await stage.deciding(MatchId(1))
    start = len(stage.env.http_requests)
    await actor.click(before, custom_id=next(i for i in ids(before) if i.startswith("act:")))
    requests = stage.env.http_requests[start:]
    paths = [request.path.split("/")[1] for request in requests if request.method == "PATCH"]
    assert paths == ["channels"]
