"""The themes with the colours of the painted sprites for Wormholes."""

from __future__ import annotations

from dataclasses import replace

from render.painted import ground_colours, painted_colours
from render.themes import THEMES as ALL
from render.themes import Theme

THEMES: dict[str, Theme] = {
    name: replace(theme, painted=painted_colours("wormholes", name), levels=ground_colours(theme))
    for name, theme in ALL.items()
}
"""Themes by name."""
