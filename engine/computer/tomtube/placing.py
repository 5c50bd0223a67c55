"""Tom Tube: which places for a rhomb are worth a closer look."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from engine.computer.tomtube.outlook import Side, score, side_of
from engine.computer.tomtube.ways import NO_WAY, TURN
from engine.game import Action
from engine.tomtube.lattice import KNOTS, PLACE_INDEX, PLACES
from engine.tomtube.rules import apply, legal, pending
from engine.tomtube.state import State
from engine.tomtube.tables import SEATS
from engine.tomtube.tiles import TILES

WEIGHT = 100
DETOUR = 2 * TURN
"""A knot that makes the way of a side longer by this much counts half."""

TUBE = 6
"""What a tube is worth beside a triangle at a knot."""

MAX_PLACES = 40
"""How many places for a drawn rhomb are compared by the score after them."""

_CORNER_TRIANGLES = (1, 2, 1, 2)
"""How many triangles of a rhombus lie at each of its corners."""

Turn = tuple[Action, ...]
"""A rhomb and the triangles that it isolates, filled."""

_TUBES: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(map("ABCD".index, tube)) for tube in name.removesuffix("+").split("/"))
    for name in TILES
)
"""_TUBES[tile][seat]: the corners that its tube joins."""


def promising(state: State, seat: int, actions: Sequence[Action], count: int) -> list[Action]:
    """Return the most promising places for the drawn rhomb."""
    if len(actions) <= count:
        return list(actions)
    return Promise(state, seat).best(state.drawn, actions, count)


def whole_turns(state: State, actions: Sequence[Action]) -> Iterator[Turn]:
    """Yield placings of the drawn rhomb with what they isolate filled, the best first.

    The `MAX_PLACES` most promising ones are compared by the score after the turn; the others
    follow. If a seat cannot fill all that it isolates, it fills the first triangles.
    """
    placings = Promise(state, state.turn).best(state.drawn, actions, len(actions))
    scores: dict[Turn, int] = {}
    for action in placings[:MAX_PLACES]:
        scores |= {turn: score(end, state.turn) for turn, end in _played_out(state, action)}
    yield from sorted(scores, key=scores.__getitem__, reverse=True)
    for action in placings[MAX_PLACES:]:
        yield from (turn for turn, _ in _played_out(state, action))


def turns_of(state: State, action: Action) -> Iterator[Turn]:
    """Yield all turns that a placing begins, in a fixed order.

    Each fills as many of the isolated triangles as its player can; their order does not matter.
    """
    placed, _ = apply(state, action)
    fillings = legal(placed) if placed.phase == "fill" else ()
    for filled in _choices(placed, tuple(dict.fromkeys(filling.args for filling in fillings))):
        yield (action, *filled)


def _choices(state: State, triangles: Sequence[tuple[str, ...]]) -> Iterator[Turn]:
    """Yield the fillings of these triangles, in this order, after which the turn is over."""
    if state.phase != "fill":
        yield ()
        return
    for number, triangle in enumerate(triangles):
        for filling in legal(state):
            if filling.args == triangle:
                for others in _choices(apply(state, filling)[0], triangles[number + 1 :]):
                    yield (filling, *others)


def _played_out(state: State, action: Action) -> Iterator[tuple[Turn, State]]:
    """Yield the turns that a placing begins, with the states after them."""
    placed, _ = apply(state, action)
    for filling, end in _fillings(placed):
        yield (action, *filling), end


def _fillings(state: State) -> Iterator[tuple[Turn, State]]:
    """Yield the fillings of the areas that the seat on turn has isolated, in a fixed order."""
    if state.phase != "fill" or pending(state) != SEATS[state.turn]:
        yield (), state
        return
    options = legal(state)
    for action in options:
        if action.args == options[0].args:
            for others, end in _fillings(apply(state, action)[0]):
                yield (action, *others), end


class Promise:
    """How useful the knots of a position are for a seat and for the other one."""

    def __init__(self, state: State, seat: int) -> None:
        self._seat = seat
        self._mine = _usefulness(side_of(state, seat))
        self._theirs = _usefulness(side_of(state, 1 - seat))
        complete = state.board.complete
        self._covering = [
            0 if complete >> knot & 1 else mine - theirs
            for knot, (mine, theirs) in enumerate(zip(self._mine, self._theirs, strict=True))
        ]

    def best(self, tile: int, actions: Sequence[Action], count: int) -> list[Action]:
        """Return the `count` most promising actions that place this tile, the best first."""
        tubes, seat = _TUBES[tile], self._seat
        rated = []
        for number, action in enumerate(actions):
            knots = [corner.knot for corner in PLACES[PLACE_INDEX[action.args[0]]]]
            promise = TUBE * min(self._mine[knots[corner]] for corner in tubes[seat])
            promise -= TUBE * min(self._theirs[knots[corner]] for corner in tubes[1 - seat])
            for knot, triangles in zip(knots, _CORNER_TRIANGLES, strict=True):
                promise += triangles * self._covering[knot]
            rated.append((-promise, number))
        rated.sort()
        return [actions[number] for _, number in rated[:count]]


def _usefulness(side: Side) -> list[int]:
    """Return for each knot how near it is to the way of a side, up to `WEIGHT`."""
    useful = [0] * len(KNOTS)
    for start, end in pairwise(side.stops):
        to, back = side.ways.lengths(start), side.ways.lengths(end)
        for knot in range(len(KNOTS)):
            detour = to[knot] + back[knot] - to[end]
            if detour < NO_WAY:
                useful[knot] = max(useful[knot], WEIGHT * DETOUR // (DETOUR + max(detour, 0)))
    return useful
