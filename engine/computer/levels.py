"""The four levels: how much a player overlooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.computer.games import support_of
from engine.computer.reasons import AS_GOOD, Reason
from engine.computer.situation import MAX_REASONS, SCALE, Choice, Situation
from engine.computer.weights import weight_of
from engine.game import Action, RandomSource
from engine.i18n import N_

CLOSE = SCALE // 200
"""Actions whose values differ by less look equally good."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength.

    Attributes:
        rank: rank among the levels, from 0.
        nodes: maximum number of positions that it evaluates.
    """

    rank: int
    nodes: int

    def choose(self, situation: Situation, draw: RandomSource, nodes: int) -> Choice:
        """Rate the actions, and choose among them by what each would lose."""
        support = support_of(situation.game)
        rated = support.rate(situation, draw, min(nodes, self.nodes))
        best = max(value for value, _ in rated)
        temperature = support.temperatures[self.rank] * support.slope(best) // 100
        wasteful = support.wasteful(situation)
        weights = [
            0 if value < best and action in wasteful else weight_of(best - value, temperature)
            for value, action in rated
        ]
        value, action = rated[_draw_by_weight(weights, draw)]
        reasons = support.explain(situation, action) or _compared(situation, rated, action)
        return Choice(action, min(max(value, 0), SCALE), tuple(reasons[:MAX_REASONS]))

    def explained(
        self, situation: Situation, choice: Choice, draw: RandomSource, nodes: int
    ) -> Choice:
        """Return another choice that wins as surely, if that has a reason of its own.

        A person would take a sure win that comes later for an aimless move.

        Args:
            choice: what this level has chosen.
        """
        if choice.reasons != (AS_GOOD,) or choice.value <= SCALE - CLOSE:
            return choice
        support = support_of(situation.game)
        for value, action in support.rate(situation, draw, min(nodes, self.nodes)):
            if value > SCALE - CLOSE and (reasons := support.explain(situation, action)):
                return Choice(action, min(value, SCALE), tuple(reasons[:MAX_REASONS]))
        return choice


def _compared(
    situation: Situation, rated: Sequence[tuple[int, Action]], choice: Action
) -> list[Reason]:
    """Return a comparison with the other actions as reasons; none if another one looks better."""
    if len(situation.legal) == 1:
        return [Reason(N_("nothing else is possible"))]
    values = {action: value for value, action in rated}
    value = values.pop(choice)
    lead = value - max(values.values(), default=value)
    if lead <= -CLOSE:
        return []
    return [AS_GOOD if lead < CLOSE else Reason(N_("it looks best"))]


def _draw_by_weight(weights: Sequence[int], draw: RandomSource) -> int:
    number = draw(sum(weights))
    for place, weight in enumerate(weights):
        number -= weight
        if number < 0:
            return place
    return len(weights) - 1


LEVELS = {
    "cadet": Level(0, 40),
    "navigator": Level(1, 100),
    "captain": Level(2, 200),
    "admiral": Level(3, 2000),
}
"""By name, the weakest first."""
