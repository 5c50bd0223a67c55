"""The themes with the colours of Tom's tubes, orange, and of Dave's, red."""

from __future__ import annotations

from dataclasses import replace

from render.themes import THEMES as ALL
from render.themes import Colour, Theme

LINES: dict[str, tuple[Colour, Colour]] = {
    "dark": ((255, 184, 77), (233, 72, 106)),
    "light": ((214, 118, 0), (168, 15, 58)),
    "contrast": ((255, 184, 77), (233, 72, 106)),
}

THEMES: dict[str, Theme] = {name: replace(theme, lines=LINES[name]) for name, theme in ALL.items()}
"""Themes by name."""
