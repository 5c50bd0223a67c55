"""A user's own data: the stored data, its export and deletion."""

from __future__ import annotations

import asyncio
from contextlib import aclosing
from functools import partial
from typing import Any

from bot.features.privacy import views
from bot.features.privacy.export_files import ExportedFile
from bot.features.privacy.exports import Exports, Progress
from bot.features.privacy.service import Privacy
from bot.interactions.command import EVERYWHERE, CheckedCommand, command
from bot.interactions.components import component, id_of
from bot.interactions.context import Context
from bot.interactions.policies import policies_of
from bot.interactions.progress import report
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_original,
    edit_pending,
    edit_reply,
    follow_up,
    reply,
    reply_pending,
    user_id_of,
)
from bot.views.custom_ids import AskEraseId, EraseId, ExportId
from bot.views.message import note
from render.i18n import N_, _

EXPORTING = N_("I'm still collecting your data; the file will be here in a moment.")
ERASING = N_("I'm still deleting your data; it takes a moment.")

COMMAND = N_("privacy")
COMPONENTS = (ExportId, AskEraseId, EraseId)
"""Components for a user's own data."""

EXPORT_SECONDS = 13 * 60.0
"""Maximum seconds for an export; Discord lets a reply be edited for 15 minutes."""

MATCHES_ERASED_QUICKLY = 100
"""Number of matches in progress that can be given up before an answer is due, after 3 s."""

COLLECTING = N_("Collecting your data …")


@component(ExportId)
async def _export(context: Context, interaction: Interaction, _id: ExportId) -> None:
    """Send all data of a user as a file, or several if it is very large."""
    progress = Progress()

    with context.limits.of(EXPORTING).running(user_id_of(interaction)):
        await reply_pending(interaction, _(COLLECTING))
        try:
            async with asyncio.timeout(EXPORT_SECONDS):
                work = _send_files(context, interaction, progress)
                await report(interaction, work, partial(progress_sentence, progress))
        except TimeoutError:
            raise UserError(_("I couldn't collect your data in time; try again later.")) from None


def progress_sentence(progress: Progress) -> str:
    """Return a sentence about the progress of an export."""
    if not progress.total:
        return _(COLLECTING)
    sentence = _("Collecting your data: {done} of {total} matches …")
    return sentence.format(done=progress.done, total=progress.total)


async def _send_files(context: Context, interaction: Interaction, progress: Progress) -> None:
    """Send the files of an export: the last one replaces the reply."""
    ready: ExportedFile | None = None
    async with aclosing(context.of(Exports).files(user_id_of(interaction), progress)) as files:
        async for file in files:
            if ready is not None:
                await follow_up(interaction, views.export(ready))
            ready = file
    if ready is not None:
        await edit_original(interaction, views.export(ready))


def is_about_privacy(interaction: Interaction) -> bool:
    """Return whether an interaction is about stored data, so that viewing it stores nothing."""
    data: Any = interaction.data or {}
    return data.get("name") == COMMAND or isinstance(id_of(interaction), COMPONENTS)


@component(AskEraseId)
async def _ask_erase(context: Context, interaction: Interaction, _id: AskEraseId) -> None:
    """Ask before deleting a user's data."""
    running = await context.queries.running_count(user_id_of(interaction))
    await edit_reply(interaction, views.confirm_erase(running))


@component(EraseId)
async def _erase(context: Context, interaction: Interaction, _id: EraseId) -> None:
    """Delete a user's data; before the answer, unless that takes long."""
    user_id = user_id_of(interaction)
    with context.limits.of(ERASING).running(user_id):
        takes_long = await context.queries.running_count(user_id) > MATCHES_ERASED_QUICKLY
        if takes_long:
            await edit_pending(interaction, _("Deleting your data …"))
        await context.of(Privacy).erase(user_id)
        context.clear_caches()
        answer = edit_original if takes_long else edit_reply
        sentence = _("Your data is deleted. Goodbye, and come back any time!")
        await answer(interaction, note(sentence))


def _privacy() -> CheckedCommand:
    @command(
        name=COMMAND,
        description=N_("See, export or delete the data I store about you"),
        offered=EVERYWHERE,
    )
    async def show_privacy(interaction: Interaction) -> None:
        await reply(interaction, views.privacy(policies_of(interaction)))

    return show_privacy


def commands(_context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_privacy()]
