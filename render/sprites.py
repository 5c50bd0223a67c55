"""Small drawings made once, smoothed, and then only copied."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property
from itertools import pairwise
from math import hypot

from PIL import Image, ImageDraw, ImageFont

from render.palette import palette
from render.themes import Colour, Theme

Point = tuple[float, float]

SCALE = 4
"""A sketch is drawn this much larger, then reduced."""

SOLID = 40
"""Pixels less covered than this (of 255) are left as they were on the board."""

HALF = 100
"""The same for sprites of half the size, whose masks have no shades to begin with."""


class Sprite:
    """A page of palette indexes, and which of its pixels count."""

    def __init__(self, theme: Theme, page: Image.Image, mask: Image.Image) -> None:
        self._theme = theme
        self.page = page
        self.mask = mask

    def put(self, page: Image.Image, middle: Point) -> None:
        """Copy it onto a page."""
        width, height = self.page.size
        left, top = round(middle[0] - width / 2), round(middle[1] - height / 2)
        page.paste(self.page, (left, top), self.mask)

    @cached_property
    def half(self) -> Sprite:
        """The same half as wide and high, made when first needed."""
        mask = self.mask.convert("L").reduce(2).point(lambda value: 255 * (value > HALF))
        return Sprite(self._theme, palette(self._theme).half(self.page), mask.convert("1"))


class Board:
    """A page to put sprites on, of full size or of half the size; places are those of full size."""

    def __init__(self, page: Image.Image, *, half: bool = False) -> None:
        self.page = page
        self.half = half

    def put(self, sprite: Sprite, middle: Point) -> None:
        """Copy a sprite."""
        if self.half:
            sprite.half.put(self.page, (middle[0] / 2, middle[1] / 2))
        else:
            sprite.put(self.page, middle)


class Sketch:
    """A drawing around the point (0, 0), in pixels of the finished picture.

    Its edges are smoothed into `ground`, the colour that it will lie on.
    """

    def __init__(self, width: int, height: int, ground: Colour) -> None:
        self._size = (width * SCALE, height * SCALE)
        self._ground = ground
        self._image = Image.new("RGBA", self._size, (*ground, 0))
        self._canvas = ImageDraw.Draw(self._image)

    def _at(self, point: Point) -> Point:
        x, y = point
        return self._size[0] / 2 + x * SCALE, self._size[1] / 2 + y * SCALE

    def polygon(self, points: Iterable[Point], fill: Colour) -> None:
        """A filled polygon."""
        self._canvas.polygon([self._at(point) for point in points], (*fill, 255))

    def disc(self, middle: Point, radius: float, fill: Colour) -> None:
        """A filled circle."""
        x, y = middle
        low, high = self._at((x - radius, y - radius)), self._at((x + radius, y + radius))
        self._canvas.ellipse((*low, high[0] - 1, high[1] - 1), (*fill, 255))

    def box(self, corners: tuple[Point, Point], radius: float, fill: Colour) -> None:
        """A filled rectangle with round corners."""
        low, high = map(self._at, corners)
        place = (*low, high[0] - 1, high[1] - 1)
        self._canvas.rounded_rectangle(place, radius * SCALE, (*fill, 255))

    def line(self, points: Sequence[Point], width: float, fill: Colour) -> None:
        """A line with round joints and ends."""
        for start, end in pairwise(points):
            self.bar(start, end, width, fill)
        for point in points:
            self.disc(point, width / 2, fill)

    def bar(self, start: Point, end: Point, width: float, fill: Colour) -> None:
        """A straight line with square ends."""
        (x1, y1), (x2, y2) = start, end
        length = hypot(x2 - x1, y2 - y1) or 1
        dx, dy = (y1 - y2) / length * width / 2, (x2 - x1) / length * width / 2
        self.polygon(
            ((x1 + dx, y1 + dy), (x2 + dx, y2 + dy), (x2 - dx, y2 - dy), (x1 - dx, y1 - dy)), fill
        )

    def text(self, middle: Point, text: str, size: float, fill: Colour, weight: float = 1) -> None:
        """Words with their middle at a point; figures and capitals look centred."""
        font = ImageFont.load_default(round(size * SCALE))
        left, top, right, bottom = font.getbbox(text, anchor="ls")
        x, y = self._at(middle)
        self._canvas.text(
            (x - (left + right) / 2, y - (top + bottom) / 2),
            text,
            (*fill, 255),
            font,
            anchor="ls",
            stroke_width=weight * SCALE,
        )

    def hollow(self, corners: tuple[Point, Point], radius: float) -> None:
        """Cut a rectangle with round corners out of what is drawn so far."""
        low, high = map(self._at, corners)
        place = (*low, high[0] - 1, high[1] - 1)
        self._canvas.rounded_rectangle(place, radius * SCALE, (*self._ground, 0))

    def sprite(self, theme: Theme) -> Sprite:
        """The finished drawing."""
        small = self._image.reduce(SCALE)
        mask = small.getchannel("A").point(lambda value: 255 * (value > SOLID)).convert("1")
        return Sprite(theme, palette(theme).page(small.convert("RGB")), mask)
