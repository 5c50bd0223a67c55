"""The match and position that a message of the bot shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import discord

from bot.domain.ids import MatchId
from bot.interactions.replies import Interaction, UserError
from bot.views.custom_id_codec import CustomIdError, parse
from bot.views.custom_ids import AcceptId, TextId
from render.i18n import N_, _

NO_BOARD = N_("That's not one of my boards; try this on a message with a board.")


class ShownBoard(NamedTuple):
    """The content of a message of the bot: a match after a number of actions, or a challenge."""

    match_id: MatchId
    action_count: int | None


def board_of(interaction: Interaction, message: discord.Message) -> ShownBoard:
    """Return the content of a message.

    Raises:
        UserError: the message is not a board or challenge of this bot.
    """
    bot_user = interaction.client.user
    data: Any = interaction.data or {}
    resolved = data.get("resolved", {}).get("messages", {}).get(str(message.id), {})
    if bot_user is not None and message.author.id == bot_user.id:
        for id in _custom_ids(resolved):
            if isinstance(id, TextId):
                return ShownBoard(id.match_id, id.action_count)
            if isinstance(id, AcceptId):
                return ShownBoard(id.match_id, None)
    raise UserError(_(NO_BOARD))


def _custom_ids(part: Mapping[str, Any]) -> Iterator[object]:
    """Yield the well-formed custom_ids of a message's components."""
    with suppress(CustomIdError):
        yield parse(str(part.get("custom_id", "")))
    for child in part.get("components") or ():
        yield from _custom_ids(child)
