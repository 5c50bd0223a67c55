"""Hints in words: what a computer player would choose, and why."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from engine.game import Action, View
from render import for_game
from render.i18n import _, fill_in


def hint_text(game: str, view: View, answer: Mapping[str, Any]) -> str:
    """Return a hint in the current language; the action is described as its button is.

    Args:
        game: its name.
        view: of the seat that decides.
        answer: of a computer player to a request `choose`, see `engine.computer.protocol`.
    """
    action = Action.parse(f"{view.seat} {answer['line']}")
    label = for_game(game).label(view, action)
    reasons = "; ".join(fill_in(template, fields) for template, fields in answer["reasons"])
    words = _("I'd play **{action}**: {reasons}.") if reasons else _("I'd play **{action}**.")
    return words.format(action=label, reasons=reasons)
