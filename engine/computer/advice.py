"""Advice in a known position, such as a step of a lesson."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from engine.computer.games import support_of
from engine.computer.levels import LEVELS
from engine.computer.reasons import Reason
from engine.computer.situation import MAX_REASONS, SCALE, Choice, Situation
from engine.dice import Dice
from engine.game import Action, AnyGame

_SEED = bytes(32)
"""Every learner gets the same advice."""


def advise(game: AnyGame, state: Any, seat: str, actions: Sequence[Action]) -> Choice:
    """Return the best of some actions, as the strongest level rates them, with its reasons.

    Args:
        game: the game.
        state: the position.
        seat: the seat that decides.
        actions: some of its legal actions, at least one.
    """
    support, nodes = support_of(game), max(level.nodes for level in LEVELS.values())
    draw = Dice(_SEED, seat).draw(0)
    rated = support.rate(Situation(game, seat, tuple(actions), state), draw, nodes)
    candidates = [pair for pair in rated if pair[1] in actions] or [(0, actions[0])]
    value, action = max(candidates, key=lambda pair: pair[0])
    best_reasons = reasons(game, state, seat, action)
    return Choice(action, min(max(value, 0), SCALE), best_reasons)


def reasons(game: AnyGame, state: Any, seat: str, action: Action) -> tuple[Reason, ...]:
    """Return the reasons for an action of a seat in a position."""
    legal = tuple(option for option in game.legal(state) if option.actor == seat)
    explanations = support_of(game).explain(Situation(game, seat, legal, state), action)
    return tuple(explanations[:MAX_REASONS])
