"""The command tree; a failure before a command runs gets a friendly sentence as well."""

from __future__ import annotations

import discord
from discord import app_commands

from bot.interactions.gate import Gate
from bot.interactions.option_validation import is_readable
from bot.interactions.replies import Interaction, handle_error, mismatched


class CommandTree(app_commands.CommandTree[discord.Client]):
    """The commands."""

    def __init__(self, client: discord.Client, gate: Gate) -> None:
        super().__init__(client)
        self._gate = gate

    async def interaction_check(self, interaction: Interaction, /) -> bool:
        """Run no command while the bot is stopping, and none that cannot be read."""
        if not await self._gate.admit(interaction):
            return False
        if is_readable(interaction.data or {}):
            return True
        await mismatched(interaction, app_commands.AppCommandError())
        return False

    async def on_error(self, interaction: Interaction, error: app_commands.AppCommandError) -> None:
        """Answer a command that failed before or while it ran."""
        if isinstance(error, app_commands.CommandInvokeError):
            await handle_error(interaction, error.original)
        else:
            await mismatched(interaction, error)
