"""What a seat may know of a match of Tom Tube: all but the order of the stack (T2.5)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.game import View


class Astronaut(NamedTuple):
    """A player: where the astronaut is, what the player holds, and the points so far."""

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
    """A rhomb on the board: its place as laid, A>C, and what is printed on it, e.g. `AB/CD+`."""

    place: str
    tile: str


class Triangle(NamedTuple):
    """A single triangle: `T` or `D` with a tube of this colour, `-` blank, `.` left empty."""

    place: str
    what: str


class Counter(NamedTuple):
    """A counter on the board: `energy`, `control`, `alien`; `solar` with the seat that owns it."""

    kind: str
    place: str
    seat: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TomTubeView(View):
    """What one seat, or the public, may know.

    Attributes:
        phase: `first`, `turn`, `draw`, `rhomb`, `fill`, `help` or `over`.
        turn_seat: whose turn it is (in `help` the other one decides, see `pending`).
        astronauts: Tom and Dave. A place is a knot, a rhomb's place, or one of the own stations.
        rhombs: in the order in which they were laid.
        triangles: filled ones in this order, then those that were left empty.
        isolated: triangles that are to be filled now.
        room: whether another rhomb fits.
        complete: the complete knots, the gates among them.
        counters: those on the board, by kind.
        supply: how many energy, control and alien counters are left.
        drawn: the rhomb that has been drawn and is to be placed; empty if none.
        stack: the rhombs that are still face down, in the order of the rules, not of the stack.
        quiet: turns in a row without a placing or a counter taken (T5.4).
        faster: the seat that is home while the other's turns are counted; empty if none (T5.1).
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
