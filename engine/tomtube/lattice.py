"""The triangular lattice: knots, triangles, places of rhombs, as tables computed once (T1, T2.2).

Knots, triangles and places are indices into the tables of this file. A *node* is where an
astronaut can stand: a knot is its own node; the centre of a rhomb is node `CENTRES` + its pair.
"""

from __future__ import annotations

from itertools import combinations, compress, count
from typing import NamedTuple

from engine.tomtube.tables import SIDE, STATIONS

_FLAGS = bytes.maketrans(b"01", b"\0\1")


def flags(bits: int) -> bytes:
    """Return the bits, lowest first, as bytes 0 and 1: selectors for `compress`."""
    return f"{bits:b}"[::-1].encode().translate(_FLAGS)


_FEW = 4
"""Up to so many bits are faster to take one by one than from the digits of a number."""


def members(bits: int) -> list[int]:
    """Return the numbers of the bits that are set, in order."""
    if bits.bit_count() > _FEW:
        return list(compress(count(), flags(bits)))
    numbers: list[int] = []
    while bits:
        lowest = bits & -bits
        numbers.append(lowest.bit_length() - 1)
        bits ^= lowest
    return numbers


STEPS: tuple[tuple[int, int], ...] = ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
"""The six directions, counterclockwise (T1.1)."""

KNOTS: tuple[tuple[int, int], ...] = tuple(
    (q, r) for r in range(-SIDE, SIDE + 1) for q in range(-SIDE, SIDE + 1) if abs(q + r) <= SIDE
)
"""Axial coordinates of each knot, ordered by r, then q (T1.1)."""

INDEX: dict[tuple[int, int], int] = {place: knot for knot, place in enumerate(KNOTS)}

KNOT_NAMES: tuple[str, ...] = tuple(f"{q},{r}" for q, r in KNOTS)


def _after(knot: int, *ks: int) -> tuple[int, int]:
    """Return the coordinates after steps in these directions, on the board or not."""
    q, r = KNOTS[knot]
    return q + sum(STEPS[k % 6][0] for k in ks), r + sum(STEPS[k % 6][1] for k in ks)


NEIGHBOURS: tuple[tuple[int | None, ...], ...] = tuple(
    tuple(INDEX.get(_after(knot, k)) for k in range(6)) for knot in range(len(KNOTS))
)
"""NEIGHBOURS[knot][k]: the knot in direction k; None beyond the rim."""


class Corner(NamedTuple):
    """A knot at a corner of a tile, and the direction from there to the tile's centre.

    `way` counts twelfths of a full turn from direction 0: even ones run along lattice edges.
    """

    knot: int
    way: int


DIRECTIONS = 12


def _corners(knot: int, k: int) -> tuple[Corner, ...] | None:
    """Return the sorted corners of the triangle between directions k and k + 1 (T1.1)."""
    second, third = INDEX.get(_after(knot, k)), INDEX.get(_after(knot, k + 1))
    if second is None or third is None:
        return None
    return tuple(
        sorted(
            (
                Corner(knot, (2 * k + 1) % DIRECTIONS),
                Corner(second, (2 * k + 5) % DIRECTIONS),
                Corner(third, (2 * k + 9) % DIRECTIONS),
            )
        )
    )


TRIANGLE_CORNERS: tuple[tuple[Corner, ...], ...] = tuple(
    sorted(
        corners
        for knot in range(len(KNOTS))
        for k in (0, 1)
        if (corners := _corners(knot, k)) is not None
    )
)
"""The three corners of each of the 96 triangles, by r, then q."""

TRIANGLES: tuple[tuple[int, ...], ...] = tuple(
    tuple(corner.knot for corner in corners) for corners in TRIANGLE_CORNERS
)
"""The knots of each triangle."""

TRIANGLE_NAMES: tuple[str, ...] = tuple(
    "/".join(KNOT_NAMES[knot] for knot in knots) for knots in TRIANGLES
)

TRIANGLE_INDEX: dict[frozenset[str], int] = {
    frozenset(name.split("/")): triangle for triangle, name in enumerate(TRIANGLE_NAMES)
}
"""The names of three knots, in any order → their triangle."""

MIDDLES: tuple[int, ...] = tuple(INDEX[station.middle] for station in STATIONS)
"""The knot M of each station (T1.3): the node of a base or a module."""

GATES: tuple[int, ...] = tuple(INDEX[gate] for station in STATIONS for gate in station.gates)
"""The twelve gate knots (T1.4)."""

FORKS: tuple[int, ...] = tuple(
    TRIANGLES.index(tuple(sorted(INDEX[place] for place in (station.middle, *station.gates))))
    for station in STATIONS
)
"""Triangle M-A-B of each station, which has a printed Y (T1.5)."""

