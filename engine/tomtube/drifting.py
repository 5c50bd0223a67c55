"""Search for drifts of an astronaut over slots, the exits of nodes (T4.0–T4.5)."""

from __future__ import annotations

from functools import lru_cache

from engine.tomtube.board import Board
from engine.tomtube.lattice import MIDDLE_BITS, members
from engine.tomtube.tiles import SLOTS

NOWHERE = -1


_Arrival = tuple[int, int, int]
"""How a slot was reached: from a slot to a node, across a centre (or NOWHERE).

A plain tuple, because a search creates many and reads few.
"""


class Drift:
    """All stops of a single move, with the shortest path to each.

    Args:
        board: the tiles.
        nodes: nodes that may be entered, as bits.
        start: first node; it may be passed, but is never a stop (T3.4, T4.4).
        users: bits of arms that may be used.
        counters: nodes with a counter, as bits: the move ends on them (T4.5).
    """

    __slots__ = ("_arrivals", "_start", "stops")

    def __init__(self, board: Board, nodes: int, start: int, users: int, counters: int) -> None:
        self._start = start
        self._arrivals: dict[int, _Arrival] = {}
        self.stops: dict[int, int] = {}
        """Node → slot straight ahead on the shortest path there."""
        arrivals, stops = self._arrivals, self.stops
        final = counters | MIDDLE_BITS
        others = nodes & ~(1 << start)  # all ways on from the start are in the queue from the first
        legs_of = board.legs
        queue = [slot for slot in SLOTS[start] if slot in legs_of]
        for slot in queue:
            for end, ahead, first, last, hub in legs_of[slot]:
                if not (first & users and last & users and others >> end & 1) or ahead in arrivals:
                    continue
                arrivals[ahead] = (slot, end, hub)
                if end not in stops:
                    stops[end] = ahead
                if ahead in legs_of and not final >> end & 1:
                    queue.append(ahead)

    def way(self, end: int) -> tuple[int, ...]:
        """Return the nodes and centres of the shortest path to a stop, with both ends."""
        arrival = self._arrivals.get(self.stops[end])
        way: list[int] = []
        while arrival:
            slot, node, hub = arrival
            way.append(node)
            if hub != NOWHERE:
                way.append(hub)
            arrival = self._arrivals.get(slot)
        way.append(self._start)
        return tuple(reversed(way))


@lru_cache(maxsize=32)
def drift(board: Board, nodes: int, start: int, users: int, counters: int) -> Drift:
    """Return a search, the last one if it is the same: listing moves is followed by making one."""
    return Drift(board, nodes, start, users, counters)


def connected(board: Board, nodes: int, start: int, users: int) -> int:
    """Return the nodes within reach of several drifts in a row, with the start, as bits."""
    legs_of = board.legs
    reached = 1 << start
    queue = [start]
    for node in queue:
        for slot in SLOTS[node]:
            for end, _, first, last, _ in legs_of.get(slot, ()):
                if first & users and last & users and (nodes & ~reached) >> end & 1:
                    reached |= 1 << end
                    queue.append(end)
    return reached


def spread(board: Board, nodes: int, starts: int, users: int, *, final: int) -> int:
    """Return the nodes within reach of drifts from any of these starts, with the starts, as bits.

    Args:
        board: the tiles.
        nodes: nodes that may be entered, as bits.
        users: bits of arms that may be used.
        starts: first nodes, as bits.
        final: nodes where a drift ends.
    """
    legs_of = board.legs
    reached = starts
    queue = [slot for node in members(starts) for slot in SLOTS[node] if slot in legs_of]
    seen = set(queue)
    for slot in queue:
        for end, ahead, first, last, _ in legs_of[slot]:
            if not (first & users and last & users and nodes >> end & 1) or ahead in seen:
                continue
            seen.add(ahead)
            reached |= 1 << end
            if ahead in legs_of and not final >> end & 1:
                queue.append(ahead)
    return reached
