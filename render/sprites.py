"""Sprites: small drawings that are made once, smoothed, and then only copied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from io import BytesIO
from itertools import pairwise
from math import hypot

from PIL import Image, ImageDraw

from render.palette import palette
from render.themes import Colour, Theme
from render.typeface import LATIN

Point = tuple[float, float]

SCALE = 2
"""A sketch is drawn this much larger, then reduced: twice as fine, the shades of a thousand edges
would be a twentieth of a picture's bytes, and cannot be seen."""

MIN_COVERAGE = 40
"""Pixels less covered than this (of 255) are left as they were on the board."""

SMALL_MIN_COVERAGE = 127
"""The same for small sprites, made from those whose masks have no shades any more."""

SMALL_FACTOR = 3
"""Small boards are a third as wide and high: 467 pixels in landscape, the width of a phone."""


class Sprite:
    """A page of palette indexes, and a mask of the pixels to copy."""

    def __init__(self, theme: Theme, page: Image.Image, mask: Image.Image) -> None:
        self._theme = theme
        self.page = page
        self.mask = mask

    def copy(self) -> Sprite:
        """Return a copy to write on."""
        return Sprite(self._theme, self.page.copy(), self.mask)

    def put(self, page: Image.Image, middle: Point) -> None:
        """Copy it onto a page."""
        width, height = self.page.size
        left, top = round(middle[0] - width / 2), round(middle[1] - height / 2)
        page.paste(self.page, (left, top), self.mask)

    def write(self, middle: Point, words: Sprite) -> None:
        """Copy text onto it, at an offset from its middle: cheaper than text on a sketch."""
        width, height = self.page.size
        words.put(self.page, (width / 2 + middle[0], height / 2 + middle[1]))

    def enlarged(self, factor: float) -> Sprite:
        """Return a larger copy."""
        colours = palette(self._theme)
        width, height = (round(length * factor) for length in self.page.size)
        image, mask = colours.image(self.page), self.mask.convert("L")
        page = colours.page(image.resize((width, height), Image.Resampling.LANCZOS))
        mask = mask.resize((width, height)).point(covered(SMALL_MIN_COVERAGE), "1")
        return Sprite(self._theme, page, mask)

    @cached_property
    def small(self) -> Sprite:
        """The sprite for a small board, created on first use."""
        colours = palette(self._theme)
        mask = small(self.mask.convert("L")).point(covered(SMALL_MIN_COVERAGE), "1")
        return Sprite(self._theme, colours.page(small(colours.image(self.page))), mask)


@cache
def covered(least: int) -> list[int]:
    """Return a table that turns coverage into a mask of the pixels covered more than this."""
    return [255 * (value > least) for value in range(256)]


def small(image: Image.Image) -> Image.Image:
    """Return an image on the scale of a small board."""
    return image.reduce(SMALL_FACTOR)


class Board:
    """A page to put sprites on, full-size or small; places refer to the full size.

    Attributes:
        page: palette indexes.
        rows: rows of the page, see `png.Ground`; None if it is no copy of a ground.
        small: whether it is small.
    """

    def __init__(
        self, page: Image.Image, rows: bytearray | None = None, *, small: bool = False
    ) -> None:
        self.page = page
        self.rows = rows
        self.small = small

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the full size."""
        factor = SMALL_FACTOR if self.small else 1
        return self.page.width * factor, self.page.height * factor

    def put(self, sprite: Sprite, middle: Point) -> None:
        """Copy a sprite."""
        if self.small:
            sprite.small.put(self.page, (middle[0] / SMALL_FACTOR, middle[1] / SMALL_FACTOR))
        else:
            sprite.put(self.page, middle)


class Sketch:
    """A drawing around the point (0, 0), in pixels of the finished picture.

    Its edges are smoothed into `ground`, the colour that it will lie on, with fewer shades at a
    smaller `scale`.
    """

    def __init__(self, width: int, height: int, ground: Colour, scale: int = SCALE) -> None:
        self._scale = scale
        self._size = (width * scale, height * scale)
        self._ground = ground
        self._image = Image.new("RGBA", self._size, (*ground, 0))
        self._canvas = ImageDraw.Draw(self._image)

    def _at(self, point: Point) -> Point:
        x, y = point
        return self._size[0] / 2 + x * self._scale, self._size[1] / 2 + y * self._scale

    def polygon(self, points: Iterable[Point], fill: Colour) -> None:
        """Draw a filled polygon."""
        self._canvas.polygon([self._at(point) for point in points], (*fill, 255))

    def disc(self, middle: Point, radius: float, fill: Colour) -> None:
        """Draw a filled circle."""
        x, y = middle
        low, high = self._at((x - radius, y - radius)), self._at((x + radius, y + radius))
        self._canvas.ellipse((*low, high[0] - 1, high[1] - 1), (*fill, 255))

    def box(self, corners: tuple[Point, Point], radius: float, fill: Colour) -> None:
        """Draw a filled rectangle with round corners."""
        low, high = map(self._at, corners)
        place = (*low, high[0] - 1, high[1] - 1)
        self._canvas.rounded_rectangle(place, radius * self._scale, (*fill, 255))

    def line(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        """Draw a line with round joints and ends."""
        for start, end in pairwise(points):
            self.bar(start, end, width, fill)
        for point in points:
            self.disc(point, width / 2, fill)

    def bar(self, start: Point, end: Point, width: float, fill: Colour) -> None:
        """Draw a straight line with square ends."""
        (x1, y1), (x2, y2) = start, end
        length = hypot(x2 - x1, y2 - y1) or 1
        dx, dy = (y1 - y2) / length * width / 2, (x2 - x1) / length * width / 2
        self.polygon(
            ((x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy)), fill
        )

    def text(self, middle: Point, text: str, size: float, fill: Colour, weight: float = 1) -> None:
        """Draw text centred on a point by its digits and capitals."""
        font = LATIN.font(round(size * self._scale))
        left, top, right, bottom = font.getbbox(text, anchor="ls")
        x, y = self._at(middle)
        self._canvas.text(
            (x - (left + right) / 2, y - (top + bottom) / 2),
            text,
            (*fill, 255),
            font,
            anchor="ls",
            stroke_width=weight * self._scale,
        )

    def hollow(self, corners: tuple[Point, Point], radius: float) -> None:
        """Cut a rectangle with round corners out of the drawing."""
        low, high = map(self._at, corners)
        place = (*low, high[0] - 1, high[1] - 1)
        self._canvas.rounded_rectangle(place, radius * self._scale, (*self._ground, 0))

    def png(self) -> bytes:
        """Return the finished drawing as a PNG file, transparent where nothing was drawn."""
        file = BytesIO()
        self._image.reduce(self._scale).save(file, "PNG", optimize=True)
        return file.getvalue()

    def sprite(self, theme: Theme) -> Sprite:
        """Return the sprite of the finished drawing."""
        small = self._image.reduce(self._scale)
        mask = small.getchannel("A").point(covered(MIN_COVERAGE), "1")
        return Sprite(theme, palette(theme).page(small.convert("RGB")), mask)
