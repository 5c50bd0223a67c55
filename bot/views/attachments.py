"""Files of a message: the drawn board with its alt text, and the record."""

from __future__ import annotations

import io
from collections.abc import Sequence

import discord

from bot.domain.models import Perspective
from bot.views import ui
from bot.views.images import Drawn
from engine.game import Action
from engine.record import Record
from render import for_game
from render.i18n import _, titled, truncate
from render.renderer import MAX_ALT_CHARACTERS

BOARD_FILE = "board.png"

LAST_TURN_FILE = "last-turn.gif"

RECORD_FILE = "record.match"
"""File name of a record that belongs to no match of this bot."""


def picture_file(perspective: Perspective, drawn: Drawn, overlay: str = "") -> discord.File:
    """Return a picture as a file with its alt text."""
    alt = alt_text(perspective, overlay, drawn.ghosts)
    return discord.File(io.BytesIO(drawn.png), BOARD_FILE, description=alt)


def attached_gallery(perspective: Perspective) -> ui.MediaGallery:
    """Return the picture that is attached to a message already, with its alt text."""
    alt = alt_text(perspective)
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{BOARD_FILE}", description=alt))


def last_turn_file(perspective: Perspective, gif: bytes) -> discord.File:
    """Return the animation of the latest turn as a file; its alt text is the story."""
    renderer = for_game(perspective.match.game)
    story = renderer.story(perspective.view, perspective.match.names)
    alt = truncate(story, MAX_ALT_CHARACTERS)
    return discord.File(io.BytesIO(gif), LAST_TURN_FILE, description=alt)


def alt_text(
    perspective: Perspective, overlay: str = "", ghosts: Sequence[Action] = (), plan: str = ""
) -> str:
    """Return a picture's alt text.

    It begins with the drawings besides the position.
    """
    renderer, view = for_game(perspective.match.game), perspective.view
    labels = [renderer.ghost_label(view, action) for action in ghosts]
    numbers = renderer.ghost_numbers(ghosts)
    numbered = [titled(number, label) for number, label in zip(numbers, labels, strict=True)]
    lines = numbered if labels[1:] else labels
    if overlay:
        lines.append(renderer.overlay(view, overlay))
    if plan:
        lines.append(plan)
    lines.append(renderer.alt_text(view, perspective.match.names))
    return truncate("\n".join(lines), MAX_ALT_CHARACTERS)


def piecepack_file(text: str, name: str) -> discord.File:
    """Return a match in Portable Piecepack Notation as a file."""
    data = io.BytesIO(text.encode())
    return discord.File(data, name, description=_("The match in Portable Piecepack Notation"))


def record_file(record: Record, name: str) -> discord.File:
    """Return a match's record as a file."""
    data = io.BytesIO(str(record).encode())
    return discord.File(data, name, description=_("The match's record"))
