"""A user's own data: the stored data, its export and deletion."""

from __future__ import annotations

from typing import Any

from bot.interactions.command import CheckedCommand, command
from bot.interactions.components import component, id_of
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, edit_reply, reply
from bot.services.models import MatchStatus
from bot.views import privacy
from bot.views.custom_ids import AskEraseId, EraseId, ExportId
from bot.views.message import note
from render.i18n import N_, _

COMMAND = N_("privacy")
COMPONENTS = (ExportId, AskEraseId, EraseId)
"""Components for a user's own data."""


@component(ExportId)
async def _export(context: Context, interaction: Interaction, _id: ExportId) -> None:
    """Send all data of a user as a file."""
    user_id = interaction.user.id
    with context.limits.exports.running(user_id):
        await reply(interaction, privacy.export(await context.privacy.export(user_id)))


def is_about_privacy(interaction: Interaction) -> bool:
    """Return whether an interaction is about stored data, so that viewing it stores nothing."""
    data: Any = interaction.data or {}
    return data.get("name") == COMMAND or isinstance(id_of(interaction), COMPONENTS)


@component(AskEraseId)
async def _ask_erase(context: Context, interaction: Interaction, _id: AskEraseId) -> None:
    """Ask before deleting a user's data."""
    running = await context.queries.list_for(interaction.user.id, MatchStatus.RUNNING)
    await edit_reply(interaction, privacy.confirm_erase(len(running)))


@component(EraseId)
async def _erase(context: Context, interaction: Interaction, _id: EraseId) -> None:
    """Delete a user's data."""
    await context.privacy.erase(interaction.user.id)
    context.clear_caches()
    await edit_reply(interaction, note(_("Your data is deleted. Goodbye, and come back any time!")))


def _privacy() -> CheckedCommand:
    @command(name=COMMAND, description=N_("See, export or delete the data I store about you"))
    async def show_privacy(interaction: Interaction) -> None:
        await reply(interaction, privacy.privacy())

    return show_privacy


def commands(_context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_privacy()]
