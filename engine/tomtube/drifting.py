"""Search for drifts of an astronaut over slots, the exits of nodes (T4.0–T4.5)."""

from __future__ import annotations

from collections.abc import Mapping

from engine.tomtube.board import Board, Path
from engine.tomtube.lattice import AROUND, KNOT_NAMES, MIDDLE_BITS, members
from engine.tomtube.state import Draft
from engine.tomtube.tables import SEATS
from engine.tomtube.tiles import OWN, SLOT_BITS, WAYS


def find_drifts(
    board: Board, nodes: int, start: int, users: int, counters: int
) -> Mapping[int, Path]:
    """Return all stops of a single move, with the shortest path to each.

    Args:
        board: the tiles.
        nodes: nodes that may be entered, as bits.
        start: first node; it may be passed, but is never a stop (T3.4, T4.4).
        users: the kind of drift, of `OWN` or `EVERY`.
        counters: nodes with a counter, as bits: the move ends on them (T4.5).
    """
    stops: dict[int, Path] = {}
    final = counters | MIDDLE_BITS
    others = nodes & ~(1 << start)  # all ways on from the start are in the queue from the first
    legs_of = board.legs
    first, mask = SLOT_BITS[start]
    queue: list[tuple[int, Path]] = [
        (first + way, (start,)) for way in WAYS[board.slots >> first & mask]
    ]
    seen: set[int] = set()
    for slot, path in queue:
        for end, bit, ahead, leg_users, leg_path in legs_of[slot]:
            if not (leg_users & users and bit & others) or ahead in seen:
                continue
            seen.add(ahead)
            path_to_end = path + leg_path
            if end not in stops:
                stops[end] = path_to_end
            if ahead in legs_of and not bit & final:
                queue.append((ahead, path_to_end))
    return stops


def drifts(draft: Draft, seat: int, users: int) -> Mapping[int, Path]:
    """Return the drifts of a seat, see `find_drifts`; the last ones if nothing has changed.

    Listing moves is followed by making one, so the board keeps the last search of each kind.
    """
    board, at, put = draft.board, draft.at, draft.put
    last = board.searches.get(users)
    if last is not None and last[0] == at and last[1] == put:
        return last[2]
    nodes = board.nodes[seat] & ~(1 << at[1 - seat])
    stops = find_drifts(board, nodes, at[seat], users, draft.counters())
    board.searches[users] = (at, put, stops)
    return stops


def unfinished_knots(state: Draft, letter: str) -> list[str]:
    """Return the names of knots that a free drift would reach if they were complete (T3.3)."""
    board, seat = state.board, SEATS.index(letter)
    unfinished = sum(1 << knot for knot in AROUND) & ~board.complete
    nodes = (board.nodes[seat] | unfinished) & ~(1 << state.at[1 - seat])
    final = unfinished | state.counters()
    stops = find_drifts(board, nodes, state.at[seat], OWN[seat], final)
    return [KNOT_NAMES[end] for end in stops if unfinished >> end & 1]


def connected(board: Board, nodes: int, start: int, users: int) -> int:
    """Return the nodes within reach of several drifts in a row, with the start, as bits."""
    legs_of, slots = board.legs, board.slots
    reached = 1 << start
    queue = [start]
    for node in queue:
        first, mask = SLOT_BITS[node]
        for way in WAYS[slots >> first & mask]:
            for end, bit, _, leg_users, _ in legs_of[first + way]:
                if leg_users & users and bit & nodes and not bit & reached:
                    reached |= bit
                    queue.append(end)
    return reached


def spread(board: Board, nodes: int, starts: int, users: int, *, final: int) -> int:
    """Return the nodes within reach of drifts from any of these starts, with the starts, as bits.

    Args:
        board: the tiles.
        nodes: nodes that may be entered, as bits.
        users: the kind of drift, of `OWN` or `EVERY`.
        starts: first nodes, as bits.
        final: nodes where a drift ends.
    """
    legs_of = board.legs
    reached = starts
    queue = [slot for node in members(starts) for slot in board.exits(node)]
    seen = set(queue)
    for slot in queue:
        for _, bit, ahead, leg_users, _ in legs_of[slot]:
            if not (leg_users & users and bit & nodes) or ahead in seen:
                continue
            seen.add(ahead)
            reached |= bit
            if ahead in legs_of and not bit & final:
                queue.append(ahead)
    return reached
