"""The corner of the picture with the drawn rhomb; a legend while there is none."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.tomtube.lattice import DIRECTIONS, PLACE_INDEX, PLACES
from engine.tomtube.tables import SEATS
from engine.tomtube.view import TomTubeView
from render.markers import chip
from render.sprites import Board
from render.text import drawable_translation
from render.themes import Theme
from render.tomtube import tiles
from render.tomtube.areas import SIDE_NAMES, pairs_of, turn_of
from render.tomtube.layout import LONG, SHORT, Layout, towards
from render.tomtube.player_panels import panel_text, put_left_aligned

DEFAULT_DIRECTION = 3
"""Default direction of corner A."""

LEGEND_SPACING = 68
"""Pixels from one line of the legend to the next."""

RHOMB_OFFSET, CHIP_OFFSET = 93, 110
"""Pixels from the middle to each of two rhombs, and down to their chips."""


def draw(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw the rhomb with its corner letters; twice if only its orientation is open."""
    if len(actions) > 1 and len(pairs_of(actions)) == 1:
        _turns(board, view, actions, theme, where)
    elif view.drawn:
        _upright(board, view.drawn, theme, where)
    else:
        _legend(board, theme, where)


def direction_of(place: str, where: Layout) -> int:
    """Return the direction on the canvas from the centre of a rhomb to its corner A."""
    return where.way(PLACES[PLACE_INDEX[place]][0].way + DIRECTIONS // 2)


def _turns(
    board: Board, view: TomTubeView, actions: Sequence[Action], theme: Theme, where: Layout
) -> None:
    x, y = where.drawn
    for action, aside in zip(actions, (-RHOMB_OFFSET, RHOMB_OFFSET), strict=False):
        way = direction_of(action.args[0], where)
        board.put(tiles.rhomb(theme, view.drawn, way), (x + aside, y))
        text = chip(theme, str(turn_of(action)), theme.mark, theme.mark_text)
        board.put(text, (x + aside, y + CHIP_OFFSET))


def _upright(board: Board, tile: str, theme: Theme, where: Layout) -> None:
    x, y = where.drawn
    board.put(tiles.rhomb(theme, tile, DEFAULT_DIRECTION), (x, y))
    for letter, turn in tiles.CORNER_DIRECTIONS.items():
        dx, dy = towards(DEFAULT_DIRECTION + turn, (LONG if letter in "AC" else SHORT) + 26)
        board.put(panel_text(theme, letter, theme.text), (x + dx, y + dy))


def _legend(board: Board, theme: Theme, where: Layout) -> None:
    """Draw the legend of both players' tubes."""
    for row, (users, text) in enumerate(
        (*SIDE_NAMES.items(), (SEATS, drawable_translation("both")))
    ):
        x, y = where.drawn[0] - 110, where.drawn[1] + LEGEND_SPACING * (row - 1)
        board.put(tiles.tube(theme, tiles.Arm(0, LONG, users)), (x, y))
        put_left_aligned(board, panel_text(theme, text, theme.faint), (x + 60, y))
