"""The 40 rhombs and the tubes that each tile adds to the board (T1.5, T2.2–T2.4).

Tubes are stored as *legs*, which lead from one node to the next without a stop between. A *slot* is
an exit of a node: 12 at a knot, one every 30°, and 4 at a rhomb's centre, towards its corners.
Opposite slots differ by half of these numbers.
"""

from __future__ import annotations

from functools import cache
from itertools import permutations

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
    members,
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

OWN: tuple[int, int] = (1, 2)
"""By seat: its free drifts, as a bit (T4.1)."""

EVERY: tuple[int, int] = (4, 8)
"""By seat: its drifts with a control counter, as a bit (T4.2)."""

_TUBES = tuple(free | EVERY[0] | EVERY[1] for free in OWN)
"""By seat: the drifts through its tubes, as bits of `OWN` and `EVERY`."""

_STATION_TUBES = tuple(free | paid for free, paid in zip(OWN, EVERY, strict=True))
"""By seat: the drifts into its base and modules; only the owner may enter them (T1.5)."""


Leg = tuple[int, int, int, int, tuple[int, ...]]
"""A path from a node to the next; a plain tuple, because searches unpack many.

- the last node, and `1 << node`;
- the slot of that node that lies straight ahead;
- the drifts that may use all its arms, as bits of `OWN` and `EVERY`;
- the centre without a sphere that it crosses, if any, and the last node.
"""

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

SLOT_NODES: tuple[int, ...] = tuple(node for node, slots in enumerate(SLOTS) for _ in slots)
"""Node of each slot."""

SLOT_BITS: tuple[tuple[int, int], ...] = tuple(
    (slots.start, (1 << len(slots)) - 1) for slots in SLOTS
)
"""By node: its first slot, and a mask of as many bits as it has slots."""

WAYS: tuple[tuple[int, ...], ...] = tuple(tuple(members(bits)) for bits in range(1 << DIRECTIONS))
"""The numbers of the bits that are set in a number of as many bits as a knot has slots."""

_BITS: tuple[int, ...] = tuple(1 << node for node in range(len(SLOTS)))
"""Shared by all legs, for large integers take memory."""


def _slot(corner: Corner) -> int:
    return DIRECTIONS * corner.knot + corner.way


def _ahead(corner: Corner) -> int:
    """Return the slot straight ahead when coming from the tile's centre."""
    return DIRECTIONS * corner.knot + (corner.way + DIRECTIONS // 2) % DIRECTIONS


def _across(hub: int, arms: list[tuple[Corner, int]]) -> Exits:
    """Return the legs across a centre without a sphere, from each arm to each other arm (T4.4)."""
    legs: Exits = {}
    for (start, first), (end, last) in permutations(arms, 2):
        leg = (end.knot, _BITS[end.knot], _ahead(end), first & last, (hub, end.knot))
        legs[_slot(start)] = (*legs.get(_slot(start), ()), leg)
    return legs


def _arms(tile: int, place: int) -> list[tuple[int, Corner, int]]:
    """Return number, corner and users of each arm of a rhomb; a shared arm is neutral (T2.3)."""
    toms, daves = TILES[tile].removesuffix("+").split("/")
    return [
        (number, corner, users)
        for number, (letter, corner) in enumerate(zip("ABCD", PLACES[place], strict=True))
        if (users := _TUBES[0] * (letter in toms) | _TUBES[1] * (letter in daves))
    ]


def has_sphere(tile: int) -> bool:
    """Return whether there is an energy sphere at the centre."""
    return tile % 2 == 0


def rhomb_exits(tile: int, place: int) -> Exits:
    """Return the legs of a rhomb."""
    arms = _arms(tile, place)
    centre = CENTRES + place // 2
    if not has_sphere(tile):
        return _across(centre, [(corner, users) for _, corner, users in arms])
    slots = SLOTS[centre]
    inwards: Exits = {
        _slot(corner): ((centre, _BITS[centre], slots[(number + 2) % _CORNERS], users, (centre,)),)
        for number, corner, users in arms
    }
    outwards = {
        slots[number]: ((corner.knot, _BITS[corner.knot], _ahead(corner), users, (corner.knot,)),)
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
    arms = [(corner, _TUBES[seat]) for corner in TRIANGLE_CORNERS[triangle]]
    return _across(HUBS + triangle, arms)


def _printed() -> Exits:
    legs: Exits = {}
    for station, middle, fork in zip(STATIONS, MIDDLES, FORKS, strict=True):
        arms = [
            (corner, _STATION_TUBES[station.owner] if corner.knot == middle else sum(OWN + EVERY))
            for corner in TRIANGLE_CORNERS[fork]
        ]
        legs |= _across(HUBS + fork, arms)
    return legs


PRINTED: Exits = _printed()
"""Legs across the stations' forks (T1.5)."""
