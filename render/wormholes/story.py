"""The last turn as arrows: numbered steps, the start as a ghost, what was turned or placed."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import NamedTuple

from engine.wormholes.board import INDEX, XY
from engine.wormholes.pieces import SEATS, SUITS
from engine.wormholes.view import WormholesView
from render.sprites import Board, Sprite
from render.themes import Theme
from render.wormholes import pieces
from render.wormholes.layout import Layout, Point, Step

STEPS = ("moved", "jumped", "sent")
FRAMED = {"turned": 2, "placed": 1}
"""Events about a coin, and which of their facts is the space."""


HEAD = 38
"""Pixels from the middle of a space to the arrowhead that points to it."""


class Arrow(NamedTuple):
    """A step of the story on the canvas."""

    kind: str
    suit: str
    start: Point
    end: Point
    way: Step
    spaces: int


def arrows(view: WormholesView, where: Layout) -> Iterator[Arrow]:
    """The steps in their order."""
    for event in view.story:
        if event.kind in STEPS:
            suit, start, end = event.facts[-3:]
            (x1, y1), (x2, y2) = XY[INDEX[start]], XY[INDEX[end]]
            spaces = max(abs(x2 - x1), abs(y2 - y1))
            first, last = where.space(start), where.space(end)
            dx, dy = last[0] - first[0], last[1] - first[1]
            way = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
            yield Arrow(event.kind, suit, first, last, way, spaces)


def lines(board: Board, view: WormholesView, theme: Theme, where: Layout) -> None:
    """What lies under coins and ships: ghosts, shafts, frames around coins."""
    steps = list(arrows(view, where))
    for step in steps:
        seat = SEATS[SUITS.index(step.suit) // 2]
        board.put(pieces.ghost(theme, step.suit, seat), step.start)
    for edge in (True, False):  # all edges first, so that none cuts through another's line
        for step in steps:
            if step.kind == "moved":
                _shaft(board, step, pieces.stretch(theme, step.way, edge=edge), step.spaces)
    for step in steps:
        if step.kind == "jumped":
            sign = pieces.chevron(theme, pieces.bearing(step.start, step.end))
            _shaft(board, step, sign, 3 * step.spaces)
        elif step.kind == "sent":
            length = hypot(step.end[0] - step.start[0], step.end[1] - step.start[1])
            _shaft(board, step, pieces.dot(theme), max(1, round(length / 20)))
    for event in view.story:
        if event.kind in FRAMED:
            board.put(pieces.turned(theme), where.space(event.facts[FRAMED[event.kind]]))


def _shaft(board: Board, step: Arrow, sprite: Sprite, count: int) -> None:
    """An arrow's shaft: a sprite in the middle of each of its equal parts."""
    (x1, y1), (x2, y2) = step.start, step.end
    for part in range(count):
        share = (part + 0.5) / count
        board.put(sprite, (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share))


def heads(board: Board, view: WormholesView, theme: Theme, where: Layout) -> None:
    """What lies above them: heads, and numbers at the starts."""
    spaces = {ship.space for ship in view.ships} | {coin.space for coin in view.coins}
    full = set(map(where.space, spaces))
    taken: list[Point] = []
    for place, step in enumerate(arrows(view, where), 1):
        (x1, y1), (x2, y2) = step.start, step.end
        length = hypot(x2 - x1, y2 - y1) or 1
        dx, dy = (x2 - x1) / length, (y2 - y1) / length
        head = pieces.head(theme, pieces.bearing(step.start, step.end))
        board.put(head, (x2 - HEAD * dx, y2 - HEAD * dy))
        away = 0 if step.start not in full else 20 if step.spaces == 1 else 40
        at = (x1 + away * dx, y1 + away * dy)
        while any(hypot(at[0] - x, at[1] - y) < 2 * pieces.NUMBER for x, y in taken):
            at = (at[0] - pieces.NUMBER * dy, at[1] + pieces.NUMBER * dx)
        taken.append(at)
        board.put(pieces.number(theme, place), at)
