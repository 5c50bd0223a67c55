"""Reasons of computer players in tests."""

from __future__ import annotations

from engine.computer.games import COMPUTER_SUPPORT
from engine.computer.reasons import Amount, Reason
from engine.computer.situation import Situation
from engine.game import Action, AnyGame


def situation(game: AnyGame, state: object) -> Situation:
    """Return the situation of the seat that decides, as if it knew the position."""
    legal = tuple(game.legal(state))
    return Situation(game, legal[0].actor, legal, state)


def explained(game: AnyGame, state: object, line: str) -> list[str]:
    """Return the reasons for a legal action, in English."""
    decision, action = situation(game, state), Action.parse(line)
    assert action in decision.legal
    return [str(reason) for reason in COMPUTER_SUPPORT[game.name].explain(decision, action)]


def rounds_to(reason: Reason, templates: Amount, amount: float, unit: int) -> bool:
    """Return whether a reason about an amount is true; reasons with other templates are."""
    if reason.template not in templates:
        return True
    number = int(str(reason.fields.get("count", 1)))
    low = 0.25 if reason.template == templates.little else number - 0.5
    high = 0.5 if reason.template == templates.little else number + 0.5
    return low <= amount / unit <= high
