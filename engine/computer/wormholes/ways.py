"""Wormholes: where the ships of both seats pass, and what a coin wins on a space."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache
from operator import mul

from engine.computer.wormholes.race import (
    FACES,
    JUMPS,
    ONE,
    PARTS,
    TURN,
    WAYS,
    Coins,
    Getter,
    Lengths,
    getter,
    lengths_of,
)
from engine.game import Action
from engine.wormholes.board import BASES, INDEX, SPACES, STARTS
from engine.wormholes.pieces import COINS

MAX_DETOUR = TURN // 2
"""A way that is longer than the best one by no more than this may be taken as well."""

HORIZON = 16
"""Turns of a race that are looked at."""

Near = tuple[Lengths, Lengths]
"""Lengths of the races of both seats."""


class Ways:
    """The ways of both seats' ships, given beliefs about the coins.

    Args:
        seat: the seat whose gains are calculated.
        own_coins: the coins that this seat expects.
        other_coins: the coins that the other one expects.
        near: lengths of both races with nearly the same coins, see `race.lengths_of`.

    Attributes:
        lengths: the lengths of both seats' races.
    """

    def __init__(
        self, seat: int, own_coins: Coins, other_coins: Coins, near: Near = ((), ())
    ) -> None:
        first, second = (own_coins, other_coins) if seat == 0 else (other_coins, own_coins)
        self.lengths = lengths_of(0, first, near[0]), lengths_of(1, second, near[1])
        self._seat = seat
        self._visits = tuple(visits_of(side, self.lengths[side]) for side in (0, 1))

    def gain(self, coin: int, space: int) -> int:
        """Return the turns that a coin on a space wins for the seat, in `TURN`."""
        helps, hinders = (
            gain(coin, space, self.lengths[side]) * self._visits[side][space] // ONE
            for side in (self._seat, 1 - self._seat)
        )
        return max(helps, 0) - hinders  # a way that does not help can be avoided

    def gains(self, placings: Iterable[Action]) -> dict[Action, int]:
        """Return the turns that each placing wins for the seat, in `TURN`."""
        return {
            action: self.gain(COINS.index(action.args[0]), INDEX[action.args[1]])
            for action in placings
        }


def gain(coin: int, space: int, lengths: tuple[int, ...]) -> int:
    """Return by how much a coin shortens the race of a ship that comes to its space."""
    if coin % 6 == 0:
        return -TURN
    ends = JUMPS[coin][space]
    return lengths[space] - min(lengths[end] for end in ends) if ends else 0


@lru_cache(maxsize=4)
def visits_of(seat: int, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """Return the expected visits of a seat's ships to each space by a die, in `ONE`."""
    starts = STARTS[2 * seat : 2 * seat + 2]
    now = [ONE if space in starts else 0 for space in range(len(SPACES))]
    visits = [0] * len(SPACES)
    arrivals = _arrivals(starts, BASES[1 - seat], lengths)
    for _ in range(HORIZON):
        after = [0] * len(SPACES)
        for space, parts, origins in arrivals:
            arriving = sum(map(mul, parts, origins(now))) // (FACES * PARTS)
            visits[space] += arriving
            after[space] = arriving + now[space] // FACES
        now = after
    return tuple(visits)


def _arrivals(
    starts: Iterable[int], goals: frozenset[int], lengths: tuple[int, ...]
) -> list[tuple[int, tuple[int, ...], Getter]]:
    """Return the spaces that ships reach, with the spaces they come from and their parts."""
    arrivals: dict[int, dict[int, int]] = {start: {} for start in starts}
    spaces = [*arrivals]
    for space in spaces:
        for end, share in _shares(space, lengths) if space not in goals else ():
            if end not in arrivals:
                arrivals[end] = {}
                spaces.append(end)
            arrivals[end][space] = arrivals[end].get(space, 0) + share
    return [
        (space, tuple(parts.values()), getter(tuple(parts) or (space,)))
        for space, parts in arrivals.items()
    ]


def _shares(space: int, lengths: tuple[int, ...]) -> list[tuple[int, int]]:
    """Return the spaces that a ship may go to, with their parts of each face."""
    shares = []
    for value in range(1, FACES):
        ends = WAYS[value][space]
        if not ends:
            continue
        best = min(lengths[end] for end in ends)
        good = [end for end in ends if lengths[end] <= best + MAX_DETOUR]
        shares += [(end, PARTS // len(good)) for end in good]
    return shares
