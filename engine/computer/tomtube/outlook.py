"""Tom Tube: the lead that a seat is likely to have at the end."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise, permutations
from typing import NamedTuple

from engine.computer.situation import SCALE
from engine.computer.tomtube.returning import gain_until_home
from engine.computer.tomtube.ways import NO_WAY, TURN, Ways, ways_of
from engine.tomtube.lattice import BASES, MODULES, members
from engine.tomtube.moving import can_build
from engine.tomtube.rules import points
from engine.tomtube.state import NONE, State
from engine.tomtube.tables import CONTROL, ENERGY, POINTS, SEATS, SOLAR_POINTS

POINT = 100
"""Leads are in hundredths of a point."""

TEMPO = TURN // 2
"""What it is worth to move next."""

LATE = 4 * TURN
"""By how much a module must be reached before the match ends, to be counted three quarters."""

NEAR = 4 * TURN
"""A counter that is so far away is worth half."""

SHARE = 40
"""Hundredths of a counter that is reached at once; it takes a turn."""

BONUS = 80
"""What a turn's lead in the race home is worth."""

MAX_BONUS = 12 * TURN
"""The race is worth less than `BONUS` a turn if the lead is large: this is the limit."""

SPREAD = 6 * POINT
"""A lead that is worth three quarters of the score."""


class Side(NamedTuple):
    """What a seat has and where it can get.

    Attributes:
        points: so far.
        ways: the side's ways.
        stops: the astronaut's node, the modules in their best order, and the base.
        times: lengths of the way to each of these modules.
        total: length of the whole way.
    """

    points: int
    ways: Ways
    stops: tuple[int, ...]
    times: tuple[int, ...]
    total: int


def side_of(state: State, seat: int) -> Side:
    """Return a side with its shortest way to the modules that it needs, and home."""
    has = (state.holds(ENERGY, seat) > 0, state.holds(CONTROL, seat) > 0)
    closed = state.left if can_build(state) else state.board.free
    ways = ways_of(state.board, closed, seat, *has)
    goals = [module for module in MODULES[seat] if state.solars >> module & 1]
    if state.faster == 1 - seat:
        goals = []
    tours = [(state.at[seat], *order, BASES[seat]) for order in permutations(goals)]
    total, stops, times = min(
        (times[-1], stops, tuple(times[:-1]))
        for stops, times in ((stops, list(_times(ways, stops))) for stops in tours)
    )
    return Side(points(state)[SEATS[seat]], ways, stops, times, total)


def _times(ways: Ways, stops: Sequence[int]) -> Iterator[int]:
    """Yield the lengths of a way from the astronaut to each stop.

    Between stations a way is as long back as there, so two searches find all of these.
    """
    total, base = 0, stops[-1]
    for number, (start, end) in enumerate(pairwise(stops)):
        is_back = number and (end == base or end < start)
        length = ways.length(end, start) if is_back else ways.length(start, end)
        total = min(total + length, NO_WAY)
        yield total


def lead(state: State, seat: int) -> int:
    """Return the lead that a seat is likely to have at the end, in hundredths of a point."""
    if state.faster != NONE:
        return POINT * final_lead(state, seat)
    player, opponent = side_of(state, seat), side_of(state, 1 - seat)
    race = opponent.total - player.total + (TEMPO if state.turn == seat else -TEMPO)
    return (
        POINT * (player.points - opponent.points)
        + _solars(player, opponent)
        - _solars(opponent, player)
        + _counters(state, player, opponent)
        + BONUS * race * MAX_BONUS // (TURN * (MAX_BONUS + abs(race)))
    )


def _solars(side: Side, other: Side) -> int:
    """Return the value of the solar counters that a side may reach before the other is home."""
    return sum(
        SOLAR_POINTS * POINT * (LATE + abs(early) + early) // (2 * (LATE + abs(early)))
        for early in (other.total - time for time in side.times)
    )


def _counters(state: State, player: Side, opponent: Side) -> int:
    """Return the value of the counters on the board, weighted by the nearness of each side."""
    mine, theirs = (side.ways.lengths(side.stops[0]) for side in (player, opponent))
    total = 0
    for value, put in zip(POINTS, state.put, strict=True):
        for node in members(put):
            total += value * (nearness(mine[node]) - nearness(theirs[node]))
    return total * SHARE // 100


def nearness(length: int) -> int:
    """Return the worth of a counter at the end of a way of this length, at most `POINT`."""
    return 0 if length >= NO_WAY else POINT * NEAR // (NEAR + length)


def final_lead(state: State, seat: int) -> int:
    """Return the lead in points at the end if the slower player goes home the best way."""
    player, opponent = (points(state)[SEATS[index]] for index in (seat, 1 - seat))
    gain = 0 if state.result else gain_until_home(state, 1 - state.faster)
    return player - opponent + (-gain if seat == state.faster else gain)


def score(state: State, seat: int) -> int:
    """Return the expected score of a seat, from 0 to `SCALE`."""
    if state.result:
        winner = state.result[0]
        return SCALE // 2 if winner not in SEATS else SCALE * (winner == SEATS[seat])
    ahead = lead(state, seat)
    if state.faster != NONE:
        return SCALE // 2 * (1 + (ahead > 0) - (ahead < 0))
    return SCALE // 2 + SCALE * ahead // (2 * (SPREAD + abs(ahead)))


def slope(value: int) -> int:
    """Return the slope of the score over the lead, in hundredths of that of an even position.

    It is the derivative of `score`; once the outcome is foreseen, values are no such scores.
    """
    if not 0 < value < SCALE:
        return 100
    return 100 * (2 * min(value, SCALE - value)) ** 2 // SCALE**2
