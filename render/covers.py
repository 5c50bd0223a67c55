"""Covers: part of a board below the title of its game."""

from __future__ import annotations

import io

from PIL import Image

from render.palette import palette
from render.text import text_sprite
from render.themes import Theme

TITLE_HEIGHT, LINE_HEIGHT = 84, 4
"""Height of the strip with the title, and of the line below it."""

TITLE_SIZE = 56
"""Size of the title."""

MARGIN = 28
"""Pixels to the left of the title."""

COLOURS = 256
"""Colours of a cover; a board has no more."""


def cover(board: bytes, title: str, theme: Theme) -> bytes:
    """Return a cover as a PNG.

    Args:
        board: part of a picture in this theme.
        title: title of the game.
        theme: the colours.
    """
    words = text_sprite(theme, title, TITLE_SIZE, theme.text, theme.card)
    with Image.open(io.BytesIO(board)) as part:
        page = Image.new("RGB", (part.width, TITLE_HEIGHT + part.height), theme.card)
        page.paste(part.convert("RGB"), (0, TITLE_HEIGHT))
    page.paste(theme.accent, (0, TITLE_HEIGHT - LINE_HEIGHT, page.width, TITLE_HEIGHT))
    top = (TITLE_HEIGHT - LINE_HEIGHT - words.page.height) // 2
    page.paste(palette(theme).image(words.page), (MARGIN, top), words.mask)
    out = io.BytesIO()
    page.quantize(COLOURS, dither=Image.Dither.NONE).save(out, "PNG", optimize=True)
    return out.getvalue()
