"""The private notes of a player: their window, and their lines beside the player's boards."""

from __future__ import annotations

import discord

from bot.domain.ids import UserId
from bot.domain.models import Match, MatchStatus
from bot.features.notes.ids import NotesCopyId, NotesId, NotesWrittenId
from bot.features.notes.service import NOTES_LIMIT, PlayerNotes, opponents_of
from bot.sanitize import escape
from bot.views import ui
from bot.views.controls import button, match_button
from bot.views.message import Message, note
from bot.views.names import title_of
from bot.views.private_boards import MODAL_TITLE_LIMIT
from render.i18n import N_, _, truncate

MATCH_LIMIT = 1200
"""Maximum length of the notes on a match beside a board, with Markdown escaped."""

OPPONENT_LIMIT = 400
"""The same for the notes on an opponent; the window shows all of them."""

MATCH_FIELD = "text"
"""The custom_id of the field for the notes on the match; those on opponents have their user ID."""

WHO_SEES_THEM = N_("Only you see them. At most {limit} characters.")


def card_buttons(match: Match, seat: str, _computers: bool) -> list[ui.Button]:
    """Return the button that opens the notes, in the card of a match, for its players."""
    if not seat or match.status == MatchStatus.CHALLENGE:
        return []
    return [button(_("Notes…"), NotesId(match.id))]


def window(match: Match, user_id: UserId, notes: PlayerNotes) -> ui.Modal:
    """Return the window with a player's notes on a match and its opponents."""
    title = truncate(_("Notes: {match}").format(match=title_of(match)), MODAL_TITLE_LIMIT)
    modal = ui.Modal(title=title, custom_id=str(NotesWrittenId(match.id)), timeout=None)
    modal.add_item(_field(MATCH_FIELD, _("This match"), notes.on_match))
    for other_id in opponents_of(match, user_id):
        name = match.names[match.seat_of(other_id)]
        label = _("{name}, in all your matches").format(name=name)
        modal.add_item(_field(other_id, label, notes.on_opponents.get(other_id, "")))
    return modal


def _field(about: UserId | str, label: str, text: str) -> ui.Label:
    field = ui.TextInput(
        custom_id=str(about),
        style=discord.TextStyle.paragraph,
        default=text or None,
        required=False,
        max_length=NOTES_LIMIT,
    )
    description = _(WHO_SEES_THEM).format(limit=NOTES_LIMIT)
    return ui.Label(
        text=truncate(label, MODAL_TITLE_LIMIT), description=description, component=field
    )


def memory_button(match: Match, path: str, *, is_noted: bool, has_lines: bool) -> ui.Button:
    """Return the button beside what a player has to remember.

    It copies that into the notes; if there is nothing to copy, it opens them.

    Args:
        path: the path to the choices on the board with the button; empty for all.
        is_noted: whether the notes have all of it.
        has_lines: whether there is something to remember.
    """
    if not is_noted:
        return button(_("Copy to my notes"), NotesCopyId(match.id, path))
    return button(_("In your notes…") if has_lines else _("Notes…"), NotesId(match.id))


def lines(match: Match, notes: PlayerNotes) -> str:
    """Return a player's notes, to show beside the player's boards; empty if there are none."""
    parts = []
    if notes.on_match:
        parts += [_("**Your notes**"), truncate(escape(notes.on_match), MATCH_LIMIT)]
    for other_id, text in notes.on_opponents.items():
        name = escape(match.names[match.seat_of(other_id)])
        heading = _("**Your notes on {name}**").format(name=name)
        parts += [heading, truncate(escape(text), OPPONENT_LIMIT)]
    return "\n".join(parts)


def confirmation(*, is_complete: bool) -> str:
    """Return the sentence that notes are stored, or those on the match and not all on opponents."""
    if is_complete:
        return _("Your notes are saved.")
    return _(
        "Your notes on this match are saved. An opponent's data has been deleted, and with it your "
        "notes on that player."
    )


def written(match: Match, notes: PlayerNotes, words: str) -> Message:
    """Show the notes on a match that is over below a confirmation."""
    text = "\n".join(filter(None, (words, lines(match, notes))))
    return note(text, ui.ActionRow(button(_("Notes…"), NotesId(match.id)), match_button(match)))
