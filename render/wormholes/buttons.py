"""Buttons of Wormholes, laid out as the ways lie on the board."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.wormholes.view import WormholesView
from render.renderer import Button, Row
from render.wormholes.words import SUITS, end_of, label

GRID = (("SW", "W", "NW"), ("S", "", "N"), ("SE", "E", "NE"))
"""The eight ways as the public picture shows them: north is to the right."""

TEXT = "\ufe0e"
"""Has an arrow drawn as a letter; without it some clients show a coloured square."""

ARROWS = dict(zip("SW W NW S N SE E NE".split(), "↖↑↗←→↙↓↘", strict=True))


def rows(view: WormholesView, actions: Sequence[Action]) -> tuple[Row, ...]:
    """A square of three by three for each ship that can move; all others in a row of their own."""
    squares = [row for suit in SUITS for row in _square(view, suit, actions)]
    others = tuple(
        Button(action, label(view, action)) for action in actions if action.verb != "move"
    )
    return (*squares, Row("", others)) if others else tuple(squares)


def _square(view: WormholesView, suit: str, actions: Sequence[Action]) -> list[Row]:
    ways = {each.args[1]: each for each in actions if each.verb == "move" and each.args[0] == suit}
    if not ways:
        return []
    value = next(die.value for die in view.dice if die.suit == suit)
    lines = [line for line in GRID if set(line) & set(ways)]
    made = [tuple(_button(view, ways.get(way), way) for way in line) for line in lines]
    headings = (f"{SUITS[suit]} {value}", *[""] * (len(lines) - 1))
    return [Row(heading, line) for heading, line in zip(headings, made, strict=True)]


def _button(view: WormholesView, action: Action | None, way: str) -> Button | None:
    return Button(action, f"{ARROWS[way]}{TEXT} {end_of(view, action)}") if action else None
