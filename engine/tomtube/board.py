"""The tiles on the board; computed once for all positions with the same tiles."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from engine.tomtube.lattice import (
    AROUND,
    BASES,
    BESIDE,
    CENTRES,
    GATE_BITS,
    HUBS,
    KNOT_NAMES,
    MODULES,
    PAIR_BITS,
    PLACE_NAMES,
    PLACES,
    SHORT,
    SPACE,
    STATION_NAMES,
    TRIANGLE_NAMES,
    TRIANGLES,
)
from engine.tomtube.tiles import (
    BLANK,
    FILLS,
    PRINTED,
    Leg,
    has_sphere,
    rhomb_exits,
    rhomb_mouths,
    tube_exits,
)

_PLACES = len(PLACES)
_FILLS = len(FILLS)


def rhomb_code(tile: int, place: int) -> int:
    """Encode a rhomb on the board for a state."""
    return tile * _PLACES + place


def rhomb_of(code: int) -> tuple[int, int]:
    """Return the tile and place of an encoded rhomb."""
    return divmod(code, _PLACES)


def fill_code(triangle: int, filling: int) -> int:
    """Encode a filled triangle for a state; `what` is an index into FILLS."""
    return triangle * _FILLS + filling


def fill_of(code: int) -> tuple[int, int]:
    """Return the triangle and filling of an encoded triangle."""
    return divmod(code, _FILLS)


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """The tiles of a position and their consequences.

    Attributes:
        free: triangles of free space that nothing covers, as bits.
        complete: knots with all six triangles covered, and the gates, as bits (T3.3).
        nodes: the existing nodes for each seat's astronaut, as bits (T4.0).
        legs: the ways out of each slot (T4.4).
        places: pair → place of the rhomb that lies there.
        covered: the lattice edges under rhombs (T4.3).
        mouths: tube mouths at each knot (T3.3).
    """

    free: int
    complete: int
    nodes: tuple[int, int]
    legs: dict[int, tuple[Leg, ...]]
    places: dict[int, int]
    covered: frozenset[frozenset[int]]
    mouths: tuple[int, ...]

    def has_room(self) -> bool:
        """Return whether a rhomb can be placed: two neighbouring triangles are free (T3.1)."""
        free = self.free
        return any(free & bits == bits for bits in PAIR_BITS)

    def room(self) -> Iterator[int]:
        """Return the pairs of triangles where a rhomb can be placed."""
        free = self.free
        return (pair for pair, bits in enumerate(PAIR_BITS) if free & bits == bits)

    def isolated(self) -> tuple[int, ...]:
        """Return the free triangles without a free neighbour (T3.2)."""
        free = self.free
        return tuple(
            triangle
            for triangle, beside in enumerate(BESIDE)
            if free >> triangle & 1 and not free & beside
        )

    def name(self, node: int, seat: int) -> str:
        """Return the name of a node, or of a centre, in this seat's notation."""
        if node >= HUBS:
            return TRIANGLE_NAMES[node - HUBS]
        if node >= CENTRES:
            return PLACE_NAMES[self.places[node - CENTRES]]
        return _NAMES[seat][node]


_NAMES: tuple[tuple[str, ...], ...] = tuple(
    tuple(
        next((name for name, middle in STATION_NAMES[seat].items() if middle == knot), plain)
        for knot, plain in enumerate(KNOT_NAMES)
    )
    for seat in (0, 1)
)

_OWN_STATIONS: tuple[int, int] = (
    1 << BASES[0] | 1 << MODULES[0][0] | 1 << MODULES[0][1],
    1 << BASES[1] | 1 << MODULES[1][0] | 1 << MODULES[1][1],
)


@lru_cache(maxsize=512)
def board_of(rhombs: tuple[int, ...], fills: tuple[int, ...]) -> Board:
    """Return the board with these rhombs and filled triangles."""
    legs = dict(PRINTED)
    places: dict[int, int] = {}
    mouths = [0] * len(KNOT_NAMES)
    taken = spheres = 0
    for code in rhombs:
        tile, place = divmod(code, _PLACES)
        pair = place // 2
        places[pair] = place
        taken |= PAIR_BITS[pair]
        if has_sphere(tile):
            spheres |= 1 << CENTRES + pair
        legs.update(rhomb_exits(tile, place))
        for knot in rhomb_mouths(tile, place):
            mouths[knot] += 1
    for code in fills:
        triangle, filling = divmod(code, _FILLS)
        taken |= 1 << triangle
        if filling != BLANK:
            legs.update(tube_exits(triangle, filling))
            for knot in TRIANGLES[triangle]:
                mouths[knot] += 1
    complete = GATE_BITS
    for knot, around in AROUND.items():
        if taken & around == around:
            complete |= 1 << knot
    shared = complete | spheres
    return Board(
        free=SPACE & ~taken,
        complete=complete,
        nodes=(shared | _OWN_STATIONS[0], shared | _OWN_STATIONS[1]),
        legs=legs,
        places=places,
        covered=frozenset([SHORT[pair] for pair in places]),
        mouths=tuple(mouths),
    )
