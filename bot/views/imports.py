"""A record from outside, turn by turn. The message holds the record itself, as a file."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.i18n import sides
from bot.services.computer_players import LEVEL_TITLES
from bot.services.imports import ImportedRecord
from bot.services.models import Perspective
from bot.views.attachments import RECORD_FILE, record_file
from bot.views.boards import MODAL_TITLE_LIMIT
from bot.views.controls import button
from bot.views.custom_ids import ImportId, PlayOnId, PlayOnTypedId, UploadId
from bot.views.images import Drawn
from bot.views.message import Message
from bot.views.replays import page, step_buttons
from engine import games
from engine.game import PUBLIC
from render.i18n import _

ENTRY_LIMIT = 100
"""Maximum length of an entry of a list."""


def perspective(opened: ImportedRecord, turn: int) -> Perspective:
    """Return a record as the public sees it after a turn, from 0."""
    return Perspective(opened.match, PUBLIC, opened.turns[turn].view)


def turn(opened: ImportedRecord, drawn: Drawn, number: int) -> Message:
    """Return one turn of a record, with buttons to the others, and one to play on.

    Args:
        opened: the record.
        drawn: the picture of this turn.
        number: of the turn, from 0.
    """
    total, shown = len(opened.turns), opened.turns[number]
    title = _("**{game}** from a record: {number} of {total}").format(
        game=games.get(opened.match.game).title, number=number + 1, total=total
    )
    if opened.is_redacted:
        title += "\n" + _("-# This record leaves hidden information out.")
    rows: list[ui.Item[Any]] = [
        ui.File[Any](f"attachment://{RECORD_FILE}"),
        ui.ActionRow[Any](*step_buttons(number, total, ImportId)),
    ]
    if not (opened.is_redacted or shown.view.result or shown.view.departed):
        play_on = PlayOnId(shown.action_count)
        label = _("Play on from here")
        rows.append(ui.ActionRow[Any](button(label, play_on, discord.ButtonStyle.primary)))
    files = (record_file(opened.record, RECORD_FILE),)
    return page(perspective(opened, number), drawn, title, rows, files)


def upload() -> ui.Modal:
    """Return a window to upload a record."""
    title = _("Open a match record")[:MODAL_TITLE_LIMIT]
    window = ui.Modal(title=title, custom_id=str(UploadId()), timeout=None)
    file = ui.FileUpload[Any](custom_id="file", max_values=1)
    about = _("It ends in .match; only you see it here.")
    return window.add_item(ui.Label[Any](text=_("Record"), description=about, component=file))


def play_on(opened: ImportedRecord, action_count: int, *, computers: bool) -> ui.Modal:
    """Return a window for a match from a position of a record: the side and the opponents.

    Args:
        opened: the record.
        action_count: number of its actions before the match.
        computers: whether the computer can play.
    """
    match = opened.match
    title = _("Play on from here")[:MODAL_TITLE_LIMIT]
    window = ui.Modal(title=title, custom_id=str(PlayOnTypedId(action_count)), timeout=None)
    titles = sides(match.game)
    entries = [
        discord.SelectOption(label=f"{titles[seat]} ({name})"[:ENTRY_LIMIT], value=seat)
        for seat, name in match.names.items()
    ]
    side = ui.Select[Any](custom_id="side", options=entries)
    window.add_item(ui.Label[Any](text=_("Your side"), component=side))
    most = len(match.players) - 1
    people = ui.UserSelect[Any](custom_id="people", min_values=0, max_values=most, required=False)
    about = _("If you leave it empty, anyone here can join.")
    window.add_item(ui.Label[Any](text=_("Against"), description=about, component=people))
    if computers:
        levels = [
            discord.SelectOption(label=_(words), value=level)
            for words, level in LEVEL_TITLES.items()
        ]
        level = ui.Select[Any](custom_id="level", options=levels, min_values=0, required=False)
        about = _("At this level I take the seats that are free.")
        window.add_item(ui.Label[Any](text=_("Computer"), description=about, component=level))
    return window
