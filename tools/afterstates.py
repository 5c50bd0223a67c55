"""Play Tom Tube by hand-made estimates of what each action leaves, as a program of the arena.

    starpost engine arena tomtube --player A=admiral --player B='cmd:python -m tools.afterstates'

An opponent that shares nothing with the computer players but the rules. It counts the turns that
both astronauts need for their modules and home, exactly where tubes lie, roughly where they are
still to be built, and takes the action after which it stands best. To rate building it tries some
of the rhombs that may come, each in the places that shorten ways most.
"""

from __future__ import annotations

from collections.abc import Iterable
from heapq import heappop, heappush
from itertools import accumulate, pairwise, permutations
from math import exp
from typing import NamedTuple

from engine.game import CHANCE, Action
from engine.tomtube.board import Board
from engine.tomtube.lattice import (
    AROUND,
    BASES,
    CENTRES,
    EDGES,
    GATES,
    MIDDLES,
    MODULES,
    PLACE_INDEX,
    PLACES,
    TRIANGLES,
    members,
)
from engine.tomtube.rules import apply, legal, pending, points
from engine.tomtube.state import NONE, State
from engine.tomtube.tables import CONTROL, ENERGY, POINTS, SEATS, SOLAR_POINTS
from engine.tomtube.tiles import EVERY, OWN, SLOTS, TILES
from tools.serving import Program, by_position

JUMP, STEER = 1.0, 2.0
"""What paying an energy or a control counter costs, in turns."""

WITHOUT = 1.5
"""What a counter costs more if it is not in hand."""

LINK, TRIANGLE = 1.4, 0.3
"""Turns for a way that is still to be built to the next knot, and for each triangle it lacks."""

FAR = 30.0
"""Turns of a way that cannot be found."""

SURE = 3.0
"""A race in which one side is so many turns ahead is won with a probability of 0.73."""

BONUS = 8.0
"""The longest bonus that is expected, in points."""

DRAWN, TRIED, PLACED = 12, 6, 60
"""How many rhombs are drawn to rate building, and places tried for one of them, and for one that
has been drawn."""

WON = 1000.0
"""Lead of the winner, beside points; also while only the slower one's turns are counted."""

_LINKS: tuple[tuple[tuple[int, int, int], ...], ...] = tuple(
    tuple(
        (other, pair, sum(1 << n for n, ends in enumerate(TRIANGLES) if {knot, other} <= {*ends}))
        for other, pair in EDGES[knot]
        if other in AROUND or other in GATES
    )
    if knot in AROUND or knot in GATES
    else ()
    for knot in range(CENTRES)
)
"""For each knot its neighbours, the pair on the edge, and the triangles beside it as bits."""

_TUBES = tuple(
    tuple(tuple(map("ABCD".index, tube)) for tube in tile.removesuffix("+").split("/"))
    for tile in TILES
)
"""_TUBES[tile][seat]: the corners that its tube joins."""


class Outlook(NamedTuple):
    """What a side needs.

    Attributes:
        times: turns to each module that it needs, in the best order.
        total: turns until it is home with all.
        near: for each node the turns of the astronaut.
        rest: for each node the turns from there to the next stop, and on home.
    """

    times: tuple[float, ...]
    total: float
    near: list[float]
    rest: list[float]


class Search:
    """The turns that an astronaut needs from a node to all others.

    A drift takes a turn however far it leads: all its stops are found when its start is, and no
    later start needs to drift through the same slot again. Between stations a way is as long back.

    Args:
        state: the position.
        seat: the astronaut's seat.
        start: the first node.

    Attributes:
        turns: for each node.
    """

    def __init__(self, state: State, seat: int, start: int) -> None:
        self._board, self._seat = state.board, seat
        self._closed = state.left if state.faster == NONE and state.board.room else state.board.free
        self._jump = 1 + JUMP + WITHOUT * (not state.holds(ENERGY, seat))
        self._steer = 1 + STEER + WITHOUT * (not state.holds(CONTROL, seat))
        self.turns = [FAR] * len(SLOTS)
        self._queue: list[tuple[float, int]] = []
        self._seen: set[int] = set()
        self._reach(start, 0)
        while self._queue:
            time, node = heappop(self._queue)
            if time > self.turns[node]:
                continue
            if not self._board.nodes[seat] >> node & 1:  # a knot that is not complete yet
                time += TRIANGLE * (AROUND[node] & self._board.free).bit_count()
            self._drift(node, time)
            if node < CENTRES:
                self._cross(node, time)

    def _reach(self, node: int, time: float) -> None:
        if time < self.turns[node]:
            self.turns[node] = time
            heappush(self._queue, (time, node))

    def _is_closed(self, node: int) -> bool:
        """Return whether the astronaut can neither enter a node nor a knot that is completed."""
        if self._board.nodes[self._seat] >> node & 1:
            return False
        return node not in AROUND or bool(AROUND[node] & self._closed)

    def _drift(self, start: int, time: float) -> None:
        legs_of, nodes, seen = self._board.legs, self._board.nodes[self._seat], self._seen
        free, paid = OWN[self._seat], EVERY[self._seat]
        slots = self._board.exits(start)
        for slot in slots:
            for end, bit, ahead, users, _ in legs_of[slot]:
                if ahead in seen or self._is_closed(end):
                    continue
                if users & free:
                    seen.add(ahead)
                    self._reach(end, time + 1)
                    if ahead in legs_of and bit & nodes and end not in MIDDLES:
                        slots.append(ahead)
                elif users & paid:
                    self._reach(end, time + self._steer)

    def _cross(self, knot: int, time: float) -> None:
        """Go on to neighbouring knots, by ways that are still to be built, or by jumps."""
        room = self._board.free & ~self._closed
        for other, pair, beside in _LINKS[knot]:
            if self._is_closed(other):
                continue
            if room & beside:
                self._reach(other, time + LINK)
            elif pair not in self._board.places:
                self._reach(other, time + self._jump)


