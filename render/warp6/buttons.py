"""Buttons of Warp 6: all moves, warps first; below in grey, two changes and the way to the rest."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.warp6.view import Warp6View
from render.i18n import _
from render.renderer import EITHER, Button, Row, minor_rows_of, rows_of
from render.warp6.courses import course, die_named
from render.warp6.words import CHANGES, WARPS, label, new_number, short_label

CHANGES_IN_SIGHT = 2
"""Number of changes beside moves, those that gain most: two of three that good players choose."""


def rows(view: Warp6View, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the buttons of a choice.

    Moves, placings and choices narrowed down to changes are whole actions. Beside others, most
    changes are a step further, behind one button, unless only one would be.
    """
    changes = [action for action in actions if action.verb in CHANGES]
    buttons = [
        Button(action, short_label(view, action)) for action in actions if action not in changes
    ]
    buttons.sort(key=lambda button: WARPS not in button.label)
    warps = any(WARPS in button.label for button in buttons)
    heading = _("{sign} = warps inward").format(sign=WARPS) if warps else ""
    more: list[Button] = []
    why = ""
    if buttons and len(changes) > CHANGES_IN_SIGHT + 1:
        changes.sort(key=lambda change: _gain(view, change), reverse=True)
        del changes[CHANGES_IN_SIGHT:]
        beginning = Action(view.seat, EITHER.join(CHANGES))
        more = [Button(beginning, label(view, beginning))]
        why = _("Or change a number – these two gain the most spaces:")
    minor = [Button(change, short_label(view, change)) for change in changes]
    return rows_of(buttons, heading) + minor_rows_of([*minor, *more], why)


def _gain(view: Warp6View, change: Action) -> tuple[int, int]:
    """Return the spaces that a change adds to the next move of its die, and those of that move."""
    die = die_named(view, change.args[0])
    changed = die._replace(number=str(new_number(view, change)))
    way = die.space - course(view, changed).end
    return way - (die.space - course(view, die).end), way
