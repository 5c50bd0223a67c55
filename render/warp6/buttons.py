"""Buttons of Warp 6: all moves, warps first; below in grey, changes that gain something."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.warp6.board import CENTRE
from engine.warp6.view import Warp6View
from render.i18n import _
from render.renderer import EITHER, Button, Row, minor_rows_of, rows_of
from render.warp6.courses import course, die_named
from render.warp6.words import CHANGES, WARPS, changed_die, label, new_number, short_label

CHANGES_IN_SIGHT = 2
"""Maximum number of changes beside moves: those after which a die can leave, then the farthest."""

NEAR_END = 8
"""A die that needs no more moves than this is near the end of its way."""


def rows(view: Warp6View, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the buttons of a choice.

    Moves, placings and choices narrowed down to changes are whole actions. Beside others, only
    changes that gain something are in sight; the rest is a step further, behind one button,
    unless all changes are as few.
    """
    changes = [action for action in actions if action.verb in CHANGES]
    buttons = [
        Button(action, short_label(view, action)) for action in actions if action not in changes
    ]
    buttons.sort(key=lambda button: WARPS not in button.label)
    heading = _legend(buttons)
    more: list[Button] = []
    if buttons and len(changes) > CHANGES_IN_SIGHT + 1:
        changes = [change for change in changes if _is_gain(view, change)]
        changes.sort(key=lambda change: _rank(view, change), reverse=True)
        del changes[CHANGES_IN_SIGHT:]
        beginning = Action(view.seat, EITHER.join(CHANGES))
        more = [Button(beginning, label(view, beginning))]
    minor = [Button(change, short_label(view, change)) for change in changes]
    why = _why(is_choice=bool(more)) if changes else ""
    if not heading and (legend := _legend(minor)):
        why = f"-# {legend}\n{why}"
    return rows_of(buttons, heading) + minor_rows_of([*minor, *more], why)


def _why(*, is_choice: bool) -> str:
    """Return the heading of changes: whether these are only the best of them."""
    if is_choice:
        return _("The changes that gain most – in brackets, where the die can go next turn:")
    return _("Change a number – in brackets, where the die can go next turn:")


def _legend(buttons: Sequence[Button]) -> str:
    """Return the meaning of the sign of a warp; empty if none of these buttons has it."""
    if not any(WARPS in button.label for button in buttons):
        return ""
    return _("{sign} = warps inward").format(sign=WARPS)


def _is_gain(view: Warp6View, change: Action) -> bool:
    """Return whether a change leads to farther warps, or saves a move near the end of the way."""
    die, number = die_named(view, change.args[0]), new_number(view, change)
    before, after = (-(-die.space // value) for value in (int(die.number), number))
    return _gain(view, change)[0] > 1 or after + 1 < before <= NEAR_END


def _rank(view: Warp6View, change: Action) -> tuple[bool, tuple[int, int]]:
    """Return whether the die of a change can leave with its next move, and `_gain`."""
    leaves = course(view, changed_die(view, change)).end == CENTRE
    return leaves, _gain(view, change)


def _gain(view: Warp6View, change: Action) -> tuple[int, int]:
    """Return the spaces that a change adds to the next move of its die, and those of that move."""
    die = die_named(view, change.args[0])
    way = die.space - course(view, changed_die(view, change)).end
    return way - (die.space - course(view, die).end), way
