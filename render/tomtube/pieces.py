"""Counters and astronauts, each drawn once for a theme."""

from __future__ import annotations

from functools import lru_cache
from math import cos, sin, tau

from engine.tomtube.tables import SEATS
from render.sprites import Point, Sketch, Sprite
from render.themes import Colour, Theme

COUNTER_RADIUS = 21.0
"""Radius of a counter."""

SEAT_TEXT_SIZE = 29
"""Size of an astronaut's letter."""

LETTER_SIZE = 25
"""Size of a counter's letter."""


def _ring(count: int, radius: float, first: float = 0, deep: float = 1) -> list[Point]:
    """Return corners around the middle; every second one may be further in."""
    return [
        (
            radius * (deep if i % 2 else 1) * cos(tau * (first + i / count)),
            radius * (deep if i % 2 else 1) * sin(tau * (first + i / count)),
        )
        for i in range(count)
    ]


OUTLINES: dict[str, list[Point]] = {
    "energy": _ring(6, 1.06, 1 / 12),
    "control": _ring(4, 1.24, 1 / 8),
    "alien": [(x, y + 0.1) for x, y in _ring(3, 1.5, 1 / 4)],
    "solar": _ring(16, 1.24, 1 / 32, 0.78),
}
"""Each kind has a shape of its own: hexagon, square, triangle, star."""


def colour(theme: Theme, kind: str, seat: str) -> Colour:
    """Return the colour of a kind of counter; solar counters have their owner's."""
    if kind == "solar":
        return theme.lines[SEATS.index(seat)]
    return theme.suits[{"energy": 0, "control": 1, "alien": 3}[kind]]


@lru_cache(maxsize=64)
def counter(theme: Theme, kind: str, seat: str, ground: Colour) -> Sprite:
    """Return the sprite of a counter on a colour; only solar counters need the seat."""
    sketch = Sketch(64, 64, ground)
    outline = OUTLINES[kind]
    for radius, shade in (
        (COUNTER_RADIUS + 2, theme.ink),
        (COUNTER_RADIUS, colour(theme, kind, seat)),
    ):
        sketch.polygon([(x * radius, y * radius) for x, y in outline], shade)
    if kind == "solar":
        sketch.disc((0, 0), COUNTER_RADIUS * 0.72, theme.ink)
    ink = theme.paper if kind == "solar" else theme.ink
    down = 3 if kind == "alien" else 0
    sketch.text((0, down), kind[0].upper(), LETTER_SIZE, ink, 0.8)
    return sketch.sprite(theme)


ASTRONAUT_RADIUS = 25.0
"""Radius of an astronaut."""


@lru_cache(maxsize=8)
def astronaut(theme: Theme, seat: str, ground: Colour) -> Sprite:
    """Return the sprite of an astronaut's helmet: Tom's is round, Dave's is angular."""
    sketch = Sketch(72, 72, ground)
    shade = theme.lines[SEATS.index(seat)]
    for less, paint in ((-2, theme.ink), (0, theme.paper), (5, shade), (8, theme.ink)):
        size = ASTRONAUT_RADIUS - less
        if seat == SEATS[0]:
            sketch.disc((0, 0), size, paint)
        else:
            sketch.box(((-size, -size), (size, size)), size * 0.42, paint)
    sketch.text((0, 0), seat, SEAT_TEXT_SIZE, theme.paper, 1)
    return sketch.sprite(theme)


@lru_cache(maxsize=8)
def ghost(theme: Theme, seat: str) -> Sprite:
    """Return the sprite of an astronaut's former position."""
    sketch = Sketch(72, 72, theme.tile)
    if seat == SEATS[0]:
        sketch.disc((0, 0), ASTRONAUT_RADIUS, theme.story)
        sketch.hollow(
            (
                (4 - ASTRONAUT_RADIUS, 4 - ASTRONAUT_RADIUS),
                (ASTRONAUT_RADIUS - 4, ASTRONAUT_RADIUS - 4),
            ),
            ASTRONAUT_RADIUS - 4,
        )
    else:
        sketch.box(
            ((-ASTRONAUT_RADIUS, -ASTRONAUT_RADIUS), (ASTRONAUT_RADIUS, ASTRONAUT_RADIUS)),
            ASTRONAUT_RADIUS * 0.42,
            theme.story,
        )
        sketch.hollow(
            (
                (4 - ASTRONAUT_RADIUS, 4 - ASTRONAUT_RADIUS),
                (ASTRONAUT_RADIUS - 4, ASTRONAUT_RADIUS - 4),
            ),
            ASTRONAUT_RADIUS * 0.36,
        )
    return sketch.sprite(theme)
