"""A user's own data: what is stored, the export, the deletion."""

from __future__ import annotations

from typing import Any

from discord.app_commands import Command

from bot.interactions.command import command
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, edit_reply, reply
from bot.services.models import MatchStatus
from bot.views import privacy
from bot.views.message import note
from render.i18n import N_, _

ABOUT_PRIVACY = ("privacy", "export", "erase")
"""The command and the buttons about one's own data."""


@component("export")
async def _export(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`export`: everything about oneself, as a file."""
    del fields
    await reply(interaction, privacy.export(await context.privacy.export(interaction.user.id)))


def is_about_privacy(interaction: Interaction) -> bool:
    """Return whether a user looks at what is stored, so that looking stores nothing."""
    data: Any = interaction.data or {}
    subject = data.get("custom_id") or data.get("name") or ""
    return str(subject).partition(":")[0] in ABOUT_PRIVACY


@component("erase")
async def _erase(context: Context, interaction: Interaction, fields: list[str]) -> None:
    """`erase:ask`, then `erase:yes`: be forgotten."""
    user_id = interaction.user.id
    if fields != ["yes"]:
        running = await context.queries.list_for(user_id, MatchStatus.RUNNING)
        await edit_reply(interaction, privacy.confirm_erase(len(running)))
        return
    await context.privacy.erase(user_id)
    context.forget()
    await edit_reply(
        interaction, note(_("I have forgotten you. Farewell, and come back as you like."))
    )


def _privacy() -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await reply(interaction, privacy.privacy())

    return command(N_("privacy"), N_("What I store about you; export or delete it"), run)


def commands(_context: Context) -> list[Command[Any, ..., Any]]:
    """Return the commands of this feature."""
    return [_privacy()]
