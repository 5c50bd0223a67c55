"""Buttons of Warp 6: all moves and the changes that gain most; the others are a step further."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.warp6.view import Warp6View
from render.i18n import _
from render.renderer import Button, Row, rows_of
from render.warp6.courses import course, course_by, die_named
from render.warp6.words import WARPS, label, new_number, short_label

CHANGES = ("up", "down")
"""Verbs that change a number."""

MAX_CHANGES, GAINING = 9, 6
"""Maximum number of changes beside moves, and number of those shown if there are more."""


def rows(view: Warp6View, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the buttons of a choice.

    Moves, placings and choices narrowed down to one verb are whole actions. Beside moves, some
    changes are only their verbs: all three for nine dice would be more than a message can hold.
    """
    verbs = {action.verb for action in actions}
    changes = [action for action in actions if action.verb in CHANGES]
    buttons = [
        Button(action, short_label(view, action)) for action in actions if action not in changes
    ]
    warps = any(WARPS in button.label for button in buttons)
    heading = _("{sign} = warps inward").format(sign=WARPS) if warps else ""
    beginnings: list[Action] = []
    if len(verbs) > 1 and len(changes) > MAX_CHANGES:
        gaining = _gaining(view, changes, GAINING)
        others = {change.verb for change in changes if change not in gaining}
        beginnings = [Action(view.seat, verb) for verb in CHANGES if verb in others]
        changes = gaining
    numbers = [Button(change, short_label(view, change)) for change in changes]
    more = [Button(action, label(view, action)) for action in beginnings]
    return rows_of(buttons, heading) + rows_of(numbers) + rows_of(more)


def _gaining(view: Warp6View, changes: Sequence[Action], count: int) -> list[Action]:
    """Return the changes that let a die's next move gain most, in their order."""
    best = sorted(changes, key=lambda change: _gain(view, change), reverse=True)[:count]
    return [change for change in changes if change in best]


def _gain(view: Warp6View, change: Action) -> int:
    """Return by how many spaces the next move of a die would go further after a change."""
    die = die_named(view, change.args[0])
    return course(view, die).end - course_by(view, die, new_number(view, change)).end
