"""Hints in words: what a computer player would choose, and why."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.computer.reasons import AS_GOOD, Reason
from engine.game import Action, View
from render import for_game
from render.i18n import _, fill_in, format_clauses

Reasons = Sequence[Reason]


def hint_text(
    view: View,
    action: Action,
    reasons: Reasons,
    *,
    players: Mapping[str, str] | None = None,
    is_drawn: bool = False,
) -> str:
    """Return a hint in the current language; the action is described as its button is.

    Args:
        view: view of the seat that decides.
        action: the choice of a computer player.
        reasons: reasons for the choice.
        players: seat → name, for pieces and places that are named with their player.
        is_drawn: whether the action is drawn on the picture beside the hint.
    """
    renderer = for_game(view.game)
    label = (
        renderer.drawn_label(view, action, players) if is_drawn else renderer.label(view, action)
    )
    if [*reasons] == [AS_GOOD]:
        return _("Nothing stands out here: **{action}** is as good as any.").format(action=label)
    why = reasons_text(view.game, reasons, players=players)
    words = _("My choice: **{action}** – {reasons}.") if why else _("My choice: **{action}**.")
    return words.format(action=label, reasons=why)


def reasons_text(
    game: str,
    reasons: Reasons,
    names: Mapping[str, str] | None = None,
    *,
    players: Mapping[str, str] | None = None,
) -> str:
    """Return reasons in the current language, as clauses; empty if there are none.

    Args:
        game: game whose names the words get.
        reasons: reasons for a player's choice.
        names: `player` and `opponent`, for other readers; without them the player is addressed.
        players: seat → name, for pieces that are named with their player.
    """
    name = for_game(game).name
    return format_clauses(
        fill_in(
            (names and reason.named) or reason.template,
            {field: name(str(word), players) for field, word in reason.fields.items()}
            | dict(names or {}),
        )
        for reason in reasons
    )
