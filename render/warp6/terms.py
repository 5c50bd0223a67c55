"""Names of the dice and players of Warp 6."""

from __future__ import annotations

from render.i18n import format_list
from render.renderer import Names

DIE_FACES = (8, 6, 4)
"""Faces of the dice, in the order of records."""


def player_list(letters: str, names: Names) -> str:
    """Return the names of several seats as a list."""
    return format_list([names[letter] for letter in letters])
