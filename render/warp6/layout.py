"""The layout of the canvas: the spiral in the middle, the players' lists around it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from math import cos, radians, sin
from typing import TYPE_CHECKING, NamedTuple

from engine.warp6.board import CENTRE, POLAR, RING, RINGS
from engine.warp6.pieces import KITS, SEATS

if TYPE_CHECKING:
    from render.sprites import Point

SPIRAL_RADIUS = 438
"""Pixels from the wormhole to space 126."""

CORE_RADIUS = 52
"""Pixels left around the middle for the wormhole."""

RING_WIDTH = (SPIRAL_RADIUS - CORE_RADIUS) / RINGS

FULL_TURN = 360

CARD_HEIGHT = 80
"""Height of a player's card."""

TURN_TEXT_SIZE = 46
"""Size of the turn's number."""

TOP, LINE, SIGN = 970, 58, 38
"""For lists below the spiral: top of the first card, height of a line, middle of the first die."""

PANEL_WIDTH = 218
"""Width of a list beside the spiral."""

ENTRY_WIDTHS = {2: 188, 3: 157}
"""Width of a die and its text below the spiral, by number of players: `a 126` and a gap."""


class Listed(NamedTuple):
    """The look of a list.

    Attributes:
        size: size of its dice, see `pieces.LISTED_SCALES`.
        text_size: size of text.
        text_offset: pixels from the middle of a die to its letter.
        letter_width: pixels from there to its space.
    """

    size: str
    text_size: int
    text_offset: int
    letter_width: int


LARGE_LIST, SMALL_LIST = Listed("large", 44, 36, 42), Listed("small", 37, 31, 34)
NARROW_LIST = Listed("small", 34, 29, 29)
"""For six dice in a line below the spiral."""


@dataclass(frozen=True)
class Box:
    """A player's place beside the spiral.

    Attributes:
        card: the middle of the card with the name.
        width: width of the card in pixels.
        dice: the positions of the listed dice; the text of each is to the right of it.
        panel: left, top, right and bottom of what joins card and list.
    """

    card: Point
    width: int
    dice: tuple[Point, ...]
    panel: tuple[int, int, int, int]

    @property
    def covered(self) -> tuple[tuple[float, float, float, float], ...]:
        """Left, top, right and bottom of its parts."""
        x, y = self.card
        half, high = self.width / 2, CARD_HEIGHT / 2
        return (x - half, y - high, x + half, y + high), self.panel


@dataclass(frozen=True)
class Layout:
    """The canvas: lists at both sides of the spiral, or below it."""

    landscape: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (1400, 900) if self.landscape else (960, 1400)

    @property
    def middle(self) -> Point:
        """The middle of the wormhole: the spiral reaches further to the right and to the top."""
        return (692, 470) if self.landscape else (470, 486)

    @property
    def turn(self) -> Point:
        """The left end of the turn's number; its digits are in two strips of the file."""
        return (24, 868) if self.landscape else (24, 909)

    def listed(self, seats: int) -> Listed:
        """Return the look of the lists for so many players."""
        if seats == len("BY"):
            return LARGE_LIST if self.landscape else SMALL_LIST
        return SMALL_LIST if self.landscape else NARROW_LIST

    def at(self, space: int) -> Point:
        """Return the middle of a space, or of the wormhole."""
        return self.along(space, 0)

    def along(self, space: int, share: float) -> Point:
        """Return a point on the solid line, given by its share of the way to the next space."""
        return _along(self.middle, space, share)

    def around(self, space: int, distance: float, turn: float) -> Point:
        """Return a point near a space, in a direction in degrees from outwards."""
        (x, y), angle = self.at(space), radians(polar(space)[1] + turn)
        return x + distance * cos(angle), y - distance * sin(angle)

    def is_free(self, at: Point, half: Point, seats: int) -> bool:
        """Return whether a box is on the canvas and beside all lists.

        Args:
            at: the middle of the box.
            half: half its width, and half its height.
            seats: number of lists, 2 or 3.
        """
        (x, y), (wide, high) = at, half
        width, height = self.size
        boxes = [part for seat in range(seats) for part in self.box(seats, seat).covered]
        return (
            wide <= x <= width - wide
            and high <= y <= height - high
            and not any(
                left - wide < x < right + wide and top - high < y < bottom + high
                for left, top, right, bottom in boxes
            )
        )

    def box(self, seats: int, seat: int) -> Box:
        """Return the place of one of the seats (2 or 3; from 0)."""
        return _box(self, seats, seat)

    def beside(self, seats: int, seat: int) -> Box:
        """Return the box beside the spiral: Black left, Yellow top right, White bottom right.

        With two players, each line of text is in two strips of the file, see `png.STRIP_ROWS`.
        """
        width, height = self.size
        step, high = (80, CARD_HEIGHT + 48) if seats == len("BY") else (57, CARD_HEIGHT + 48)
        rows = [high + step * row for row in range(KITS[seats].dice_per_seat)]
        x, across, down = 44, 460, CARD_HEIGHT // 2 + 8
        if seat:
            x, across = width - 178, 446
        if SEATS[seat] == "W":
            rows = [height - y for y in reversed(rows)]
            down = height - down
        middle = width - across / 2 - 8 if seat else across / 2 + 8
        ends = (down, rows[-1] + 34) if rows[0] > down else (rows[0] - 34, down)
        sides = (8, 8 + PANEL_WIDTH) if x < middle else (width - 8 - PANEL_WIDTH, width - 8)
        if seat:
            sides = (width - 8 - PANEL_WIDTH, width - 8)
        panel = (sides[0], ends[0], sides[1], ends[1])
        return Box((middle, down), across, tuple((x, y) for y in rows), panel)

    def below(self, seats: int, seat: int) -> Box:
        """Return the box below the spiral; with two players, D4 have a separate line."""
        kit = KITS[seats]
        lines = len("BYW") + 1 - seats
        top = TOP + seat * (CARD_HEIGHT + 6 + lines * LINE)
        dice: list[Point] = []
        for die in kit.own(seat):
            name = kit.names[die]
            y = top + CARD_HEIGHT - 8 + LINE * (lines > 1 and name[1] == "4")
            follows = bool(dice) and dice[-1][1] == y
            dice.append((dice[-1][0] + ENTRY_WIDTHS[seats] if follows else SIGN, y))
        panel = (8, top, self.size[0] - 8, top + CARD_HEIGHT + lines * LINE - 40)
        return Box((self.size[0] / 2, top), self.size[0] - 16, tuple(dice), panel)


@cache
def _box(where: Layout, seats: int, seat: int) -> Box:
    return (where.beside if where.landscape else where.below)(seats, seat)


@cache
def _along(middle: Point, space: int, share: float) -> Point:
    radius, angle = polar(space)
    if share:
        inner, to = polar(max(space - 1, CENTRE))
        radius, angle = radius + (inner - radius) * share, angle + (to - angle) * share
    return middle[0] + radius * cos(radians(angle)), middle[1] - radius * sin(radians(angle))


@cache
def polar(space: int) -> tuple[float, float]:
    """Return the radius in pixels and the angle in degrees, which grows towards the centre."""
    radius, angle = POLAR[space]
    if space == CENTRE:
        return 0.0, polar(1)[1] + FULL_TURN / RINGS
    return CORE_RADIUS + radius * RING_WIDTH, angle - FULL_TURN * RING[space]


@cache
def layout(*, landscape: bool) -> Layout:
    """Return the layout of an orientation."""
    return Layout(landscape)
