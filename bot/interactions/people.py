"""Clicks about oneself and about a server, see `bot.interactions.router`."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import discord

from bot.interactions.context import Context
from bot.interactions.replies import UnclearError, rewrite, whisper
from bot.services.clocks import OFFERED
from bot.services.models import RUNNING
from bot.services.servers import LANGUAGES, THREADS
from bot.views import privacy, servers
from bot.views.message import note
from render.i18n import _

Interaction = discord.Interaction[Any]

ABOUT_PRIVACY = ("privacy", "export", "erase")
"""The command and the buttons about one's own data."""


async def _export(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`export`: everything about oneself, as a file."""
    del fields
    await whisper(interaction, privacy.export(await context.privacy.export(interaction.user.id)))


def is_about_privacy(interaction: Interaction) -> bool:
    """Return whether a user looks at what is stored, so that looking stores nothing."""
    data: Any = interaction.data or {}
    subject = data.get("custom_id") or data.get("name") or ""
    return str(subject).partition(":")[0] in ABOUT_PRIVACY


async def _erase(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`erase:ask`, then `erase:yes`: be forgotten."""
    user_id = interaction.user.id
    if fields != ["yes"]:
        running = await context.queries.of(user_id, RUNNING)
        await rewrite(interaction, privacy.confirm_erase(len(running)))
        return
    await context.privacy.erase(user_id)
    context.forget()
    await rewrite(
        interaction, note(_("I have forgotten you. Farewell, and come back as you like."))
    )


def may_manage(interaction: Interaction) -> int:
    """The server that this user may manage.

    Raises:
        UnclearError: they may not, or it is no server.
    """
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise UnclearError(_("Only those who may manage this server choose that."))
    return interaction.guild_id


async def _server(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`server:NAME`, with the values: one of the server's settings."""
    guild_id = may_manage(interaction)
    data: Any = interaction.data or {}
    await context.servers.choose(guild_id, **_chosen(*fields[:1], values=data.get("values", ())))
    await rewrite(interaction, servers.server(await context.servers.settings(guild_id)))


def _chosen(name: str = "", *, values: Sequence[str]) -> dict[str, Any]:
    """A setting as it is stored.

    Raises:
        UnclearError: there is no such setting or no such value.
    """
    numbers = [int(value) for value in values if value.isdecimal()]
    first = "".join(values[:1])
    if name == "channels":
        return {name: numbers}
    if name == "role":
        return {name: next(iter(numbers), 0)}
    if name == "clock" and first in OFFERED:
        return {name: OFFERED[first]}
    if first in {"threads": THREADS, "language": LANGUAGES}.get(name, ()):
        return {name: first}
    raise UnclearError(_("This list does not work any more; `/server` shows a new one."))


Press = Callable[[Context, Interaction, list[str]], Awaitable[None]]

PEOPLE_PRESSES: dict[str, Press] = {
    "export": _export,
    "erase": _erase,
    "server": _server,
}
