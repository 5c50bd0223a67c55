"""Clicks about oneself and about a server, see `bot.presses`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any

import discord

from bot.answers import rewrite, whisper
from bot.messages import note
from bot.people import messages
from bot.tables import RUNNING

if TYPE_CHECKING:
    from bot.client import Starpost

Interaction = discord.Interaction[Any]


async def _export(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`export`: everything about oneself, as a file."""
    del fields
    await whisper(interaction, messages.export(await client.privacy.export(interaction.user.id)))


async def _erase(client: Starpost, interaction: Interaction, fields: list[str]) -> None:
    """`erase:ask`, then `erase:yes`: be forgotten."""
    user_id = interaction.user.id
    if fields != ["yes"]:
        running = await client.tables.of(user_id, RUNNING)
        await rewrite(interaction, messages.confirm_erase(len(running)))
        return
    await client.privacy.erase(user_id)
    client.delivery.wake()
    await rewrite(interaction, note("I have forgotten you. Farewell, and come back as you like."))


Press = Callable[["Starpost", Interaction, list[str]], Awaitable[None]]

PEOPLE_PRESSES: dict[str, Press] = {
    "export": _export,
    "erase": _erase,
}
