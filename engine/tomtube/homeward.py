"""Search for a way home, which decides whether an astronaut is stranded (T5.3).

Free drifts can be undone, so nodes form *regions* that are connected only by jumps and control
drifts. Taking all counters of a region never does harm. A position of the search is therefore a
region, the counters left on the board, and the energy and control counters in hand; an alien
counter is worth one control and two energy counters.
"""

from __future__ import annotations

from functools import lru_cache
from heapq import heappop, heappush
from typing import NamedTuple

from engine.tomtube.board import Board
from engine.tomtube.drifting import connected, find_drifts, spread
from engine.tomtube.lattice import BASES, EDGES, KNOTS, MIDDLE_BITS, members
from engine.tomtube.state import Draft
from engine.tomtube.tables import (
    ALIEN,
    CONTROL,
    ENERGY,
    EXCHANGE_CONTROL,
    EXCHANGE_ENERGY,
    SEATS,
)
from engine.tomtube.tiles import EVERY, OWN

Cost = tuple[int, int]
"""Energy and control counters."""

Left = tuple[int, ...]
"""By kind: nodes with a counter, as bits."""

HOME_REGION = 0
"""Region of the base."""


class _Step(NamedTuple):
    """A position of the search; the smallest one is the most promising.

    Attributes:
        missing: number of counters that the hand lacks for the cheapest way home.
        length: number of counters that this way costs.
        region, hand, left: of the astronaut, in hand, and on the board.
    """

    missing: int
    length: int
    region: int
    hand: Cost
    left: Left


def worth(energy: int, control: int, alien: int) -> Cost:
    """Return energy and control counters after exchanging all alien counters."""
    return energy + EXCHANGE_ENERGY * alien, control + EXCHANGE_CONTROL * alien


def jumps_from(board: Board, knot: int) -> list[int]:
    """Return the complete knots within one jump of a complete knot, in order (T4.3)."""
    if knot >= len(KNOTS) or not board.complete >> knot & 1:
        return []
    complete, places = board.complete, board.places
    return [other for other, pair in EDGES[knot] if complete >> other & 1 and pair not in places]


def is_in_the_way(state: Draft, letter: str) -> bool:
    """Return whether a free drift or a jump would end where the other astronaut is (T4.0)."""
    seat = SEATS.index(letter)
    start, other = state.at[seat], state.at[1 - seat]
    if state.holds(ENERGY, seat) and other in jumps_from(state.board, start):
        return True
    nodes, counters = state.board.nodes[seat], state.counters()
    return other in find_drifts(state.board, nodes, start, OWN[seat], counters)


