"""What never changes: space, the hexagon's lattice, the six stations, the numbers of its lines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, pairwise
from random import Random

from PIL import Image, ImageDraw

from engine.tomtube.lattice import (
    FORKS,
    GATES,
    INDEX,
    KNOTS,
    MIDDLES,
    NEIGHBOURS,
    STATION_NAMES,
    STEPS,
    TRIANGLE_CORNERS,
    TRIANGLES,
    WAYS,
)
from engine.tomtube.tables import SEATS, SIDE, STATIONS
from render.palette import palette
from render.sprites import Sketch, Sprite, small
from render.text import line
from render.themes import Colour, Theme
from render.tomtube import tiles
from render.tomtube.layout import EDGE, FINE, SHADES, SINGLE, Layout, towards

AXIS = 45
"""Size of the numbers around the board: they are 9 pixels high on 400 pixels' width."""

BEYOND = 58
"""Pixels from the rim to such a number: beyond the signs of the stations."""

STARS = 24

VOID = 1
"""Which of a theme's colours of space lies behind everything."""


@cache
def background(theme: Theme, where: Layout) -> Image.Image:
    """The page on which everything else is put."""
    page = Image.new("L", where.size, palette(theme).index(theme.space[VOID]))
    _stars(page, theme, where)
    _hexagon(page, theme, where)
    _lattice(page, theme, where)
    _stations(page, theme, where)
    _numbers(page, theme, where)
    return page


@cache
def small_background(theme: Theme, where: Layout) -> Image.Image:
    """The same for small boards."""
    colours = palette(theme)
    return colours.page(small(colours.image(background(theme, where))))


def _stars(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Anywhere around the hexagon."""
    random = Random(7)
    shade = palette(theme).index(theme.star)
    for _ in range(STARS):
        x, y = (random.randrange(side - 3) for side in where.size)
        side = random.choice((2, 2, 3))
        page.paste(shade, (x, y, x + side, y + side))


def _hexagon(page: Image.Image, theme: Theme, where: Layout) -> None:
    corners = [where.at(SIDE * q, SIDE * r) for q, r in STEPS]
    ImageDraw.Draw(page).polygon(corners, palette(theme).index(theme.space[2]))


def _lattice(page: Image.Image, theme: Theme, where: Layout) -> None:
    """The lines along which numbers are read are brighter than those across them."""
    for k, shade in ((2, theme.space[4]), (0, theme.tile_line), (1, theme.tile_line)):
        for knot in range(len(KNOTS)):
            end = NEIGHBOURS[knot][k]
            if end is not None:
                _line(page, theme, where, (knot, end), shade, 2)
    for rim in pairwise((*_RIM, _RIM[0])):
        _line(page, theme, where, rim, theme.tile_edge, 5)


def _line(
    page: Image.Image,
    theme: Theme,
    where: Layout,
    ends: tuple[int, int],
    shade: Colour,
    width: float,
) -> None:
    """A line from a knot to a neighbour."""
    way = NEIGHBOURS[ends[0]].index(ends[1]) % (len(STEPS) // 2)
    _edge(theme, way, shade, width).put(page, where.mean(ends))


@cache
def _edge(theme: Theme, k: int, shade: Colour, width: float) -> Sprite:
    x, y = towards(2 * k, EDGE / 2)
    sketch = Sketch(round(2 * abs(x)) + 8, round(2 * abs(y)) + 8, theme.space[2], FINE)
    sketch.bar((-x, -y), (x, y), width, shade)
    return sketch.sprite(theme)


def _rim() -> Iterator[int]:
    """The knots of the rim, once around."""
    knot = INDEX[SIDE, 0]
    for k in (2, 3, 4, 5, 0, 1):
        for _ in range(SIDE):
            yield knot
            knot = NEIGHBOURS[knot][k] or 0


_RIM = tuple(_rim())


def _stations(page: Image.Image, theme: Theme, where: Layout) -> None:
    """A hull in the owner's colour, the fork, both gates, and the sign of the place."""
    for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
        owner = SEATS[station.owner]
        for triangle, knots in enumerate(TRIANGLES):
            if middle in knots:
                way = where.way(TRIANGLE_CORNERS[triangle][0].way + WAYS // 2)
                _floor(theme, way % (WAYS // 3)).put(page, where.mean(knots))
        around = [end for end in NEIGHBOURS[middle] if end is not None]
        for hull in combinations((*around, middle), 2):
            if hull[1] in NEIGHBOURS[hull[0]] and not (set(hull) & {middle} and set(hull) & _GATES):
                _line(page, theme, where, hull, theme.lines[station.owner], 6)
        x, y = where.mean(TRIANGLES[fork])
        for corner in TRIANGLE_CORNERS[fork]:
            users = owner if corner.knot == middle else SEATS
            arm = tiles.Arm(where.way(corner.way + WAYS // 2), SINGLE, users)
            dx, dy = towards(arm.way, (SINGLE - tiles.END) / 2)
            tiles.tube(theme, arm).put(page, (x + dx, y + dy))
        tiles.joint(theme).put(page, (x, y))
        for name, knot in STATION_NAMES[station.owner].items():
            if knot == middle:
                _sign(theme, station.owner, name).put(page, where.knot(middle))
    for gate in GATES:
        tiles.sphere(theme).put(page, where.knot(gate))


_GATES = frozenset(GATES)


@cache
def _floor(theme: Theme, way: int) -> Sprite:
    """A triangle of a station."""
    size = 2 * round(SINGLE) + 4
    sketch = Sketch(size, size, theme.space[2], FINE)
    sketch.polygon([towards(way + turn, SINGLE) for turn in (0, 4, 8)], theme.tile)
    return sketch.sprite(theme)


@cache
def _sign(theme: Theme, owner: int, name: str) -> Sprite:
    """A station's sign: a house for the base, a panel with its number for a module."""
    sketch = Sketch(84, 84, theme.space[2], FINE)
    number = name[-1] if name[-1].isdecimal() else ""
    for less, paint in ((-2, theme.ink), (1, theme.lines[owner]), (6, theme.ink)):
        size = 30 - less
        if number:
            sketch.box(((-size, -size), (size, size)), 12 - less / 2, paint)
        else:
            roof = ((-size, -size * 0.2), (0, -size * 1.25), (size, -size * 0.2))
            sketch.polygon((*roof, (size, size), (-size, size)), paint)
    sketch.text((0, 0 if number else 4), SEATS[owner] + number, 31, theme.paper, 1)
    return sketch.sprite(theme)


def _numbers(page: Image.Image, theme: Theme, where: Layout) -> None:
    """The number of each line at one of its ends, with the comma of the notation.

    To type a knot, put together what stands at its two bright lines: `-1,` and `,2`.
    """
    for number in range(-SIDE, SIDE + 1):
        up, left = number <= 0, number >= 0
        for text, knot, k in (
            (f"{number},", (number, SIDE if up else -SIDE), 1 if up else 4),
            (f",{number}", (-SIDE if left else SIDE, number), 3 if left else 0),
        ):
            x, y = where.at(*knot)
            dx, dy = towards(where.way(2 * k), BEYOND)
            sprite = line(theme, text, AXIS, theme.faint, theme.space[VOID], SHADES)
            sprite.put(page, (x + dx, y + dy))
