"""The themes with the colours of Tom's tubes (orange), Dave's (red), and painted sprites."""

from __future__ import annotations

from dataclasses import replace

from render.painted import ground_colours, painted_colours
from render.themes import THEMES as ALL
from render.themes import Colour, Theme

LINES: dict[str, tuple[Colour, Colour]] = {
    "dark": ((255, 184, 77), (255, 76, 136)),
    "light": ((214, 118, 0), (168, 15, 58)),
    "contrast": ((255, 184, 77), (255, 76, 136)),
}

THEMES: dict[str, Theme] = {
    name: replace(
        theme,
        lines=LINES[name],
        painted=painted_colours("tomtube", name),
        levels=ground_colours(theme),
    )
    for name, theme in ALL.items()
}
"""Themes by name."""
