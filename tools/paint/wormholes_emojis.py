"""Draw the suits' emojis for texts and buttons of Wormholes."""

from __future__ import annotations

from render.sprites import Sketch
from render.themes import THEMES
from render.wormholes.buttons import emoji_name
from render.wormholes.emblems import emblem
from render.wormholes.pieces import colour
from render.wormholes.terms import SUITS

SIZE = 96
"""Pixels of an emoji's width and height; in a text it is shown at a quarter of that."""

SCALE = 4
"""Scale of the sketch: an emoji is sent only once, so its edges may be finer than on boards."""


def suits() -> dict[str, bytes]:
    """Return the emojis of the suits as PNGs, by name."""
    return {emoji_name(suit): _emoji(suit) for suit in SUITS}


def _emoji(suit: str) -> bytes:
    """Return a suit's emoji, for dark and bright grounds alike."""
    theme, radius = THEMES["dark"], SIZE / 2
    sketch = Sketch(SIZE, SIZE, theme.edge, SCALE)
    for reach, shade in ((1.0, theme.edge), (0.96, colour(theme, suit)), (0.8, theme.paper)):
        sketch.disc((0, 0), radius * reach, shade)
    emblem(sketch, suit, (0, 0), radius * 0.62, (theme.ink, theme.paper))
    return sketch.png()
