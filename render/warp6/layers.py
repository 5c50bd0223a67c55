"""Large fine drawings in one colour, smoothed into what lies below."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from render.palette import palette
from render.sprites import Point
from render.text import font
from render.themes import Colour, Theme, mix

FINE = 2
"""A layer is drawn this much larger, then reduced."""

STEPS = 2
"""Shades at its edges."""


class Layer:
    """How much of each pixel a drawing covers; a whole canvas of sketches would take too long."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._image = Image.new("L", (size[0] * FINE, size[1] * FINE))
        self._canvas = ImageDraw.Draw(self._image)

    def disc(self, middle: Point, radius: float) -> None:
        """A filled circle."""
        x, y = (value * FINE for value in middle)
        reach = radius * FINE
        self._canvas.ellipse((x - reach, y - reach, x + reach, y + reach), 255)

    def line(self, points: Sequence[Point], width: float) -> None:
        """A smooth line."""
        large = [(x * FINE, y * FINE) for x, y in points]
        self._canvas.line(large, 255, round(width * FINE), joint="curve")

    def text(self, middle: Point, text: str, size: int) -> None:
        """Figures with their middle at a point."""
        place = (middle[0] * FINE, (middle[1] + size * 0.35) * FINE)
        self._canvas.text(place, text, 255, font(size * FINE), anchor="ms", stroke_width=FINE * 0.3)

    def lay(
        self, page: Image.Image, theme: Theme, ink: Colour, ground: Colour, steps: int = STEPS
    ) -> None:
        """Put it onto a page, in one colour or with shades to the ground at the edges."""
        colours = palette(theme)
        shades = [colours.index(mix(ground, ink, n / steps)) for n in range(steps + 1)]
        step = 256 // steps
        small = self._image.reduce(FINE)
        mask = small.point(lambda value: 255 * (value >= step // 2)).convert("1")
        page.paste(small.point([shades[(v + step // 2) // step] for v in range(256)]), (0, 0), mask)
