"""The registry of the games that computer players know."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, NamedTuple, Protocol

from engine.computer.reasons import Reason
from engine.computer.shares import Shares
from engine.computer.situation import Situation
from engine.computer.tomtube import values as tomtube_values
from engine.computer.tomtube.player import rate as rate_tomtube
from engine.computer.tomtube.ranking import rank as rank_tomtube
from engine.computer.tomtube.reasons import explain as explain_tomtube
from engine.computer.warp6 import values as warp6_values
from engine.computer.warp6.player import rate as rate_warp6
from engine.computer.warp6.ranking import rank as rank_warp6
from engine.computer.warp6.reasons import explain as explain_warp6
from engine.computer.wormholes import values as wormholes_values
from engine.computer.wormholes.player import rate as rate_wormholes
from engine.computer.wormholes.ranking import rank as rank_wormholes
from engine.computer.wormholes.reasons import explain as explain_wormholes
from engine.game import Action, RandomSource

Rank = Callable[[Any, Action], int]
"""Returns a rank for an action in a position; higher is better."""

ScoreActions = Callable[[Situation, RandomSource, int], list[tuple[int, Action]]]
"""Returns the actions worth choosing, with expected scores; the number limits evaluations."""

Explanation = Callable[[Situation, Action], list[Reason]]
"""Returns reasons for an action, the most important first, by what its seat knows."""


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
            best one; 0 for a level that always chooses the best it finds.
        values: judges positions and decisions after a match.
        error_rates: for each level the mean loss of a decision in winning chances, from 0 to 1;
            measured by `tools/errors.py`.
    """

    rank: Rank
    rate: ScoreActions
    explain: Explanation
    temperatures: tuple[int, int, int, int]
    values: Values
    error_rates: tuple[float, float, float, float]


COMPUTER_SUPPORT = {
    "wormholes": ComputerSupport(
        rank=rank_wormholes,
        rate=rate_wormholes,
        explain=explain_wormholes,
        temperatures=(800, 450, 180, 0),
        values=wormholes_values,
        error_rates=(0.0202, 0.0127, 0.0061, 0.0017),
    ),
    "warp6": ComputerSupport(
        rank=rank_warp6,
        rate=rate_warp6,
        explain=explain_warp6,
        temperatures=(240, 140, 80, 0),
        values=warp6_values,
        error_rates=(0.0127, 0.0081, 0.0044, 0.0),
    ),
    "tomtube": ComputerSupport(
        rank=rank_tomtube,
        rate=rate_tomtube,
        explain=explain_tomtube,
        temperatures=(240, 160, 90, 0),
        values=tomtube_values,
        error_rates=(0.0135, 0.0088, 0.0043, 0.0002),
    ),
}
"""By name of the game."""
