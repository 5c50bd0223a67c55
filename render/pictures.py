"""Pictures besides boards. What draws them is imported with the first one, and Pillow with it.

So a bot starts without it, and the import happens where the picture is drawn: in a thread, or in
another process.
"""

from __future__ import annotations

import io

from engine.game import View
from render.charts import Bracket, Curve, ProfileCard, ResultCard, Table
from render.renderer import Names, Style
from render.themes import Theme


def curve(content: Curve, names: Names, theme: str) -> bytes:
    """Return the curve of a match as a PNG, see `render.curve`."""
    from render import curve as drawing

    return drawing.picture(content, names, theme)


def profile(card: ProfileCard, theme: str) -> bytes:
    """Return a profile as a PNG, see `render.profile_card`."""
    from render import profile_card

    return profile_card.picture(card, theme)


def result(content: ResultCard, view: View, names: Names, theme: str) -> bytes:
    """Return a finished match as a PNG, see `render.result_card`."""
    from render import result_card

    return result_card.picture(content, view, names, theme)


def standings(content: Table | Bracket, theme: str) -> bytes:
    """Return the standings of a cup as a PNG, see `render.standings`."""
    from render import standings as drawing

    return drawing.picture(content, theme)


def thumbnail(view: View, names: Names, style: Style) -> bytes:
    """Return a small board as a PNG, see `render.thumbnails`."""
    from render import thumbnails

    return thumbnails.thumbnail(view, names, style)


def squared(png: bytes) -> bytes:
    """Return the middle of a picture as a small square, see `render.thumbnails`."""
    from render import thumbnails

    return thumbnails.squared(png)


def cover(diagram: bytes, title: str, theme: Theme) -> bytes:
    """Return a diagram below a title as a PNG, see `render.covers`."""
    from render import covers

    return covers.cover(diagram, title, theme)


def cut(png: bytes, box: tuple[int, int, int, int]) -> bytes:
    """Return a part of a picture as a PNG.

    Args:
        png: the picture.
        box: left, top, right and bottom of the part.
    """
    from PIL import Image

    with Image.open(io.BytesIO(png)) as picture:
        out = io.BytesIO()
        picture.crop(box).save(out, "PNG", optimize=True)
    return out.getvalue()


def clear_cache() -> None:
    """Drop cached drawings and texts that contain names of players."""
    from render import cards

    cards.clear_cache()
