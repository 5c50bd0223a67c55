"""Tom Tube: what the slower player still wins or loses once the other one is home (T5.1).

Then nothing is built any more and one player moves alone, so its best way home can be searched: it
gains the counters that it takes, and loses a point a turn and the counters that it pays.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from engine.tomtube.board import Board
from engine.tomtube.drifting import find_drifts
from engine.tomtube.homeward import jumps_from
from engine.tomtube.lattice import BASES
from engine.tomtube.state import State
from engine.tomtube.tables import (
    ALIEN,
    CONTROL,
    ENERGY,
    EXCHANGE_CONTROL,
    EXCHANGE_ENERGY,
    MAX_QUIET_TURNS,
    POINTS,
)
from engine.tomtube.tiles import EVERY, OWN

Numbers = tuple[int, ...]
"""For each kind of counter a number, or the nodes with such a counter as bits."""

MAX_STEPS = 100
"""How many positions on ways home are looked at, with the hope for counters and without it."""

NO_RETURN = MAX_QUIET_TURNS
"""What it costs not to come home."""

DRIFTING, JUMPING, STEERING = 1, 1 + POINTS[ENERGY], 1 + POINTS[CONTROL]
"""What a move costs: a turn, and the counter that is paid."""

EXCHANGING = POINTS[ALIEN] - EXCHANGE_CONTROL * POINTS[CONTROL] - EXCHANGE_ENERGY * POINTS[ENERGY]
"""What an exchange costs; it takes no turn."""


class _Step(NamedTuple):
    """A position on the way home; the smallest one is the most promising.

    Attributes:
        total: the least that the whole way can cost.
        cost: cost of the way so far, less the counters that were taken.
        node, hand, put: where the astronaut is, the counters in hand and on the board.
    """

    total: int
    cost: int
    node: int
    hand: Numbers
    put: Numbers


def gain_until_home(state: State, seat: int) -> int:
    """Return the points that the slower player gains on its best way home, less those it loses."""
    counters = tuple(state.holds(kind, seat) for kind in range(len(POINTS)))
    pieces = tuple(
        supply + hand + put.bit_count()
        for supply, hand, put in zip(state.supply, counters, state.put, strict=True)
    )
    return -_returning(state.board, seat).cost(state.at[seat], counters, state.put, pieces)


class Returning:
    """The ways home of a seat on a board where the other one is home."""

    __slots__ = ("_board", "_moves", "_seat", "_shortest")

    def __init__(self, board: Board, seat: int) -> None:
        self._board, self._seat = board, seat
        self._moves: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._shortest = self._search_all()

    def _search_all(self) -> dict[int, int]:
        """Return the cost of the cheapest way home from each node if nothing is in the way."""
        shortest: dict[int, int] = {}
        queue = [(0, BASES[self._seat])]
        while queue:
            cost, node = heappop(queue)
            if node not in shortest:
                shortest[node] = cost
                for end, price in self._moves_from(node, 0):  # all of them can be undone
                    heappush(queue, (cost + price, end))
        return shortest

    def _moves_from(self, node: int, counters: int) -> list[tuple[int, int]]:
        """Return the ends of all moves with their costs while these nodes have counters."""
        moves = self._moves.get((node, counters))
        if moves is None:
            board, nodes, seat = self._board, self._board.nodes[self._seat], self._seat
            free = find_drifts(board, nodes, node, OWN[seat], counters)
            paid = find_drifts(board, nodes, node, EVERY[seat], counters)
            jumps = jumps_from(board, node)
            moves = [(end, DRIFTING) for end in free]
            moves += [(end, JUMPING) for end in jumps if end not in free]
            moves += [(end, STEERING) for end in paid if end not in free]
            self._moves[node, counters] = moves
        return moves

    def cost(self, node: int, hand: Numbers, put: Numbers, pieces: Numbers) -> int:
        """Return the cost of the best way home, less the counters that are taken on it.

        Args:
            node: position of the astronaut.
            hand: counters in hand.
            put: counters on the board.
            pieces: counters in hand, on the board and in the supply.
        """
        for hopeful in (True, False):
            cost = self._search(node, hand, put, pieces, hopeful)
            if cost is not None:
                return cost
        return NO_RETURN

    def _search(
        self, node: int, hand: Numbers, put: Numbers, pieces: Numbers, hopeful: bool
    ) -> int | None:
        """Return the cost of the best way home; None if it is not found in `MAX_STEPS`.

        If it is not `hopeful`, only counters on a cheap way are taken, and a way is found soon.
        """
        queue = [self._step(0, node, hand, put, hopeful)]
        seen: set[tuple[int, Numbers, Numbers]] = set()
        while queue and len(seen) < MAX_STEPS:
            step = heappop(queue)
            if step.node == BASES[self._seat]:
                return step.cost
            key = (step.node, step.hand, step.put)
            if key in seen:
                continue
            seen.add(key)
            for cost, end, hand_after, left in self._after(step, pieces):
                if end in self._shortest:
                    heappush(queue, self._step(cost, end, hand_after, left, hopeful))
        return None

    def _after(self, step: _Step, pieces: Numbers) -> Iterator[tuple[int, int, Numbers, Numbers]]:
        """Yield the successors of a position: the cost so far, the node, the counters."""
        energy, control, alien = hand = step.hand
        put = step.put
        if alien and not (energy and control) and _can_exchange(hand, put, pieces):
            hand_after = (energy + EXCHANGE_ENERGY, control + EXCHANGE_CONTROL, alien - 1)
            yield step.cost + EXCHANGING, step.node, hand_after, put
        for end, price in self._moves_from(step.node, put[ENERGY] | put[CONTROL] | put[ALIEN]):
            if price == JUMPING and energy:
                paid: Numbers = (energy - 1, control, alien)
            elif price == STEERING and control:
                paid = (energy, control - 1, alien)
            elif price == DRIFTING:
                paid = hand
            else:
                continue
            yield _taken(step.cost + price, end, paid, put)

    def _step(self, cost: int, node: int, hand: Numbers, put: Numbers, hopeful: bool) -> _Step:
        """Return a position with the least that its way home can cost.

        That is the cheapest way less all counters, or a turn for each counter and the last turn.
        """
        bound = self._shortest.get(node, NO_RETURN)
        if hopeful and bound:
            numbers = [bits.bit_count() for bits in put]
            points = sum(value * number for value, number in zip(POINTS, numbers, strict=True))
            bound = max(bound - points, 1 + sum(numbers) - points)
        return _Step(cost + bound, cost, node, hand, put)


def _can_exchange(hand: Numbers, put: Numbers, pieces: Numbers) -> bool:
    supply = [
        total - in_hand - bits.bit_count()
        for total, in_hand, bits in zip(pieces, hand, put, strict=True)
    ]
    return supply[ENERGY] >= EXCHANGE_ENERGY and supply[CONTROL] >= EXCHANGE_CONTROL


def _taken(cost: int, node: int, hand: Numbers, put: Numbers) -> tuple[int, int, Numbers, Numbers]:
    """Return the cost, the node and the counters after taking the node's counters."""
    bit = 1 << node
    for kind, bits in enumerate(put):
        if bits & bit:
            cost -= POINTS[kind]
            hand = (*hand[:kind], hand[kind] + 1, *hand[kind + 1 :])
            put = (*put[:kind], bits - bit, *put[kind + 1 :])
    return cost, node, hand, put


@lru_cache(maxsize=4)
def _returning(board: Board, seat: int) -> Returning:
    """Return the cached ways home of a seat on a board."""
    return Returning(board, seat)
