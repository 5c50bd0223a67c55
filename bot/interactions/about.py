"""`/help`, and what it leads to: the bot, its authors, whom to contact."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from bot.interactions.command import EVERYWHERE, CheckedCommand, command
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.policies import policies_of
from bot.interactions.replies import Interaction, edit_reply, reply
from bot.views import about
from bot.views.custom_ids import AboutId
from render.i18n import N_


class HelpLines(NamedTuple):
    """The lines of features in `/help`, untranslated."""

    lines: Sequence[str]


@component(AboutId)
async def _about(context: Context, interaction: Interaction, _id: AboutId) -> None:
    """Show the version, the authors and the contact."""
    await edit_reply(interaction, about.about(context.contact, policies_of(interaction)))


def _help(context: Context) -> CheckedCommand:
    @command(
        name=N_("help"),
        description=N_("Where to begin, the most important commands, and about Starpost"),
        offered=EVERYWHERE,
    )
    async def first_steps(interaction: Interaction) -> None:
        lines = context.of(HelpLines).lines
        await reply(interaction, about.first_steps(lines, computers=context.computers))

    return first_steps


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_help(context)]
