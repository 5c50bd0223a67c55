"""Large fine drawings in one colour, smoothed into the page below."""

from __future__ import annotations

from collections.abc import Sequence

from PIL import Image, ImageDraw

from render.palette import palette
from render.sprites import Point, covered
from render.text import font
from render.themes import Colour, Theme, mix

SCALE = 2
"""A layer is drawn this much larger, then reduced."""

EDGE_SHADES = 2
"""Shades at its edges."""


class Layer:
    """How much of each pixel a drawing covers; a whole canvas of sketches would take too long."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._image = Image.new("L", (size[0] * SCALE, size[1] * SCALE))
        self._canvas = ImageDraw.Draw(self._image)

    def disc(self, middle: Point, radius: float) -> None:
        """Draw a filled circle."""
        x, y = (value * SCALE for value in middle)
        reach = radius * SCALE
        self._canvas.ellipse((x - reach, y - reach, x + reach, y + reach), 255)

    def line(self, points: Sequence[Point], width: float) -> None:
        """Draw a smooth line."""
        large = [(x * SCALE, y * SCALE) for x, y in points]
        self._canvas.line(large, 255, round(width * SCALE))

    def text(self, middle: Point, text: str, size: int) -> None:
        """Draw digits centred on a point."""
        place = (middle[0] * SCALE, (middle[1] + size * 0.35) * SCALE)
        self._canvas.text(
            place, text, 255, font(size * SCALE), anchor="ms", stroke_width=SCALE * 0.3
        )

    def lay(
        self, page: Image.Image, theme: Theme, ink: Colour, ground: Colour, steps: int = EDGE_SHADES
    ) -> None:
        """Put it onto a page, in one colour or with shades to the ground at the edges."""
        colours = palette(theme)
        shades = [colours.index(mix(ground, ink, n / steps)) for n in range(steps + 1)]
        step = 256 // steps
        small = self._image.reduce(SCALE)
        mask = small.point(covered(step // 2 - 1), "1")
        page.paste(small.point([shades[(v + step // 2) // step] for v in range(256)]), (0, 0), mask)
