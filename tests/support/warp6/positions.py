"""Positions for tests: written with the names that players use."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Action, IllegalActionError
from engine.warp6.board import OUTERMOST
from engine.warp6.game import Warp6
from engine.warp6.pieces import KITS, SEATS
from engine.warp6.state import Draft, State

GAME = Warp6()
FORMS = {count: [str(form) for form in KITS[count].settings] for count in KITS}


def position(dice: str = "", *, seat: str = "B", seats: int = 2, **fields: Any) -> State:
    """A position in play. Dice: `b8a5@40` shows 5 on space 40, `b8a5@0` is off the board.

    The others show 1 and lie on the outer ring, the first die on 126, the second on 125, …
    """
    index = KITS[seats].index
    numbers = [1] * len(index)
    spaces = [OUTERMOST - die for die in range(len(index))]
    for word in dice.split():
        die, (face, space) = index[word[:3]], word[3:].split("@")
        numbers[die], spaces[die] = int(face), int(space)
    given: dict[str, Any] = {"secret": 0, "phase": "play", "number": 1}
    return Draft(
        seats=seats,
        turn=SEATS.index(seat),
        numbers=tuple(numbers),
        spaces=tuple(spaces),
        **given | fields,
    ).freeze()


def after(state: State, *lines: str) -> State:
    """The state after these action lines."""
    for line in lines:
        state, _ = GAME.apply(state, Action.parse(line))
    return state


def events(state: State, line: str) -> list[str]:
    """Return the events of an action, as words."""
    return [str(event) for event in GAME.apply(state, Action.parse(line))[1]]


def legal(state: State) -> list[str]:
    """The legal actions as text."""
    return [str(action) for action in GAME.legal(state)]


def refusal(state: State, line: str) -> str:
    """The rule that forbids an action; the state stays what it was."""
    text = GAME.dump(state)
    with pytest.raises(IllegalActionError) as caught:
        GAME.apply(state, Action.parse(line))
    assert str(caught.value).endswith((".", "?")), "a refusal is a sentence"
    assert GAME.dump(state) == text
    return caught.value.rule


def where(state: State, name: str) -> int:
    """The space of a die."""
    return state.spaces[KITS[state.seats].index[name]]


def shows(state: State, name: str) -> int:
    """The number on a die."""
    return state.numbers[KITS[state.seats].index[name]]


def start(seats: int = 2, setup: str = "rolled") -> State:
    """The position before the first action."""
    return GAME.start("standard", {"seats": str(seats), "setup": setup})


def numbered(form: str, numbers: str) -> str:
    """A form such as `B set b8a? b8b? …` with these numbers, one digit a die."""
    for number in numbers.replace(" ", ""):
        form = form.replace("?", number, 1)
    assert "?" not in form
    return form


def rolled(*hands: str) -> State:
    """The position after a roll, one string of digits a seat."""
    state = start(len(hands))
    return after(state, numbered(legal(state)[0], "".join(hands)))


def secretly(*hands: str) -> State:
    """The position after all seats have set these numbers, in seat order."""
    state = start(len(hands), "secret")
    for form, hand in zip(FORMS[len(hands)], hands, strict=True):
        state = after(state, numbered(form, hand))
    return state


def placing(state: State, *, until: int = 0) -> State:
    """Have each player place the first die of the list until so many are left in hand."""
    while state.phase == "place" and state.spaces.count(-1) > until:
        state, _ = GAME.apply(state, GAME.legal(state)[0])
    return state


LOW, HIGH = "621111111", "821111111"
"""Hands of two seats: with the high one you start."""

LOWS, HIGHS = "621111", "821111"
"""The same for three seats."""
