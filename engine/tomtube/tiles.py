"""The 40 rhombs and the tubes that each tile adds to the board (T1.5, T2.2–T2.4).

Tubes are stored as *legs*, which lead from one node to the next without a stop between. A *slot* is
an exit of a node: 12 at a knot, one every 30°, and 4 at a rhomb's centre, towards its corners.
Opposite slots differ by half of these numbers.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

from engine.tomtube.lattice import (
    CENTRES,
    DIRECTIONS,
    FORKS,
    HUBS,
    KNOTS,
    MIDDLES,
    PAIRS,
    PLACES,
    TRIANGLE_CORNERS,
    Corner,
)
from engine.tomtube.tables import PATTERNS, SAME_TURNED, STATIONS

TILES: tuple[str, ...] = tuple(pattern + sphere for pattern in PATTERNS for sphere in ("+", ""))
"""Names of the rhombs: tile t has pattern t // 2, and an energy sphere if t is even (T2.3)."""

TILE_INDEX: dict[str, int] = {name: tile for tile, name in enumerate(TILES)}

ONE_ORIENTATION: frozenset[int] = frozenset(
    tile for tile, name in enumerate(TILES) if name.removesuffix("+") in SAME_TURNED
)
"""Tiles with one orientation."""

FILLS = "TD-"
"""Fillings of a triangle: Tom's tubes, Dave's tubes, blank."""

BLANK = FILLS.index("-")

TOM, DAVE, TOMS_STATION, DAVES_STATION = 1, 2, 4, 8
"""Bits of the users of an arm; only the owner may use the arm to a base or module (T1.5)."""

OWN: tuple[int, int] = (TOM | TOMS_STATION, DAVE | DAVES_STATION)
"""By seat: arms of a free drift (T4.1)."""

EVERY: tuple[int, int] = (OWN[0] | DAVE, OWN[1] | TOM)
"""By seat: arms of a drift with a control counter (T4.2)."""


class Leg(NamedTuple):
    """A path from a node to the next.

    Attributes:
        end: last node.
        ahead: slot of `end` that lies straight ahead.
        first, last: users of its arms, which differ if it leads across a centre.
        hub: centre without a sphere that it crosses; -1 if none.
    """

    end: int
    ahead: int
    first: int
    last: int
    hub: int


Exits = dict[int, tuple[Leg, ...]]
"""Slot → the legs that begin there."""

_CORNERS = 4
_CENTRE_SLOTS = DIRECTIONS * len(KNOTS)

SLOTS: tuple[range, ...] = tuple(
    range(DIRECTIONS * knot, DIRECTIONS * knot + DIRECTIONS) for knot in range(len(KNOTS))
) + tuple(
    range(_CENTRE_SLOTS + _CORNERS * pair, _CENTRE_SLOTS + _CORNERS * pair + _CORNERS)
    for pair in range(len(PAIRS))
)
"""Slots of each node."""


def _slot(corner: Corner) -> int:
    return DIRECTIONS * corner.knot + corner.way


def _ahead(corner: Corner) -> int:
    """Return the slot straight ahead when coming from the tile's centre."""
    return DIRECTIONS * corner.knot + (corner.way + DIRECTIONS // 2) % DIRECTIONS


def _across(hub: int, arms: list[tuple[Corner, int]]) -> Exits:
    """Return the legs across a centre without a sphere, from each arm to each other arm (T4.4)."""
    legs: Exits = {}
    for (start, first), (end, last) in permutations(arms, 2):
        leg = Leg(end.knot, _ahead(end), first, last, hub)
        legs[_slot(start)] = (*legs.get(_slot(start), ()), leg)
    return legs


def _arms(tile: int, place: int) -> list[tuple[int, Corner, int]]:
    """Return number, corner and users of each arm of a rhomb; a shared arm is neutral (T2.3)."""
    toms, daves = TILES[tile].removesuffix("+").split("/")
    return [
        (number, corner, users)
        for number, (letter, corner) in enumerate(zip("ABCD", PLACES[place], strict=True))
        if (users := TOM * (letter in toms) + DAVE * (letter in daves))
    ]


def has_sphere(tile: int) -> bool:
    """Return whether there is an energy sphere at the centre."""
    return tile % 2 == 0


@cache
def rhomb_exits(tile: int, place: int) -> Exits:
    """Return the legs of a rhomb."""
    arms = _arms(tile, place)
    pair = place // 2
    if not has_sphere(tile):
        return _across(CENTRES + pair, [(corner, users) for _, corner, users in arms])
    slots = SLOTS[CENTRES + pair]
    inwards: Exits = {
        _slot(corner): (Leg(CENTRES + pair, slots[(number + 2) % _CORNERS], users, users, -1),)
        for number, corner, users in arms
    }
    outwards = {
        slots[number]: (Leg(corner.knot, _ahead(corner), users, users, -1),)
        for number, corner, users in arms
    }
    return inwards | outwards


@cache
def rhomb_mouths(tile: int, place: int) -> tuple[int, ...]:
    """Return the knots where arms of a rhomb end (T3.3)."""
    return tuple(corner.knot for _, corner, _ in _arms(tile, place))


@cache
def tube_exits(triangle: int, seat: int) -> Exits:
    """Return the legs of a tube triangle (T2.4)."""
    users = (TOM, DAVE)[seat]
    return _across(HUBS + triangle, [(corner, users) for corner in TRIANGLE_CORNERS[triangle]])


def _printed() -> Exits:
    legs: Exits = {}
    for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
        owner = (TOMS_STATION, DAVES_STATION)[station.owner]
        arms = [
            (corner, owner if corner.knot == middle else TOM | DAVE)
            for corner in TRIANGLE_CORNERS[fork]
        ]
        legs |= _across(HUBS + fork, arms)
    return legs


PRINTED: Exits = _printed()
"""Legs across the stations' forks (T1.5)."""
