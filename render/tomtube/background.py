"""The static parts: space, the hexagon's lattice, the six stations, the numbers of its lines."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import pairwise

from PIL import Image, ImageDraw

from engine.tomtube.lattice import (
    INDEX,
    KNOTS,
    NEIGHBOURS,
    STEPS,
)
from engine.tomtube.tables import SIDE
from render.chips import Box, box
from render.painted import ground
from render.palette import palette
from render.png import Ground
from render.sprites import Point, Sketch, Sprite, small
from render.text import CAPITAL_HEIGHT, measure, text_sprite
from render.themes import Theme, mix
from render.tomtube import legend, stations
from render.tomtube.edges import draw_edge, edges
from render.tomtube.layout import Layout, towards
from render.tomtube.terms import line_name, row_name
from render.tomtube.tiles import GAME

AXIS_TEXT_SIZE = 45
"""Size of the numbers around the board: they are 9 pixels high on 400 pixels' width."""

AXIS_DISTANCE = 62
"""Pixels from the rim to such a number: beyond the signs of the stations."""

CORNER_AXIS_DISTANCE = 50
"""The same for the line in the middle, at a corner: portrait has no more room."""

NEAR_AXIS_TEXT_SIZE, NEAR_AXIS_DISTANCE = 32, 57
"""Size of numbers beside a board that is alone, and pixels from the rim to them."""

TICK_START, TICK_END = 8, 26
"""Pixels from the rim to the ends of the line that leads to such a number."""

SPACE_SHADE = 1
"""Index of the background among a theme's colours of space."""


def background(theme: Theme, where: Layout, *, is_long: bool = True) -> Ground:
    """Return the ground of boards, with the whole legend or the short one."""
    return _background(theme, where, legend.words(is_long=is_long))


@cache
def _background(theme: Theme, where: Layout, words: tuple[str, ...]) -> Ground:
    page = space(theme, where).copy()
    corners = [where.at(SIDE * q, SIDE * r) for q, r in STEPS]
    ImageDraw.Draw(page).polygon(corners, palette(theme).index(theme.space[SPACE_SHADE]))
    _lattice(page, theme, where)
    _ticks(page, theme, where)
    stations.draw(page, theme, where)
    _numbers(page, theme, where)
    legend.draw(page, theme, where, words)
    return Ground(page)


def small_background(theme: Theme, where: Layout, *, is_long: bool = True) -> Ground:
    """Return the ground of small boards."""
    return _small_background(theme, where, legend.words(is_long=is_long))


@cache
def _small_background(theme: Theme, where: Layout, words: tuple[str, ...]) -> Ground:
    colours = palette(theme)
    return Ground(colours.page(small(colours.image(_background(theme, where, words).page))))


@cache
def space(theme: Theme, where: Layout) -> Image.Image:
    """Return the part of space that is on the canvas, turned as the board is."""
    page = ground(GAME, theme, "space")
    if not where.landscape:
        page = page.transpose(Image.Transpose.ROTATE_90)
    left, top = (page.width - where.size[0]) // 2, (page.height - where.size[1]) // 2
    return page.crop((left, top, left + where.size[0], top + where.size[1]))


def _lattice(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw the lattice; lines along which numbers are read are brighter."""
    void = theme.space[SPACE_SHADE]
    across, read = mix(void, theme.star, 1 / 5), mix(void, theme.tile_line, 3 / 5)
    for k, shade in ((2, across), (0, read), (1, read)):
        for knot in range(len(KNOTS)):
            end = NEIGHBOURS[knot][k]
            if end is not None:
                draw_edge(page, where, (knot, end), edges(theme, shade, 2))
    for rim in pairwise((*_RIM, _RIM[0])):
        draw_edge(page, where, rim, edges(theme, theme.tile_edge, 5))


def _ticks(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Lead each line of the lattice out to its name."""
    for _, knot, way in lines(where):
        x, y = where.at(*knot)
        dx, dy = towards(way, (TICK_START + TICK_END) / 2)
        _tick(theme, way).put(page, (x + dx, y + dy))


@cache
def _tick(theme: Theme, way: int) -> Sprite:
    x, y = towards(way, (TICK_END - TICK_START) / 2)
    sketch = Sketch(TICK_END, TICK_END, theme.space[SPACE_SHADE])
    sketch.line(((-x, -y), (x, y)), 3, theme.faint)
    return sketch.sprite(theme)


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


def draw_near_numbers(page: Image.Image, theme: Theme, where: Layout) -> None:
    """Draw the names of lines near the rim of a board that is alone on a page."""
    for text, at in numbers(where, NEAR_AXIS_DISTANCE):
        sprite = text_sprite(theme, text, NEAR_AXIS_TEXT_SIZE, theme.faint, theme.space[0])
        sprite.put(page, at)


def numbers(where: Layout, distance: int = AXIS_DISTANCE) -> Iterator[tuple[str, Point]]:
    """Yield the name of each line and its point, at most this many pixels from the rim."""
    for text, knot, way in lines(where):
        x, y = where.at(*knot)
        away = min(distance, CORNER_AXIS_DISTANCE) if text == row_name(0) else distance
        dx, dy = towards(way, away)
        yield text, (x + dx, y + dy)


@cache
def axis_boxes(where: Layout) -> tuple[Box, ...]:
    """Return the boxes of the names of lines, and of the ticks that lead to them."""
    names = [
        box(at, measure(text, AXIS_TEXT_SIZE) / 2 - 1, AXIS_TEXT_SIZE * CAPITAL_HEIGHT / 2 - 1)
        for text, at in numbers(where)
    ]
    ticks: list[Box] = []
    for _, knot, way in lines(where):
        x, y = where.at(*knot)
        dx, dy = towards(way, (TICK_START + TICK_END) / 2)
        half = (TICK_END - TICK_START) / 2
        ticks.append(box((x + dx, y + dy), half, half))
    return (*names, *ticks)


def lines(where: Layout) -> Iterator[tuple[str, tuple[int, int], int]]:
    """Yield the name of each line, the coordinates of its end, and the direction out of the board.

    The name of a knot is the letter of its row and the number at its other bright line: `c4`.
    """
    for number in range(-SIDE, SIDE + 1):
        up, left = number <= 0, number >= 0
        yield (
            line_name(number),
            (number, SIDE if up else -SIDE),
            where.way(2 if up else 8),
        )
        yield row_name(number), (-SIDE if left else SIDE, number), where.way(6 if left else 0)
