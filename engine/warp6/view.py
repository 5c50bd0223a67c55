"""The view of a seat in Warp 6; only a secret setup is hidden (X2.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.game import View


class Die(NamedTuple):
    """A die.

    Attributes:
        name: e.g. `b8a`.
        seat: letter of its owner.
        faces: 4, 6 or 8.
        number: shown by the die; `?` if not rolled, not set, set in secret, or out of play.
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
    """Score of a seat in a series (X5.2)."""

    seat: str
    points: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Warp6View(View):
    """The view of one seat or of the public.

    Attributes:
        phase: `set`, `roll`, `lot`, `place`, `play`, `reroll` or `over`.
        turn_seat: seat on turn; empty before the start is decided and after the end.
        dice: all dice, in the order of records.
        free: space of the next die to be placed; 0 outside the setup.
        off: number of dice of each seat off the board, in seat order.
        target: number of dice off the board that wins.
        changes: number of turns in a row that were a change; after `most_changes` of them only a
            move is legal (X3.4).
        focus: die to be rolled again after a warp; empty otherwise.
        points: scores in seat order; empty during the match.
    """

    phase: str
    turn_seat: str
    dice: tuple[Die, ...]
    free: int
    off: tuple[int, ...]
    target: int
    changes: int
    most_changes: int
    focus: str
    points: tuple[Score, ...]
