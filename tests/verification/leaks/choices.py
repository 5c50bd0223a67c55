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
    """Return where coins of these suits lie with the suit up, as the public sees it."""
    coins = GAME.view(state).coins
    return {(coin.space, coin.suit) for coin in coins if coin.up == "suit" and coin.suit in suits}


def next_choice(state: Any, random: Random, *, swapped: bool) -> Action | None:
    """Return the same choice in both worlds, one that turns over no coin of Ada's.

    A coin of Bo's is turned over where that is possible; the match never ends by a choice.
    """
    view = GAME.view(state, GAME.pending(state))
    # In the order of the values before the swap, so that both worlds draw alike.
    back = {new: old for old, new in SWAPPED.items()} if swapped else {}
    legal = sorted(view.legal, key=lambda each: renamed(each, back))
    if legal and legal[0].verb == "place":  # far from the ships, so that the match can go on
        far = sorted(legal, key=lambda each: _nearness(view, each.args[1]))
        return random.choice(far[: len(far) // 3])
    ends = {each: GAME.apply(state, each)[0] for each in legal}
    adas, bos = coins_lying(state, "SM"), coins_lying(state, "CA")
    kept = [
        each
        for each in legal
        if not (GAME.result(ends[each]) or adas - coins_lying(ends[each], "SM"))
    ]
    turning = [each for each in kept if bos - coins_lying(ends[each], "CA")]
    return random.choice(turning or kept) if kept else None


def _nearness(view: WormholesView, space: str) -> int:
    x, y = XY[INDEX[space]]
    ships = [XY[INDEX[ship.space]] for ship in view.ships]
    return -min(max(abs(x - each[0]), abs(y - each[1])) for each in ships)


def renamed(action: Action, values: Mapping[str, str]) -> Action:
    """Return an action with other values of coins."""
    if action.verb != "place" or not values:
        return action
    coin, *rest = action.args
    return action._replace(args=(coin[0] + values[coin[1]], *rest))