class Homeward:
    """The way home of one seat on one board, without the other astronaut."""

    __slots__ = ("_across", "_board", "_labels", "_nodes", "_open", "_region", "_seat")

    def __init__(self, board: Board, seat: int) -> None:
        self._board = board
        self._seat = seat
        self._open = board.nodes[seat]
        self._nodes: list[int] = []
        self._region: dict[int, int] = {}
        self._across: dict[tuple[int, int], tuple[int, ...]] = {}
        self._region_of(BASES[seat])
        self._labels: dict[int, list[Cost]] = {}
        """Found once an astronaut outside of the home region asks; most are inside."""

    def _region_of(self, node: int) -> int:
        """Return the number of a node's region."""
        region = self._region.get(node)
        if region is None:
            nodes = connected(self._board, self._open, node, OWN[self._seat])
            region = len(self._nodes)
            self._nodes.append(nodes)
            self._region.update(dict.fromkeys(members(nodes), region))
        return region

    def _jumps(self, region: int) -> tuple[int, ...]:
        """Return the regions within one jump."""
        key = (region, -1)
        if key not in self._across:
            nodes = self._nodes[region] & self._board.complete
            ends = {
                self._region_of(end)
                for knot in members(nodes)
                for end in jumps_from(self._board, knot)
            }
            self._across[key] = tuple(sorted(ends - {region}))
        return self._across[key]

    def _drifts(self, region: int, counters: int) -> tuple[int, ...]:
        """Return the regions within one control drift while these nodes have counters."""
        key = (region, counters)
        if key not in self._across:
            reached = spread(
                self._board,
                self._open,
                self._nodes[region],
                EVERY[self._seat],
                final=counters | MIDDLE_BITS,
            )
            outside = reached & ~self._nodes[region]
            self._across[key] = tuple(sorted({self._region_of(node) for node in members(outside)}))
        return self._across[key]

    def _find_labels(self) -> None:
        """Find the minimal costs of the way home from each region, ignoring counters.

        Jumps and control drifts can be undone as well, so the search begins at home. Each round
        pays one counter more.
        """
        labels = self._labels
        payments: set[tuple[int, int, int]] = {(0, 0, HOME_REGION)}
        while payments:
            dearer: set[tuple[int, int, int]] = set()
            for energy, control, region in payments:
                costs = labels.setdefault(region, [])
                if any(cost[0] <= energy and cost[1] <= control for cost in costs):
                    continue
                costs.append((energy, control))
                dearer.update([(energy + 1, control, end) for end in self._jumps(region)])
                dearer.update([(energy, control + 1, end) for end in self._drifts(region, 0)])
            payments = dearer

    def is_in_home_region(self, node: int) -> bool:
        """Return whether free drifts alone lead home from a node."""
        return bool(self._nodes[HOME_REGION] >> node & 1)

    def possible(self, node: int, hand: Cost, left: Left) -> bool:
        """Return whether a series of the seat's own moves leads into its base.

        The most promising position is searched first. If a region returns the costs of visiting it,
        no other step needs to be tried before.

        Args:
            node: position of the astronaut.
            hand: energy and control counters in hand, alien counters exchanged.
            left: counters on the board; one at `node` is taken.
        """
        if not self._labels:
            self._find_labels()
        start = self._enter(self._region_of(node), hand, left)
        queue = [start] if start else []
        seen: dict[tuple[int, Left], list[Cost]] = {}
        while queue:
            _, _, region, hand, left = heappop(queue)
            if region == HOME_REGION:
                return True
            costs = seen.setdefault((region, left), [])
            if any(cost[0] >= hand[0] and cost[1] >= hand[1] for cost in costs):
                continue
            costs.append(hand)
            for step in self._steps(region, hand, left):
                heappush(queue, step)
        return False

    def _steps(self, region: int, hand: Cost, left: Left) -> list[_Step]:
        """Return the positions after a jump or control drift; only one if it pays for itself."""
        steps: list[_Step] = []
        ways: list[tuple[int, Cost]] = []
        if hand[ENERGY]:
            paid = (hand[0] - 1, hand[1])
            ways += [(end, paid) for end in self._jumps(region)]
        if hand[CONTROL]:
            paid = (hand[0], hand[1] - 1)
            counters = left[0] | left[1] | left[2]
            ways += [(end, paid) for end in self._drifts(region, counters)]
        for end, paid in ways:
            step = self._enter(end, paid, left)
            if step:
                price = ENERGY if paid[ENERGY] < hand[ENERGY] else CONTROL
                if step.hand[price] > hand[price]:
                    return [step]
                steps.append(step)
        return steps

    def _enter(self, region: int, hand: Cost, left: Left) -> _Step | None:
        """Enter a region and take its counters; None if all counters can't pay for the way home."""
        labels = self._labels.get(region)
        if labels is None:
            return None
        nodes = self._nodes[region]
        energy, control = hand
        if nodes & (left[0] | left[1] | left[2]):
            gain = worth(*[(kind & nodes).bit_count() for kind in left])
            energy, control = energy + gain[0], control + gain[1]
            left = tuple([kind & ~nodes for kind in left])
        remaining_worth = worth(*[kind.bit_count() for kind in left])
        if not any(
            cost[0] <= energy + remaining_worth[0] and cost[1] <= control + remaining_worth[1]
            for cost in labels
        ):
            return None
        missing, length = min(
            (max(0, cost[0] - energy) + max(0, cost[1] - control), cost[0] + cost[1])
            for cost in labels
        )
        return _Step(missing, length, region, (energy, control), left)


@lru_cache(maxsize=32)
def homeward(board: Board, seat: int) -> Homeward:
    """Return the cached search for the way home on a board."""
    return Homeward(board, seat)


def is_stranded(draft: Draft, seat: int) -> bool:
    """Return whether no series of own moves leads this astronaut home (T5.3)."""
    return not _comes_home(draft, seat, draft.at[seat], (0, 0))


def would_strand(draft: Draft, seat: int, node: int, price: int) -> bool:
    """Return whether a move to this node, paid with a counter of kind `price`, strands a seat."""
    return not _comes_home(draft, seat, node, (int(price == ENERGY), int(price == CONTROL)))


def _comes_home(draft: Draft, seat: int, node: int, paid: Cost) -> bool:
    search = homeward(draft.board, seat)
    if search.is_in_home_region(node):
        return True
    energy, control = worth(*[draft.holds(kind, seat) for kind in (ENERGY, CONTROL, ALIEN)])
    hand = (energy - paid[0], control - paid[1])
    return _is_possible(search, node, hand, draft.put)


@lru_cache(maxsize=64)
def _is_possible(search: Homeward, node: int, hand: Cost, left: Left) -> bool:
    """Return `Homeward.possible`, cached: it is asked about both seats after each turn."""
    return search.possible(node, hand, left)
