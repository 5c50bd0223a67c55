"""The viewer's choices on the board: the end of each, with the label of its button."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.wormholes.board import BASES, SPACES
from engine.wormholes.view import WormholesView
from render import markers
from render.sprites import Board
from render.text import text_sprite
from render.themes import Theme
from render.wormholes import areas, pieces
from render.wormholes.arrows import arrows
from render.wormholes.layout import CELL_SIZE, Layout, Point, Step
from render.wormholes.words import end_of

FRAMED_VERBS = ("move", "jump", "null")
"""Verbs whose target space is framed, with the ship that would go there."""

CHIP_OFFSET = 27
"""Pixels from the middle of a space to a chip, so that the space stays readable."""

NAME_SIZE = 34
"""Size of the name of a space to choose; the longest is just not as wide as its space."""

CHIP_SIZE = 30
"""Size of a name beside a piece."""

DOT_RADIUS = 9
"""Radius of the mark of a space in one of several areas."""


def draw(
    board: Board,
    view: WormholesView,
    actions: Sequence[Action],
    theme: Theme,
    where: Layout,
) -> None:
    """Mark the ends of actions, with the ship and its direction as on the buttons."""
    _spaces(board, view, actions, theme, where)
    ships: dict[str, str] = {}
    above: set[str] = set()
    for action in actions:
        if action.verb in FRAMED_VERBS:
            space = end_of(view, action)
            ships[space] = ships.get(space, "") + action.args[0]
            way = where.way(action.args[1]) if action.verb != "null" else (0, 0)
            _frame(board, where.space(space), way, theme)
            if way[1] < 0:
                above.add(space)
    for space, suits in ships.items():
        x, y = where.space(space)
        board.put(
            pieces.chip(theme, suits),
            (x, y - CHIP_OFFSET if space in above else y + CHIP_OFFSET),
        )


def _spaces(
    board: Board,
    view: WormholesView,
    actions: Sequence[Action],
    theme: Theme,
    where: Layout,
) -> None:
    """Name the spaces to choose; in several areas, mark them and the areas' numbers."""
    spaces = sorted(areas.spaces_of(actions))
    if areas.groups(view, actions):
        for space in spaces:
            board.put(markers.dot(theme, DOT_RADIUS), where.space(space))
        for first, last in areas.AREAS:
            _bracket(board, first, last, theme, where)
        return
    busy = _busy(view, where)
    for space in spaces:
        x, y = where.space(space)
        if (x, y) in busy:
            name = markers.chip(theme, space, theme.mark, theme.mark_text, CHIP_SIZE)
            board.put(name, (x, y + CHIP_OFFSET))
        else:
            board.put(text_sprite(theme, space, NAME_SIZE, theme.mark, theme.tile), (x, y))


def _bracket(board: Board, first: int, last: int, theme: Theme, where: Layout) -> None:
    """Draw a bar along the numbers of an area."""
    board.put(
        pieces.bar(theme, last - first + 1, landscape=where.landscape), where.edge(first, last)
    )


def _busy(view: WormholesView, where: Layout) -> set[Point]:
    """Return the spaces with pieces, bases or arrows, where a bare name is illegible."""
    spaces = {SPACES[base] for side in BASES for base in side}
    spaces |= {ship.space for ship in view.ships} | {coin.space for coin in view.coins}
    ways = (arrow.spaces_crossed for arrow in arrows(view, where))
    return set(map(where.space, spaces)).union(*ways)


def _frame(board: Board, at: Point, way: Step, theme: Theme) -> None:
    """Draw a frame, and the direction on the side from which the ship comes."""
    board.put(pieces.choice_frame(theme), at)
    if way != (0, 0):
        inside = CELL_SIZE / 2 - 8
        place = (at[0] - way[0] * inside, at[1] - way[1] * inside)
        board.put(pieces.pointer(theme, way), place)
