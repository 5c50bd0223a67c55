"""The 40 rhombs and the tubes that a piece brings to the place where it lies (T1.5, T2.2–T2.4).

Tubes are kept as *legs*: from one node to the next one without a choice of stopping between. A
*slot* is one of the ways out of a node: 12 at a knot, one each 30°, and 4 at a rhomb's centre, one
towards each corner. Two slots that face each other differ by half of these.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations
from typing import NamedTuple

from engine.tomtube.lattice import (
    CENTRES,
    FORKS,
    HUBS,
    KNOTS,
    MIDDLES,
    PAIRS,
    PLACES,
    TRIANGLE_CORNERS,
    WAYS,
    Corner,
)
from engine.tomtube.tables import PATTERNS, SAME_TURNED, STATIONS

TILES: tuple[str, ...] = tuple(pattern + sphere for pattern in PATTERNS for sphere in ("+", ""))
"""Names of the rhombs: tile t has pattern t // 2 and an energy sphere when it is even (T2.3)."""

TILE_INDEX: dict[str, int] = {name: tile for tile, name in enumerate(TILES)}

ONE_WAY: frozenset[int] = frozenset(
    tile for tile, name in enumerate(TILES) if name.removesuffix("+") in SAME_TURNED
)
"""The tiles with one orientation."""

FILLS = "TD-"
"""What fills a triangle: a tube of Tom's, one of Dave's, a blank."""

BLANK = FILLS.index("-")

TOM, DAVE, TOMS_STATION, DAVES_STATION = 1, 2, 4, 8
"""Bits of who may use an arm; the arm to a base or module is open to its owner only (T1.5)."""

OWN: tuple[int, int] = (TOM | TOMS_STATION, DAVE | DAVES_STATION)
"""By seat: the arms of a drift for free (T4.1)."""

EVERY: tuple[int, int] = (OWN[0] | DAVE, OWN[1] | TOM)
"""By seat: the arms of a drift with a control counter (T4.2)."""


class Leg(NamedTuple):
    """A way from a node to the next.

    Attributes:
        end: the node it leads to.
        ahead: the slot of that node that lies straight ahead.
        first, last: who may use its arms; two different ones where it leads across a centre.
        hub: the centre without a sphere that it crosses; -1 if none.
    """

    end: int
    ahead: int
    first: int
    last: int
    hub: int


Exits = tuple[tuple[int, tuple[Leg, ...]], ...]
"""Pairs of a slot and the legs that begin there."""

_CORNERS = 4
_CENTRE_SLOTS = WAYS * len(KNOTS)

SLOTS: tuple[range, ...] = tuple(
    range(WAYS * knot, WAYS * knot + WAYS) for knot in range(len(KNOTS))
) + tuple(
    range(_CENTRE_SLOTS + _CORNERS * pair, _CENTRE_SLOTS + _CORNERS * pair + _CORNERS)
    for pair in range(len(PAIRS))
)
"""The slots of each node."""


def _slot(corner: Corner) -> int:
    return WAYS * corner.knot + corner.way


def _ahead(corner: Corner) -> int:
    """Who comes from the centre goes straight on here."""
    return WAYS * corner.knot + (corner.way + WAYS // 2) % WAYS


def _across(hub: int, arms: list[tuple[Corner, int]]) -> Exits:
    """The legs over a centre without a sphere: in by one arm, out by another one (T4.4)."""
    legs: dict[int, tuple[Leg, ...]] = {}
    for (start, first), (end, last) in permutations(arms, 2):
        leg = Leg(end.knot, _ahead(end), first, last, hub)
        legs[_slot(start)] = (*legs.get(_slot(start), ()), leg)
    return tuple(legs.items())


def _arms(tile: int, place: int) -> list[tuple[int, Corner, int]]:
    """Number, corner and users of each arm of a rhomb; an arm of both is neutral (T2.3)."""
    toms, daves = TILES[tile].removesuffix("+").split("/")
    return [
        (number, corner, users)
        for number, (letter, corner) in enumerate(zip("ABCD", PLACES[place], strict=True))
        if (users := TOM * (letter in toms) + DAVE * (letter in daves))
    ]


def has_sphere(tile: int) -> bool:
    """Whether there is an energy sphere at the centre."""
    return tile % 2 == 0


@cache
def rhomb_exits(tile: int, place: int) -> Exits:
    """The legs that a rhomb makes."""
    arms = _arms(tile, place)
    pair = place // 2
    if not has_sphere(tile):
        return _across(CENTRES + pair, [(corner, users) for _, corner, users in arms])
    slots = SLOTS[CENTRES + pair]
    inwards = tuple(
        (
            _slot(corner),
            (Leg(CENTRES + pair, slots[(number + 2) % _CORNERS], users, users, -1),),
        )
        for number, corner, users in arms
    )
    outwards = tuple(
        (slots[number], (Leg(corner.knot, _ahead(corner), users, users, -1),))
        for number, corner, users in arms
    )
    return inwards + outwards


@cache
def rhomb_mouths(tile: int, place: int) -> tuple[int, ...]:
    """The knots at which an arm of a rhomb ends (T3.3)."""
    return tuple(corner.knot for _, corner, _ in _arms(tile, place))


@cache
def tube_exits(triangle: int, seat: int) -> Exits:
    """The legs that a tube triangle makes (T2.4)."""
    users = (TOM, DAVE)[seat]
    return _across(HUBS + triangle, [(corner, users) for corner in TRIANGLE_CORNERS[triangle]])


def _printed() -> dict[int, tuple[Leg, ...]]:
    legs: dict[int, tuple[Leg, ...]] = {}
    for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
        owner = (TOMS_STATION, DAVES_STATION)[station.owner]
        arms = [
            (corner, owner if corner.knot == middle else TOM | DAVE)
            for corner in TRIANGLE_CORNERS[fork]
        ]
        legs |= _across(HUBS + fork, arms)
    return legs


PRINTED: dict[int, tuple[Leg, ...]] = _printed()
"""The legs over the stations' forks (T1.5)."""
