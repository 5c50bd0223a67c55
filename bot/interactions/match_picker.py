"""Resume a command after the user picks its match from a list.

The list's custom_id holds the command and its other options, so it works after a restart.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import discord
from discord.app_commands import Command

from bot.domain.models import Match
from bot.interactions.command import CheckedCommand
from bot.interactions.components import component, selected
from bot.interactions.context import Context
from bot.interactions.replies import RESUMED, Interaction, UserError
from bot.views import ui
from bot.views.choices import MENU_LIMIT, Menu
from bot.views.controls import menu_of
from bot.views.custom_id_codec import CustomIdError
from bot.views.custom_ids import ResumeId
from bot.views.names import title_of
from render.i18n import N_, _

RESUMABLE_TYPES = {
    discord.AppCommandOptionType.string: str,
    discord.AppCommandOptionType.boolean: bool,
}
"""The types of options that a list can hold."""

LIST_GONE = N_("This list no longer works; use the command again.")


def match_menu(interaction: Interaction, entries: Sequence[tuple[str, str]]) -> list[ui.ActionRow]:
    """Return a list of matches that resumes the command; empty if its custom_id would be too long.

    Args:
        entries: number and label of each match.
    """
    command = interaction.command
    options = vars(interaction.namespace).items()
    values = {name: value for name, value in options if name != "match" and value is not None}
    if not isinstance(command, Command) or not all(
        type(v) in RESUMABLE_TYPES.values() for v in values.values()
    ):
        return []
    written = json.dumps(values, ensure_ascii=False, separators=(",", ":"))
    menu = Menu(_("Which match?"), tuple(entries[:MENU_LIMIT]))
    try:
        return [menu_of(ResumeId(command.qualified_name, written), menu)]
    except CustomIdError:
        return []


def other_matches(
    interaction: Interaction, match: Match, entries: Sequence[tuple[str, str]]
) -> list[ui.Item]:
    """Return items that name the match of a reply and offer others; see `match_menu`."""
    menu = match_menu(interaction, entries)
    if not menu:
        return []
    text = _("-# This is {match}. The same in another match:").format(match=title_of(match))
    return [ui.TextDisplay(text), *menu]


@component(ResumeId)
async def _resume(context: Context, interaction: Interaction, id: ResumeId) -> None:
    """Resume a command."""
    number = selected(interaction)
    command = next(
        (c for c in interaction.client.tree.walk_commands() if c.qualified_name == id.command), None
    )
    if not isinstance(command, CheckedCommand) or not number.isdecimal():
        raise UserError(_(LIST_GONE))
    values = _values(command, id.options)
    interaction.extras[RESUMED] = True
    if interaction.message:
        context.cards.release(interaction.message.id)
    await command.run(interaction, match=int(number[:18]), **values)


def _values(command: Command[Any, ..., Any], written: str) -> dict[str, Any]:
    """Read the options of a command as `match_menu` wrote them.

    Raises:
        UserError: they are not options of this command.
    """
    parameters = {
        parameter.name: parameter for parameter in command.parameters if parameter.name != "match"
    }
    try:
        values = json.loads(written)
    except ValueError:
        raise UserError(_(LIST_GONE)) from None
    fits = (
        isinstance(values, dict)
        and all(
            n in parameters and type(v) is RESUMABLE_TYPES.get(parameters[n].type)
            for n, v in values.items()
        )
        and all(name in values for name, parameter in parameters.items() if parameter.required)
    )
    if not fits or "match" not in {parameter.name for parameter in command.parameters}:
        raise UserError(_(LIST_GONE))
    return dict(values)
