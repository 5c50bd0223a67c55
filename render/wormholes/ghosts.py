"""Choices and plans drawn as if they were done: coins on their spaces, arrows to a ship's end."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.wormholes.view import WormholesView
from render.markers import choice_head, choice_line, choice_numbers
from render.sprites import Board
from render.themes import Theme
from render.wormholes import pieces
from render.wormholes.layout import CELL_SIZE, Layout, Point
from render.wormholes.player_panels import in_hand
from render.wormholes.words import end_of

CORNER = CELL_SIZE * 0.74
"""Pixels across and down from the middle of a space to a number that only touches its corner."""

PLANNED_SPACES = 1.5
"""Length of the arrow of a move whose die is not known yet, in spaces."""


MOVES = ("move", "jump", "send")


def draw_lines(
    board: Board, view: WormholesView, ghosts: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw below the pieces: lines of moves, rings at their ends and around coins."""
    for action in ghosts:
        if action.verb in MOVES:
            start, end = _way(view, action, where)
            choice_line(board, theme, (start, end))
            if action.verb == "send" or action in view.legal:
                board.put(pieces.ring(theme), end)
        elif _is_placed(action):
            board.put(pieces.ring(theme), where.space(action.args[1]))


def draw_ghosts(
    board: Board, view: WormholesView, ghosts: Sequence[Action], theme: Theme, where: Layout
) -> None:
    """Draw above the pieces: coins, heads of arrows, numbers."""
    spaces = [coin.space for coin in view.coins] + [ship.space for ship in view.ships]
    points: list[list[Point]] = []
    for action in ghosts:
        places: list[Point] = []
        if action.verb in MOVES:
            start, end = _way(view, action, where)
            choice_head(board, theme, start, end)
            places = [_between(start, end, share) for share in (0.5, 0.35, 0.65)]
        elif _is_placed(action):
            coin, space = action.args
            x, y = where.space(space)
            board.put(pieces.coin(theme, "suit", coin[0], coin[1:], where.axis(coin[0])), (x, y))
            places = [(x + a * CORNER, y + b * CORNER) for a in (1, -1) for b in (-1, 1)]
        points.append(places)
    spaces += [action.args[1] for action in ghosts if _is_placed(action)]
    coins = [at for *_, at in in_hand(view, where)]
    choice_numbers(board, theme, points, [*map(where.space, spaces), *coins], is_order=True)


def _is_placed(action: Action) -> bool:
    """Return whether an action places a coin on a space."""
    return action.verb == "place" and len(action.args) > 1


def _way(view: WormholesView, action: Action, where: Layout) -> tuple[Point, Point]:
    """Return the points between which a ship moves; a short way if its die is not rolled yet."""
    suit, way = action.args
    x, y = where.space(next(ship.space for ship in view.ships if ship.suit == suit))
    if action.verb == "send":
        return (x, y), where.space(way)
    if action in view.legal:
        return (x, y), where.space(end_of(view, action))
    dx, dy = where.way(way)
    return (x, y), (x + dx * PLANNED_SPACES * CELL_SIZE, y + dy * PLANNED_SPACES * CELL_SIZE)


def _between(start: Point, end: Point, share: float) -> Point:
    return start[0] + (end[0] - start[0]) * share, start[1] + (end[1] - start[1]) * share
