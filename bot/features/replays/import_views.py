"""A record from outside, turn by turn. The record itself is attached to the message."""

from __future__ import annotations

from bot.domain.ids import NO_MATCH
from bot.domain.models import Perspective
from bot.features.replays.imports import ImportedRecord
from bot.features.replays.views import step_buttons, step_words, turn_page
from bot.views import ui
from bot.views.attachments import RECORD_FILE, record_file
from bot.views.custom_ids import ImportId, UploadId
from bot.views.images import Drawn
from bot.views.message import Message
from bot.views.origins import can_play_on, play_on_button
from bot.views.private_boards import MODAL_TITLE_LIMIT
from engine import games
from engine.game import PUBLIC
from render.i18n import _


def perspective(opened: ImportedRecord, turn: int) -> Perspective:
    """Return a record as the public sees it after a turn, from 0."""
    return Perspective(opened.match, PUBLIC, opened.turns[turn].view)


def turn(opened: ImportedRecord, drawn: Drawn, number: int) -> Message:
    """Return one turn of a record, with buttons to the others, and one to play on.

    Args:
        number: number of the turn, from 0.
    """
    total, current = len(opened.turns), opened.turns[number]
    title = _("**{game}** from a record: {step}").format(
        game=games.get(opened.match.game).title, step=step_words(opened.match, opened.turns, number)
    )
    if opened.is_redacted:
        title += "\n" + _("-# This record leaves hidden information out.")
    rows: list[ui.Item] = [
        ui.File(f"attachment://{RECORD_FILE}"),
        ui.ActionRow(*step_buttons(number, total, ImportId)),
    ]
    if not opened.is_redacted and can_play_on(current.view):
        rows.append(ui.ActionRow(play_on_button(NO_MATCH, current.action_count)))
    files = (record_file(opened.record, RECORD_FILE),)
    return turn_page(perspective(opened, number), drawn, title, rows, files)


def upload() -> ui.Modal:
    """Return a window to upload a record."""
    title = _("Open a match record")[:MODAL_TITLE_LIMIT]
    window = ui.Modal(title=title, custom_id=str(UploadId()), timeout=None)
    file = ui.FileUpload(custom_id="file", max_values=1)
    about = _("It ends in .match; only you see it here.")
    return window.add_item(ui.Label(text=_("Record"), description=about, component=file))
