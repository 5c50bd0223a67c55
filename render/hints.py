"""Hints in words: what a computer player would choose, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from engine.game import Action, View
from render import for_game
from render.i18n import _, fill_in

Reasons = Sequence[tuple[str, Mapping[str, Any]]]
"""Templates with their fields, see `engine.computer.reasons`."""


def hint_text(view: View, action: Action, reasons: Reasons) -> str:
    """Return a hint in the current language; the action is described as its button is.

    Args:
        view: of the seat that decides.
        action: the choice of a computer player.
        reasons: what speaks for it.
    """
    label, why = for_game(view.game).label(view, action), reasons_text(view.game, reasons)
    words = _("I'd choose **{action}** – {reasons}.") if why else _("I'd choose **{action}**.")
    return words.format(action=label, reasons=why)


def reasons_text(game: str, reasons: Reasons) -> str:
    """Return reasons in the current language, as clauses; empty if there are none."""
    name = for_game(game).name
    return "; ".join(
        fill_in(template, {field: name(str(word)) for field, word in fields.items()})
        for template, fields in reasons
    )
