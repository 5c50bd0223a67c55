"""What is stored of a user, the export and the deletion of it."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import discord
from discord import ui

from bot.views.confirmations import cancel_button
from bot.views.controls import button
from bot.views.custom_ids import AskEraseId, EraseId, ExportId
from bot.views.message import Message, note
from render.i18n import N_, _, ngettext

EXPORT_FILE = "starpost.json"

STORED_DATA = N_("""**What I keep of you, and why**
- Your Discord number and your name at each seat you have taken: so I know whose turn it is.
- Your choices in matches, when you made them, and words that you gave for the dice: they are the \
match, and its record.
- What you have chosen in `/settings`, the language of your Discord, until when you are away, how \
long you were away in the last year, how far you are in `/howto`, and whether my DMs reach you: so \
I write to you as you like it.
- The servers, channels and messages where your matches are: so I can go on there.

I read no messages. All of it lies in one database of whoever runs me, goes to nobody else, and \
stays until you delete it; backups of that database are replaced in time. After a deletion I \
keep a scrambled form of your number, only so that a restored backup does not bring you back. \
What I have posted on Discord stays there.""")


def privacy() -> Message:
    """What is stored, and what one can do about it."""
    row = ui.ActionRow[Any](
        button(_("Export my data"), ExportId()),
        button(_("Delete my data"), AskEraseId(), discord.ButtonStyle.danger),
    )
    return note(_(STORED_DATA), row)


def export(data: Mapping[str, Any]) -> Message:
    """Return all data of a user as a file, for this user only."""
    written = json.dumps(data, indent=1, ensure_ascii=False).encode()
    file = discord.File(
        io.BytesIO(written), EXPORT_FILE, description=_("All that I store about you")
    )
    told = note(
        _("This is all that I store about you."), ui.File[Any](f"attachment://{EXPORT_FILE}")
    )
    return told._replace(files=(file,))


def confirm_erase(running: int) -> Message:
    """Ask once more.

    Args:
        running: how many matches would be given up.
    """
    lost = ngettext(
        "You give up {count} running match.", "You give up {count} running matches.", running
    )
    row = ui.ActionRow[Any](
        button(_("Delete it for good"), EraseId(), discord.ButtonStyle.danger),
        cancel_button(),
    )
    sentences = [
        _("Shall I forget you?"),
        *([lost.format(count=running)] if running else []),
        _(
            "Your challenges are withdrawn, your seats become those of a deleted player, and your "
            "settings go. This cannot be taken back."
        ),
    ]
    return note(" ".join(sentences), row)
