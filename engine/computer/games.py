"""The registry of each game's ranking for computer players."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.computer.tomtube.ranking import rank as rank_tomtube
from engine.computer.warp6.ranking import rank as rank_warp6
from engine.computer.wormholes.ranking import rank as rank_wormholes
from engine.game import Action

Rank = Callable[[Any, Action], int]
"""Returns a rank for an action in a position; higher is better."""

RANKS: dict[str, Rank] = {
    "wormholes": rank_wormholes,
    "warp6": rank_warp6,
    "tomtube": rank_tomtube,
}
"""By name of the game."""
