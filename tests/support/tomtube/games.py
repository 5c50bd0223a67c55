"""Sources of matches for tests: random, greedy, and ones that isolate triangles on purpose."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import lru_cache
from heapq import heappop, heappush
from random import Random

from engine.game import Action
from engine.record import play
from engine.tomtube.board import Board, board_of, rhomb_code
from engine.tomtube.homeward import jumps_from
from engine.tomtube.lattice import (
    AROUND,
    BASES,
    BESIDE,
    CENTRES,
    KNOTS,
    MODULES,
    PAIRS,
    PLACE_INDEX,
    SHORT,
)
from engine.tomtube.state import State
from engine.tomtube.tables import ENERGY, SOLARS
from engine.tomtube.tiles import EVERY, OWN, SLOTS, rhomb_mouths
from tests.support.tomtube.positions import GAME, node

CAP = 4000
"""No match has as many actions."""

JUMP_LENGTH, CONTROL_LENGTH = 8, 20
"""For the greedy player: how many free drifts a jump and a control drift are worth."""

BUILD = 0.7
"""Value of building to the greedy player, in points."""

FEW = 12
"""So many places for a rhomb are looked at."""

Choice = Callable[[State, tuple[Action, ...], Random], Action]
Match = tuple[State, tuple[Action, ...]]


def match(
    choose: Choice,
    seed: int,
    rules: str = "standard",
    options: Mapping[str, str] | None = None,
    limit: int = CAP,
) -> Match:
    """A match in which both sides choose this way: its last state and its actions."""
    random = Random(seed)
    state = GAME.start(rules, options or {})
    actions: list[Action] = []
    while (pending := GAME.pending(state)) and len(actions) < limit:
        if pending == "*":
            action = GAME.chance(state, random.randrange)
        else:
            action = choose(state, GAME.legal(state), random)
        state, _ = GAME.apply(state, action)
        actions.append(action)
    return state, tuple(actions)


def random_match(
    seed: int,
    rules: str = "standard",
    options: Mapping[str, str] | None = None,
    limit: int = CAP,
) -> Match:
    """A uniformly random match up to `limit` actions."""
    random = Random(seed)
    return play(
        GAME,
        GAME.start(rules, options or {}),
        random.choice,
        lambda _: random.randrange,
        limit,
    )


def any_of(state: State, legal: tuple[Action, ...], random: Random) -> Action:
    """Any legal action."""
    return random.choice(legal)


def greedy(state: State, legal: tuple[Action, ...], random: Random) -> Action:
    """Take the most valuable pieces, build towards the own modules, be home early."""
    if state.phase == "turn":
        return max(legal, key=lambda action: (_profit(state, action), random.random()))
    few = random.sample(legal, min(FEW, len(legal)))
    return max(few, key=lambda action: (_nearer(state, action), random.random()))


def _profit(state: State, action: Action) -> float:
    seat = "TD".index(action.actor)
    if action.verb == "build":
        return BUILD
    if action.verb == "exchange":
        return -1.0 if state.holds(ENERGY, seat) else BUILD + 0.1
    end = node(action.args[0], action.actor)
    start = state.at[seat]
    cost = {"drift": 0.0, "control": 2.0, "jump": 1.0}[action.verb]
    gain = sum(
        points for points, put in zip((1, 2, 5), state.put, strict=True) if put >> end & 1
    ) + 5 * (state.solars >> end & 1)
    goals = _goals(state, seat)
    ways = lengths(state.board, seat, goals)
    progress = _far(ways, start, goals) - _far(ways, end, goals)
    if end == BASES[seat] and state.solar[seat] == SOLARS:
        return 50.0
    return 2 * gain - cost + max(-3.0, min(3.0, progress))


def _far(ways: dict[int, float], node: int, goals: tuple[int, ...]) -> float:
    """The length of the way to a goal; as the crow flies where there is none yet."""
    return ways.get(node, 20.0 + 3 * min(distance(node, goal) for goal in goals))


def distance(node: int, goal: int) -> int:
    """Lattice edges between two nodes; for a rhomb's centre from one of its corners."""
    knot = node if node < CENTRES else min(SHORT[node - CENTRES])
    (q, r), (s, t) = KNOTS[knot], KNOTS[goal]
    return max(abs(q - s), abs(r - t), abs(q + r - s - t))


