"""A record from outside, turn by turn. The message holds the record itself, as a file."""

from __future__ import annotations

from typing import Any

from discord import ui

from bot.services.imports import ImportedRecord
from bot.services.models import Perspective
from bot.views.attachments import record_file
from bot.views.boards import MODAL_TITLE_LIMIT
from bot.views.custom_ids import ImportId, UploadId
from bot.views.images import Drawn
from bot.views.message import Message
from bot.views.replays import page, step_buttons
from engine import games
from engine.game import PUBLIC
from render.i18n import _

RECORD_FILE = "record.match"


def perspective(opened: ImportedRecord, turn: int) -> Perspective:
    """Return a record as the public sees it after a turn, from 0."""
    return Perspective(opened.match, PUBLIC, opened.turns[turn].view)


def turn(opened: ImportedRecord, drawn: Drawn, number: int) -> Message:
    """Return one turn of a record, with buttons to the others.

    Args:
        opened: the record.
        drawn: the picture of this turn.
        number: of the turn, from 0.
    """
    total = len(opened.turns)
    title = _("**{game}** from a record: {number} of {total}").format(
        game=games.get(opened.match.game).title, number=number + 1, total=total
    )
    if opened.is_redacted:
        title += "\n" + _("-# This record leaves hidden information out.")
    return page(
        perspective(opened, number),
        drawn,
        title,
        (
            ui.File[Any](f"attachment://{RECORD_FILE}"),
            ui.ActionRow[Any](*step_buttons(number, total, ImportId)),
        ),
        (record_file(opened.record, RECORD_FILE),),
    )


def upload() -> ui.Modal:
    """Return a window to upload a record."""
    title = _("Open a match record")[:MODAL_TITLE_LIMIT]
    window = ui.Modal(title=title, custom_id=str(UploadId()), timeout=None)
    file = ui.FileUpload[Any](custom_id="file", max_values=1)
    about = _("It ends in .match; only you see it here.")
    return window.add_item(ui.Label[Any](text=_("Record"), description=about, component=file))
