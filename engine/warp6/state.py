"""The position of a match and its text format."""

from __future__ import annotations

from dataclasses import dataclass

from engine.game import Event
from engine.position import BaseDraft, BaseState
from engine.warp6.board import OUTERMOST
from engine.warp6.pieces import DICE

NO_DIE = -1
"""No die."""

OFF = 0
IN_HAND = -1
OUT_OF_PLAY = -2
"""Values of a die's space: through the wormhole; not placed; its seat left before placing it."""

_WORDS = {number: str(number) for number in range(OUT_OF_PLAY, OUTERMOST + 1)}
_NUMBERS = {word: number for number, word in _WORDS.items()}
"""Spaces and numbers of dice as text: a table takes a third of the time of `str` and `int`."""


@dataclass(slots=True, eq=False)
class Draft(BaseDraft["State"]):
    """A position that can be written to.

    Attributes:
        seats: number of seats, 2 or 3.
        secret: 1 for `setup=secret` (X2.4).
        phase: `set`, `roll`, `lot`, `place`, `play`, `reroll` or `over`.
        turn: seat on turn.
        start: seat that places first.
        number: number of this turn, from 1; 0 during setup.
        numbers: number of each die; 0 if not rolled or set yet, and out of play.
        spaces: space of each die, OFF, IN_HAND or OUT_OF_PLAY.
        left: bit s is set when seat s has left the match (X5.3).
        done: bit s is set when seat s has set its dice (X2.4).
        tied: bit s is set when seat s rolls for the start, or takes part in the random draw.
        changes: turns in a row that were a change (X3.4).
        focus: die to be rolled again after a warp.
        story, story_is_old, offer, result: see `BaseDraft`.
    """

    seats: int
    secret: int
    phase: str
    turn: int = 0
    start: int = 0
    number: int = 0
    numbers: tuple[int, ...] = (0,) * DICE
    spaces: tuple[int, ...] = (IN_HAND,) * DICE
    left: int = 0
    done: int = 0
    tied: int = 0
    changes: int = 0
    focus: int = NO_DIE
    story: tuple[Event, ...] = ()
    story_is_old: int = 0
    offer: str = ""
    result: str = ""


class State(BaseState[Draft], Draft):
    """An immutable position."""

    __slots__ = ()


def dump(state: State) -> str:
    """Return the position as one line: fields separated by `;` in the order of `Draft`."""
    numbers = "".join([_WORDS[number] for number in state.numbers])
    spaces = ",".join([_WORDS[space] for space in state.spaces])
    story = " ".join(map(str, state.story))
    return (
        f"{state.seats};{state.secret};{state.phase};{state.turn};{state.start};{state.number};"
        f"{numbers};{spaces};{state.left};{state.done};{state.tied};{state.changes};"
        f"{state.focus};{story};{state.story_is_old};{state.offer};{state.result}"
    )


def load(text: str) -> State:
    """Parse a position printed by `dump`.

    Raises:
        ValueError: the text is not a position.
    """
    try:
        (
            seats, secret, phase, turn, start, number, numbers, spaces, left, done, tied, changes,
            focus, story, story_is_old, offer, result,
        ) = text.split(";")  # fmt: skip
        return Draft(
            int(seats),
            int(secret),
            phase,
            int(turn),
            int(start),
            int(number),
            tuple([_NUMBERS[number] for number in numbers]),
            tuple([_NUMBERS[space] for space in spaces.split(",")]),
            int(left),
            int(done),
            int(tied),
            int(changes),
            int(focus),
            tuple([Event.parse(word) for word in story.split(" ")]) if story else (),
            int(story_is_old),
            offer,
            result,
        ).freeze()
    except (KeyError, ValueError) as error:
        raise ValueError(f"not a position of Warp 6: {text!r}") from error
