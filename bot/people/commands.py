"""`/about`, `/privacy` and `/server`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import discord
from discord.app_commands import Command

from bot.answers import whisper
from bot.people import messages
from bot.people.presses import may_manage
from bot.slash import Interaction, command

if TYPE_CHECKING:
    from bot.client import Starpost


def people_commands(client: Starpost) -> list[Command[Any, ..., Any]]:
    """All of them."""
    return [_about(client), _privacy(), _server(client)]


def _about(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await whisper(interaction, messages.about(interaction.locale.value, client.contact))

    return command("about", "Who I am, whose the games are, where to report a problem", run)


def _privacy() -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await whisper(interaction, messages.privacy())

    return command("privacy", "What I store about you; export or delete it", run)


def _server(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        chosen = await client.servers.settings(may_manage(interaction))
        await whisper(interaction, messages.server(chosen))

    made = command("server", "Where matches begin on this server, who may play, and how", run)
    made.default_permissions = discord.Permissions(manage_guild=True)
    return made
