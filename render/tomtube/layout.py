"""The layout of the canvas: the hexagon in the middle, the players' things around it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from math import cos, pi, sin, sqrt
from typing import TYPE_CHECKING

from engine.tomtube.lattice import (
    DIRECTIONS,
    FORKS,
    KNOT_NAMES,
    KNOTS,
    MIDDLES,
    PLACE_INDEX,
    PLACES,
    STATION_NAMES,
    TRIANGLE_CORNERS,
    TRIANGLE_INDEX,
    TRIANGLES,
)
from engine.tomtube.tables import SEATS, STATIONS, Station
from render.renderer import Style

if TYPE_CHECKING:
    from render.sprites import Point

EDGE_LENGTH = 102
"""Pixels from a knot to the next one."""

HOUSE_DISTANCE = 50
"""Pixels from the middle of a base's deck to its house."""

FLAG_DISTANCE = 62
"""Pixels from a house to the flag beside it, away from the board."""

LONG, SHORT, SINGLE = EDGE_LENGTH * sqrt(3) / 2, EDGE_LENGTH / 2, EDGE_LENGTH / sqrt(3)
"""Pixels from the centre of a rhomb to its acute and obtuse corners; of a triangle to any."""


WORD_SIZE = 44
"""Size of the words beside signs: their capitals are 9 pixels high in a picture 400 wide."""


def towards(way: float, length: float) -> Point:
    """Return the vector of a length, counterclockwise from the right by twelfths of a turn."""
    angle = way * pi * 2 / DIRECTIONS
    return length * cos(angle), -length * sin(angle)


@dataclass(frozen=True)
class Box:
    """The places of a player's things.

    Attributes:
        card: the middle of the card with the name.
        width: width of the card in pixels.
        rows: the left end of the two lines below it.
    """

    card: Point
    width: int
    rows: tuple[Point, Point]


@dataclass(frozen=True)
class Layout:
    """The canvas; with `turned`, the board is rotated by half a turn."""

    landscape: bool
    turned: bool

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in pixels."""
        return (1400, 900) if self.landscape else (960, 1400)

    @property
    def middle(self) -> Point:
        """The knot 0,0."""
        return (700, 468) if self.landscape else (480, 690)

    @property
    def turn(self) -> Point:
        """The left end of the turn's number."""
        return (24, 866) if self.landscape else (24, 1366)

    @property
    def stock(self) -> Point:
        """The left end of the first line of the stock."""
        return (12, 602) if self.landscape else (12, 1146)

    @property
    def drawn(self) -> Point:
        """The middle of the rhomb that has been drawn: above the stock, or beside it."""
        return (124, 400) if self.landscape else (524, 1256)

    @property
    def drawn_scale(self) -> float:
        """The size of this rhomb, compared with those on the board: on a phone, tubes are seen."""
        return 1.5 if self.landscape else 1.0

    @property
    def legend(self) -> Point:
        """The left end of the first line of the legend."""
        return (1100, 602) if self.landscape else (672, 1100)

    def box(self, seat: int) -> Box:
        """Return the box of a player: at the side of their base."""
        width = 420
        left = 12 if (seat == 0) == self.turned else self.size[0] - 12 - width
        rows = ((left, 132), (left, 198))
        return Box((left + width / 2, 51), width, rows)

    def at(self, q: float, r: float) -> Point:
        """Return the point with these coordinates."""
        sign = -1 if self.turned else 1
        x, y = self.middle
        return x + sign * EDGE_LENGTH * (q + r / 2), y - sign * LONG * r

    def way(self, way: int) -> int:
        """Return a direction of the lattice as it lies on the canvas."""
        return (way + DIRECTIONS // 2 * self.turned) % DIRECTIONS

    def direction_of(self, place: str) -> int:
        """Return the direction on the canvas from the centre of a rhomb to its corner A."""
        return self.way(PLACES[PLACE_INDEX[place]][0].way + DIRECTIONS // 2)

    def knot(self, knot: int) -> Point:
        """Return the middle of a knot."""
        return self.at(*KNOTS[knot])

    def node(self, name: str, seat: str) -> Point:
        """Return the point of a name: a knot, a place, a triangle or a station of a seat."""
        if ">" in name:
            return self.place(name)
        if "/" in name:
            return self.triangle(name)
        station = STATION_NAMES[SEATS.index(seat)].get(name) if seat else None
        return self.knot(_KNOT[name] if station is None else station)

    def place(self, name: str) -> Point:
        """Return the centre of a rhomb."""
        a, _, c, _ = PLACES[PLACE_INDEX[name]]
        return self.mean((a.knot, c.knot))

    def area(self, area: int) -> Point:
        """Return the middle of an area, towards the station with its number."""
        (x, y), (to_x, to_y) = self.middle, self.knot(MIDDLES[area])
        return (x + to_x) / 2, (y + to_y) / 2

    def triangle(self, name: str) -> Point:
        """Return the centre of a triangle."""
        return self.mean(TRIANGLES[TRIANGLE_INDEX[frozenset(name.split("/"))]])

    def inwards(self, middle: int, fork: int) -> int:
        """Return the direction on the canvas from a station to the middle of the board."""
        corner = next(corner for corner in TRIANGLE_CORNERS[fork] if corner.knot == middle)
        return self.way(corner.way)

    def sign(self, station: Station, middle: int, fork: int) -> Point:
        """Return the point of a station's sign: a house is beside its deck, for its astronaut."""
        x, y = self.knot(middle)
        dx, dy = towards(self.inwards(middle, fork), HOUSE_DISTANCE if station.is_base else 0)
        return x - dx, y - dy

    def flag(self, seat: str) -> Point:
        """Return the point of the flag at a player's base."""
        bases = zip(STATIONS, MIDDLES, FORKS, strict=True)
        x, y = next(
            self.sign(station, middle, fork)
            for station, middle, fork in bases
            if station.is_base and SEATS[station.owner] == seat
        )
        return x + (FLAG_DISTANCE if x > self.middle[0] else -FLAG_DISTANCE), y

    def mean(self, knots: Sequence[int]) -> Point:
        """Return the point in the middle of knots."""
        size = len(knots)
        return self.at(
            sum(KNOTS[knot][0] for knot in knots) / size,
            sum(KNOTS[knot][1] for knot in knots) / size,
        )


_KNOT = {name: knot for knot, name in enumerate(KNOT_NAMES)}


@cache
def _layout(*, landscape: bool, turned: bool) -> Layout:
    return Layout(landscape, turned)


def layout(style: Style, seat: str) -> Layout:
    """Return the layout for a viewer; the first seat's base is on the right unless turned."""
    turned = style.own_side and seat == SEATS[0]
    return _layout(landscape=style.orientation == "landscape", turned=turned)
