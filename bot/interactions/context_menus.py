"""Context menus: on a board, its rules and its replay; on a person, a challenge."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, NamedTuple

import discord
from discord.app_commands import ContextMenu

from bot.domain.models import MatchStatus
from bot.interactions.cards import open_card
from bot.interactions.command import menu
from bot.interactions.context import Context
from bot.interactions.replays import require_finished, show_turn
from bot.interactions.replies import Interaction, UserError, error_boundary
from bot.interactions.rules import open_rules
from bot.interactions.visibility import visible_match
from bot.views.custom_id_codec import CustomIdError, parse
from bot.views.custom_ids import AcceptId, TextId
from render import for_game
from render.i18n import N_, _

NO_BOARD = N_("That's not one of my boards; try this on a message with a board.")


class Shown(NamedTuple):
    """The content of a message of the bot: a match after a number of actions, or a challenge."""

    match_id: int
    action_count: int | None


def context_menus(context: Context) -> Iterator[ContextMenu]:
    """Return all context menus."""

    async def rules(interaction: Interaction, message: discord.Message) -> None:
        async with error_boundary(interaction):
            await _rules(context, interaction, message)

    async def replay(interaction: Interaction, message: discord.Message) -> None:
        async with error_boundary(interaction):
            await _replay(context, interaction, message)

    async def challenge(interaction: Interaction, person: discord.User) -> None:
        async with error_boundary(interaction):
            await open_card(context, interaction, [person])

    yield menu(N_("Rules for this"), rules)
    yield menu(N_("Replay from here"), replay)
    yield menu(N_("Challenge"), challenge)


async def _rules(context: Context, interaction: Interaction, message: discord.Message) -> None:
    """Show the section of the rules about the decision pending when a board was posted."""
    shown = _shown(interaction, message)
    match = await visible_match(context, interaction, shown.match_id)
    rule = ""
    if shown.action_count is not None and match.status != MatchStatus.CHALLENGE:
        perspective = await context.queries.view(match.id, 0, shown.action_count)
        rule = for_game(match.game).rule(perspective.view)
    await open_rules(context, interaction, match.game, rule)


async def _replay(context: Context, interaction: Interaction, message: discord.Message) -> None:
    """Show the turn of a finished match in which a board was posted."""
    shown = _shown(interaction, message)
    await require_finished(context, interaction, shown.match_id)
    _perspective, turns = await context.queries.turns(shown.match_id)
    counts = [turn.action_count for turn in turns]
    count = counts[-1] if shown.action_count is None else shown.action_count
    await show_turn(context, interaction, shown.match_id, bisect_right(counts, count) - 1)


def _shown(interaction: Interaction, message: discord.Message) -> Shown:
    """Return the content of a message.

    Raises:
        UserError: the message is not a board or challenge of this bot.
    """
    own = interaction.client.user
    data: Any = interaction.data or {}
    resolved = data.get("resolved", {}).get("messages", {}).get(str(message.id), {})
    if own is not None and message.author.id == own.id:
        for id in _custom_ids(resolved):
            if isinstance(id, TextId):
                return Shown(id.match_id, id.action_count)
            if isinstance(id, AcceptId):
                return Shown(id.match_id, None)
    raise UserError(_(NO_BOARD))


def _custom_ids(part: Mapping[str, Any]) -> Iterator[object]:
    """Yield the well-formed custom_ids of a message's components."""
    with suppress(CustomIdError):
        yield parse(str(part.get("custom_id", "")))
    for each in part.get("components") or ():
        yield from _custom_ids(each)