SPACE: int = sum(
    1 << triangle
    for triangle, knots in enumerate(TRIANGLES)
    if not any(knot in MIDDLES for knot in knots)
)
"""The triangles that can hold tiles, as bits (T1.2)."""

AROUND: dict[int, int] = {
    knot: sum(1 << triangle for triangle, knots in enumerate(TRIANGLES) if knot in knots)
    for knot in range(len(KNOTS))
    if None not in NEIGHBOURS[knot] and knot not in GATES
}
"""The six triangles around each knot that can become complete, as bits (T1.4, T1.7)."""

PAIRS: tuple[tuple[int, int], ...] = tuple(
    (one, other)
    for one, other in combinations(range(len(TRIANGLES)), 2)
    if SPACE >> one & 1
    and SPACE >> other & 1
    and len(set(TRIANGLES[one]) & set(TRIANGLES[other])) == 2
)
"""Pairs of neighbouring triangles of free space: places for a rhomb (T3.1)."""

BESIDE: tuple[int, ...] = tuple(
    sum(
        1 << (other if triangle == one else one) for one, other in PAIRS if triangle in (one, other)
    )
    for triangle in range(len(TRIANGLES))
)
"""The neighbours of each triangle of free space, as bits."""


def _place(pair: int, turned: int) -> tuple[Corner, ...]:
    """Return the corners A, B, C, D of a rhomb; A comes before C unless turned (T2.2)."""
    one, other = PAIRS[pair]
    ends = sorted(set(TRIANGLES[one]) ^ set(TRIANGLES[other]))
    a, c = reversed(ends) if turned else ends
    k = next(k for k in range(6) if _after(a, k, k + 1) == KNOTS[c])
    b, d = INDEX[_after(a, k + 1)], INDEX[_after(a, k)]
    return (
        Corner(a, (2 * k + 1) % DIRECTIONS),
        Corner(b, (2 * k + 10) % DIRECTIONS),
        Corner(c, (2 * k + 7) % DIRECTIONS),
        Corner(d, (2 * k + 4) % DIRECTIONS),
    )


PLACES: tuple[tuple[Corner, ...], ...] = tuple(
    _place(pair, turned) for pair in range(len(PAIRS)) for turned in (0, 1)
)
"""Corners of a rhomb at place p, which covers pair p // 2 and is turned if p is odd."""

PLACE_NAMES: tuple[str, ...] = tuple(
    f"{KNOT_NAMES[a.knot]}>{KNOT_NAMES[c.knot]}" for a, _, c, _ in PLACES
)

PLACE_INDEX: dict[str, int] = {name: place for place, name in enumerate(PLACE_NAMES)}

CLASHES: tuple[int, ...] = tuple(
    sum(1 << number for number, pair in enumerate(PAIRS) if triangle in pair)
    for triangle in range(len(TRIANGLES))
)
"""The pairs that each triangle is part of, as bits."""

SHORT: tuple[frozenset[int], ...] = tuple(
    frozenset((PLACES[2 * pair][1].knot, PLACES[2 * pair][3].knot)) for pair in range(len(PAIRS))
)
"""Ends of the lattice edge under a rhomb, its short diagonal (T4.3)."""

EDGES: tuple[tuple[tuple[int, int], ...], ...] = tuple(
    tuple(
        (end, SHORT.index(edge) if (edge := frozenset((knot, end))) in SHORT else -1)
        for end in sorted(end for end in ends if end is not None)
    )
    for knot, ends in enumerate(NEIGHBOURS)
)
"""EDGES[knot]: each neighbour in order, and the pair whose rhomb covers the edge, or -1 (T4.3)."""

CENTRES = len(KNOTS)
"""The first node that is the centre of a pair."""

HUBS = CENTRES + len(PAIRS)
"""The first centre of a triangle. Astronauts pass these but cannot stop on them."""

BASES: tuple[int, int] = (MIDDLES[0], MIDDLES[3])
MODULES: tuple[tuple[int, int], tuple[int, int]] = (
    (MIDDLES[2], MIDDLES[4]),
    (MIDDLES[1], MIDDLES[5]),
)
"""By seat: the nodes of the base and of both modules, lower station number first."""

STATION_NAMES: tuple[dict[str, int], ...] = tuple(
    {"base": BASES[seat], "module1": MODULES[seat][0], "module2": MODULES[seat][1]}
    for seat in (0, 1)
)
"""By seat: names of its own stations in records."""

NODE_NAMES: tuple[tuple[str, ...], ...] = tuple(
    tuple(
        next((name for name, middle in stations.items() if middle == knot), plain)
        for knot, plain in enumerate(KNOT_NAMES)
    )
    for stations in STATION_NAMES
)
"""By seat: names of the knots, of its own stations too."""

GATE_BITS: int = sum(1 << gate for gate in GATES)
MIDDLE_BITS: int = sum(1 << middle for middle in MIDDLES)
"""The middles of all stations, as bits of nodes."""
