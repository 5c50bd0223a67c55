"""Context menus: on a board, its replay; on a person, a challenge."""

from __future__ import annotations

from collections.abc import Iterator

import discord
from discord.app_commands import ContextMenu

from bot.interactions.challenge_card import open_card
from bot.interactions.command import menu
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, error_boundary
from render.i18n import N_


def context_menus(context: Context) -> Iterator[ContextMenu]:
    """Return all context menus."""

    async def challenge(interaction: Interaction, person: discord.User) -> None:
        async with error_boundary(interaction):
            await open_card(context, interaction, [person])

    yield menu(N_("Challenge"), challenge)
