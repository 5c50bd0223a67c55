"""The match in progress whose message was clicked, and the way back from an answer to its board."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from typing import Any

import discord

from bot.domain.ids import NO_MATCH, MatchId
from bot.views import ui
from bot.views.controls import board_button
from bot.views.custom_id_codec import CustomId, CustomIdError, parse
from bot.views.custom_ids import ActId, CancelId, PartId, PlanId, ShowId, SinceId
from bot.views.message import Message

_OF_MATCH = (ShowId, PlanId, SinceId)
"""Buttons that boards, and private answers about a match in progress, have."""

_WAYS_BACK = (*_OF_MATCH, ActId, PartId, CancelId)
"""Buttons of messages that need no other way back to the board."""


def clicked_match(message: discord.Message | None) -> MatchId:
    """Return the match in progress that a clicked message is about; `NO_MATCH` if there is none.

    A private answer about something else, such as a lesson, has the button to the board it was
    opened from: so it belongs to that match, even after a restart.
    """
    if message is None:
        return NO_MATCH
    custom_ids = _parsed(_written(message.components))
    match_ids = {id.match_id for id in custom_ids if isinstance(id, _OF_MATCH)}
    return match_ids.pop() if len(match_ids) == 1 else NO_MATCH


def with_way_back(message: Message, match_id: MatchId) -> Message:
    """Return an answer with a button to the board, unless it has one."""
    custom_ids = _parsed(
        custom_id
        for item in message.layout.walk_children()
        if (custom_id := getattr(item, "custom_id", None))
    )
    if any(isinstance(id, _WAYS_BACK) for id in custom_ids):
        return message
    return message.with_items([ui.ActionRow(board_button(match_id))])


def _written(parts: Iterable[Any]) -> Iterator[str]:
    """Yield the custom_ids of components and of those inside them."""
    for part in parts:
        if custom_id := getattr(part, "custom_id", None):
            yield custom_id
        yield from _written(getattr(part, "children", ()))


def _parsed(custom_ids: Iterable[str]) -> Iterator[CustomId]:
    for custom_id in custom_ids:
        with suppress(CustomIdError):
            yield parse(custom_id)
