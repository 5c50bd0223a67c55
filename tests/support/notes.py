"""Notes, written in their window."""

from __future__ import annotations

from typing import Any

from tests.support.harness import Stage
from tests.support.match_card import card_of


async def notes_window(stage: Stage, actor: Any, match_id: int, command: str = "board") -> Any:
    """Open the window from the card of a match; see `card_of`."""
    card = await card_of(stage, actor, stage.where or stage.channel, match_id, command)
    return await stage.click(actor, card.response, "notes:")


async def write_notes(
    stage: Stage, actor: Any, match_id: int, on_match: str, command: str = "board", **others: Any
) -> Any:
    """Write notes on a match, and on opponents by their user IDs; return the answer."""
    window = await notes_window(stage, actor, match_id, command)
    return await actor.submit_modal(window, {"text": on_match, **others})
