"""Data printed on the board, the tiles and the counters; no rules (T1.3, T2, T5.5).

The printed tiles and stations are a reconstruction. If a photograph turns up, only this file
changes.
"""

from __future__ import annotations

from typing import NamedTuple

SEATS = "TD"
"""Tom and Dave. A seat is an index into this string."""

SIDE = 4
"""Edges along one side of the hexagon: a knot has |q|, |r|, |q + r| ≤ 4 (T1.1)."""


class Station(NamedTuple):
    """A base or a module: its owner, the middle M of its side, its gate knots (T1.3)."""

    owner: int
    is_base: bool
    middle: tuple[int, int]
    gates: tuple[tuple[int, int], tuple[int, int]]


STATIONS: tuple[Station, ...] = (
    Station(0, True, (2, 2), ((1, 2), (2, 1))),
    Station(1, False, (-2, 4), ((-2, 3), (-1, 3))),
    Station(0, False, (-4, 2), ((-3, 1), (-3, 2))),
    Station(1, True, (-2, -2), ((-2, -1), (-1, -2))),
    Station(0, False, (2, -4), ((1, -3), (2, -3))),
    Station(1, False, (4, -2), ((3, -2), (3, -1))),
)
"""By station number."""

PATTERNS: tuple[str, ...] = tuple(
    "AB/AB AB/AC AB/AD AB/BC AB/BD AB/CD AC/AB AC/AC AC/AD AC/BD"
    " AD/AB AD/AC AD/AD AD/BC AD/BD AD/CD BD/AB BD/AC BD/AD BD/BD".split()
)
"""Corners of a rhomb joined by Tom's tube and by Dave's tube (T2.2)."""

SAME_TURNED = frozenset({"AC/AC", "AC/BD", "BD/AC", "BD/BD"})
"""Patterns with one orientation: they look the same after a half turn (T2.2)."""

ENERGY, CONTROL, ALIEN = range(3)
"""Kinds of counters with a supply."""

KINDS = ("energy", "control", "alien")
"""Names of the kinds."""

SUPPLY: dict[str, tuple[int, int, int]] = {"standard": (24, 8, 6), "basic": (24, 0, 0)}
"""By rule set: number of counters of each kind (T2.1, T5.6)."""

START_ENERGY = 1
START_TUBES = 6
START_BLANKS = 3
"""Pieces of each player at the start (T2.1)."""

MAX_LAUNCH_ENERGY = 6
"""Maximum extra energy of a player (T5.6)."""

EXCHANGE_CONTROL = 1
EXCHANGE_ENERGY = 2
"""Counters received for an alien counter (T3.6)."""

SOLARS = 2
"""Number of solar counters of each player (T2.1)."""

POINTS = (1, 2, 5)
SOLAR_POINTS = 5
"""Points of a counter, by kind; each bonus turn is one point (T5.5)."""

MAX_QUIET_TURNS = 30
"""Number of turns in a row without placing or taking anything that ends the match (T5.4)."""
