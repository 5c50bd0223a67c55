"""What never changes: space, the wormhole, the solid line, dotted warps, the 126 spaces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import cos, hypot, sin, tau
from random import Random

from PIL import Image, ImageDraw, ImageFilter

from engine.warp6.board import (
    CENTRE,
    ENDS,
    FIRST_DEGREES,
    OUTERMOST,
    RINGS,
    SECTOR_DEGREES,
    SECTORS,
    SPOKES,
    WARP,
)
from render.palette import palette
from render.sprites import Point, Sketch
from render.themes import Colour, Theme
from render.warp6.layers import Layer
from render.warp6.layout import CORE, REACH, Layout

SPACE, NUMBERED = 8.0, 23.0
"""Radius of a space, and of one with a number: the spokes and the rim's end.

To number all would hide the dice among figures, and double the size of the file.
"""

NUMBER = 27
"""Size of a space's number."""

DOT, DOTS = 3.0, 14
"""Radius of the dots of a warp, and pixels from one to the next."""

GRAIN = 12
"""Side of the squares in which the light is drawn, in pixels."""

STARS = 110

HALF_SPACE = 5
"""Degrees by which a sector begins before its spoke, so that the outer space lies inside."""

SECTOR_LIGHT = 26
"""How much brighter every other sector is."""


@cache
def background(theme: Theme, where: Layout) -> Image.Image:
    """The page on which everything else is put."""
    page = _void(theme, where)
    _stars(page, theme, where)
    _lines(page, theme, where)
    _spaces(page, theme, where)
    _wormhole(page, theme, where)
    return page


@cache
def half_background(theme: Theme, where: Layout) -> Image.Image:
    """The same half as wide and high."""
    return palette(theme).half(background(theme, where))


def _void(theme: Theme, where: Layout) -> Image.Image:
    """Light that comes out of the wormhole, and six sectors, every other one a little brighter."""
    colours = palette(theme)
    steps = [colours.index(colour) for colour in theme.space]
    light = _light(where).point([steps[value * len(steps) // 256] for value in range(256)])
    page = Image.new("L", where.size, steps[0])
    page.paste(light.resize((light.width * GRAIN, light.height * GRAIN), Image.Resampling.NEAREST))
    return page


def _light(where: Layout) -> Image.Image:
    """Brightness of the void, in small squares."""
    light = Image.new("L", (where.size[0] // GRAIN, where.size[1] // GRAIN))
    canvas = ImageDraw.Draw(light)
    x, y = (value / GRAIN for value in where.middle)
    for share in (i / 30 for i in range(30, 0, -1)):
        reach = share * (REACH + 70) / GRAIN
        canvas.ellipse((x - reach, y - reach, x + reach, y + reach), int(20 + 110 * (1 - share)))
    sectors = Image.new("L", light.size)
    reach = (REACH + 40) / GRAIN
    for sector in range(0, SECTORS, 2):
        start = SECTOR_DEGREES * sector - FIRST_DEGREES - HALF_SPACE
        box = (x - reach, y - reach, x + reach, y + reach)
        ImageDraw.Draw(sectors).pieslice(box, start, start + SECTOR_DEGREES, 255)
    light.paste(light.point(lambda value: value + SECTOR_LIGHT), (0, 0), sectors.convert("1"))
    return light.filter(ImageFilter.GaussianBlur(1))


def _stars(page: Image.Image, theme: Theme, where: Layout) -> None:
    random = Random(6)
    layer = Layer(where.size)
    for _ in range(STARS):
        place = random.randrange(where.size[0]), random.randrange(where.size[1])
        layer.disc(place, random.choice((0.8, 0.8, 1.1, 1.6)))
    layer.lay(page, theme, theme.star, theme.space[1])


def _lines(page: Image.Image, theme: Theme, where: Layout) -> None:
    """The solid line from the rim to the wormhole, and the dotted ones."""
    solid = Layer(where.size)
    fine = 6
    points = [
        where.along(space, i / fine) for space in range(OUTERMOST, 0, -1) for i in range(fine)
    ]
    solid.line(points, 5)
    for space in range(1, OUTERMOST + 1):
        solid.disc(where.at(space), _radius(space))
    solid.lay(page, theme, theme.tile_edge, theme.space[2])
    dotted = Layer(where.size)
    for space in range(1, OUTERMOST + 1):
        for place in _dots(where, space):
            dotted.disc(place, DOT)
    dotted.lay(page, theme, theme.faint, theme.space[2])


def _dots(where: Layout, space: int) -> Iterator[Point]:
    """The middles of the dots of a warp, between the edges of both spaces."""
    start, end = where.at(space), where.at(WARP[space])
    length = hypot(end[0] - start[0], end[1] - start[1])
    first, last = (_radius(at) + 8 for at in (space, WARP[space]))
    last = length - last
    count = max(2, round((last - first) / DOTS) + 1)
    for i in range(count):
        share = (first + (last - first) * i / (count - 1)) / length
        yield start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _radius(space: int) -> float:
    return CORE - 16 if space == CENTRE else NUMBERED if space in _SHOWN else SPACE


def _spaces(page: Image.Image, theme: Theme, where: Layout) -> None:
    """The numbers of those that show one."""
    fills, numbers = Layer(where.size), Layer(where.size)
    for space in _SHOWN:
        fills.disc(where.at(space), NUMBERED - 3)
        numbers.text(where.at(space), str(space), NUMBER)
    fills.lay(page, theme, theme.tile, theme.tile_edge)
    numbers.lay(page, theme, theme.text, theme.tile)


def _on_spokes() -> Iterator[int]:
    for space in SPOKES:
        on_spoke = space
        while on_spoke != CENTRE:
            yield on_spoke
            on_spoke = WARP[on_spoke]


_SHOWN = frozenset((OUTERMOST, *_on_spokes()))
"""Spaces with a number; the others are counted from them."""


def _wormhole(page: Image.Image, theme: Theme, where: Layout) -> None:
    """A dark disc in a bright whirl."""
    radius = CORE - 14.0
    sketch = Sketch(2 * CORE + 8, 2 * CORE + 8, theme.space[3])
    sketch.disc((0, 0), radius, theme.glow)
    for turn in range(3):
        points = [_whirl(radius, tau * turn / 3, i / 14) for i in range(15)]
        sketch.line(points, radius * 0.13, theme.hole)
    sketch.disc((0, 0), radius * 0.66, theme.paper)
    sketch.disc((0, 0), radius * 0.6, theme.hole)
    sketch.sprite(theme).put(page, where.middle)


def _whirl(radius: float, angle: float, share: float) -> Point:
    reach = radius * (0.62 + 0.36 * share)
    return reach * cos(angle - 2 * share), reach * sin(angle - 2 * share)
