"""The registry of what computer players know of each game."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.computer.tomtube.ranking import rank as rank_tomtube
from engine.computer.warp6.ranking import rank as rank_warp6
from engine.computer.wormholes.ranking import rank as rank_wormholes
from engine.game import Action

Rank = Callable[[Any, Action], int]
"""How good an action looks in a position; more is better."""

RANKS: dict[str, Rank] = {
    "wormholes": rank_wormholes,
    "warp6": rank_warp6,
    "tomtube": rank_tomtube,
}
"""By name of the game."""
