"""Ranking for Tom Tube: the distance of astronauts to their goals, and the counters on the way."""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from engine.game import Action
from engine.tomtube.board import Board, board_of, rhomb_code
from engine.tomtube.homeward import jumps_from
from engine.tomtube.lattice import (
    BASES,
    CENTRES,
    KNOTS,
    MODULES,
    PLACE_INDEX,
    SHORT,
)
from engine.tomtube.rules import apply
from engine.tomtube.state import NONE, State
from engine.tomtube.tables import ENERGY, SEATS, SOLARS
from engine.tomtube.tiles import EVERY, OWN, SLOTS, rhomb_mouths

POINT = 100
"""Ranks are in hundredths of a point."""

HOME_RANK = 50 * POINT
BUILD_RANK = 70
JUMP_LENGTH, CONTROL_LENGTH = 8, 20
"""Length of a jump and of a control drift, in free drifts."""

NO_WAY_LENGTH, EDGE_LENGTH = 20, 3
"""Length of a way that is still to be built, and of each of its edges."""

MAX_PROGRESS = 3
COUNTER_POINTS = (1, 2, 5)
SOLAR_POINTS = 5
COSTS = {"drift": 0, "control": 2, "jump": 1}


def rank(state: State, action: Action) -> int:
    """Return the estimated worth of an action to its actor."""
    seat = SEATS.index(action.actor)
    if state.phase == "turn":
        return _rank_turn(state, action, seat)
    if action.verb == "rhomb":
        return _rank_rhomb(state, action, seat)
    return POINT * (action.verb == "tube")


def _rank_turn(state: State, action: Action, seat: int) -> int:
    if action.verb == "build":
        return BUILD_RANK
    if action.verb == "exchange":
        return -POINT if state.holds(ENERGY, seat) else BUILD_RANK + 1
    after, _ = apply(state, action)
    end = after.at[seat]
    if end == BASES[seat] and state.solar[seat] == SOLARS:
        return HOME_RANK
    gain = sum(
        points for points, put in zip(COUNTER_POINTS, state.put, strict=True) if put >> end & 1
    )
    gain += SOLAR_POINTS * (state.solars >> end & 1)
    goals = _goals(state, seat)
    ways = lengths(state.board, seat, goals)
    progress = _length(ways, state.at[seat], goals) - _length(ways, end, goals)
    limited = max(-MAX_PROGRESS, min(MAX_PROGRESS, progress))
    return POINT * (2 * gain - COSTS[action.verb] + limited)


def _rank_rhomb(state: State, action: Action, seat: int) -> int:
    """Return the rank of a placing, by the way to the goals and the knots that it joins to them."""
    code = rhomb_code(state.drawn, PLACE_INDEX[action.args[0]])
    board = board_of((*state.rhombs, code), state.fills)
    goals = _goals(state, seat)
    ways = lengths(board, seat, goals)
    joined = sum(knot in ways for knot in rhomb_mouths(*divmod(code, len(PLACE_INDEX))))
    return POINT * (2 * joined - _length(ways, state.at[seat], goals)) + POINT * len(ways) // 5


def _length(ways: dict[int, int], node: int, goals: tuple[int, ...]) -> int:
    """Return the length of the way to a goal, or an estimate where there is none yet."""
    length = ways.get(node)
    if length is not None:
        return length
    return NO_WAY_LENGTH + EDGE_LENGTH * min(_distance(node, goal) for goal in goals)


def _distance(node: int, goal: int) -> int:
    """Return the lattice edges between two nodes; for a centre, from one of its corners."""
    knot = node if node < CENTRES else min(SHORT[node - CENTRES])
    (q, r), (s, t) = KNOTS[knot], KNOTS[goal]
    return max(abs(q - s), abs(r - t), abs(q + r - s - t))


def _goals(state: State, seat: int) -> tuple[int, ...]:
    """Return the modules that still have the seat's solar counters, then its base."""
    modules = tuple(module for module in MODULES[seat] if state.solars >> module & 1)
    return modules if modules and state.faster == NONE else (BASES[seat],)


@lru_cache(maxsize=64)
def lengths(board: Board, seat: int, goals: tuple[int, ...]) -> dict[int, int]:
    """Return the distance from each node to the nearest goal, by drifts and jumps."""
    ways: dict[int, int] = {}
    queue = [(0, goal) for goal in goals]
    nodes = board.nodes[seat]
    while queue:
        length, node = heappop(queue)
        if node in ways:
            continue
        ways[node] = length
        for slot in SLOTS[node]:
            for end, _, _, users, _ in board.legs.get(slot, ()):
                if not nodes >> end & 1 or end in ways:
                    continue
                if users & OWN[seat]:
                    heappush(queue, (length + 1, end))
                elif users & EVERY[seat]:
                    heappush(queue, (length + CONTROL_LENGTH, end))
        for knot in jumps_from(board, node):
            if knot not in ways:
                heappush(queue, (length + JUMP_LENGTH, knot))
    return ways
