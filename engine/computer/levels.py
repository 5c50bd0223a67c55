"""The four levels: how much a player overlooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.computer.games import RATINGS
from engine.computer.situation import Choice, Situation
from engine.game import RandomSource

WHOLE = 1 << 40
"""Weight of the best action."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength.

    Attributes:
        halving: an action that is worse by this much of the score is half as likely; 0 for a
            player that always chooses the best it finds.
        nodes: how many positions it evaluates at most, of those that it may.
    """

    halving: int
    nodes: int

    def choose(self, situation: Situation, draw: RandomSource, nodes: int) -> Choice:
        """Rate the actions, and choose among them by what each would lose."""
        rate = RATINGS[situation.game.name]
        rated = rate(situation, draw, min(nodes, self.nodes))
        best = max(value for value, _ in rated)
        weights = [self._weight(best - value) for value, _ in rated]
        value, action = rated[_draw_by_weight(weights, draw)]
        return Choice(action, value)

    def _weight(self, loss: int) -> int:
        """Return how likely an action is that loses so much, the best one being `WHOLE`."""
        if not self.halving:
            return WHOLE if not loss else 0
        halvings, rest = divmod(loss, self.halving)
        return (WHOLE >> halvings) * (2 * self.halving - rest) // (2 * self.halving)


def _draw_by_weight(weights: Sequence[int], draw: RandomSource) -> int:
    number = draw(sum(weights))
    for place, weight in enumerate(weights):
        number -= weight
        if number < 0:
            return place
    return len(weights) - 1


LEVELS = {
    "cadet": Level(800, 40),
    "navigator": Level(250, 100),
    "captain": Level(80, 200),
    "admiral": Level(0, 2000),
}
"""By name, the weakest first."""
