"""The six stations: a hull in the owner's colour, the fork, both gates, the sign in the middle."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

from PIL import Image

from engine.tomtube.lattice import (
    DIRECTIONS,
    FORKS,
    GATES,
    MIDDLES,
    NEIGHBOURS,
    STATION_NAMES,
    TRIANGLE_CORNERS,
    TRIANGLES,
)
from engine.tomtube.tables import SEATS, STATIONS
from render.sprites import Sketch, Sprite
from render.themes import Theme
from render.tomtube import tiles
from render.tomtube.edges import draw_edge, edges
from render.tomtube.layout import SINGLE, Layout, towards

SIGN_TEXT_SIZE = 31
"""Size of the letter of a station."""

HULL_WIDTH = 6
"""Width of a station's edge."""


def draw(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw all stations."""
    for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
        _hull(page, theme, where, middle, station.owner)
        _fork(page, theme, where, fork, SEATS[station.owner])
        names = STATION_NAMES[station.owner]
        name = next(name for name, knot in names.items() if knot == middle)
        _sign(theme, station.owner, name).put(page, where.knot(middle))
    for gate in GATES:
        tiles.sphere(theme).put(page, where.knot(gate))


def _hull(page: Image.Image, theme: Theme, where: Layout, middle: int, owner: int) -> None:
    """Draw the three triangles at the middle of a side."""
    for triangle, knots in enumerate(TRIANGLES):
        if middle in knots:
            way = where.way(TRIANGLE_CORNERS[triangle][0].way + DIRECTIONS // 2)
            _floor(theme, way % (DIRECTIONS // 3)).put(page, where.mean(knots))
    shade = edges(theme, theme.lines[owner], HULL_WIDTH)
    for ends in pairwise(_around(middle)):
        draw_edge(page, where, ends, shade)


def _around(middle: int) -> list[int]:
    """Return the corners of a station, from the middle around to it again."""
    ends = NEIGHBOURS[middle]
    k = next(k for k in range(len(ends)) if ends[k - 1] is None and ends[k] is not None)
    inside = (ends[(k + i) % len(ends)] for i in range(4))
    return [middle, *(knot for knot in inside if knot is not None), middle]


def _fork(page: Image.Image, theme: Theme, where: Layout, fork: int, owner: str) -> None:
    """Draw tubes from both gates for all, and one to the middle for the owner (T1.5)."""
    x, y = where.mean(TRIANGLES[fork])
    for corner in TRIANGLE_CORNERS[fork]:
        users = owner if corner.knot in MIDDLES else SEATS
        arm = tiles.Arm(where.way(corner.way + DIRECTIONS // 2), SINGLE, users)
        dx, dy = towards(arm.way, arm.middle)
        tiles.tube(theme, arm).put(page, (x + dx, y + dy))
    tiles.joint(theme).put(page, (x, y))


@cache
def _floor(theme: Theme, way: int) -> Sprite:
    """Return the sprite of a triangle of a station."""
    size = 2 * round(SINGLE) + 4
    sketch = Sketch(size, size, theme.space[2])
    sketch.polygon([towards(way + turn, SINGLE) for turn in (0, 4, 8)], theme.tile)
    return sketch.sprite(theme)


@cache
def _sign(theme: Theme, owner: int, name: str) -> Sprite:
    """Return the sprite of a station: a house for the base, a numbered panel for a module."""
    sketch = Sketch(84, 84, theme.space[2])
    number = name[-1] if name[-1].isdecimal() else ""
    for less, paint in ((-2, theme.ink), (1, theme.lines[owner]), (6, theme.ink)):
        size = 30 - less
        if number:
            sketch.box(((-size, -size), (size, size)), 12 - less / 2, paint)
        else:
            roof = ((-size, -size * 0.2), (0, -size * 1.25), (size, -size * 0.2))
            sketch.polygon((*roof, (size, size), (-size, size)), paint)
    sketch.text((0, 0 if number else 4), SEATS[owner] + number, SIGN_TEXT_SIZE, theme.paper, 1)
    return sketch.sprite(theme)
