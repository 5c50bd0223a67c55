"""What a seat may know of a match of Warp 6; only a secret set-up hides anything (X2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.game import View


class Die(NamedTuple):
    """A die of any seat.

    Attributes:
        name: as in records, e.g. `b8a`.
        seat: its owner's letter.
        faces: 4, 6 or 8.
        number: what it shows; `?` while it is not rolled, not set or set in secret, and once out.
        where: `hand`, `board`, `off` (through the wormhole) or `out` (its seat left before it
            was placed).
        space: 1 … 126 on the board, 0 elsewhere.
        ring: 1 … 6 on the board, 0 elsewhere.
    """

    name: str
    seat: str
    faces: int
    number: str
    where: str
    space: int
    ring: int


class Score(NamedTuple):
    """What a seat scores in a series with this match (X5.2)."""

    seat: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Warp6View(View):
    """What one seat, or the public, may know.

    Attributes:
        phase: `set`, `roll`, `lot`, `place`, `play`, `reroll` or `over`.
        turn_seat: whose turn it is; empty until it is known who starts, and after the end.
        left: seats that have left the match.
        dice: all of them, in the order of records.
        free: the space that the next die is placed on; 0 outside the set-up.
        off: how many dice of each seat are off the board, in seat order.
        target: how many win.
        changes: turns in a row that were a change; after `most_changes` of them only a move is
            legal (X3.4).
        most_changes: see `changes`.
        focus: the die that is to be rolled again after a warp; empty otherwise.
        points: what each seat scores, in seat order; empty during the match.
    """

    phase: str
    turn_seat: str
    left: str
    dice: tuple[Die, ...]
    free: int
    off: tuple[int, ...]
    target: int
    changes: int
    most_changes: int
    focus: str
    points: tuple[Score, ...]
