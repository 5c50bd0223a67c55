"""Positions for tests: written with the names that players use."""

from __future__ import annotations

from typing import Any

import pytest

from engine.game import Action, Event, IllegalActionError
from engine.wormholes.board import INDEX, SPACES
from engine.wormholes.game import Wormholes
from engine.wormholes.pieces import COINS, EMPTY, SUIT_UP, SUITS, VALUE_UP
from engine.wormholes.state import Draft, State

GAME = Wormholes()
HOME = {"S": "j1", "M": "j2", "C": "a17", "A": "a18"}


def position(
    ships: dict[str, str] | None = None,
    coins: dict[str, str] | None = None,
    dice: str = "",
    seat: str = "O",
    **fields: Any,
) -> State:
    """A position in play. Coins: space → name, with a `*` when the value side is up.

    Dice are those of the seat on turn, e.g. `S3 M-`; none means that they are to be rolled.
    """
    given: dict[str, Any] = {"rules": "0.6", "notes": 0, "number": 1, "hand": 0}
    at = HOME | (ships or {})
    board = [EMPTY] * len(SPACES)
    for space, name in (coins or {}).items():
        letters = VALUE_UP if name.endswith("*") else SUIT_UP
        board[INDEX[space]] = letters[COINS.index(name[:2])]
    rolled = tuple(-1 if die[1] == "-" else int(die[1]) for die in dice.split())
    return Draft(
        phase="act" if dice else "roll",
        turn="OD".index(seat),
        ships=tuple(INDEX[at[suit]] for suit in SUITS),
        board="".join(board),
        dice=rolled or (0, 0),
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


def told(state: State, kind: str) -> list[Event]:
    """The events of a kind in the story so far."""
    return [event for event in state.story if event.kind == kind]


def legal(state: State) -> list[str]:
    """The legal actions as text."""
    return [str(action) for action in GAME.legal(state)]


def where(state: State) -> dict[str, str]:
    """Suit → space of each ship."""
    return {suit: SPACES[space] for suit, space in zip(SUITS, state.ships, strict=True)}


def placed(*, first: str = "O") -> State:
    """All coins placed on the first free spaces, in the order of the lists."""
    roll = "* rolloff S5 M5 C0 A0" if first == "O" else "* rolloff S0 M0 C5 A5"
    state = after(GAME.start("0.6", {}), roll, f"{first} first place")
    while state.phase == "place":
        state, _ = GAME.apply(state, GAME.legal(state)[0])
    return state


def refusal(state: State, line: str) -> str:
    """The rule that forbids an action; the state stays what it was."""
    text = GAME.dump(state)
    with pytest.raises(IllegalActionError) as caught:
        GAME.apply(state, Action.parse(line))
    assert str(caught.value).endswith((".", "?")), "a refusal is a sentence"
    assert GAME.dump(state) == text
    return caught.value.rule
