"""The last turn as arrows: numbered steps, the start as a ghost, turned and placed coins."""

from __future__ import annotations

from collections.abc import Iterator
from math import hypot
from typing import NamedTuple

from engine.wormholes.board import INDEX, XY
from engine.wormholes.pieces import SEATS, SUITS
from engine.wormholes.view import WormholesView
from render.markers import angle_of
from render.sprites import Board, Sprite
from render.themes import Theme
from render.wormholes import pieces
from render.wormholes.layout import Layout, Point, Step

STEP_EVENTS = ("moved", "jumped", "sent")
COIN_EVENTS = {"turned": 2, "placed": 1}
"""Kind of event about a coin → index of the space among its facts."""


HEAD_DISTANCE = 38
"""Pixels from the middle of a space to the arrowhead that points to it."""


NUMBER_SHIFTS = (0, 22, -22, 40, -40, 58, -58)
"""Offsets in pixels of a number whose place is taken, the best first."""


class Arrow(NamedTuple):
    """A step of the story on the canvas."""

    kind: str
    suit: str
    start: Point
    end: Point
    way: Step
    spaces: int

    @property
    def spaces_crossed(self) -> list[Point]:
        """The middles of the spaces on the way, start and end included."""
        (x1, y1), (x2, y2) = self.start, self.end
        parts = [part / self.spaces for part in range(self.spaces + 1)]
        return [(x1 + (x2 - x1) * part, y1 + (y2 - y1) * part) for part in parts]

    @property
    def unit(self) -> Point:
        """The direction as a vector of length 1."""
        dx, dy = self.end[0] - self.start[0], self.end[1] - self.start[1]
        length = hypot(dx, dy)
        return dx / length, dy / length

    @property
    def angle(self) -> int:
        """The direction, as in `markers.head`."""
        return angle_of(self.end[0] - self.start[0], self.end[1] - self.start[1])


def arrows(view: WormholesView, where: Layout) -> Iterator[Arrow]:
    """Return the steps in their order."""
    for event in view.story:
        if event.kind in STEP_EVENTS:
            suit, start, end = event.facts[-3:]
            (x1, y1), (x2, y2) = XY[INDEX[start]], XY[INDEX[end]]
            spaces = max(abs(x2 - x1), abs(y2 - y1))
            first, last = where.space(start), where.space(end)
            dx, dy = last[0] - first[0], last[1] - first[1]
            way = ((dx > 0) - (dx < 0), (dy > 0) - (dy < 0))
            yield Arrow(event.kind, suit, first, last, way, spaces)


def draw_lines(board: Board, view: WormholesView, theme: Theme, where: Layout) -> None:
    """Draw everything below coins and ships: ghosts, shafts, frames around coins."""
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
            sign = pieces.chevron(theme, step.angle)
            _shaft(board, step, sign, 3 * step.spaces)
        elif step.kind == "sent":
            length = hypot(step.end[0] - step.start[0], step.end[1] - step.start[1])
            _shaft(board, step, pieces.dot(theme), max(1, round(length / 20)))
    for event in view.story:
        if event.kind in COIN_EVENTS:
            board.put(pieces.story_frame(theme), where.space(event.facts[COIN_EVENTS[event.kind]]))


def _shaft(board: Board, step: Arrow, sprite: Sprite, count: int) -> None:
    """Draw an arrow's shaft: a sprite in the middle of each of its equal parts."""
    (x1, y1), (x2, y2) = step.start, step.end
    for part in range(count):
        share = (part + 0.5) / count
        board.put(sprite, (x1 + (x2 - x1) * share, y1 + (y2 - y1) * share))


def draw_heads(board: Board, view: WormholesView, theme: Theme, where: Layout) -> None:
    """Draw everything above coins and ships: arrowheads, and numbers at the starts."""
    spaces = {ship.space for ship in view.ships} | {coin.space for coin in view.coins}
    full = set(map(where.space, spaces))
    steps = list(arrows(view, where))
    taken: list[Point] = []
    for step in steps:
        dx, dy = step.unit
        tip = (step.end[0] - HEAD_DISTANCE * dx, step.end[1] - HEAD_DISTANCE * dy)
        board.put(pieces.head(theme, step.angle), tip)
        taken.append(tip)
    for place, step in enumerate(steps, 1):
        at = _free(step, taken, beside=step.start in full)
        taken.append(at)
        board.put(pieces.number(theme, place), at)


def _free(step: Arrow, taken: list[Point], *, beside: bool) -> Point:
    """Return a free point for a step's number, at its start or beside the piece there."""
    dx, dy = step.unit
    away = 0 if not beside else 20 if step.spaces == 1 else 40
    x, y = step.start[0] + away * dx, step.start[1] + away * dy
    places = [(x - shift * dy, y + shift * dx) for shift in NUMBER_SHIFTS]
    clear = (
        (x, y)
        for x, y in places
        if all(hypot(x - a, y - b) >= 2 * pieces.NUMBER_RADIUS for a, b in taken)
    )
    return next(clear, places[0])
