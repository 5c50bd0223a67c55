"""The card of a match, opened and used by clicks."""

from __future__ import annotations

from typing import Any

from tests.support.harness import Stage, ids, words
from tests.support.interactions import fire, payload


async def card_of(
    stage: Stage, actor: Any, where: Any, match_id: Any = None, command: str = "board"
) -> Any:
    """Open the card from a command.

    Args:
        match_id: the match, if it is not the only one.
        command: `board`, or `replay` for a finished match.
    """
    options = {} if match_id is None else {"match": match_id}
    opened = await actor.slash(where, command, **options)
    return await stage.click(actor, opened.response, "more:")


async def on_card(stage: Stage, actor: Any, where: Any, start: str, match_id: Any = None) -> Any:
    """Click a button of the card; see `card_of`.

    Args:
        start: the beginning of its custom_id.
    """
    command = "replay" if start == "verify:" else "board"
    card = await card_of(stage, actor, where, match_id, command)
    (custom_id,) = (name for name in ids(card.response) if name.startswith(start))
    return await actor.click(card.response, custom_id=custom_id)


async def if_on_card(stage: Stage, actor: Any, where: Any, start: str, match_id: Any) -> str:
    """Click a button of the card if it has it; return the texts of the answer, or none."""
    card = await card_of(stage, actor, where, match_id)
    if not any(name.startswith(start) for name in ids(card.response)):
        return ""
    return words((await stage.click(actor, card.response, start)).response)


async def forged_on_card(stage: Stage, actor: Any, where: Any, match_id: Any, start: str) -> Any:
    """Click a button that the card does not have for this user."""
    card = await card_of(stage, actor, where, match_id)
    assert not [name for name in ids(card.response) if name.startswith(start)]
    forged = payload(stage, actor, stage.last(where), "", f"{start}{match_id}")
    return await fire(stage, forged)


async def open_record(stage: Stage, actor: Any, name: str, data: bytes) -> Any:
    """Give a record to `/replay`."""
    return await actor.slash(stage.channel, "replay", record=(name, data))
