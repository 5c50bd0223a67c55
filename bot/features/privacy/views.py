"""The stored data of a user, its export and its deletion."""

from __future__ import annotations

import io

import discord

from bot.features.privacy.export_files import ExportedFile
from bot.views import ui
from bot.views.confirmations import cancel_button
from bot.views.controls import button
from bot.views.custom_ids import AskEraseId, EraseId, ExportId
from bot.views.message import Message, note
from bot.views.policies import Policies
from render.i18n import N_, _, ngettext

STORED_DATA = N_("""**What I store about you, and why**
- Your Discord user ID and your display name in each match: so I know whose turn it is.
- Your moves, when you made them, and any words you gave for the dice: they are the match and its \
record.
- Your `/settings`, your Discord language, your vacation and its length over the last year, your \
progress in `/howto`, and whether my DMs reach you: so I can write to you the way you like.
- The servers, channels and messages of your matches: so I can continue there.
- Your private notes on matches and opponents: only you can read them here.
- Your plans: others can read one only if you publish it after the match.
- The servers on whose leaderboards you want to be listed, and your name there.

I don't read messages. All of this is in one database run by my host, isn't shared, and stays \
until you delete it; backups of that database are replaced over time. After a deletion I keep a \
scrambled form of your user ID, only so that a restored backup doesn't bring you back. My posts \
on Discord stay there.""")


def privacy(policies: Policies) -> Message:
    """Return a description of the stored data, with buttons to export and delete it."""
    row = ui.ActionRow(
        button(_("Export my data"), ExportId()),
        button(_("Delete my data"), AskEraseId(), discord.ButtonStyle.danger),
    )
    return note("\n\n".join((_(STORED_DATA), *policies.lines())), row)


def export(exported: ExportedFile) -> Message:
    """Return all data of a user as a file, for this user only."""
    name, content = exported
    file = discord.File(io.BytesIO(content), name, description=_("All data I store about you"))
    message = note(_("This is all the data I store about you."), ui.File(f"attachment://{name}"))
    return message._replace(files=(file,))


def confirm_erase(running: int) -> Message:
    """Return the confirmation for deleting a user's data.

    Args:
        running: number of matches that the user would resign.
    """
    words = ngettext("You will resign {count} match.", "You will resign {count} matches.", running)
    row = ui.ActionRow(
        button(_("Delete it for good"), EraseId(), discord.ButtonStyle.danger),
        cancel_button(),
    )
    sentences = [
        _("Delete your data?"),
        *([words.format(count=running)] if running else []),
        _(
            "Your challenges are withdrawn, your name in matches becomes “Deleted player”, and "
            "your settings are deleted. This can't be undone."
        ),
    ]
    return note(" ".join(sentences), row)
