"""Context menus: on a board, its replay; on a person, a challenge."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator

import discord
from discord.app_commands import ContextMenu

from bot.interactions.board_messages import board_of
from bot.interactions.cards import open_card
from bot.interactions.command import menu
from bot.interactions.context import Context
from bot.interactions.replays import require_finished, show_turn
from bot.interactions.replies import Interaction, error_boundary
from render.i18n import N_


def context_menus(context: Context) -> Iterator[ContextMenu]:
    """Return all context menus."""

    async def replay(interaction: Interaction, message: discord.Message) -> None:
        async with error_boundary(interaction):
            await _replay(context, interaction, message)

    async def challenge(interaction: Interaction, person: discord.User) -> None:
        async with error_boundary(interaction):
            await open_card(context, interaction, [person])

    yield menu(N_("Replay from here"), replay)
    yield menu(N_("Challenge"), challenge)


async def _replay(context: Context, interaction: Interaction, message: discord.Message) -> None:
    """Show the turn of a finished match in which a board was posted."""
    shown = board_of(interaction, message)
    await require_finished(context, interaction, shown.match_id)
    _perspective, turns = await context.queries.turns(shown.match_id)
    counts = [turn.action_count for turn in turns]
    count = counts[-1] if shown.action_count is None else shown.action_count
    await show_turn(context, interaction, shown.match_id, bisect_right(counts, count) - 1)
