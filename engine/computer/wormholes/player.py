"""Rate what a seat of Wormholes can do."""

from __future__ import annotations

from engine.computer.situation import SCALE, Situation
from engine.computer.wormholes import placement, search
from engine.computer.wormholes.placement import TURN_SCORE
from engine.computer.wormholes.race import ONE
from engine.game import Action, RandomSource

_PREFERRED = frozenset({"move", "skips"})
"""Who moves first places last; a ship that has landed on a base stays there."""


def rate(situation: Situation, draw: RandomSource, nodes: int) -> list[tuple[int, Action]]:
    """Return the actions worth choosing with the expected score after each."""
    phase = situation.sampled_state.phase
    if phase in ("place", "lay"):
        rated = placement.rate(situation, draw, nodes)
    elif phase in ("first", "study", "declare"):
        rated = [
            (SCALE // 2 + TURN_SCORE * bool(_PREFERRED & {action.verb, *action.args}), action)
            for action in situation.legal
        ]
    else:
        rated = [
            (value * SCALE // ONE, action) for value, action in search.rate(situation, draw, nodes)
        ]
    return rated
