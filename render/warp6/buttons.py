"""Buttons of Warp 6: all moves, and one button for each kind of change, which leads to the dice."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.warp6.view import Warp6View
from render.i18n import _
from render.renderer import Button, Row, rows_of
from render.warp6.words import WARPS, label, short_label

CHANGES = ("up", "down")
"""Verbs that change a number."""


def rows(view: Warp6View, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the buttons of a choice.

    Moves, placings and choices narrowed down to one verb are whole actions. Beside moves a
    change is only its verb: all three for nine dice would be more than a message can hold.
    """
    verbs = {action.verb for action in actions}
    whole = [a for a in actions if len(verbs) == 1 or a.verb not in CHANGES]
    buttons = [Button(action, short_label(view, action)) for action in whole]
    if len(verbs) == 1:
        return rows_of(buttons)
    changes = [Action(view.seat, verb) for verb in CHANGES if verb in verbs]
    warps = any(WARPS in button.label for button in buttons)
    heading = _("{sign}: it warps").format(sign=WARPS) if warps else ""
    return rows_of(buttons, heading) + rows_of(
        [Button(each, label(view, each)) for each in changes]
    )