def turns_from(state: State, seat: int, start: int) -> list[float]:
    """Return the turns from a node to all others, see `Search`."""
    return Search(state, seat, start).turns


def outlook(state: State, seat: int) -> Outlook:
    """Return the turns that a side needs."""
    start, base = state.at[seat], BASES[seat]
    needed = [module for module in MODULES[seat] if state.solars >> module & 1]
    if state.faster == 1 - seat:
        needed = []  # counters at modules stay there
    turns = {stop: turns_from(state, seat, stop) for stop in (start, *needed)}
    tours = []
    for order in permutations(needed):
        ways = [turns[stop][end] for stop, end in pairwise((start, *order, base))]
        times = tuple(min(time, FAR) for time in accumulate(ways))
        tours.append((times[-1], times[:-1], (*order, base)[0]))
    total, times, stop = min(tours)
    from_stop = turns[stop] if stop in turns else turns_from(state, seat, stop)
    onward = total - turns[start][stop]
    return Outlook(times, total, turns[start], [time + onward for time in from_stop])


def wins_race(ahead: float) -> float:
    """Return the probability that a side arrives first that needs so many turns less."""
    return 1 / (1 + exp(-max(-60.0, min(60.0, ahead / SURE))))


def lead(state: State, seat: int) -> float:
    """Return the lead in points that a seat can expect."""
    now = points(state)
    ahead = float(now[SEATS[seat]] - now[SEATS[1 - seat]])
    side, rival = (outlook(state, number) for number in (seat, 1 - seat))
    if state.faster != NONE and not state.result:
        ahead += rival.total if state.faster == seat else -side.total
    if state.faster != NONE or state.result:
        return ahead + WON * ((ahead > 0) - (ahead < 0))
    tempo = 0.5 if state.turn == seat else -0.5
    for runner, opponent, sign in ((side, rival, 1), (rival, side, -1)):
        for time in runner.times:
            ahead += sign * SOLAR_POINTS * wins_race(opponent.total - time + sign * tempo)
    race = rival.total - side.total + tempo
    ahead += max(-BONUS, min(BONUS, race)) * abs(2 * wins_race(race) - 1)
    for value, put in zip(POINTS, state.put, strict=True):
        for node in members(put):
            ahead += value * (_reach(side.near[node]) - _reach(rival.near[node]))
    return ahead


def _reach(turns: float) -> float:
    """Return the part of a counter's value that is expected from so many turns away."""
    return 0.5 * exp(-turns / 5)


def settled(state: State, seat: int) -> float:
    """Return the lead after the seat has filled what it isolated as suits it best."""
    if state.phase == "fill" and pending(state) == SEATS[seat]:
        options = legal(state)
        return max(
            settled(apply(state, action)[0], seat)
            for action in options
            if action.args == options[0].args
        )
    return lead(state, seat)


class Sketch:
    """What rhombs would do to the ways of both sides, roughly."""

    def __init__(self, state: State, seat: int) -> None:
        self._seat = seat
        self._board: Board = state.board
        self._sides = outlook(state, seat), outlook(state, 1 - seat)

    def gain(self, tile: int, action: Action) -> float:
        """Return by how many turns a placing helps its seat more than the other one."""
        knots = [corner.knot for corner in PLACES[PLACE_INDEX[action.args[0]]]]
        total = 0.0
        for sign, number, side in zip(
            (1, -1), (self._seat, 1 - self._seat), self._sides, strict=True
        ):
            one, other = (knots[corner] for corner in _TUBES[tile][number])
            way = min(side.near[one] + side.rest[other], side.near[other] + side.rest[one])
            total -= sign * 2 * min(way + 1 - side.total, 6)
            for knot, share in zip(knots, (1, 2, 1, 2), strict=True):
                if knot in AROUND and AROUND[knot] & self._board.free:
                    detour = side.near[knot] + side.rest[knot] - side.total
                    total += sign * share * exp(-max(detour, 0))
        return total

    def best(self, tile: int, actions: Iterable[Action], count: int) -> list[Action]:
        """Return the placings that gain most, the best first."""
        return sorted(actions, key=lambda action: -self.gain(tile, action))[:count]


def after_building(state: State, seat: int) -> float:
    """Return the mean lead over some of the rhombs that may be drawn, each placed well."""
    drawing, _ = apply(state, Action(SEATS[seat], "build"))
    stack = members(state.stack)
    count = min(DRAWN, len(stack))
    drawn = [stack[number * len(stack) // count] for number in range(count)]
    sketch, total = Sketch(state, seat), 0.0
    for tile in drawn:
        holding, _ = apply(drawing, Action(CHANCE, "draw", (TILES[tile],)))
        places = sketch.best(tile, legal(holding), TRIED)
        total += max(settled(apply(holding, action)[0], seat) for action in places)
    return total / count


def choose(state: State, letter: str) -> Action:
    """Return the action of a seat."""
    seat, actions = SEATS.index(letter), legal(state)
    if state.phase == "rhomb":
        actions = tuple(Sketch(state, seat).best(state.drawn, actions, PLACED))
    return max(
        actions,
        key=lambda action: (
            after_building(state, seat)
            if action.verb == "build"
            else settled(apply(state, action)[0], seat)
        ),
    )


PROGRAM = Program("Afterstates by hand", ("tomtube",), by_position(choose))
"""The player."""

if __name__ == "__main__":
    PROGRAM.run()
