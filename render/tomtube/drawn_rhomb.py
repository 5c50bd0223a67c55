"""The rhomb that has been drawn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from PIL import Image

from engine.game import Action
from engine.tomtube.view import TomTubeView
from render.markers import chip
from render.sprites import Board, Point, Sprite
from render.themes import Theme
from render.tomtube import tiles
from render.tomtube.areas import turn_of
from render.tomtube.layout import Layout
from render.tomtube.sections import ways

DEFAULT_DIRECTION = 3
"""Default direction of corner A."""

RHOMB_OFFSET, CHIP_OFFSET = 93, 110
"""Pixels from the middle to each of two rhombs, and down to their chips."""

TURNED = "↻"
"""The rhomb of a number, turned around: its outline is the same."""

WAY_WIDTH, WAY_HEIGHT, WAY_SCALE = 150, 140, 0.68
"""Pixels for the rhomb as it can lie, above numbered places, and its size there."""

LETTER_DISTANCE = 64
"""Pixels from the middle of this rhomb to the left, to the letter of the way it lies."""

LETTER_SIZE = 32
"""Size of these letters: 9 pixels high on a phone."""

PANEL_SIZE = (370, 276)
"""Pixels of the rhomb beside an enlarged area."""


def draw(board: Board, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Draw the rhomb with its corner A at the top."""
    if view.drawn:
        _upright(board, view.drawn, theme, where.drawn, where.drawn_scale)


def put_ways(page: Image.Image, view: TomTubeView, theme: Theme, where: Layout) -> None:
    """Draw the rhomb at the top of a page in all ways in which the viewer can place it."""
    board = Board(page)
    legal = {where.direction_of(action.args[0]) for action in view.legal}
    for number, (letter, direction) in enumerate(ways(view.drawn, where)):
        if direction in legal:
            x, y = WAY_WIDTH * (number + 0.5) + LETTER_DISTANCE / 4, WAY_HEIGHT / 2
            board.put(_reduced(theme, view.drawn, direction), (x, y))
            sign = chip(theme, letter, theme.mark_text, theme.mark, LETTER_SIZE)
            board.put(sign, (x - LETTER_DISTANCE, y))


@lru_cache(maxsize=512)
def _reduced(theme: Theme, tile: str, direction: int) -> Sprite:
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