def _goals(state: State, seat: int) -> tuple[int, ...]:
    """The modules that still have the own solar counters, then the base."""
    modules = tuple(module for module in MODULES[seat] if state.solars >> module & 1)
    return modules if modules and state.faster < 0 else (BASES[seat],)


@lru_cache(maxsize=64)
def lengths(board: Board, seat: int, goals: tuple[int, ...]) -> dict[int, float]:
    """Return node → distance to the nearest of these goals, by free drifts and jumps."""
    ways: dict[int, float] = {}
    queue = [(0.0, goal) for goal in goals]
    users, every, nodes = OWN[seat], EVERY[seat], board.nodes[seat]
    while queue:
        length, node = heappop(queue)
        if node in ways:
            continue
        ways[node] = length
        for slot in SLOTS[node]:
            for end, _, _, drifts, _ in board.legs.get(slot, ()):
                if nodes >> end & 1 and end not in ways:
                    if drifts & users:
                        heappush(queue, (length + 1, end))
                    elif drifts & every:
                        heappush(queue, (length + CONTROL_LENGTH, end))
        for knot in jumps_from(board, node):
            if knot not in ways:
                heappush(queue, (length + JUMP_LENGTH, knot))
    return ways


def _nearer(state: State, action: Action) -> float:
    """Return the decrease of the builder's distance to their goals by a placing."""
    if action.verb != "rhomb":
        return float(action.verb == "tube")
    seat = "TD".index(action.actor)
    code = rhomb_code(state.drawn, PLACE_INDEX[action.args[0]])
    board = board_of((*state.rhombs, code), state.fills)
    ways = lengths(board, seat, _goals(state, seat))
    touched = sum(20.0 for knot in rhomb_mouths(*divmod(code, len(PLACE_INDEX))) if knot in ways)
    return -_far(ways, state.at[seat], _goals(state, seat)) + 0.1 * touched + 0.2 * len(ways)


def isolating(state: State, legal: tuple[Action, ...], random: Random) -> Action:
    """Isolate triangles, leave them empty, and walk off without counters: get stranded."""
    if state.phase == "turn":
        if legal[0].verb == "build" and random.random() < 0.7:
            return legal[0]
        moves = [action for action in legal if action.verb in ("jump", "control")]
        return random.choice(moves if moves and random.random() < 0.7 else legal)
    declined = [action for action in legal if action.verb == "pass"]
    return random.choice(declined) if declined else isolating_tiles(state, legal, random)


def isolating_tiles(state: State, legal: tuple[Action, ...], random: Random) -> Action:
    """Isolate triangles with rhombs; do anything else at random."""
    if state.phase != "rhomb":
        return random.choice(legal)
    return max(legal, key=lambda action: (isolates(state, action), random.random()))


def isolates(state: State, action: Action) -> int:
    """Return the number of triangles that a placing isolates."""
    pair = PLACE_INDEX[action.args[0]] // 2
    one, other = PAIRS[pair]
    free = state.board.free & ~(1 << one | 1 << other)
    near = (BESIDE[one] | BESIDE[other]) & free
    beside = (BESIDE[triangle] for triangle in range(near.bit_length()) if near >> triangle & 1)
    return sum(1 for neighbours in beside if not free & neighbours)


def bare(state: State, legal: tuple[Action, ...], random: Random) -> Action:
    """Lay tiles so that knots get few tubes, to see control and alien counters; then be greedy."""
    if state.phase == "rhomb":
        return max(legal, key=lambda action: (_bareness(state, action), random.random()))
    if state.phase in ("fill", "help"):
        return legal[-1]
    if legal[0].verb == "build" and random.random() < 0.8:
        return legal[0]
    return greedy(state, legal, random)


def _bareness(state: State, action: Action) -> float:
    """Few mouths at knots that had none or one so far, many at those that had more."""
    touched, crossed = state.board.touched, state.board.crossed
    place = PLACE_INDEX[action.args[0]]
    return sum(
        (0.0 if crossed >> knot & 1 else -1.0 - (touched >> knot & 1)) + (knot not in AROUND)
        for knot in rhomb_mouths(state.drawn, place)
    )
