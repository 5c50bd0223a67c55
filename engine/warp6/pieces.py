"""The dice of a match of two or three, and every action with them, made once (X2.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.game import CHANCE, OPEN_VALUE, Action
from engine.words import N_

SEATS = "BYW"
"""Black, yellow, white; each next one is the left neighbour, after the last comes the first."""

SIDES: dict[str, str] = {"B": N_("Black"), "Y": N_("Yellow"), "W": N_("White")}
"""Name for people of each seat."""

DICE = 18
"""How many dice are in a match, whatever the number of players."""

CHANGES_IN_A_ROW = 60
"""After so many turns without a move only a move is legal (X3.4)."""


class Turns(NamedTuple):
    """What can be done with one die in a turn (X3)."""

    move: Action
    up: Action
    down: Action


@dataclass(frozen=True, slots=True, eq=False)
class Kit:
    """The dice of all seats in the order of records; die d belongs to seat d // `each`.

    Attributes:
        seats: letters of the seats.
        each: how many dice a seat has.
        target: how many of them win once they are off the board (X5.1).
        names: of the dice, e.g. `b8a`.
        faces: of the dice.
        index: name → die.
        place: by die (X2.3).
        turns: by die (X3).
        reroll: the form of a roll after a warp, by die (X4.2).
        settings: the form of a seat's secret set-up, by seat (X2.4).
    """

    seats: str
    each: int
    target: int
    names: tuple[str, ...]
    faces: tuple[int, ...]
    index: dict[str, int]
    place: tuple[Action, ...]
    turns: tuple[Turns, ...]
    reroll: tuple[Action, ...]
    settings: tuple[Action, ...]

    def own(self, seat: int) -> range:
        """The dice of a seat."""
        return range(seat * self.each, (seat + 1) * self.each)


def faces_of(name: str) -> int:
    """How many faces the die of this name has."""
    return int(name[1])


def _make(seats: str, own: str, target: int) -> Kit:
    each = len(own.split())
    names = tuple(seat.lower() + die for seat in seats for die in own.split())
    owners = tuple(seats[die // each] for die in range(DICE))
    dice = tuple(zip(owners, names, strict=True))
    return Kit(
        seats=seats,
        each=each,
        target=target,
        names=names,
        faces=tuple(map(faces_of, names)),
        index={name: die for die, name in enumerate(names)},
        place=tuple(Action(seat, "place", (name,)) for seat, name in dice),
        turns=tuple(
            Turns(*(Action(seat, verb, (name,)) for verb in Turns._fields)) for seat, name in dice
        ),
        reroll=tuple(Action(CHANCE, "reroll", (name, OPEN_VALUE)) for name in names),
        settings=tuple(
            Action(seat, "set", tuple(name + OPEN_VALUE for owner, name in dice if owner == seat))
            for seat in seats
        ),
    )


KITS: dict[int, Kit] = {
    2: _make("BY", "8a 8b 6a 6b 6c 4a 4b 4c 4d", 6),
    3: _make("BYW", "8a 6a 6b 4a 4b 4c", 4),
}
"""By number of players."""
