"""The layout of the canvas, for each orientation of the galaxy."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from engine.wormholes.board import DIRECTIONS, INDEX, ROWS, XY
from engine.wormholes.pieces import AXES, SUITS
from render.renderer import Style

CELL_SIZE = 72
COLUMNS = 10
HEADER_HEIGHT = 108

Point = tuple[float, float]
Step = tuple[int, int]


@dataclass(frozen=True)
class Layout:
    """How the board is turned.

    Attributes:
        landscape: the long way lies from left to right, else from bottom to top.
        turned: the DiagonAliens' base is at the left or at the bottom, else the OrthogonAliens'.
    """

    landscape: bool
    turned: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height of the canvas in pixels."""
        return (1400, 900) if self.landscape else (900, 1476)

    @property
    def cells(self) -> tuple[int, int]:
        """Width and height of the board's frame in cells."""
        return (ROWS, COLUMNS) if self.landscape else (COLUMNS, ROWS)

    @property
    def corner(self) -> tuple[int, int]:
        """The left upper corner of the board's frame."""
        return (self.size[0] - self.cells[0] * CELL_SIZE) // 2, HEADER_HEIGHT

    def place(self, x: float, y: float) -> Point:
        """Return the middle of column x, row y (from 1; also where there is no space) in pixels."""
        if self.turned:
            x, y = COLUMNS + 1 - x, ROWS + 1 - y
        left, top = self.corner
        if self.landscape:
            return left + (y - 0.5) * CELL_SIZE, top + (x - 0.5) * CELL_SIZE
        return left + (x - 0.5) * CELL_SIZE, top + (ROWS + 0.5 - y) * CELL_SIZE

    def edge(self, first: int, last: int) -> Point:
        """Return the middle of the board's edge along some of its numbers."""
        x, y = self.place(COLUMNS, (first + last) / 2)
        left, top = self.corner
        return (x, top + COLUMNS * CELL_SIZE + 6) if self.landscape else (left - 6, y)

    def space(self, name: str) -> Point:
        """Return the middle of a space."""
        return self.place(*XY[INDEX[name]])

    def way(self, direction: str) -> Step:
        """Return a compass direction as a step on the canvas: right and down are positive."""
        east, north = DIRECTIONS[direction]
        sign = -1 if self.turned else 1
        return (sign * north, sign * east) if self.landscape else (sign * east, -sign * north)

    def axis(self, suit: str) -> Step:
        """Return a suit's axis on this canvas, with the step to the right or straight down."""
        x, y = self.way(AXES[SUITS.index(suit)][0])
        return (x, y) if (x, y) > (0, 0) else (-x, -y)

    def at(self, across: float, down: float) -> Point:
        """Return a point by cells from the left upper corner of the board's frame."""
        left, top = self.corner
        return left + across * CELL_SIZE, top + down * CELL_SIZE


@cache
def layout(style: Style, seat: str) -> Layout:
    """Return the layout for a viewer."""
    return Layout(style.orientation == "landscape", style.own_side and seat == "D")
