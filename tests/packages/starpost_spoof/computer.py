"""A computer player for Spoof: its guesses can be right beside its own coins."""

from __future__ import annotations

from engine.computer.plain import support_by_score
from engine.computer.situation import SCALE
from engine.game import Action

from .rules import SEATS, State


def score(state: State, action: Action) -> int:
    """Return the score of an action: a guess wins if it is right."""
    if action.verb == "hold":
        return SCALE // 2
    return SCALE if int(action.args[0]) == sum(map(int, state.hands)) else SCALE // 3


SUPPORT = support_by_score(SEATS, score)
"""See `ComputerSupport`."""
