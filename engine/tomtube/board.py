"""The tiles on the board and their consequences, which each new tile adds to the last board's."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from engine.tomtube.lattice import (
    AROUND,
    BASES,
    BESIDE,
    CENTRES,
    CLASHES,
    GATE_BITS,
    HUBS,
    KNOT_NAMES,
    MODULES,
    NODE_NAMES,
    PAIRS,
    PLACE_NAMES,
    PLACES,
    SPACE,
    TRIANGLE_NAMES,
    TRIANGLES,
    members,
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


@dataclass(slots=True, eq=False)
class Board:
    """The tiles of a position and their consequences; never changed once it is made.

    Attributes:
        free: triangles of free space that nothing covers, as bits.
        room: places on which a rhomb can be placed: two free neighbours, as bits (T3.1).
        isolated: free triangles without a free neighbour, as bits (T3.2).
        complete: knots with all six triangles covered, and the gates, as bits (T3.3).
        nodes: the existing nodes for each seat's astronaut, as bits (T4.0).
        legs: the ways out of each slot (T4.4).
        places: pair → place of the rhomb that lies there.
        mouths: tube mouths at each knot (T3.3).
    """

    free: int
    room: int
    isolated: int
    complete: int
    nodes: tuple[int, int]
    legs: dict[int, tuple[Leg, ...]]
    places: dict[int, int]
    mouths: list[int]

    def name(self, node: int, seat: int) -> str:
        """Return the name of a node, or of a centre, in this seat's notation."""
        if node >= HUBS:
            return TRIANGLE_NAMES[node - HUBS]
        if node >= CENTRES:
            return PLACE_NAMES[self.places[node - CENTRES]]
        return NODE_NAMES[seat][node]


EMPTY = Board(
    free=SPACE,
    room=(1 << len(PLACES)) - 1,
    isolated=0,
    complete=GATE_BITS,
    nodes=(
        GATE_BITS | 1 << BASES[0] | 1 << MODULES[0][0] | 1 << MODULES[0][1],
        GATE_BITS | 1 << BASES[1] | 1 << MODULES[1][0] | 1 << MODULES[1][1],
    ),
    legs=PRINTED,
    places={},
    mouths=[0] * len(KNOT_NAMES),
)
"""The board of the start."""


@lru_cache(maxsize=512)
def board_of(rhombs: tuple[int, ...], fills: tuple[int, ...]) -> Board:
    """Return the board with these rhombs and filled triangles."""
    return _with_tiles(EMPTY, rhombs, fills)


@lru_cache(maxsize=64)
def with_rhomb(board: Board, code: int) -> Board:
    """Return the board with one more rhomb."""
    return _with_tiles(board, (code,), ())


@lru_cache(maxsize=64)
def with_fill(board: Board, code: int) -> Board:
    """Return the board with one more filled triangle."""
    return _with_tiles(board, (), (code,))


def _with_tiles(board: Board, rhombs: tuple[int, ...], fills: tuple[int, ...]) -> Board:
    """Return a board with more tiles; what they do not touch is copied."""
    legs, places, mouths = board.legs.copy(), board.places.copy(), board.mouths.copy()
    covered: list[int] = []
    spheres = 0
    for code in rhombs:
        tile, place = divmod(code, _PLACES)
        pair = place // 2
        places[pair] = place
        covered += PAIRS[pair]
        if has_sphere(tile):
            spheres |= 1 << CENTRES + pair
        legs.update(rhomb_exits(tile, place))
        for knot in rhomb_mouths(tile, place):
            mouths[knot] += 1
    for code in fills:
        triangle, filling = divmod(code, _FILLS)
        covered.append(triangle)
        if filling != BLANK:
            legs.update(tube_exits(triangle, filling))
            for knot in TRIANGLES[triangle]:
                mouths[knot] += 1
    free, room, isolated, complete = _space_left(board, covered)
    new = complete | spheres
    return Board(
        free=free,
        room=room,
        isolated=isolated,
        complete=complete,
        nodes=(board.nodes[0] | new, board.nodes[1] | new),
        legs=legs,
        places=places,
        mouths=mouths,
    )


def _space_left(board: Board, covered: list[int]) -> tuple[int, int, int, int]:
    """Return the attributes of space if these triangles are covered too.

    Only their neighbours can have become isolated, and only their corners complete.
    """
    free, room, isolated, complete = board.free, board.room, board.isolated, board.complete
    for triangle in covered:
        free &= ~(1 << triangle)
        room &= ~CLASHES[triangle]
    for triangle in covered:
        for neighbour, beside in _NEIGHBOURS[triangle]:
            if not beside & free:
                isolated |= neighbour
        for knot, around in _CORNERS[triangle]:
            if not around & free:
                complete |= knot
    return free, room, isolated & free, complete


_NEIGHBOURS = tuple(
    tuple((1 << neighbour, BESIDE[neighbour]) for neighbour in members(beside)) for beside in BESIDE
)
"""By triangle: each neighbour, and the neighbours of that one, as bits."""

_CORNERS = tuple(
    tuple((1 << knot, AROUND[knot]) for knot in knots if knot in AROUND) for knots in TRIANGLES
)
"""By triangle: each corner that can become complete, and the triangles around it, as bits."""
