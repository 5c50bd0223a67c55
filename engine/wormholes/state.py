"""The position of a match and its text format."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Event
from engine.position import BaseDraft, BaseState
from engine.wormholes.board import INDEX, SPACES, STARTS
from engine.wormholes.pieces import EMPTY

NOBODY = -1
"""No ship."""


@dataclass(slots=True, eq=False)
class Draft(BaseDraft["State"]):
    """A position that can be written to.

    Attributes:
        rules: the rule set.
        notes: 1 for `notes=on` (W3.4).
        phase: `rolloff`, `first`, `place`, `lay`, `lot`, `deal`, `study`, `declare`, `roll`, `act`,
            `jump`, `send` or `over`.
        turn: seat on turn; in a cascade another seat may have to decide.
        number: number of this turn, from 1; 0 during setup.
        ships: the space of each ship.
        board: a character for each space: `.` or a coin's letter, upper case with the suit side up.
        hand: bit c is set while coin c is not placed.
        seen: bit c is set once coin c has been activated.
        dice: dice of the player on turn: the value, or NO_DIE.
        spent: bit i is set once die i is used.
        activated: bit s is set when ship s has activated a coin in this turn (W5.5).
        owes: bit s is set when ship s loses its owner's next turn (W6).
        landed: bit s is set when ship s has landed on the opposing base it stands on (W8.2).
        focus: ship that must jump, has landed on an opponent, or must be declared.
        coming: ship that moved by die and has not activated the coin on its space yet (W7.2).
        story, story_is_old, offer, result: see `BaseDraft`.
        placing: the option of this name (W3.6–W3.8).
        laid: coins that lie in secret, each with its space, in the order of coins (W3.7).
        ready: bit s is set when seat s has looked at its coins (W3.8).
    """

    rules: str
    notes: int
    phase: str = "rolloff"
    turn: int = 0
    number: int = 0
    ships: tuple[int, ...] = STARTS
    board: str = EMPTY * len(SPACES)
    hand: int = (1 << 24) - 1
    seen: int = 0
    dice: tuple[int, ...] = ()
    spent: int = 0
    activated: int = 0
    owes: int = 0
    landed: int = 0
    focus: int = NOBODY
    coming: int = NOBODY
    story: tuple[Event, ...] = ()
    story_is_old: int = 0
    offer: str = ""
    result: str = ""
    placing: str = "one"
    laid: tuple[tuple[int, int], ...] = ()
    ready: int = 0


class State(BaseState[Draft], Draft):
    """An immutable position."""

    __slots__ = ()


def dump(state: State) -> str:
    """Return the position as one line: fields separated by `;` in the order of `Draft`.

    Those of the setup's options are left out where coins are placed one by one.
    """
    ships = ",".join([SPACES[space] for space in state.ships])
    dice = ",".join([str(die) for die in state.dice])
    story = " ".join([str(event) for event in state.story])
    line = (
        f"{state.rules};{state.notes};{state.phase};{state.turn};{state.number};{ships};"
        f"{state.board};{state.hand:x};{state.seen:x};{dice};{state.spent};{state.activated};"
        f"{state.owes};{state.landed};{state.focus};{state.coming};{story};{state.story_is_old};"
        f"{state.offer};{state.result}"
    )
    if state.placing == "one":
        return line
    laid = ",".join([f"{coin}:{SPACES[space]}" for coin, space in state.laid])
    return f"{line};{state.placing};{laid};{state.ready}"


def load(text: str) -> State:
    """Parse a position printed by `dump`.

    Raises:
        ValueError: the text is not a position.
    """
    try:
        (
            rules, notes, phase, turn, number, ships, board, hand, seen, dice, spent, activated,
            owes, landed, focus, coming, story, story_is_old, offer, result, *setup,
        ) = text.split(";")  # fmt: skip
        return Draft(
            rules,
            int(notes),
            phase,
            int(turn),
            int(number),
            tuple([INDEX[name] for name in ships.split(",")]),
            board,
            int(hand, 16),
            int(seen, 16),
            tuple([int(die) for die in dice.split(",")]) if dice else (),
            int(spent),
            int(activated),
            int(owes),
            int(landed),
            int(focus),
            int(coming),
            tuple([Event.parse(word) for word in story.split(" ")]) if story else (),
            int(story_is_old),
            offer,
            result,
            *_load_setup(*setup),
        ).freeze()
    except (KeyError, TypeError, ValueError) as error:
        raise ValueError(f"not a position of Wormholes: {text!r}") from error


def _load_setup(
    placing: str = "one", laid: str = "", ready: str = "0"
) -> tuple[str, tuple[tuple[int, int], ...], int]:
    """Parse the fields of the setup's options."""
    pairs = [pair.split(":") for pair in laid.split(",")] if laid else []
    return placing, tuple([(int(coin), INDEX[space]) for coin, space in pairs]), int(ready)
