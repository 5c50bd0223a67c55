"""Ranking for Warp 6: the distance of the dice from the wormhole in the middle."""

from __future__ import annotations

from engine.game import Action
from engine.warp6.pieces import KITS, SEATS
from engine.warp6.rules import apply, still_in
from engine.warp6.state import OFF, State

WIN = 10_000


def rank(state: State, action: Action) -> int:
    """Return the actor's lead over the next seat after the action."""
    after, _ = apply(state, action)
    seat = SEATS.index(action.actor)
    if after.result:
        return WIN if after.result[0] == action.actor else -WIN
    others = [missing(after, other) for other in still_in(after) if other != seat]
    return min(others) - missing(after, seat)


def missing(state: State, seat: int) -> int:
    """Return the spaces that the nearest dice of a seat still need to reach the target (X5.1)."""
    kit = KITS[state.seats]
    spaces = sorted(state.spaces[die] for die in kit.own(seat) if state.spaces[die] >= OFF)
    return sum(spaces[: kit.target])
