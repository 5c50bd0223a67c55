"""The viewer's choices on the board: the end of each, with the label of its button."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.wormholes.board import BASES, SPACES
from engine.wormholes.view import WormholesView
from render.sprites import Board
from render.text import text_sprite
from render.themes import Theme
from render.wormholes import pieces
from render.wormholes.arrows import arrows
from render.wormholes.layout import CELL_SIZE, Layout, Point, Step
from render.wormholes.words import end_of

NAMED_VERBS = ("place", "send")
"""Verbs with a space to choose: there are many, so only their names are shown."""

FRAMED_VERBS = ("move", "jump", "null")
"""Verbs whose target space is framed, with the ship that would go there."""

CHIP_OFFSET = 27
"""Pixels from the middle of a space to a chip, so that the space stays readable."""


def draw(
    board: Board,
    view: WormholesView,
    actions: Sequence[Action],
    theme: Theme,
    where: Layout,
) -> None:
    """Mark the ends of actions, with ship, direction and space as on the buttons."""
    busy = _busy(view, where)
    for space in sorted({action.args[1] for action in actions if action.verb in NAMED_VERBS}):
        x, y = where.space(space)
        if (x, y) in busy:
            board.put(pieces.chip(theme, "", space), (x, y + CHIP_OFFSET))
        else:
            board.put(
                text_sprite(theme, space, pieces.CHIP_TEXT_SIZE, theme.mark, theme.tile), (x, y)
            )
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
            pieces.chip(theme, suits, space),
            (x, y - CHIP_OFFSET if space in above else y + CHIP_OFFSET),
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
