"""The static parts: the galaxy, tiles, bases, coordinates, and the rose with the suits' axes."""

from __future__ import annotations

from functools import cache
from math import hypot

from PIL import Image

from engine.wormholes.board import BASES, COLUMNS, ROWS, TILE_COLUMNS, XY
from engine.wormholes.pieces import SEATS, SUITS
from render.painted import ground, painted
from render.palette import palette
from render.png import Ground
from render.sprites import Sketch, small
from render.text import text_sprite
from render.themes import Theme
from render.wormholes.layout import CELL_SIZE, Layout
from render.wormholes.pieces import GAME, colour, medal

ROSE_REACH = 48
"""Pixels from the middle of the rose to the suits on it."""

NUMBER_SIZE, LETTER_SIZE = 46, 62
"""Text sizes of coordinates: the smallest are 9 pixels high in a picture 400 pixels wide."""


@cache
def background(theme: Theme, layout: Layout) -> Ground:
    """Return the ground of boards."""
    page = _space(theme, layout)
    for row, columns in enumerate(TILE_COLUMNS):
        for column in columns:
            x, y = 2 * int(column) - 0.5, 2 * row + 1.5
            tile = painted(GAME, theme, f"tile-{_nearness(x, y)}")
            tile.put(page, layout.place(x, y))
    for seat, spaces in zip(SEATS, BASES, strict=True):
        for space in spaces:
            painted(GAME, theme, f"base-{seat}").put(page, layout.place(*XY[space]))
    _coordinates(page, theme, layout)
    _rose(page, theme, layout)
    return Ground(page)


@cache
def small_background(theme: Theme, layout: Layout) -> Ground:
    """Return the ground of small boards."""
    colours = palette(theme)
    return Ground(colours.page(small(colours.image(background(theme, layout).page))))


def _space(theme: Theme, layout: Layout) -> Image.Image:
    """Return the part of the galaxy that is on the canvas, turned as the board is."""
    galaxy = ground(GAME, theme, "galaxy")
    if not layout.landscape:
        galaxy = galaxy.transpose(Image.Transpose.ROTATE_90)
    if layout.turned:
        galaxy = galaxy.transpose(Image.Transpose.ROTATE_180)
    x, y = layout.place((len(COLUMNS) + 1) / 2, (ROWS + 1) / 2)
    left, top = round(galaxy.width / 2 - x), round(galaxy.height / 2 - y)
    return galaxy.crop((left, top, left + layout.size[0], top + layout.size[1]))


def _nearness(x: float, y: float) -> int:
    """Return the nearness of a tile to the galaxy's core, from 0 to 2."""
    away = hypot(1.5 * (x - (len(COLUMNS) + 1) / 2), y - (ROWS + 1) / 2)
    return 2 if away < 3.5 else 1 if away < 6 else 0


def _coordinates(page: Image.Image, theme: Theme, layout: Layout) -> None:
    """Draw letters and numbers at the frame."""
    ground = theme.space[0]
    width, height = layout.size
    left, top = layout.corner
    for column, letter in enumerate(COLUMNS, 1):
        x, y = layout.place(column, 1)
        sprite = text_sprite(theme, letter, LETTER_SIZE, theme.faint, ground)
        if layout.landscape:
            for edge in (left / 2, width - left / 2):
                sprite.put(page, (edge, y))
        else:
            sprite.put(page, (x, (top + ROWS * CELL_SIZE + height) / 2))
    for row in range(1, ROWS + 1):
        x, y = layout.place(1, row)
        sprite = text_sprite(theme, str(row), NUMBER_SIZE, theme.faint, ground)
        if layout.landscape:
            sprite.put(page, (x, top + len(COLUMNS) * CELL_SIZE + 36))
        else:
            for edge in (left / 2, width - left / 2):
                sprite.put(page, (edge, y))


def _rose(page: Image.Image, theme: Theme, layout: Layout) -> None:
    """Draw along which directions each suit's coins lead."""
    middle = layout.at(16, 8) if layout.landscape else layout.at(2, 16)
    painted(GAME, theme, "rose").put(page, middle)
    sketch = Sketch(200, 200, theme.space[1])
    for suit in SUITS:
        x, y = layout.axis(suit)
        size = ROSE_REACH / hypot(x, y)
        ends = ((-x * size, -y * size), (x * size, y * size))
        sketch.line(ends, 5, colour(theme, suit))
    sketch.disc((0, 0), 8, theme.text)
    sketch.sprite(theme).put(page, middle)
    for suit in SUITS:
        x, y = layout.axis(suit)
        size = ROSE_REACH / hypot(x, y)
        for side in (1, -1):
            medal(theme, suit).put(page, (middle[0] + side * x * size, middle[1] + side * y * size))
