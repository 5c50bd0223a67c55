"""The cards of players at the head of every board: side, name, what is to do."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from render.sprites import Point, Sketch, Sprite
from render.text import drawable, fitted, line, measure
from render.themes import Theme

HEIGHT = 78
NAME, STATUS = 40, 32
"""Sizes of text."""

SIGN = ((20.0, True), (16.0, False), (9.0, True))
"""Sizes of the outlines that make a side's sign, and whether each is bright."""


class Side(NamedTuple):
    """A side of a game: its name, and its shape, which reaches about 1 from its middle."""

    name: str
    outline: tuple[Point, ...]


@lru_cache(maxsize=256)
def card(theme: Theme, name: str, side: Side, status: str, wide: int) -> Sprite:
    """A player's card; it stands out while there is something to do.

    Args:
        theme: whose colours.
        name: of the player, in any script and length.
        side: gives its sign, and its name when nothing of the player's can be drawn.
        status: a few words; empty while the player waits.
        wide: width in pixels.
    """
    ground = theme.card_on if status else theme.card
    right, low = wide / 2, HEIGHT / 2 - 2
    sketch = Sketch(wide, HEIGHT, theme.space[0])
    edge, width = (theme.accent, 4) if status else (theme.tile_line, 2)
    sketch.box(((-right, -low), (right, low)), 18, edge)
    sketch.box(((width - right, width - low), (right - width, low - width)), 15, ground)
    for size, bright in SIGN:
        points = [(44 - right + size * x, size * y) for x, y in side.outline]
        sketch.polygon(points, theme.text if bright else ground)
    sprite = sketch.sprite(theme)
    room = wide - 100 - (measure(status, STATUS) + 24 if status else 0)
    words = line(theme, fitted(drawable(name, side.name), NAME, room), NAME, theme.text, ground)
    words.put(sprite.page, (80 + words.page.width / 2, HEIGHT / 2))
    if status:
        words = line(theme, status, STATUS, theme.accent, ground)
        words.put(sprite.page, (wide - 22 - words.page.width / 2, HEIGHT / 2))
    return sprite
