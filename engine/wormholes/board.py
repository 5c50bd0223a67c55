"""Tables of the galaxy: 92 spaces, bases and straight lines (W1, W4.2)."""

from __future__ import annotations

COLUMNS = "abcdefghij"
ROWS = 18

TILE_COLUMNS = ("45", "34", "234", "123", "234", "345", "234", "23", "12")
"""Columns of the tiles in each tile row, from row 1 (south) to row 9 (W1.1)."""

DIRECTIONS: dict[str, tuple[int, int]] = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}
"""Steps by the OrthogonAliens' compass: N = row + 1, E = column + 1 (W1.4)."""


def _has_tile(x: int, y: int) -> bool:
    return str((x + 1) // 2) in TILE_COLUMNS[(y - 1) // 2]


XY: tuple[tuple[int, int], ...] = tuple(
    (x, y) for y in range(1, ROWS + 1) for x in range(1, len(COLUMNS) + 1) if _has_tile(x, y)
)
"""Column (1–10) and row (1–18) of each space, ordered by row, then column."""

SPACES: tuple[str, ...] = tuple(f"{COLUMNS[x - 1]}{y}" for x, y in XY)
"""Names of the spaces in the same order; a space is an index into this table."""

INDEX: dict[str, int] = {name: space for space, name in enumerate(SPACES)}
"""Name → space."""

STARTS: tuple[int, int, int, int] = (INDEX["j1"], INDEX["j2"], INDEX["a17"], INDEX["a18"])
"""First spaces of Suns, Moons, Crowns and Arms (W1.3)."""

BASES: tuple[frozenset[int], frozenset[int]] = (frozenset(STARTS[:2]), frozenset(STARTS[2:]))
"""The bases of the OrthogonAliens and of the DiagonAliens (W1.2)."""

FREE_FOR_COINS: tuple[int, ...] = tuple(
    space for space in range(len(SPACES)) if space not in BASES[0] | BASES[1]
)
"""The 88 spaces that can hold a coin (W3.3)."""

_CUTS = sorted(STARTS)
FOR_COINS: tuple[slice, ...] = tuple(
    slice(before + 1, base)
    for before, base in zip((-1, *_CUTS), (*_CUTS, len(SPACES)), strict=True)
)
"""The same spaces in stretches between bases."""


def _end(space: int, direction: tuple[int, int], distance: int) -> int | None:
    """Return the space at this distance; None if a straight line leaves the board (W4.2)."""
    x, y = XY[space]
    end: int | None = space
    for _ in range(distance):
        x, y = x + direction[0], y + direction[1]
        end = _AT.get((x, y))
        if end is None:
            return None
    return end


_AT = {place: space for space, place in enumerate(XY)}

ENDS: tuple[tuple[dict[str, int], ...], ...] = tuple(
    tuple(
        {
            name: end
            for name, step in DIRECTIONS.items()
            if (end := _end(space, step, distance)) is not None
        }
        for space in range(len(SPACES))
    )
    for distance in range(6)
)
"""ENDS[distance][space][direction]: end of a straight move; absent if it leaves the board."""


def across_void(space: int, direction: str, distance: int) -> int | None:
    """Return the space in a direction that only the void keeps out of reach (W4.2).

    Returns:
        The space at this distance if the straight line to it leaves the board; otherwise None.
    """
    (x, y), (east, north) = XY[space], DIRECTIONS[direction]
    end = _AT.get((x + distance * east, y + distance * north))
    return None if direction in ENDS[distance][space] else end
