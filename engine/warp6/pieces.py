"""Tables of the dice of a match, for two or three seats, and of all their actions (X2.1)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from engine.game import CHANCE, OPEN_VALUE, Action
from engine.i18n import N_

SEATS = "BYW"
"""Black, Yellow, White, clockwise."""

SIDES: dict[str, str] = {"B": N_("Black"), "Y": N_("Yellow"), "W": N_("White")}
"""Seat → name for players."""

DICE = 18
"""Number of dice in a match of two or three."""

MAX_CHANGES = 60
"""Maximum number of turns in a row that are a change, not a move (X3.4)."""


class Turns(NamedTuple):
    """Actions of one die in a turn (X3)."""

    move: Action
    up: Action
    down: Action


@dataclass(frozen=True, slots=True, eq=False)
class Kit:
    """Dice of all seats in the order of records; die d belongs to seat d // `dice_per_seat`.

    Attributes:
        seats: letters of the seats.
        dice_per_seat: number of dice of a seat.
        target: number of a seat's dice off the board that wins (X5.1).
        names: names of the dice, e.g. `b8a`.
        faces: number of faces of each die.
        index: name → die.
        place: actions by die (X2.3).
        turns: actions by die (X3).
        choices: those that a list contains, by die and number shown; only the move at 0 (X3.4).
        reroll: form of the roll after a warp, by die (X4.2).
        settings: form of the secret setup, by seat (X2.4).
    """

    seats: str
    dice_per_seat: int
    target: int
    names: tuple[str, ...]
    faces: tuple[int, ...]
    index: dict[str, int]
    place: tuple[Action, ...]
    turns: tuple[Turns, ...]
    choices: tuple[tuple[tuple[Action, ...], ...], ...]
    reroll: tuple[Action, ...]
    settings: tuple[Action, ...]

    def own(self, seat: int) -> range:
        """Return the dice of a seat."""
        return range(seat * self.dice_per_seat, (seat + 1) * self.dice_per_seat)


def faces_of(name: str) -> int:
    """Return the number of faces of the die with this name."""
    return int(name[1])


def _make(seats: str, fleet: str, target: int) -> Kit:
    dice_per_seat = len(fleet.split())
    names = tuple(seat.lower() + die for seat in seats for die in fleet.split())
    owners = tuple(seats[die // dice_per_seat] for die in range(DICE))
    dice = tuple(zip(owners, names, strict=True))
    turns = tuple(
        Turns(*(Action(seat, verb, (name,)) for verb in Turns._fields)) for seat, name in dice
    )
    return Kit(
        seats=seats,
        dice_per_seat=dice_per_seat,
        target=target,
        names=names,
        faces=tuple(map(faces_of, names)),
        index={name: die for die, name in enumerate(names)},
        place=tuple(Action(seat, "place", (name,)) for seat, name in dice),
        turns=turns,
        choices=tuple(map(_choices, turns, map(faces_of, names))),
        reroll=tuple(Action(CHANCE, "reroll", (name, OPEN_VALUE)) for name in names),
        settings=tuple(
            Action(seat, "set", tuple(name + OPEN_VALUE for owner, name in dice if owner == seat))
            for seat in seats
        ),
    )


def _choices(turns: Turns, faces: int) -> tuple[tuple[Action, ...], ...]:
    """Return the actions of a die by the number that it shows (X3.2); only the move at 0."""
    both = (turns.move, turns.up, turns.down)
    return ((turns.move,), both[:2], *[both] * (faces - 2), (turns.move, turns.down))


KITS: dict[int, Kit] = {
    2: _make("BY", "8a 8b 6a 6b 6c 4a 4b 4c 4d", 6),
    3: _make("BYW", "8a 6a 6b 4a 4b 4c", 4),
}
"""By number of players."""
