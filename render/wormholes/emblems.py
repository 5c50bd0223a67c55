"""The suits' emblems as shapes: sun, moon, crown, arms. They differ by outline alone."""

from __future__ import annotations

from math import cos, pi, sin

from render.sprites import Point, Sketch
from render.themes import Colour

RAY_COUNT = 8


def emblem(
    sketch: Sketch, suit: str, middle: Point, size: float, inks: tuple[Colour, Colour]
) -> None:
    """Draw a suit's emblem; it reaches `size` pixels from its middle.

    Args:
        sketch: the sketch to draw on.
        suit: `S`, `M`, `C` or `A`.
        middle: middle of the emblem.
        size: half of its height.
        inks: colour of the emblem, and the colour around it, which also shows in its gaps.
    """
    fill, ground = inks
    x, y = middle

    def at(points: tuple[Point, ...]) -> list[Point]:
        return [(x + size * a, y + size * b) for a, b in points]

    if suit == "S":
        for number in range(RAY_COUNT):
            sketch.polygon(at(ray(2 * pi * number / RAY_COUNT)), fill)
        sketch.disc(middle, size * 0.52, fill)
    elif suit == "M":
        sketch.disc((x, y), size * 0.98, fill)
        sketch.disc((x + size * 0.42, y - size * 0.12), size * 0.78, ground)
    elif suit == "C":
        sketch.polygon(at(CROWN), fill)
        for tip in at(PEARLS):
            sketch.disc(tip, size * 0.17, fill)
        sketch.polygon(at(BAND), ground)
    else:
        sketch.polygon(at(SHIELD), fill)
        for bar in CROSS:
            sketch.polygon(at(bar), ground)


def ray(angle: float) -> tuple[Point, ...]:
    """Return a ray of the sun, clockwise from the top."""
    wide = 0.2
    return (
        (sin(angle), -cos(angle)),
        (0.62 * sin(angle + wide * 1.6), -0.62 * cos(angle + wide * 1.6)),
        (0.62 * sin(angle - wide * 1.6), -0.62 * cos(angle - wide * 1.6)),
    )


CROWN: tuple[Point, ...] = (
    (-0.82, 0.86),
    (-0.95, -0.5),
    (-0.42, 0.08),
    (0, -0.78),
    (0.42, 0.08),
    (0.95, -0.5),
    (0.82, 0.86),
)
PEARLS: tuple[Point, ...] = ((-0.93, -0.58), (0, -0.82), (0.93, -0.58))


def _box(left: float, top: float, right: float, bottom: float) -> tuple[Point, ...]:
    return ((left, top), (right, top), (right, bottom), (left, bottom))


def _shield() -> tuple[Point, ...]:
    angles = [pi / 2 * i / 10 for i in range(11)]
    side = [(0.86 * cos(angle), 0.98 * sin(angle) ** 0.8) for angle in angles]
    left = [(-x, y) for x, y in reversed(side)]
    return ((-0.86, -0.92), (0.86, -0.92), *side, *left)


SHIELD = _shield()
BAND = _box(-0.82, 0.44, 0.82, 0.58)
CROSS = (_box(-0.13, -0.92, 0.13, 1), _box(-0.86, -0.3, 0.86, -0.04))
"""Gaps that quarter the shield."""
