"""Buttons of Wormholes, arranged like the directions on the board."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.wormholes.view import WormholesView
from render.i18n import _
from render.renderer import (
    BUTTONS_PER_ROW,
    NUMBERS_PER_ROW,
    TEXT_VARIATION,
    Button,
    Row,
    Style,
    rows_of,
)
from render.wormholes.areas import SPACE_VERBS, steps_home
from render.wormholes.layout import Layout, layout
from render.wormholes.terms import SUITS, suit_name, value_name
from render.wormholes.words import end_of, label

FIGURE_SPACE, FIGURE_DASH = "\u2007", "\u2012"
"""A blank and a dash as wide as a digit.

All labels of a square are equally wide with them, so that its buttons stand one below the other:
Discord makes a button as wide as its words. The blank is inside a label, where it is not trimmed.
"""

SPACE_NAME_WIDTH = 3
"""Length of the longest name of a space."""

ARROWS = {
    (-1, -1): "↖", (0, -1): "↑", (1, -1): "↗",
    (-1, 0): "←", (0, 0): "●", (1, 0): "→",
    (-1, 1): "↙", (0, 1): "↓", (1, 1): "↘",
}  # fmt: skip
"""Steps to the right and down, in reading order."""

ACE = "1"
"""The value of a coin that is called an ace."""


def rows(view: WormholesView, actions: Sequence[Action], style: Style) -> tuple[Row, ...]:
    """Lay out a cropped 3 × 3 square for each ship that can move, coins by suit, then the rest."""
    where = layout(style, view.seat)
    lines = [row for suit in SUITS for row in _square(view, suit, actions, where)]
    coins = [action for action in actions if action.verb == "place" and not action.args[1:]]
    for suit, name in SUITS.items():
        buttons = [
            Button(coin, _value(coin.args[0][1])) for coin in coins if coin.args[0][0] == suit
        ]
        lines += rows_of(buttons, _(name), emoji_name(suit))
    spaces = [action for action in actions if action.verb in SPACE_VERBS and action.args[1:]]
    named = len({space.args[0] for space in spaces}) > 1
    spaces.sort(key=steps_home(view))
    others = [
        Button(
            action,
            _jump(view, action, where) if action.verb == "jump" else label(view, action),
            _sign(action),
        )
        for action in actions
        if action.verb not in ("move", *SPACE_VERBS)
    ]
    lines += rows_of(
        [Button(space, label(view, space) if named else space.args[1]) for space in spaces],
        most=BUTTONS_PER_ROW if named else NUMBERS_PER_ROW,
    )
    return (*lines, *rows_of(others))


def window(view: WormholesView, actions: Sequence[Action], style: Style) -> tuple[Row, ...]:
    """Return the moves of both ships, if both have several; empty otherwise."""
    where = layout(style, view.seat)
    lines: list[Row] = []
    for suit, name in SUITS.items():
        moves = [action for action in actions if action.verb == "move" and action.args[0] == suit]
        buttons = [Button(move, _jump(view, move, where)) for move in moves]
        value = next((die.value for die in view.dice if die.suit == suit), "")
        if len(buttons) > 1:
            lines.append(Row(f"{_(name)} {value}", tuple(buttons)))
    return tuple(lines) if len(lines) > 1 else ()


def _jump(view: WormholesView, action: Action, where: Layout) -> str:
    """Return the arrow of a jump or move and its end."""
    return f"{ARROWS[where.way(action.args[1])]}{TEXT_VARIATION} {end_of(view, action)}"


def _square(view: WormholesView, suit: str, actions: Sequence[Action], where: Layout) -> list[Row]:
    moves = [action for action in actions if action.verb == "move" and action.args[0] == suit]
    if not moves:
        return []
    ways = {where.way(move.args[1]): move for move in moves}
    ship_space = next(ship.space for ship in view.ships if ship.suit == suit)
    cells = [_button(view, ways.get(step), arrow, ship_space) for step, arrow in ARROWS.items()]
    lines = [tuple(cells[start : start + 3]) for start in (0, 3, 6)]
    lines = [line for line in lines if any(cell.action for cell in line)]
    used = [place for place in range(3) if any(line[place].action for line in lines)]
    lines = [line[used[0] : used[-1] + 1] for line in lines]
    value = next(die.value for die in view.dice if die.suit == suit)
    first, *more = lines
    return [
        Row(f"{suit_name(suit)} {value}", first, emoji_name(suit)),
        *(Row("", line) for line in more),
    ]


def emoji_name(suit: str) -> str:
    """Return the name of a suit's emoji."""
    return f"wormholes_{SUITS[suit].lower()}"


def _sign(action: Action) -> str:
    """Return the sign of the ship that acts, or of the coin."""
    suit = action.args[0][0] if action.args else ""
    return emoji_name(suit) if suit in SUITS else ""


def _button(view: WormholesView, action: Action | None, arrow: str, start: str) -> Button:
    """Return the button of a direction: its target, the ship's space, or dashes if illegal."""
    if action or arrow == ARROWS[0, 0]:
        space = end_of(view, action) if action else start
        return Button(
            action, f"{arrow}{TEXT_VARIATION} {space.rjust(SPACE_NAME_WIDTH, FIGURE_SPACE)}"
        )
    return Button(None, f"{arrow}{TEXT_VARIATION} {FIGURE_DASH * SPACE_NAME_WIDTH}")


def _value(value: str) -> str:
    """Return a coin's value with the number that the picture shows, if it has another name."""
    name = value_name(value)
    return f"{value} ({name})" if value == ACE else name
