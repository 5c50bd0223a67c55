"""Counters and astronauts, each drawn once for a theme."""

from __future__ import annotations

from functools import lru_cache
from math import cos, sin, tau

from engine.tomtube.tables import SEATS
from render.painted import painted
from render.sprites import Point, Sketch, Sprite
from render.text import text_sprite
from render.themes import Colour, Theme, mix
from render.tomtube.tiles import GAME

COUNTER_RADIUS = 22.0
"""Radius of a counter."""

SEAT_TEXT_SIZE = 29
"""Size of an astronaut's letter."""

LETTER_SIZE, SMALL_LETTER_SIZE = 30, 26
"""Sizes of a counter's letter: the second on stars and triangles."""


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
"""Each kind has a different shape: hexagon, square, triangle, star."""


def colour(theme: Theme, kind: str, seat: str) -> Colour:
    """Return the colour of a kind of counter; solar counters have their owner's."""
    if kind == "solar":
        return theme.lines[SEATS.index(seat)]
    return theme.suits[{"energy": 0, "control": 1, "alien": 3}[kind]]


@lru_cache(maxsize=64)
def counter(theme: Theme, kind: str, seat: str) -> Sprite:
    """Return the sprite of a counter; only solar counters need the seat."""
    solar = kind == "solar"
    sprite = painted(GAME, theme, f"counter-solar-{seat}" if solar else f"counter-{kind}").copy()
    ground = theme.ink if solar else mix(colour(theme, kind, seat), theme.paper, 0.12)
    size = SMALL_LETTER_SIZE if kind in ("solar", "alien") else LETTER_SIZE
    text = text_sprite(theme, kind[0].upper(), size, theme.paper if solar else theme.ink, ground)
    sprite.write((0, 3 if kind == "alien" else 0), text)
    return sprite


ASTRONAUT_RADIUS, TOKEN_RADIUS = 30.0, 23.0
"""Radius of an astronaut, and of one on a card."""

DARK_LINE = 300
"""Sum of the channels of a side's colour below which a light letter is easier to read on it."""


@lru_cache(maxsize=8)
def astronaut(theme: Theme, seat: str) -> Sprite:
    """Return the sprite of an astronaut's helmet: Tom's is round, Dave's is angular."""
    sprite = painted(GAME, theme, f"astronaut-{seat}").copy()
    line = theme.lines[SEATS.index(seat)]
    ink = theme.paper if sum(line) < DARK_LINE else theme.ink
    sprite.write((0, 0), text_sprite(theme, seat, SEAT_TEXT_SIZE, ink, line))
    return sprite


def token(theme: Theme, seat: str) -> Sprite:
    """Return the sprite of a small helmet, for a player's card."""
    return painted(GAME, theme, f"token-{seat}")


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
