"""The static parts: space, the wormhole, the solid line, dotted warps, the 126 spaces."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import cos, hypot, sin, tau
from random import Random

from PIL import Image, ImageDraw

from engine.warp6.board import (
    CENTRE,
    OUTERMOST,
    SPOKES,
    WARP,
)
from render.palette import palette
from render.sprites import Point, Sketch, small
from render.themes import Theme
from render.warp6.layers import Layer
from render.warp6.layout import CORE_RADIUS, RING_WIDTH, SPIRAL_RADIUS, Layout

SPACE, NUMBERED = 7.0, 23.0
"""Radius of a space, and of one with a number: the spokes and the rim's end.

Numbers on all spaces would hide the dice, and double the size of the file.
"""

NUMBER_SIZE = 27
"""Size of a space's number."""

DOT, DOTS = 5, 16
"""Size of the dots of a warp, and pixels from one to the next."""

STAR_COUNT = 30

SPACE_SHADE = 1
"""Index of the background among a theme's colours of space: a plain one, to save bytes."""

GLOW = ((0.8, 2), (0.3, 4))
"""Radius of the wormhole's light in rings, and index of the colour of space there."""


@cache
def background(theme: Theme, where: Layout) -> Image.Image:
    """Return the page onto which everything else is copied."""
    page = _void(theme, where)
    _stars(page, theme, where)
    _lines(page, theme, where)
    _spaces(page, theme, where)
    _wormhole(page, theme, where)
    return page


@cache
def small_background(theme: Theme, where: Layout) -> Image.Image:
    """Return the background of small boards."""
    colours = palette(theme)
    return colours.page(small(colours.image(background(theme, where))))


def _void(theme: Theme, where: Layout) -> Image.Image:
    """Return dark space with the light around the wormhole."""
    colours = palette(theme)
    page = Image.new("L", where.size, colours.index(theme.space[SPACE_SHADE]))
    canvas = ImageDraw.Draw(page)
    x, y = where.middle
    for reach, shade in GLOW:
        far = reach * RING_WIDTH + CORE_RADIUS
        canvas.ellipse((x - far, y - far, x + far, y + far), colours.index(theme.space[shade]))
    return page


def _stars(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw stars around the spiral, away from text."""
    random = Random(6)
    for _ in range(STAR_COUNT):
        x, y = (value + random.uniform(-SPIRAL_RADIUS, SPIRAL_RADIUS) for value in where.middle)
        _dot(page, (x, y), random.choice((2, 2, 3)), palette(theme).index(theme.star))


def _dot(page: Image.Image, middle: Point, side: int, shade: int) -> None:
    """Draw a small square without soft edges, which costs a third of a disc."""
    left, top = (round(value - side / 2) for value in middle)
    page.paste(shade, (left, top, left + side, top + side))


def _lines(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw the solid line from the rim to the wormhole, and the dotted lines."""
    solid = Layer(where.size)
    fine = 6
    points = [
        where.along(space, i / fine) for space in range(OUTERMOST, 0, -1) for i in range(fine)
    ]
    solid.line(points, 5)
    for space in range(1, OUTERMOST + 1):
        solid.disc(where.at(space), _radius(space))
    solid.lay(page, theme, theme.tile_edge, theme.space[2], steps=1)
    for space in range(1, OUTERMOST + 1):
        shade = palette(theme).index(theme.text if space in _SPOKES else theme.star)
        for place in _dots(where, space):
            _dot(page, place, DOT, shade)


def _dots(where: Layout, space: int) -> Iterator[Point]:
    """Return the middles of the dots of a warp, between the edges of both spaces."""
    start, end = where.at(space), where.at(WARP[space])
    length = hypot(end[0] - start[0], end[1] - start[1])
    first, last = (_radius(at) + 8 for at in (space, WARP[space]))
    last = length - last
    count = max(2, round((last - first) / DOTS) + 1)
    for i in range(count):
        share = (first + (last - first) * i / (count - 1)) / length
        yield start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share


def _radius(space: int) -> float:
    return CORE_RADIUS - 16 if space == CENTRE else NUMBERED if space in NUMBERED_SPACES else SPACE


def _spaces(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw the spaces and their numbers."""
    fills, numbers = Layer(where.size), Layer(where.size)
    for space in NUMBERED_SPACES:
        fills.disc(where.at(space), NUMBERED - 3)
        numbers.text(where.at(space), str(space), NUMBER_SIZE)
    fills.lay(page, theme, theme.tile, theme.tile_edge, steps=1)
    numbers.lay(page, theme, theme.text, theme.tile)


def _on_spokes() -> Iterator[int]:
    for space in SPOKES:
        on_spoke = space
        while on_spoke != CENTRE:
            yield on_spoke
            on_spoke = WARP[on_spoke]


_SPOKES = frozenset(_on_spokes())
"""The spaces of the six straight chains, which separate the sectors: their dots are brighter."""

NUMBERED_SPACES = _SPOKES | {OUTERMOST}
"""Spaces with a number; the others are counted from them."""


def _wormhole(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw a dark disc in a bright whirl."""
    radius = CORE_RADIUS - 14.0
    sketch = Sketch(2 * CORE_RADIUS + 8, 2 * CORE_RADIUS + 8, theme.space[3])
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
