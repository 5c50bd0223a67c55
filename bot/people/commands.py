"""`/about`, `/privacy`, `/server` and `/vacation`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord.app_commands import Command, Range

from bot.answers import UnclearError, whisper
from bot.clocks import DAY
from bot.messages import note
from bot.people import messages
from bot.people.presses import may_manage
from bot.slash import Interaction, Option, command
from render.language import _, later

if TYPE_CHECKING:
    from bot.client import Starpost


def people_commands(client: Starpost) -> list[Command[Any, ..., Any]]:
    """All of them."""
    return [_about(client), _privacy(), _server(client), _vacation(client)]


def _about(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await whisper(interaction, messages.about(client.contact))

    meaning = later("Who I am, whose the games are, where to report a problem")
    return command(later("about"), meaning, run)


def _privacy() -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await whisper(interaction, messages.privacy())

    return command(later("privacy"), later("What I store about you; export or delete it"), run)


def _server(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        chosen = await client.servers.settings(may_manage(interaction))
        await whisper(interaction, messages.server(chosen))

    meaning = later("Where matches begin on this server, who may play, and how")
    made = command(later("server"), meaning, run)
    made.default_permissions = discord.Permissions(manage_guild=True)
    return made


def _vacation(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, days: int) -> None:
        until = client.now() + days * DAY
        if days:
            await client.vacations.begin(interaction.user.id, until)
        elif not await client.vacations.end(interaction.user.id):
            raise UnclearError(_("You are not away; nothing has changed."))
        client.delivery.wake()
        away = _(
            "You are away until {date}, and your clocks stand still; play all the same whenever "
            "you like. `/vacation days:0` ends it."
        ).format(date=f"<t:{int(until)}:D>")
        await whisper(interaction, note(away if days else _("Welcome back; your clocks go on.")))

    about = later("How many; 0 when you are back")
    days = Option(later("days"), about, Range[int, 0, 30], required=True)
    meaning = later("Be away: your clocks stand still, the others see it")
    return command(later("vacation"), meaning, run, [days])
