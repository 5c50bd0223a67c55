"""The rhomb that has been drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engine.game import Action
from engine.tomtube.lattice import DIRECTIONS, PLACE_INDEX, PLACES
from engine.tomtube.tables import SAME_TURNED
from engine.tomtube.view import TomTubeView
from render.markers import chip
from render.sprites import Board, Point, Sprite
from render.themes import Theme
from render.tomtube import tiles
from render.tomtube.areas import pairs_of, turn_of
from render.tomtube.layout import Layout

DEFAULT_DIRECTION = 3
"""Default direction of corner A."""

RHOMB_OFFSET, CHIP_OFFSET = 93, 110
"""Pixels from the middle to each of two rhombs, and down to their chips."""

TURNED = "↻"
"""The rhomb of a number, turned around: its outline is the same."""

CORNER, PAIR_DISTANCE, SIGN_DISTANCE = (60, 98), 122, 62
"""The middle of the rhomb beside numbered places; pixels from there to the turned one, and down to
the sign between them."""

PAIR_WIDTH = 244
"""Pixels that both take up."""

PANEL_SIZE = (370, 276)
"""Pixels of the rhomb beside an enlarged area."""


def draw(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Draw the rhomb with its corner A at the top."""
    if view.drawn:
        _upright(board, view.drawn, theme, where.drawn, where.drawn_scale)


def panel(
    view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout, shade: int
) -> Image.Image:
    """Return the rhomb beside an enlarged area; twice if only its orientation is open."""
    board = Board(Image.new("L", PANEL_SIZE, shade))
    x, y = PANEL_SIZE[0] / 2, PANEL_SIZE[1] / 2
    if len(pairs_of(actions)) == 1:
        _turns(board, view, actions, theme, where)
    else:
        _upright(board, view.drawn, theme, (x, y), 1)
    return board.page


def put_both_ways(page: Image.Image, view: TomTubeView, theme: Theme) -> None:
    """Draw the rhomb in a page's upper left corner, and beside it turned around, if it differs."""
    board, (x, y) = Board(page), CORNER
    board.put(tiles.rhomb(theme, view.drawn, DEFAULT_DIRECTION), (x, y))
    if view.drawn.removesuffix("+") not in SAME_TURNED:
        way = DEFAULT_DIRECTION + DIRECTIONS // 2
        board.put(tiles.rhomb(theme, view.drawn, way), (x + PAIR_DISTANCE, y))
        sign = chip(theme, TURNED, theme.mark, theme.mark_text)
        board.put(sign, (x + PAIR_DISTANCE / 2, y + SIGN_DISTANCE))


def direction_of(place: str, where: Layout) -> int:
    """Return the direction on the canvas from the centre of a rhomb to its corner A."""
    return where.way(PLACES[PLACE_INDEX[place]][0].way + DIRECTIONS // 2)


def _turns(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    x, y = PANEL_SIZE[0] / 2, PANEL_SIZE[1] / 2 - 12
    for action, aside in zip(actions, (-RHOMB_OFFSET, RHOMB_OFFSET), strict=False):
        way = direction_of(action.args[0], where)
        board.put(tiles.rhomb(theme, view.drawn, way), (x + aside, y))
        text = chip(theme, str(turn_of(action)), theme.mark_text, theme.mark)
        board.put(text, (x + aside, y + CHIP_OFFSET))


def _upright(board: Board, tile: str, theme: Theme, middle: Point, scale: float) -> None:
    x, y = middle
    board.put(_enlarged(theme, tile, scale), (x, y))


@lru_cache(maxsize=128)
def _enlarged(theme: Theme, tile: str, scale: float) -> Sprite:
    """Return the sprite of a rhomb with its corner A at the top."""
    sprite = tiles.rhomb(theme, tile, DEFAULT_DIRECTION)
    return sprite if scale == 1 else sprite.enlarged(scale)
