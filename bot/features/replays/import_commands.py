"""Show a record from outside, and play on from it.

The record is attached to the reply, and each click reads it from there, so nothing is stored.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any, NamedTuple

import aiohttp
import discord

from bot.features.replays import import_views as imports
from bot.features.replays.imports import (
    MAX_RECORD_BYTES,
    ImportedRecord,
    Imports,
    UnreadableRecordError,
    too_large,
)
from bot.interactions.components import component
from bot.interactions.context import Context
from bot.interactions.invocation import guild_id_of
from bot.interactions.replies import (
    Interaction,
    UserError,
    edit_original,
    edit_reply,
    open_window,
    reply,
    user_id_of,
)
from bot.sanitize import escape
from bot.views.attachments import RECORD_FILE
from bot.views.custom_ids import ImportId, OpenRecordId, UploadId
from bot.views.message import Message, note
from render.i18n import N_, _

READING = N_("I'm still reading a record for you; try again in a few seconds.")

DOWNLOAD_SECONDS = 5.0
"""Maximum seconds for downloading an upload."""

CLICK_SECONDS = 1.5
"""Maximum seconds to read the record after a click, which must be answered within 3 s."""

_RECORD_GONE = N_("I no longer have this record; `/replay record:` opens it again.")

_NO_DOWNLOAD = N_("I couldn't download this file; please try again.")


class Upload(NamedTuple):
    """A file that a user has uploaded to Discord."""

    size: int
    url: str


async def _download(interaction: Interaction, upload: Upload) -> bytes:
    """Download a record.

    Raises:
        UserError: it is too large, or cannot be downloaded.
    """
    if upload.size > MAX_RECORD_BYTES:
        raise UserError(too_large())
    try:
        data: bytes = await interaction.client.http.get_from_cdn(upload.url)
    except (discord.NotFound, discord.Forbidden):
        raise UserError(_(_RECORD_GONE)) from None
    except (discord.HTTPException, aiohttp.ClientError):
        raise UserError(_(_NO_DOWNLOAD)) from None
    return data


async def _read(context: Context, data: bytes) -> ImportedRecord:
    """Read a record.

    Raises:
        UserError: it cannot be shown.
    """
    try:
        return await context.of(Imports).open(data)
    except UnreadableRecordError as error:
        raise UserError(escape(str(error))) from None


async def _turn(
    context: Context, interaction: Interaction, opened: ImportedRecord, number: int
) -> Message:
    """Return a turn of a record, or the last one if there are fewer."""
    place = min(number, len(opened.turns) - 1)
    style = await context.preferences.style(user_id_of(interaction), guild_id_of(interaction))
    drawn = await context.images.board(imports.perspective(opened, place), style)
    return imports.turn(opened, drawn, place)


async def show_record(context: Context, interaction: Interaction, upload: Upload) -> None:
    """Reply with the first turn of an uploaded record.

    Raises:
        UserError: a record is being read for this user.
    """
    with context.limits.of(READING).running(user_id_of(interaction)):
        await reply(interaction, note(_("Reading the record …")))
        try:
            async with asyncio.timeout(DOWNLOAD_SECONDS):
                data = await _download(interaction, upload)
            message = await _turn(context, interaction, await _read(context, data), 0)
        except UserError as error:
            message = note(str(error), *error.more)
        except TimeoutError:
            message = note(_(_NO_DOWNLOAD))
    await edit_original(interaction, message)


@component(OpenRecordId)
async def _ask(_context: Context, interaction: Interaction, _id: OpenRecordId) -> None:
    """Open a window for a record."""
    await open_window(interaction, imports.upload())


@component(UploadId)
async def _uploaded(context: Context, interaction: Interaction, _id: UploadId) -> None:
    """Open the record uploaded in a window."""
    upload = _upload_in(interaction.data or {})
    if upload is None:
        raise UserError(_("There's no file in it; please try again."))
    await show_record(context, interaction, upload)


def _upload_in(data: Mapping[str, Any]) -> Upload | None:
    """Return the file that comes with a window."""
    files = data.get("resolved", {}).get("attachments", {})
    return next((Upload(file["size"], file["url"]) for file in files.values()), None)


@component(ImportId)
async def _step(context: Context, interaction: Interaction, id: ImportId) -> None:
    """Show a turn of the attached record."""
    opened = await open_attached(context, interaction)
    await edit_reply(interaction, await _turn(context, interaction, opened, id.turn))


async def open_attached(context: Context, interaction: Interaction) -> ImportedRecord:
    """Read the record attached to the clicked message.

    Raises:
        UserError: it cannot be shown, or a record is being read for this user.
    """
    try:
        with context.limits.of(READING).running(user_id_of(interaction)):
            async with asyncio.timeout(CLICK_SECONDS):
                data = await _download(interaction, _attached(interaction))
                return await _read(context, data)
    except TimeoutError:
        raise UserError(_("I couldn't read this record in time; please try again.")) from None


def _attached(interaction: Interaction) -> Upload:
    """Return the record attached to the clicked message.

    Raises:
        UserError: there is none.
    """
    files = interaction.message.attachments if interaction.message else []
    for file in files:
        if file.filename == RECORD_FILE:
            return Upload(file.size, file.url)
    raise UserError(_(_RECORD_GONE))
