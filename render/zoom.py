"""A part of a picture, enlarged: the area where a player chooses a space."""

from __future__ import annotations

from typing import NamedTuple

from PIL import Image

from render.palette import palette
from render.themes import Theme

MAX_SIDE = 1240
"""Maximum width and height of an enlarged part in pixels."""

NATURAL_SIDE = 550
"""Maximum width and height of a part at its own size: more would push the buttons below it off a
phone."""

MAX_FACTOR = 2.5
"""Maximum enlargement: sprites get no sharper."""


class Box(NamedTuple):
    """A part of a page, in pixels."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        """The part's width in pixels; some of it can lie outside of the page."""
        return self.right - self.left

    @property
    def height(self) -> float:
        """The part's height in pixels; some of it can lie outside of the page."""
        return self.bottom - self.top

    def cut(self, page: Image.Image) -> Image.Image:
        """Return this part of a page."""
        width, height = page.size
        return page.crop(
            (
                max(0, round(self.left)),
                max(0, round(self.top)),
                min(width, round(self.right)),
                min(height, round(self.bottom)),
            )
        )


def around(points: list[tuple[float, float]], margin: float) -> Box:
    """Return the smallest box around points, with a margin."""
    xs, ys = zip(*points, strict=True)
    return Box(min(xs) - margin, min(ys) - margin, max(xs) + margin, max(ys) + margin)


def enlargement(size: tuple[int, int], beside: int = 0) -> float:
    """Return the enlargement factor for a part of this size, with another part beside it."""
    room = MAX_SIDE - beside
    return min(room / size[0], MAX_SIDE / size[1], MAX_FACTOR)


def enlarged(
    page: Image.Image, theme: Theme, box: Box, beside: Image.Image | None = None, factor: float = 1
) -> Image.Image:
    """Return a part of a page as large as a picture may be.

    Args:
        page: palette indexes.
        theme: theme of the page.
        box: the part.
        beside: a page to be at the left of it.
        factor: enlargement factor of that page.
    """
    part = box.cut(page)
    if beside is None:
        return _resized(part, theme, enlargement(part.size))
    small = _resized(beside, theme, factor)
    large = _resized(part, theme, enlargement(part.size, small.width))
    height = max(small.height, large.height)
    joined = Image.new("L", (small.width + large.width, height), page.getpixel((0, 0)))
    joined.paste(small, (0, height - small.height))
    joined.paste(large, (small.width, 0))
    return joined


def natural(page: Image.Image, theme: Theme, box: Box) -> Image.Image:
    """Return a part of a page at its own size, or reduced until it fits in a square.

    Args:
        page: palette indexes.
        theme: theme of the page.
        box: the part.
    """
    part = box.cut(page)
    factor = NATURAL_SIDE / max(part.size)
    return _resized(part, theme, factor) if factor < 1 else part


def _resized(part: Image.Image, theme: Theme, factor: float) -> Image.Image:
    colours = palette(theme)
    size = (round(part.width * factor), round(part.height * factor))
    return colours.page(colours.image(part).resize(size, Image.Resampling.HAMMING))
