"""The registry of the games that computer players know."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from engine.computer.reasons import Reason
from engine.computer.situation import Situation
from engine.computer.tomtube.player import rate as rate_tomtube
from engine.computer.tomtube.ranking import rank as rank_tomtube
from engine.computer.tomtube.reasons import explain as explain_tomtube
from engine.computer.warp6.player import rate as rate_warp6
from engine.computer.warp6.ranking import rank as rank_warp6
from engine.computer.warp6.reasons import explain as explain_warp6
from engine.computer.wormholes.player import rate as rate_wormholes
from engine.computer.wormholes.ranking import rank as rank_wormholes
from engine.computer.wormholes.reasons import explain as explain_wormholes
from engine.game import Action, RandomSource

Rank = Callable[[Any, Action], int]
"""Returns a rank for an action in a position; higher is better."""

Rating = Callable[[Situation, RandomSource, int], list[tuple[int, Action]]]
"""Returns the actions worth choosing, with expected scores; the number limits evaluations."""


Explanation = Callable[[Situation, Action], list[Reason]]
"""Returns reasons for an action, the most important first, by what its seat knows."""


class Knowledge(NamedTuple):
    """The functions and figures by which computer players play a game.

    Attributes:
        rank: ranks an action for the greedy player.
        rate: rates the actions for the levels.
        explain: gives reasons for an action that has been chosen.
        halvings: for each level the loss of score that makes an action half as likely as the
            best one; 0 for a level that always chooses the best it finds.
    """

    rank: Rank
    rate: Rating
    explain: Explanation
    halvings: tuple[int, int, int, int]


KNOWLEDGE = {
    "wormholes": Knowledge(rank_wormholes, rate_wormholes, explain_wormholes, (1500, 500, 200, 0)),
    "warp6": Knowledge(rank_warp6, rate_warp6, explain_warp6, (800, 250, 80, 0)),
    "tomtube": Knowledge(rank_tomtube, rate_tomtube, explain_tomtube, (800, 300, 120, 0)),
}
"""By name of the game."""
