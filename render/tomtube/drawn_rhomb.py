"""The rhomb that has been drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engine.game import Action
from engine.tomtube.view import TomTubeView
from render.markers import chip
from render.palette import palette
from render.sprites import Board, Point, Sprite
from render.themes import Theme
from render.tomtube import ghosts as ghost_marks
from render.tomtube import tiles
from render.tomtube.areas import turn_of
from render.tomtube.layout import LONG, Layout
from render.tomtube.sections import Way, ways

DEFAULT_DIRECTION = 3
"""Default direction of corner A."""

RHOMB_OFFSET, CHIP_OFFSET = 93, 110
"""Pixels from the middle to each of two rhombs, and down to their chips."""

WAY_SCALE = 1.2
"""Size of the rhomb below numbered places, compared with those on the board."""

WAY_MARGIN = 8
"""Pixels above and below these rhombs."""

LETTER_SIZE = 32
"""Size of the letters beside them: 9 pixels high on a phone."""

LETTER_OFFSETS = {True: (-50, -74), False: (-92, 0)}
"""Pixels from the middle of a rhomb, upright or not, to the letter of the way it lies."""

UPRIGHT = (3, 9)
"""Directions of corner A of the rhombs that stand upright."""

PANEL_SIZE = (370, 276)
"""Pixels of the rhomb beside an enlarged area."""


def draw(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Draw the rhomb with its corner A at the top."""
    if view.drawn:
        _upright(board, view.drawn, theme, where.drawn, where.drawn_scale)


def ways_page(width: int, view: TomTubeView, theme: Theme, where: Layout) -> Image.Image | None:
    """Return the rhomb in all ways in which the viewer can place it, as a page of this width.

    It is None if there is one way: each place shows it.
    """
    placings = ghost_marks.placings(view.legal)
    legal = {where.direction_of(action.args[0]) for action in placings}
    legal_ways = [way for way in ways(view.drawn, where) if way.direction in legal]
    if len(legal_ways) == 1:
        return None
    places, height = _places(legal_ways, width)
    page = Image.new("L", (width, height), palette(theme).index(theme.space[0]))
    board = Board(page)
    for way, (x, y) in zip(legal_ways, places, strict=True):
        board.put(_enlarged_way(theme, view.drawn, way.direction), (x, y))
        dx, dy = LETTER_OFFSETS[way.direction in UPRIGHT]
        sign = chip(theme, way.letter, theme.mark_text, theme.mark, LETTER_SIZE)
        board.put(sign, (x + dx, y + dy))
    return page


def _half(way: Way) -> float:
    """Return half the height of a rhomb."""
    return WAY_SCALE * LONG / (1 if way.direction in UPRIGHT else 2)


def _places(legal_ways: Sequence[Way], width: int) -> tuple[list[Point], int]:
    """Return the middles of rhombs on a page, from left to right, and the page's height.

    Of six, two pairs lie one above the other, between the upright ones.
    """
    if len(legal_ways) <= len("ABC"):
        half = max(map(_half, legal_ways))
        xs = [width * (2 * place + 1) / (2 * len(legal_ways)) for place in range(len(legal_ways))]
        return [(x, WAY_MARGIN + half) for x in xs], round(2 * (WAY_MARGIN + half))
    row = WAY_SCALE * LONG + WAY_MARGIN
    columns = {"A": 0.11, "B": 0.37, "C": 0.66, "D": 0.92, "E": 0.37, "F": 0.66}
    return [
        (
            width * columns[way.letter],
            WAY_MARGIN + _half(way) + row * (way.letter in "EF"),
        )
        for way in legal_ways
    ], round(WAY_MARGIN + 2 * row)


@lru_cache(maxsize=512)
def _enlarged_way(theme: Theme, tile: str, direction: int) -> Sprite:
    return tiles.rhomb(theme, tile, direction).enlarged(WAY_SCALE)


def both_ways(
    view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout, shade: int
) -> Image.Image:
    """Return the rhomb in both orientations, each with its number, for a place that is alone."""
    board = Board(Image.new("L", PANEL_SIZE, shade))
    x, y = PANEL_SIZE[0] / 2, PANEL_SIZE[1] / 2 - 12
    for action, aside in zip(actions, (-RHOMB_OFFSET, RHOMB_OFFSET), strict=False):
        way = where.direction_of(action.args[0])
        board.put(tiles.rhomb(theme, view.drawn, way), (x + aside, y))
        text = chip(theme, str(turn_of(action)), theme.mark_text, theme.mark)
        board.put(text, (x + aside, y + CHIP_OFFSET))
    return board.page


def _upright(board: Board, tile: str, theme: Theme, middle: Point, scale: float) -> None:
    x, y = middle
    board.put(_enlarged(theme, tile, scale), (x, y))


@lru_cache(maxsize=128)
def _enlarged(theme: Theme, tile: str, scale: float) -> Sprite:
    """Return the sprite of a rhomb with its corner A at the top."""
    sprite = tiles.rhomb(theme, tile, DEFAULT_DIRECTION)
    return sprite if scale == 1 else sprite.enlarged(scale)
