"""Which choices are made in both worlds: the same ones, but for the values of Ada's coins."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random
from typing import Any

from engine.game import Action
from engine.wormholes.board import INDEX, XY
from engine.wormholes.view import WormholesView
from tests.support.wormholes.positions import GAME

SWAPPED = dict(zip("012345", "354102", strict=True))
"""Value of a coin of Ada's → its value in the other world."""


def coins_lying(state: Any, suits: str) -> set[tuple[str, str]]:
    """Return the places of coins of these suits with the suit up, as the public sees them."""
    coins = GAME.view(state).coins
    return {(coin.space, coin.suit) for coin in coins if coin.up == "suit" and coin.suit in suits}


def next_choice(state: Any, random: Random, *, swapped: bool) -> Action | None:
    """Return the same choice in both worlds, one that turns over no coin of Ada's.

    A coin of Bo's is turned over where that is possible; the match never ends by a choice.
    """
    view = GAME.view(state, GAME.pending(state))
    # In the order of the values before the swap, so that both worlds draw alike.
    back = {new: old for old, new in SWAPPED.items()} if swapped else {}
    legal = sorted(view.legal, key=lambda action: renamed(action, back))
    if legal and legal[0].verb == "place":  # far from the ships, so that the match can go on
        far = sorted(legal, key=lambda action: _nearness(view, action.args[1]))
        return random.choice(far[: len(far) // 3])
    ends = {action: GAME.apply(state, action)[0] for action in legal}
    adas, bos = coins_lying(state, "SM"), coins_lying(state, "CA")
    kept = [
        action
        for action in legal
        if not (GAME.result(ends[action]) or adas - coins_lying(ends[action], "SM"))
    ]
    turning = [action for action in kept if bos - coins_lying(ends[action], "CA")]
    return random.choice(turning or kept) if kept else None


def _nearness(view: WormholesView, space: str) -> int:
    x, y = XY[INDEX[space]]
    ships = [XY[INDEX[ship.space]] for ship in view.ships]
    return -min(max(abs(x - ship[0]), abs(y - ship[1])) for ship in ships)


def renamed(action: Action, values: Mapping[str, str]) -> Action:
    """Return an action with other values of coins."""
    if action.verb != "place" or not values:
        return action
    coin, *rest = action.args
    return action._replace(args=(coin[0] + values[coin[1]], *rest))
