"""The view of a seat in Tom Tube: everything except the order of the stack (T2.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.game import View


class Astronaut(NamedTuple):
    """A player: the astronaut's place, the counters and tiles in hand, and the points so far."""

    seat: str
    place: str
    energy: int
    control: int
    alien: int
    solar: int
    tubes: int
    blanks: int
    points: int


class Rhomb(NamedTuple):
    """A rhomb on the board: its place A>C and its tile, e.g. `AB/CD+`."""

    place: str
    tile: str


class Triangle(NamedTuple):
    """A triangle: `T` or `D` with tubes of this player, `-` blank, `.` left empty."""

    place: str
    what: str


class Counter(NamedTuple):
    """A counter on the board: `energy`, `control`, `alien`; `solar` with the seat that owns it."""

    kind: str
    place: str
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TomTubeView(View):
    """The view of one seat or of the public.

    Attributes:
        phase: `first`, `turn`, `draw`, `rhomb`, `fill`, `help` or `over`.
        turn_seat: seat on turn (in `help` the other seat decides, see `pending`).
        astronauts: Tom and Dave. A place is a knot, a rhomb's place, or one of the own stations.
        rhombs: the rhombs in the order of placing.
        triangles: filled ones in this order, then those left empty.
        isolated: triangles to be filled now.
        room: whether another rhomb fits.
        complete: complete knots, including gates.
        counters: counters on the board, by kind.
        supply: number of energy, control and alien counters left.
        drawn: rhomb that was drawn and must be placed; empty if none.
        stack: rhombs still face down, in the order of the rules, not of the stack.
        quiet: turns in a row without a placing or a counter taken (T5.4).
        faster: seat that is home while the other's turns count; empty if none (T5.1).
        bonus: points for these turns so far.
    """

    phase: str
    turn_seat: str
    astronauts: tuple[Astronaut, ...]
    rhombs: tuple[Rhomb, ...]
    triangles: tuple[Triangle, ...]
    isolated: tuple[str, ...]
    room: bool
    complete: tuple[str, ...]
    counters: tuple[Counter, ...]
    supply: tuple[int, int, int]
    drawn: str
    stack: tuple[str, ...]
    quiet: int
    faster: str
    bonus: int
