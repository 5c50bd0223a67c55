"""Buttons of Warp 6: all moves, warps first; the changes below them behind one grey button."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.warp6.view import Warp6View
from render.i18n import _
from render.renderer import EITHER, Button, Row, minor_rows_of, rows_of
from render.warp6.words import CHANGES, WARPS, label, short_label


def rows(view: Warp6View, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the buttons of a choice.

    Moves, placings and choices narrowed down to changes are whole actions. Beside others, several
    changes are a step further, behind one button.
    """
    changes = [action for action in actions if action.verb in CHANGES]
    buttons = [
        Button(action, short_label(view, action)) for action in actions if action not in changes
    ]
    buttons.sort(key=lambda button: WARPS not in button.label)
    warps = any(WARPS in button.label for button in buttons)
    heading = _("{sign} = warps inward").format(sign=WARPS) if warps else ""
    minor = [Button(change, short_label(view, change)) for change in changes]
    if buttons and len(changes) > 1:
        beginning = Action(view.seat, EITHER.join(CHANGES))
        minor = [Button(beginning, label(view, beginning))]
    return rows_of(buttons, heading) + minor_rows_of(minor)
