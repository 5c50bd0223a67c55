"""The static parts: space, the hexagon's lattice, the six stations, the numbers of its lines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from random import Random

from PIL import Image, ImageDraw

from engine.tomtube.lattice import (
    INDEX,
    KNOTS,
    NEIGHBOURS,
    STEPS,
)
from engine.tomtube.tables import SIDE
from render.palette import palette
from render.sprites import Point, small
from render.text import text_sprite
from render.themes import Theme, mix
from render.tomtube import stations
from render.tomtube.edges import draw_edge, edges
from render.tomtube.layout import Layout, towards
from render.tomtube.terms import line_name, row_name

AXIS_TEXT_SIZE = 45
"""Size of the numbers around the board: they are 9 pixels high on 400 pixels' width."""

AXIS_DISTANCE = 62
"""Pixels from the rim to such a number: beyond the signs of the stations."""

CORNER_AXIS_DISTANCE = 42
"""The same for the line in the middle, at a corner: portrait has no more room."""

STAR_COUNT = 24

SPACE_SHADE = 1
"""Index of the background among a theme's colours of space."""


@cache
def background(theme: Theme, where: Layout) -> Image.Image:
    """Return the page onto which everything else is copied."""
    page = Image.new("L", where.size, palette(theme).index(theme.space[SPACE_SHADE]))
    _stars(page, theme, where)
    _hexagon(page, theme, where)
    _lattice(page, theme, where)
    stations.draw(page, theme, where)
    _numbers(page, theme, where)
    return page


@cache
def small_background(theme: Theme, where: Layout) -> Image.Image:
    """Return the background of small boards."""
    colours = palette(theme)
    return colours.page(small(colours.image(background(theme, where))))


def _stars(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw stars around the hexagon."""
    random = Random(7)
    shade = palette(theme).index(theme.star)
    for _ in range(STAR_COUNT):
        x, y = (random.randrange(side - 3) for side in where.size)
        side = random.choice((2, 2, 3))
        page.paste(shade, (x, y, x + side, y + side))


def _hexagon(page: Image.Image, theme: Theme, where: Layout) -> None:
    corners = [where.at(SIDE * q, SIDE * r) for q, r in STEPS]
    ImageDraw.Draw(page).polygon(corners, palette(theme).index(theme.space[2]))


def _lattice(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw the lattice; lines along which numbers are read are brighter."""
    across = mix(theme.space[SPACE_SHADE], theme.star, 1 / 3)
    for k, shade in ((2, across), (0, theme.tile_line), (1, theme.tile_line)):
        for knot in range(len(KNOTS)):
            end = NEIGHBOURS[knot][k]
            if end is not None:
                draw_edge(page, where, (knot, end), edges(theme, shade, 2))
    for rim in pairwise((*_RIM, _RIM[0])):
        draw_edge(page, where, rim, edges(theme, theme.tile_edge, 5))


def _rim() -> Iterator[int]:
    """Return the knots of the rim, once around."""
    knot = INDEX[SIDE, 0]
    for k in (2, 3, 4, 5, 0, 1):
        for _ in range(SIDE):
            yield knot
            knot = NEIGHBOURS[knot][k] or 0


_RIM = tuple(_rim())


def _numbers(page: Image.Image, theme: Theme, where: Layout) -> None:
    for text, at in numbers(where):
        text_sprite(theme, text, AXIS_TEXT_SIZE, theme.faint, theme.space[SPACE_SHADE]).put(
            page, at
        )


def numbers(where: Layout) -> Iterator[tuple[str, Point]]:
    """Yield the name of each line and its point.

    The name of a knot is the letter of its row and the number at its other bright line: `c4`.
    """
    for number in range(-SIDE, SIDE + 1):
        up, left = number <= 0, number >= 0
        for text, knot, k in (
            (line_name(number), (number, SIDE if up else -SIDE), 1 if up else 4),
            (row_name(number), (-SIDE if left else SIDE, number), 3 if left else 0),
        ):
            x, y = where.at(*knot)
            dx, dy = towards(
                where.way(2 * k), CORNER_AXIS_DISTANCE if text == row_name(0) else AXIS_DISTANCE
            )
            yield text, (x + dx, y + dy)
