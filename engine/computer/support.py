"""What computer players know of a game: the functions and figures that its package gives them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from typing import Any, NamedTuple, Protocol

from engine.computer.reasons import Reason
from engine.computer.shares import Shares
from engine.computer.situation import Situation
from engine.game import Action, RandomSource

Rank = Callable[[Any, Action], int]
"""Returns a rank for an action in a position; higher is better."""

ScoreActions = Callable[[Situation, RandomSource, int], list[tuple[int, Action]]]
"""Returns the actions worth choosing, with expected scores; the number limits evaluations."""

Explanation = Callable[[Situation, Action], list[Reason]]
"""Returns reasons for an action, the most important first, by what its seat knows."""

Wasteful = Callable[[Situation], Collection[Action]]
"""Returns actions that waste something for nothing, so that no person would choose them."""


Slope = Callable[[int], int]
"""Returns how fast the score changes at a score, in hundredths of an even position's."""


def steady_slope(_score: int) -> int:
    """Return the same slope at every score."""
    return 100


def nothing_wasteful(_situation: Situation) -> Collection[Action]:
    """Return no actions."""
    return ()


class Values(Protocol):
    """What positions and decisions of a game are worth, as an analysis judges them."""

    def expected_scores(self, state: Any) -> Shares:
        """Return the expected scores in a known position.

        Before a chance event they are those before it, where `outcomes` are not averaged.
        """

    def outcomes(self, state: Any) -> Iterable[Action]:
        """Return the equally likely outcomes of a chance event; nothing if it is not judged."""

    def score_choices(
        self, situation: Situation, choice: Action, draw: RandomSource, nodes: int, /
    ) -> list[tuple[int, Action]]:
        """Return actions worth choosing, and the one that was made, with the score after each.

        Args:
            situation: a decision, by what its seat knew.
            choice: the action that was chosen.
            draw: random source for facts unknown to the seat.
            nodes: maximum positions to evaluate.

        Returns:
            nothing if no action is known to be better than another.
        """


class ComputerSupport(NamedTuple):
    """The functions and figures that computer players use in a game.

    Attributes:
        rank: ranks an action for the greedy player.
        rate: rates the actions for the levels.
        explain: gives reasons for an action that has been chosen.
        temperatures: for each level the loss of score that makes an action half as likely as the
            best one, in an even position; 0 for a level that always chooses the best it finds.
        values: judges positions and decisions after a match.
        error_rates: for each level the mean loss of a decision in winning chances, from 0 to 1;
            measured by `tools/errors.py`.
        slope: of the score; where it is small, the temperatures are lower in proportion.
        wasteful: names actions that no level chooses unless it finds none that is better.
    """

    rank: Rank
    rate: ScoreActions
    explain: Explanation
    temperatures: tuple[int, int, int, int]
    values: Values
    error_rates: tuple[float, float, float, float]
    slope: Slope = steady_slope
    wasteful: Wasteful = nothing_wasteful
