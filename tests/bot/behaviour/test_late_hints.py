"""A hint for a position that the match has left: it says so, and offers no choice."""

from __future__ import annotations

from itertools import count
from typing import Any

import pytest

from bot.domain.ids import MatchId
from bot.services.computer_turns import Hint
from tests.support.computers import start
from tests.support.harness import Stage, ids, words

pytestmark = pytest.mark.computers


@pytest.mark.slow
@pytest.mark.parametrize("moved", ["before the computer is asked", "while it chooses", "never"])
async def test_hint_comes_too_late_when_the_match_has_moved_on(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, moved: str
) -> None:
    await stage.without_forced_moves()
    match_id = await start(stage, game="warp6", level="cadet")
    context, numbers = stage.client.context, count(1)
    ask = context.computer_turns.hint

    async def move() -> None:
        legal = (await context.queries.view(match_id, stage.ada.id)).view.legal
        line = legal[0].notation
        outcome = await context.matches.act(next(numbers), match_id, stage.ada.id, line)
        assert outcome.kind == "done"

    async def hint(match_id: MatchId, seat: str) -> Hint:
        if moved == "before the computer is asked":
            await move()
        hint = await ask(match_id, seat)
        if moved == "while it chooses":
            await move()
        return hint

    monkeypatch.setattr(context.computer_turns, "hint", hint)
    answer: Any = await stage.click(stage.ada, stage.last(), f"hint:{match_id}")
    text, custom_ids = words(answer.response), ids(answer.response)
    if moved == "never":
        assert "moved on" not in text
        assert answer.response.attachments
        assert any(custom_id.startswith("act:") for custom_id in custom_ids)
        return
    assert text.startswith("The match has moved on, so this hint would come too late.")
    assert custom_ids == [f"show:{match_id}"], "the way back"
    assert not answer.response.attachments
    await stage.computers()
    again = await stage.click(stage.ada, stage.last(), f"hint:{match_id}")
    assert again.response, "the next request is answered"
