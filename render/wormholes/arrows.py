"""The last turn as arrows: numbered steps, the start as a ghost, turned and placed coins."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from math import hypot
from typing import NamedTuple

from engine.wormholes.board import INDEX, XY
from engine.wormholes.pieces import SEATS, SUITS
from engine.wormholes.view import UNKNOWN, WormholesView
from render.markers import BADGE_HALF, angle_of, badge, freest, head
from render.sprites import Board, Sprite
from render.themes import Theme
from render.wormholes import pieces
from render.wormholes.layout import Layout, Point, Step

STEP_EVENTS = ("moved", "jumped", "sent")
COIN_EVENTS = {"turned": 2, "placed": 1}
"""Kind of event about a coin → index of the space among its facts."""


HEAD_DISTANCE = 38
"""Pixels from the middle of a space to the arrowhead that points to it."""


NUMBER_SHIFTS = (22, -22, 40, -40, 51, -51)
"""Offsets in pixels of a number across its arrow, the best first."""

NUMBER_PLACES = [
    *((along, 0) for along in (0, 66, 51, 92, 36)),
    *((along, aside) for along in (36, 66, 0, -36) for aside in NUMBER_SHIFTS),
]
"""Offsets along and across the arrow of a number from the start of its step, the best first."""

PIECE_ROOM, VALUE_ROOM = 44, 62
"""Pixels from the middle of a piece to a number that hides neither its emblem nor its value.

Beside a value, nearer ones would be read as its second digit.
"""

HIDING_WEIGHT = 5
"""How much worse it is to hide a piece than to stand beside a value."""


class Arrow(NamedTuple):
    """A step of the story on the canvas."""

    kind: str
    suit: str
    start: Point
    end: Point
    way: Step
    spaces: int

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


def draw_heads(
    board: Board, view: WormholesView, theme: Theme, where: Layout, goals: Collection[str]
) -> list[Point]:
    """Draw everything above coins and ships: arrowheads, and the numbers of several steps.

    Numbers are where they hide no piece, and none of the spaces in `goals`. Return their points.
    """
    spaces = {ship.space for ship in view.ships} | {coin.space for coin in view.coins}
    full = [(where.space(space), PIECE_ROOM) for space in spaces.union(goals)] * HIDING_WEIGHT
    full += [(where.space(c.space), VALUE_ROOM) for c in view.coins if c.value != UNKNOWN]
    steps = list(arrows(view, where))
    taken: list[Point] = []
    for step in steps:
        dx, dy = step.unit
        tip = (step.end[0] - HEAD_DISTANCE * dx, step.end[1] - HEAD_DISTANCE * dy)
        board.put(head(theme, step.angle, theme.story, theme.story_edge), tip)
        taken.append(tip)
    for place, step in enumerate(steps if len(steps) > 1 else (), 1):
        at = _free(step, taken, full)
        taken.append(at)
        board.put(badge(theme, place), at)
    return taken[len(steps) :]


def _free(step: Arrow, taken: Sequence[Point], full: Sequence[tuple[Point, int]]) -> Point:
    """Return a point for a step's number, at its start or beside it, where it hides least."""
    (x, y), (dx, dy) = step.start, step.unit
    places = [
        (x + along * dx - aside * dy, y + along * dy + aside * dx) for along, aside in NUMBER_PLACES
    ]
    room = [*((at, 2 * BADGE_HALF) for at in taken), *full]
    return freest(places, room)
