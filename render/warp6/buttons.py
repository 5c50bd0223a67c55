"""Buttons of Warp 6: all moves, warps first; below in grey, the changes that gain most."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.warp6.view import Warp6View
from render.i18n import _
from render.renderer import EITHER, Button, Row, minor_rows_of, rows_of
from render.warp6.courses import course, course_by, die_named
from render.warp6.words import CHANGES, WARPS, label, new_number, short_label

MAX_CHANGES, GAINING = 9, 6
"""Maximum number of changes beside moves, and number of those shown if there are more."""


def rows(view: Warp6View, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the buttons of a choice.

    Moves, placings and choices narrowed down to changes are whole actions. Beside moves, most
    changes are a step further, behind one button.
    """
    changes = [action for action in actions if action.verb in CHANGES]
    buttons = [
        Button(action, short_label(view, action)) for action in actions if action not in changes
    ]
    buttons.sort(key=lambda button: WARPS not in button.label)
    warps = any(WARPS in button.label for button in buttons)
    heading = _("{sign} = warps inward").format(sign=WARPS) if warps else ""
    more: list[Button] = []
    if buttons and len(changes) > MAX_CHANGES:
        changes = _gaining(view, changes, GAINING)
        beginning = Action(view.seat, EITHER.join(CHANGES))
        more = [Button(beginning, label(view, beginning))]
    numbers = [Button(change, short_label(view, change)) for change in changes]
    return rows_of(buttons, heading) + minor_rows_of([*numbers, *more])


def _gaining(view: Warp6View, changes: Sequence[Action], count: int) -> list[Action]:
    """Return the changes that let a die's next move gain most, in their order."""
    best = sorted(changes, key=lambda change: _gain(view, change), reverse=True)[:count]
    return [change for change in changes if change in best]


def _gain(view: Warp6View, change: Action) -> int:
    """Return by how many spaces the next move of a die would go further after a change."""
    die = die_named(view, change.args[0])
    return course(view, die).end - course_by(view, die, new_number(view, change)).end
