"""Where things lie on the canvas: the spiral in the middle, the players' lists around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin

from engine.warp6.board import CENTRE, POLAR, RING, RINGS
from engine.warp6.pieces import KITS
from render.sprites import Point

REACH = 512
"""Pixels from the wormhole to space 126."""

CORE = 60
"""Pixels left around the middle for the wormhole."""

RING_WIDTH = (REACH - CORE) / RINGS

FULL_TURN = 360

CARD = 88
"""Height of a player's card."""


@dataclass(frozen=True)
class Box:
    """A player's place beside the spiral.

    Attributes:
        card: the middle of the card with the name.
        width: of the card.
        dice: where the dice are listed; the words about each stand to the right of it.
    """

    card: Point
    width: int
    dice: tuple[Point, ...]


@dataclass(frozen=True)
class Layout:
    """The canvas: lists at both sides of the spiral, or below it."""

    landscape: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (1400, 1050) if self.landscape else (1050, 1500)

    @property
    def middle(self) -> Point:
        """Where the wormhole is: the spiral reaches further to the right and to the top."""
        return (690, 543) if self.landscape else (518, 545)

    @property
    def turn(self) -> Point:
        """Where the turn's number begins."""
        return (24, 1008) if self.landscape else (24, 44)

    def at(self, space: int) -> Point:
        """The middle of a space, or of the wormhole."""
        return self.along(space, 0)

    def along(self, space: int, share: float) -> Point:
        """A point on the solid line, this share of the way from a space to the next one in."""
        radius, angle = _polar(space)
        if share:
            inner, to = _polar(max(space - 1, CENTRE))
            radius, angle = radius + (inner - radius) * share, angle + (to - angle) * share
        x, y = self.middle
        return x + radius * cos(radians(angle)), y - radius * sin(radians(angle))

    def box(self, seats: int, seat: int) -> Box:
        """The place of one of the seats (2 or 3; from 0)."""
        return (self._beside if self.landscape else self._below)(seats, seat)

    def _beside(self, seats: int, seat: int) -> Box:
        """Black at the left, the others at the right: yellow from above, white from below."""
        width, height = self.size
        each = KITS[seats].each
        x = 52 if seat == 0 else width - 146
        step = 92 if seats == 2 else 69
        across = 428 if seat == 0 else 420
        middle = across / 2 + 8
        high = CARD + 60
        rows = [high + step * row for row in range(each)]
        if seat == 2:
            rows = [height - high - step * row for row in reversed(range(each))]
        card = (middle if seat == 0 else width - middle, CARD / 2 + 8)
        if seat == 2:
            card = (card[0], height - card[1])
        return Box(card, across, tuple((float(x), float(y)) for y in rows))

    def _below(self, seats: int, seat: int) -> Box:
        width, height = self.size
        share = width / seats
        left, top = share * seat, height - 390
        columns = KITS[seats].each // 3
        cells = [
            (left + share / columns * (column + 0.28), top + 104 * row)
            for row in range(3)
            for column in range(columns)
        ]
        return Box((left + share / 2, top - 92), int(share) - 16, tuple(cells))


@cache
def _polar(space: int) -> tuple[float, float]:
    """Radius in pixels and angle in degrees, which goes on growing on the way in."""
    radius, angle = POLAR[space]
    if space == CENTRE:
        return 0.0, _polar(1)[1] + FULL_TURN / RINGS
    return CORE + radius * RING_WIDTH, angle - FULL_TURN * RING[space]


@cache
def layout(*, landscape: bool) -> Layout:
    """The layout of an orientation."""
    return Layout(landscape)
