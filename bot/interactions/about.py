"""`/help` and `/about`."""

from __future__ import annotations

from bot.interactions.command import EVERYWHERE, CheckedCommand, command
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, reply
from bot.views import about
from render.i18n import N_


def _about(context: Context) -> CheckedCommand:
    @command(
        name=N_("about"),
        description=N_("About Starpost and its games, and where to report a problem"),
        offered=EVERYWHERE,
    )
    async def about_bot(interaction: Interaction) -> None:
        await reply(interaction, about.about(context.contact))

    return about_bot


def _help(context: Context) -> CheckedCommand:
    @command(
        name=N_("help"),
        description=N_("Where to begin, and the most important commands"),
        offered=EVERYWHERE,
    )
    async def first_steps(interaction: Interaction) -> None:
        await reply(interaction, about.first_steps(computers=context.computers))

    return first_steps


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_help(context), _about(context)]
