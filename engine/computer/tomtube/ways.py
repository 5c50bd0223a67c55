"""Tom Tube: how long the ways of a seat are, with those that are still to be built.

A way leads over knots and energy spheres. What it costs is counted in hundredths of a turn: a
drift straight on through any number of own tubes, a jump with the energy it needs, a drift through
a foreign tube, a tube that may be built where there is room, and the triangles that a knot lacks
until it is complete.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush

from engine.tomtube.board import Board
from engine.tomtube.lattice import (
    AROUND,
    CENTRES,
    EDGES,
    GATES,
    MIDDLE_BITS,
    PAIRS,
    TRIANGLES,
)
from engine.tomtube.tiles import EVERY, OWN, SLOT_NODES

TURN = 100
"""Lengths are in hundredths of a turn."""

DRIFT = 100
"""A drift of one turn."""

PASS = 5
"""What each node costs that a drift passes straight on."""

JUMP, CONTROL = 200, 300
"""A turn, and what the counter is worth."""

NO_COUNTER = 200
"""What a jump or a control drift costs more without a counter in hand."""

UNBUILT = 130
"""A tube that is still to be built where there is room."""

MISSING_TRIANGLE = 35
"""What each triangle costs that a knot lacks."""

NO_WAY = 40 * TURN
"""Longer ways are not distinguished."""

COUNT = CENTRES + len(PAIRS)
"""Number of nodes."""

STATES = COUNT + len(SLOT_NODES)
"""Number of states of a search: at a node, or, `COUNT` + a slot, about to drift on through it."""

_KNOTS = frozenset((*AROUND, *GATES))
"""The knots that are complete at some time."""

_LINKS: tuple[tuple[int, int, int, int], ...] = tuple(
    (
        knot,
        other,
        pair,
        sum(1 << number for number, ends in enumerate(TRIANGLES) if {knot, other} <= set(ends)),
    )
    for knot in sorted(_KNOTS)
    for other, pair in EDGES[knot]
    if knot < other and other in _KNOTS
)
"""Neighbouring knots with the pair whose rhomb covers the edge, and the triangles beside it as
bits."""

Edges = list[list[tuple[int, int]]]
"""For each node the ends of its edges, which are states, with their lengths."""


class Ways:
    """The lengths of all ways of a seat on a board.

    Args:
        board: the tiles.
        left: triangles that were left empty, as bits.
        seat: the seat that goes the ways.
        has_energy, has_control: whether it holds such a counter.
    """

    __slots__ = ("_drifting", "_edges", "_searches")

    def __init__(
        self, board: Board, left: int, seat: int, has_energy: bool, has_control: bool
    ) -> None:
        self._searches: dict[int, tuple[list[int], list[int]]] = {}
        self._edges: Edges = [[] for _ in range(COUNT)]
        self._drifting: dict[int, list[tuple[int, int]]] = {}
        """For each state between two tubes of a drift: as `_edges`."""
        entering = _entering(board, left, seat)
        self._add_tubes(board, seat, CONTROL + NO_COUNTER * (not has_control), entering)
        self._add_links(board, left, JUMP + NO_COUNTER * (not has_energy), entering)

    def _add_tubes(self, board: Board, seat: int, control: int, entering: list[int]) -> None:
        """Add drifts: each begins at a node and may go straight on at complete knots and spheres.

        A drift that is paid with a control counter is counted for one tube only.
        """
        free, paid = OWN[seat], EVERY[seat]
        edges, drifting, legs_of = self._edges, self._drifting, board.legs
        for slot, legs in legs_of.items():
            edges_from = edges[SLOT_NODES[slot]]
            for end, bit, ahead, users, _ in legs:
                cost = entering[end]
                if cost >= NO_WAY:
                    continue
                if users & free:
                    edges_from.append((end, DRIFT + cost))
                    if not cost and ahead in legs_of and not bit & MIDDLE_BITS:
                        edges_from.append((COUNT + ahead, DRIFT))
                        drifting[COUNT + ahead] = []
                elif users & paid:
                    edges_from.append((end, control + cost))
        self._add_passes(board, free, entering)

    def _add_passes(self, board: Board, free: int, entering: list[int]) -> None:
        """Add how drifts go straight on, by users `free`, from all states that they reach."""
        drifting, legs_of = self._drifting, board.legs
        states = list(drifting)
        for state in states:
            for end, bit, ahead, users, _ in legs_of[state - COUNT]:
                cost = entering[end]
                if not users & free or cost >= NO_WAY:
                    continue
                drifting[state].append((end, PASS + cost))
                if not cost and ahead in legs_of and not bit & MIDDLE_BITS:
                    drifting[state].append((COUNT + ahead, PASS))
                    if COUNT + ahead not in drifting:
                        drifting[COUNT + ahead] = []
                        states.append(COUNT + ahead)

    def _add_links(self, board: Board, left: int, jump: int, entering: list[int]) -> None:
        """Add tubes that are still to be built; where there is no room, jumps, which cost more."""
        places, room, edges = board.places, board.free & ~left, self._edges
        for one, other, pair, beside in _LINKS:
            if room & beside:
                length = UNBUILT
            elif pair in places:
                continue
            else:
                length = jump
            if entering[other] < NO_WAY:
                edges[one].append((other, length + entering[other]))
            if entering[one] < NO_WAY:
                edges[other].append((one, length + entering[one]))

    def length(self, start: int, end: int) -> int:
        """Return the length of the way from a node to another one."""
        return self._search(start, end)[end]

    def lengths(self, start: int) -> list[int]:
        """Return the lengths of the ways from a node to each other node."""
        return self._search(start)

    def _search(self, start: int, last: int | None = None) -> list[int]:
        """Return the lengths of the ways from a node; without the last one, of all ways.

        The search goes on where the former one from this node ended (Dijkstra).
        """
        if start not in self._searches:
            lengths = [NO_WAY] * STATES
            lengths[start] = 0
            self._searches[start] = lengths, [start]
        lengths, queue = self._searches[start]  # of the queue: length * STATES + state
        edges, drifting = self._edges, self._drifting
        while queue and (last is None or queue[0] < lengths[last] * STATES):
            length, state = divmod(heappop(queue), STATES)
            if length > lengths[state]:
                continue
            for end, cost in edges[state] if state < COUNT else drifting[state]:
                new = length + cost
                if new < lengths[end]:
                    lengths[end] = new
                    heappush(queue, new * STATES + end)
        return lengths


def _entering(board: Board, left: int, seat: int) -> list[int]:
    """Return for each node the cost of the building needed before it can be entered."""
    nodes = board.nodes[seat]
    costs = [0 if nodes >> node & 1 else NO_WAY for node in range(COUNT)]
    for knot, around in AROUND.items():
        if not (nodes >> knot & 1 or around & left):
            costs[knot] = MISSING_TRIANGLE * (around & board.free).bit_count()
    return costs


@lru_cache(maxsize=32)  # an entry takes about 90 kB
def ways_of(board: Board, left: int, seat: int, has_energy: bool, has_control: bool) -> Ways:
    """Return the cached ways of a seat; for the arguments see `Ways`."""
    return Ways(board, left, seat, has_energy, has_control)
