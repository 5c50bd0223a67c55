"""Buttons of Warp 6: all moves, and one button for each kind of change, which leads to the dice."""

from __future__ import annotations

from collections.abc import Sequence

from engine.game import Action
from engine.warp6.view import Warp6View
from render.i18n import N_, _
from render.renderer import BUTTONS_PER_ROW, Button, Row
from render.warp6.words import label

GROUP_LABELS = {"up": N_("Raise a number …"), "down": N_("Lower a number …")}
"""Labels of the verbs that change a number; their buttons lead to the dice."""


def rows(view: Warp6View, actions: Sequence[Action]) -> tuple[Row, ...]:
    """Return the buttons of a choice.

    Moves, placings and choices narrowed down to one verb are whole actions. Beside moves a
    change is only its verb: all three for nine dice would be more than a message can hold.
    """
    verbs = {action.verb for action in actions}
    whole = [a for a in actions if len(verbs) == 1 or a.verb not in GROUP_LABELS]
    buttons = [Button(action, label(view, action)) for action in whole]
    found = [
        Row("", tuple(buttons[i : i + BUTTONS_PER_ROW]))
        for i in range(0, len(buttons), BUTTONS_PER_ROW)
    ]
    if len(verbs) > 1:
        changes = tuple(
            Button(Action(view.seat, verb), _(words))
            for verb, words in GROUP_LABELS.items()
            if verb in verbs
        )
        found.append(Row("", changes))
    return tuple(found)
