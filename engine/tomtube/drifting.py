"""Search for drifts of an astronaut over slots, the exits of nodes (T4.0–T4.5)."""

from __future__ import annotations

from typing import NamedTuple

from engine.tomtube.board import Board
from engine.tomtube.lattice import MIDDLE_BITS
from engine.tomtube.tiles import SLOTS

NOWHERE = -1


class Arrival(NamedTuple):
    """How a slot was reached: from slot `back` to a node, across a centre (or -1)."""

    back: int
    node: int
    hub: int


class Drift:
    """All stops of a single move, with the shortest path to each.

    Args:
        board: the tiles.
        nodes: nodes that may be entered, as bits.
        start: first node; it may be passed, but is never a stop (T3.4, T4.4).
        users: bits of arms that may be used.
        counters: nodes with a counter, as bits: the move ends on them (T4.5).
    """

    __slots__ = ("_arrivals", "stops")

    def __init__(self, board: Board, nodes: int, start: int, users: int, counters: int) -> None:
        # All slots of the start are known from the beginning, so it never becomes a stop.
        self._arrivals = arrivals = dict.fromkeys(SLOTS[start], Arrival(NOWHERE, start, NOWHERE))
        self.stops: dict[int, int] = {}
        """Node → slot straight ahead on the shortest path there."""
        stops = self.stops
        final = counters | MIDDLE_BITS
        legs_of = board.legs
        queue = list(SLOTS[start])
        for slot in queue:
            for end, ahead, first, last, hub in legs_of.get(slot, ()):
                if not (first & users and last & users and nodes >> end & 1) or ahead in arrivals:
                    continue
                arrivals[ahead] = Arrival(slot, end, hub)
                stops.setdefault(end, ahead)
                if not final >> end & 1:
                    queue.append(ahead)

    def way(self, end: int) -> tuple[int, ...]:
        """Return the nodes and centres of the shortest path to a stop, with both ends."""
        slot = self.stops[end]
        way: list[int] = []
        while slot != NOWHERE:
            arrival = self._arrivals[slot]
            way.append(arrival.node)
            if arrival.hub != NOWHERE:
                way.append(arrival.hub)
            slot = arrival.back
        return tuple(reversed(way))


def connected(board: Board, nodes: int, start: int, users: int) -> int:
    """Return the nodes within reach of several drifts in a row, with the start, as bits."""
    return spread(board, nodes, 1 << start, users, final=0, turning=True)


def spread(
    board: Board, nodes: int, starts: int, users: int, *, final: int, turning: bool = False
) -> int:
    """Return the nodes within reach of drifts from any of these starts, with the starts, as bits.

    Args:
        board: the tiles.
        nodes: nodes that may be entered, as bits.
        users: bits of arms that may be used.
        starts: first nodes, as bits.
        final: nodes where a drift ends.
        turning: whether the path may turn at nodes, as after a stop.
    """
    legs_of = board.legs
    reached = starts
    queue = [slot for node in _members(starts) for slot in SLOTS[node]]
    seen = set(queue)
    for slot in queue:
        for end, ahead, first, last, _ in legs_of.get(slot, ()):
            if not (first & users and last & users and nodes >> end & 1) or ahead in seen:
                continue
            seen.add(ahead)
            if turning:
                if not reached >> end & 1:
                    turns = [next_slot for next_slot in SLOTS[end] if next_slot not in seen]
                    seen.update(turns)
                    queue += [ahead, *turns]
            elif not final >> end & 1:
                queue.append(ahead)
            reached |= 1 << end
    return reached


def _members(bits: int) -> list[int]:
    return [node for node in range(bits.bit_length()) if bits >> node & 1]
