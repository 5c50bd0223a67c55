"""Tables of the spiral: 126 spaces in six rings around the wormhole (X1)."""

from __future__ import annotations

RINGS = 6
SECTORS = 6

CENTRE = 0
"""The wormhole. The number of a space is its distance from it along the solid line (X1.1)."""

ENDS: tuple[int, ...] = tuple(3 * ring * (ring + 1) for ring in range(RINGS + 1))
"""ENDS[ring]: the outermost space of a ring; ring 0 is the centre (X1.2)."""

OUTERMOST = ENDS[RINGS]
"""Space of the first die that is placed (X2.3)."""

RING: tuple[int, ...] = tuple(
    next(ring for ring, end in enumerate(ENDS) if space <= end) for space in range(OUTERMOST + 1)
)
"""RING[space]: 1 innermost … 6; 0 for the centre (X1.2)."""


def _split(space: int) -> tuple[int, int]:
    """Return the sector of a space and its index in that sector (X1.3)."""
    return divmod(space - ENDS[RING[space] - 1] - 1, RING[space])


def _warp(space: int) -> int:
    inner = RING[space] - 1
    if inner < 1:
        return CENTRE
    sector, place = _split(space)
    return ENDS[inner - 1] + 1 + sector * inner + max(place - 1, 0)


WARP: tuple[int, ...] = (CENTRE, *(_warp(space) for space in range(1, OUTERMOST + 1)))
"""WARP[space]: end of its dotted line, one ring further in (X1.3)."""

SPOKES: tuple[int, ...] = tuple(ENDS[RINGS - 1] + 1 + RINGS * sector for sector in range(SECTORS))
"""Outer ends of the six straight chains of dotted lines (X1.3)."""

FIRST_DEGREES = -33
SECTOR_DEGREES = 60


def _polar(space: int) -> tuple[float, float]:
    ring = RING[space]
    sector, place = _split(space)
    radius = ring - 1 + (sector * ring + place + 1) / (SECTORS * ring)
    return radius, FIRST_DEGREES - (sector + place / ring) * SECTOR_DEGREES


POLAR: tuple[tuple[float, float], ...] = (
    (0.0, 0.0),
    *(_polar(space) for space in range(1, OUTERMOST + 1)),
)
"""POLAR[space]: radius in ring widths, and angle in degrees, counterclockwise, y up (X1.4)."""
