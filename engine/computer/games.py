"""The registry of each game's ranking for computer players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.computer.situation import Situation
from engine.computer.tomtube.player import rate as rate_tomtube
from engine.computer.tomtube.ranking import rank as rank_tomtube
from engine.computer.warp6.player import rate as rate_warp6
from engine.computer.warp6.ranking import rank as rank_warp6
from engine.computer.wormholes.player import rate as rate_wormholes
from engine.computer.wormholes.ranking import rank as rank_wormholes
from engine.game import Action, RandomSource

Rank = Callable[[Any, Action], int]
"""Returns a rank for an action in a position; higher is better."""

Rating = Callable[[Situation, RandomSource, int], list[tuple[int, Action]]]
"""Returns the actions worth choosing, with expected scores; the number limits evaluations."""

RATINGS: dict[str, Rating] = {
    "wormholes": rate_wormholes,
    "warp6": rate_warp6,
    "tomtube": rate_tomtube,
}
"""By name of the game; for the levels."""

RANKS: dict[str, Rank] = {
    "wormholes": rank_wormholes,
    "warp6": rank_warp6,
    "tomtube": rank_tomtube,
}
"""By name of the game; for greedy."""

HALVINGS: dict[str, tuple[int, int, int, int]] = {
    "wormholes": (1500, 500, 200, 0),
    "warp6": (800, 250, 80, 0),
    "tomtube": (800, 300, 120, 0),
}
"""By name of the game, for each level: the loss of score that makes an action half as likely as
the best one; 0 for a level that always chooses the best it finds."""
