"""`/about`."""

from __future__ import annotations

from typing import Any

from discord.app_commands import Command

from bot.interactions.command import command
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, reply
from bot.views import about
from render.i18n import N_


def _about(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await reply(interaction, about.about(context.contact))

    description = N_("Who I am, whose the games are, where to report a problem")
    return command(N_("about"), description, run)


def commands(context: Context) -> list[Command[Any, ..., Any]]:
    """Return the commands of this feature."""
    return [_about(context)]
