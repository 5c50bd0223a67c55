"""`/about` and `/privacy`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from discord.app_commands import Command

from bot.answers import whisper
from bot.people import messages
from bot.slash import Interaction, command

if TYPE_CHECKING:
    from bot.client import Starpost


def people_commands(client: Starpost) -> list[Command[Any, ..., Any]]:
    """All of them."""
    return [_about(client), _privacy()]


def _about(client: Starpost) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await whisper(interaction, messages.about(interaction.locale.value, client.contact))

    return command("about", "Who I am, whose the games are, where to report a problem", run)


def _privacy() -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await whisper(interaction, messages.privacy())

    return command("privacy", "What I store about you; export or delete it", run)
