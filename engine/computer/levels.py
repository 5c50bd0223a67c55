"""The four levels: how much a player overlooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.computer.games import KNOWLEDGE
from engine.computer.situation import SCALE, Choice, Situation
from engine.game import RandomSource

WHOLE = 1 << 40
"""Weight of the best action."""


@dataclass(frozen=True, slots=True)
class Level:
    """A strength.

    Attributes:
        rank: its place among the levels, from 0.
        nodes: how many positions it evaluates at most, of those that it may.
    """

    rank: int
    nodes: int

    def choose(self, situation: Situation, draw: RandomSource, nodes: int) -> Choice:
        """Rate the actions, and choose among them by what each would lose."""
        knowledge = KNOWLEDGE[situation.game.name]
        rated = knowledge.rate(situation, draw, min(nodes, self.nodes))
        best = max(value for value, _ in rated)
        halving = knowledge.halvings[self.rank]
        weights = [_weight(best - value, halving) for value, _ in rated]
        value, action = rated[_draw_by_weight(weights, draw)]
        return Choice(action, min(max(value, 0), SCALE))


def _weight(loss: int, halving: int) -> int:
    """Return how likely an action is that loses so much, the best one being `WHOLE`."""
    if not halving:
        return WHOLE if not loss else 0
    halvings, rest = divmod(loss, halving)
    return (WHOLE >> halvings) * (2 * halving - rest) // (2 * halving)


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
