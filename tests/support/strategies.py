"""Strategies of people in tests: straight for the opposing base, or as wildly as possible."""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import Any

from engine.game import Action
from engine.warp6.game import Warp6
from engine.warp6.state import State as Warp6State
from engine.wormholes.board import BASES, ENDS, INDEX, XY
from engine.wormholes.state import State
from engine.wormholes.view import WormholesView
from render.warp6.courses import course, die_named
from tests.support.wormholes.games import wildness
from tests.support.wormholes.positions import GAME

WARP6 = Warp6()

Strategy = Callable[[Any, Random], Action]


def ahead(state: State, random: Random) -> Action:
    """The legal action that brings a ship nearest to the opposing base, or any other one."""
    view = GAME.view(state, GAME.pending(state)[0])
    return min(view.legal, key=lambda action: (_distance(view, action), random.random()))


def wild(state: State, random: Random) -> Action:
    """The legal action that leads to the most jumps and sends."""
    legal = GAME.view(state, GAME.pending(state)[0]).legal
    few = legal if len(legal) <= 40 else random.sample(legal, 40)
    return max(few, key=lambda action: (wildness(state, action), random.random()))


def racing(state: Warp6State, random: Random) -> Action:
    """Any legal action, but no change of a number where a die can move."""
    legal = WARP6.legal(state)
    moves = [action for action in legal if action.verb not in ("up", "down")]
    return random.choice(moves or legal)


def swift(state: Warp6State, random: Random) -> Action:
    """The move that gains most, warps included; anything while there is none."""
    view = WARP6.view(state, WARP6.pending(state)[0])
    moves = [action for action in view.legal if action.verb == "move"]
    if not moves:
        return WARP6.fill(random.choice(view.legal), random.randrange)

    def gain(action: Action) -> int:
        die = die_named(view, action.args[0])
        return die.space - course(view, die).end

    return max(moves, key=lambda action: (gain(action), random.random()))


def _distance(view: WormholesView, action: Action) -> int:
    """Of the acting ship to its goal after the action, in spaces."""
    if action.verb == "first":
        return int(action.args[0] != "place")
    if action.verb == "place":
        x, y = XY[INDEX[action.args[1]]]
        return abs(x - y)
    if action.verb == "ready":
        return 0
    if action.verb != "move":
        return 2 if action.verb in ("keep", "rolls") else 1
    suit, way = action.args
    ship = next(candidate for candidate in view.ships if candidate.suit == suit)
    value = next(int(die.value) for die in view.dice if die.suit == suit)
    if ship.landed:
        return 99
    end = ENDS[value][INDEX[ship.space]][way]
    goals = BASES[1 if ship.seat == "O" else 0]
    taken = {INDEX[other.space] for other in view.ships if other.landed}
    return min(
        max(abs(XY[end][0] - XY[goal][0]), abs(XY[end][1] - XY[goal][1]))
        for goal in goals
        if goal not in taken
    )
