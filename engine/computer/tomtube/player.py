"""Rate what a seat of Tom Tube can do: by the lead that is likely after it."""

from __future__ import annotations

from engine.computer.situation import Situation, Tally
from engine.computer.tomtube.outlook import final_lead, score
from engine.computer.tomtube.placing import Promise, promising
from engine.game import CHANCE, Action, RandomSource
from engine.tomtube.rules import apply, legal, pending
from engine.tomtube.state import NONE, State
from engine.tomtube.tables import SEATS
from engine.tomtube.tiles import TILES

MAX_NODES = 100
"""How many positions are evaluated at most for one action; each takes about 0.5 ms.

With 400, a turn took three times as long, and the score against tools/afterstates.py was no higher.
"""

MAX_TILES = 20
"""How many tiles are drawn at most to rate building."""

NODES_A_PLACE = 40
"""A place is tried for each drawn tile if so many positions may be evaluated, two if twice as many,
and so on."""

POINT_SCORE = 1000
"""What a point is worth of the score once the outcome is foreseen."""


def rate(situation: Situation, draw: RandomSource, nodes: int) -> list[tuple[int, Action]]:
    """Return the actions worth choosing with the expected score after each."""
    state, seat = situation.sampled_state, SEATS.index(situation.seat)
    if state.faster != NONE:
        situation.tally.nodes += len(situation.legal)
        return [(_rate_return(apply(state, action)[0], seat), action) for action in situation.legal]
    nodes, actions = min(nodes, MAX_NODES), situation.legal
    if state.phase == "rhomb":
        actions = tuple(promising(state, seat, actions, nodes))
    situation.tally.nodes += len(actions)
    return [
        (
            _rate_building(state, seat, draw, situation.tally, nodes)
            if action.verb == "build"
            else settled(apply(state, action)[0], seat),
            action,
        )
        for action in actions
    ]


def _rate_return(state: State, seat: int) -> int:
    """Return the score of the slower player, beyond 0 and `SCALE` by its lead at the end.

    A match that is lost ends soon, because each turn costs a point.
    """
    return score(state, seat) + POINT_SCORE * final_lead(state, seat)


def settled(state: State, seat: int) -> int:
    """Return the score after the seat has filled what it isolated as suits it best."""
    if state.phase == "fill" and pending(state) == SEATS[seat]:
        first = legal(state)[0].args
        options = [action for action in legal(state) if action.args == first]
        return max(settled(apply(state, action)[0], seat) for action in options)
    return score(state, seat)


def _rate_building(state: State, seat: int, draw: RandomSource, tally: Tally, nodes: int) -> int:
    """Return the mean score over some of the tiles that may be drawn, each placed well."""
    drawing, _ = apply(state, Action(SEATS[seat], "build"))
    stack = [tile for tile in range(len(TILES)) if state.stack >> tile & 1]
    promise = Promise(state, seat)
    count = min(MAX_TILES, len(stack))
    places = max(nodes // NODES_A_PLACE, 1)
    total = 0
    for _ in range(count):
        tile = stack.pop(draw(len(stack)))
        after_draw, _ = apply(drawing, Action(CHANCE, "draw", (TILES[tile],)))
        actions = promise.best(tile, legal(after_draw), places)
        tally.nodes += len(actions)
        total += max(settled(apply(after_draw, action)[0], seat) for action in actions)
    return total // count
