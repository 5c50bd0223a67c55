"""Files of a message: the drawn board with its alt text, and the record."""

from __future__ import annotations

import io

import discord

from bot.domain.models import Perspective
from bot.views import ui
from bot.views.images import Drawn
from engine.record import Record
from render import for_game
from render.i18n import _, truncate
from render.renderer import MAX_ALT_CHARACTERS

BOARD_FILE = "board.png"

LAST_TURN_FILE = "last-turn.gif"

RECORD_FILE = "record.match"
"""File name of a record that belongs to no match of this bot."""


def picture_file(perspective: Perspective, drawn: Drawn, overlay: str = "") -> discord.File:
    """Return a picture as a file with its alt text."""
    return discord.File(
        io.BytesIO(drawn.png), BOARD_FILE, description=alt_text(perspective, overlay)
    )


def gallery(perspective: Perspective, overlay: str = "") -> ui.MediaGallery:
    """Return the attached board with its alt text, which names the overlay, if any."""
    alt = alt_text(perspective, overlay)
    return ui.MediaGallery(discord.MediaGalleryItem(f"attachment://{BOARD_FILE}", description=alt))


def last_turn_file(perspective: Perspective, gif: bytes) -> discord.File:
    """Return the animation of the latest turn as a file with its alt text."""
    return discord.File(io.BytesIO(gif), LAST_TURN_FILE, description=_last_turn_alt(perspective))


def last_turn_gallery(perspective: Perspective) -> ui.MediaGallery:
    """Return the attached animation of the latest turn with its alt text, the story."""
    return ui.MediaGallery(
        discord.MediaGalleryItem(
            f"attachment://{LAST_TURN_FILE}", description=_last_turn_alt(perspective)
        )
    )


def _last_turn_alt(perspective: Perspective) -> str:
    renderer = for_game(perspective.match.game)
    story = renderer.story(perspective.view, perspective.match.names)
    return truncate(story, MAX_ALT_CHARACTERS)


def alt_text(perspective: Perspective, overlay: str) -> str:
    """Return a picture's alt text, beginning with the requested overlay, if any."""
    renderer = for_game(perspective.match.game)
    alt = renderer.alt_text(perspective.view, perspective.match.names)
    if overlay:
        alt = f"{renderer.overlay(perspective.view, overlay)}\n{alt}"
    return truncate(alt, MAX_ALT_CHARACTERS)


def piecepack_file(text: str, name: str) -> discord.File:
    """Return a match in Portable Piecepack Notation as a file."""
    data = io.BytesIO(text.encode())
    return discord.File(data, name, description=_("The match in Portable Piecepack Notation"))


def record_file(record: Record, name: str) -> discord.File:
    """Return a match's record as a file."""
    data = io.BytesIO(str(record).encode())
    return discord.File(data, name, description=_("The match's record"))
