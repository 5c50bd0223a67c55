"""A small map of the galaxy, which shows where an enlarged area is."""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache

from engine.wormholes.board import BASES, XY
from render.sprites import Board, Point, Sketch, Sprite
from render.themes import Colour, Theme, mix
from render.wormholes.areas import AREA_OF
from render.wormholes.layout import CELL_SIZE, Layout

STEP = 7
"""Width and height of a space on the map in pixels."""

FRAME, EDGE = 4.0, 2.0
"""Pixels around the galaxy on the map, and around both."""

PLAIN_SHARE = 0.35
"""Share of the colour of texts in that of spaces that are not in the area."""

PLACES = {
    (1, 4): (5.5, 1.5),
    (5, 7): (1.5, 5.5),
    (8, 9): (1.5, 5.5),
    (10, 11): (9.5, 13.5),
    (12, 14): (9.5, 13.5),
    (15, 18): (5.5, 17.5),
}
"""Area → column and row in the middle of four cells where neither spaces nor other things are."""


def draw(board: Board, spaces: Collection[str], theme: Theme, where: Layout) -> None:
    """Put the map beside spaces of one area; do nothing if they are in several."""
    of_spaces = {AREA_OF.get(space) for space in spaces}
    if len(of_spaces) == 1 and (area := of_spaces.pop()):
        board.put(_sprite(theme, where, area), where.place(*PLACES[area]))


@lru_cache(maxsize=96)
def _sprite(theme: Theme, where: Layout, area: tuple[int, int]) -> Sprite:
    """Return the map with the spaces of an area in the colour of choices."""
    wide, high = (cells * STEP / 2 + FRAME for cells in where.cells)
    sketch = Sketch(round(2 * wide), round(2 * high), theme.space[1])
    for less, shade in ((0.0, theme.faint), (EDGE, theme.space[0])):
        corner = (wide - less, high - less)
        sketch.box(((-corner[0], -corner[1]), corner), FRAME, shade)
    first, last = area
    for index, (column, row) in enumerate(XY):
        owners = (shade for base, shade in zip(BASES, theme.seats, strict=True) if index in base)
        shade = next(owners, theme.mark if first <= row <= last else plain(theme))
        x, y = _point(where, column, row)
        low, up = (x - STEP / 2, y - STEP / 2), (x + STEP / 2, y + STEP / 2)
        sketch.box((low, up), 0, shade)
    return sketch.sprite(theme)


def plain(theme: Theme) -> Colour:
    """Return the colour of the galaxy's other spaces on the map."""
    return mix(theme.tile, theme.text, PLAIN_SHARE)


def _point(where: Layout, column: int, row: int) -> Point:
    """Return the middle of a space on the map, from the middle of the map."""
    across, down = where.cells
    (x, y), (left, top) = where.place(column, row), where.at(across / 2, down / 2)
    return (x - left) * STEP / CELL_SIZE, (y - top) * STEP / CELL_SIZE
