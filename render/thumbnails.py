"""Thumbnails: boards as small square pictures for lists."""

from __future__ import annotations

import io

from PIL import Image

from engine.game import View
from render import for_game
from render.palette import palette
from render.renderer import Names, Style

SIDE = 256
"""Pixels of a side; Discord shows a thumbnail at about a third of this."""

COLOURS = 64
"""Colours of a thumbnail."""


def thumbnail(view: View, names: Names, style: Style) -> bytes:
    """Return a board as a PNG, in the middle of a square of its background."""
    renderer = for_game(view.game)
    page = renderer.frame(view, names, style)
    colours = palette(renderer.themes[style.theme]).flat
    page.putpalette(colours)
    board = page.convert("RGB")
    board.thumbnail((SIDE, SIDE), Image.Resampling.BOX)
    return _square(board)


def squared(png: bytes) -> bytes:
    """Return the middle of a picture as a small square."""
    with Image.open(io.BytesIO(png)) as picture:
        width, height = picture.size
        side = min(width, height)
        left, top = (width - side) // 2, (height - side) // 2
        middle = picture.convert("RGB").crop((left, top, left + side, top + side))
    return _square(middle.resize((SIDE, SIDE), Image.Resampling.BOX))


def _square(board: Image.Image) -> bytes:
    """Return a picture as a PNG, in the middle of a square."""
    square = Image.new("RGB", (SIDE, SIDE), board.getpixel((0, 0)))
    square.paste(board, ((SIDE - board.width) // 2, (SIDE - board.height) // 2))
    out = io.BytesIO()
    square.quantize(COLOURS).save(out, "PNG", optimize=True)
    return out.getvalue()
