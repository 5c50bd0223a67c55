"""The race home of a lone ship: its length, the distribution of its end, the spaces it passes.

Everything is a whole number. The board is as a seat knows it: for each space the coins that may be
there, all equally likely.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from operator import itemgetter, mul
from typing import NamedTuple

from engine.wormholes.board import BASES, ENDS, SPACES
from engine.wormholes.pieces import AXES, COIN_AT, EMPTY, SEATS, owner
from engine.wormholes.state import State

TURN = 1000
"""Lengths are in thousandths of a turn."""

ONE = 1 << 20
"""A probability of 1."""

MAX_TURNS = 32
"""Curves go as far as this turn."""

MAX_ROUNDS = 40
"""Rounds of value iteration at most."""

CLOSE = TURN // 50
"""Iteration ends when no two lengths change by amounts that differ more."""

FACES = 6
PARTS = 60
"""A face of a die is divided into this many parts, because up to six coins may be on a space."""

COUNT = len(SPACES)
PLACES = COUNT + 2
"""The spaces, and the two goals of ships that were sent there."""

SENT = {space: COUNT + n for bases in BASES for n, space in enumerate(sorted(bases))}
"""Places of ships that were sent onto their goals: they have not landed there (W7.5).

Lengths and curves have them behind the spaces.
"""

Coins = tuple[tuple[int, ...], ...]
"""For each space the coins that may be there; empty where there is none."""

Lengths = tuple[int, ...]
"""For each space, then for each goal in `SENT`, the mean number of turns home, in `TURN`."""

WAYS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(tuple(ends[space].values()) for space in range(COUNT)) for ends in ENDS
)
"""WAYS[value][space]: where a ship can go with a die of this value."""

Getter = Callable[[Sequence[int]], tuple[int, ...]]
"""Takes the numbers of some spaces out of the numbers of all."""


def getter(spaces: Sequence[int]) -> Getter:
    """Return the function that takes the numbers of these spaces."""
    return itemgetter(*spaces, spaces[-1])  # of one space it would be no tuple


ROLLS: tuple[tuple[tuple[Getter, ...], int], ...] = tuple(
    (tuple(getter(ends) for ends in ways if ends), ways.count(()))
    for ways in ([WAYS[value][space] for value in range(1, FACES)] for space in range(COUNT))
)
"""For each space where each value of a die leads, and how many lead nowhere."""

JUMPS: tuple[tuple[tuple[int, ...], ...], ...] = tuple(
    tuple(
        tuple(ENDS[coin % 6][space][way] for way in AXES[coin // 6] if way in ENDS[coin % 6][space])
        for space in range(COUNT)
    )
    if coin % 6
    else ((),) * COUNT
    for coin in range(24)
)
"""JUMPS[coin][space]: where a coin takes a ship that activates it there (W5.3)."""


class Race(NamedTuple):
    """The race of a seat's ships from each place.

    Attributes:
        lengths: mean number of turns, in `TURN`.
        curves: `curves[turns][place]` is the probability of being home after `turns`, in `ONE`.
    """

    lengths: Lengths
    curves: tuple[tuple[int, ...], ...]


def place_if_sent(ship: int, space: int) -> int:
    """Return the place of a ship that is sent to a space (W7.5)."""
    return SENT[space] if space in BASES[1 - owner(ship)] else space


def place_of(state: State, ship: int) -> int:
    """Return the place of a ship: a goal is its home only if it has landed there (W8)."""
    space = state.ships[ship]
    return space if state.landed >> ship & 1 else place_if_sent(ship, space)


def coins_known_to(state: State, seat: int) -> Coins:
    """Return the coins on the board as a seat with a perfect memory knows them.

    It knows its own coins and all that were activated; of the others the suit only.
    """
    unknown: list[list[int]] = [[], [], [], []]
    for coin in range(12 * (1 - seat), 12 * (1 - seat) + 12):
        if not state.seen >> coin & 1:
            unknown[coin // 6].append(coin)
    return _coins(state, unknown, seat)


def coins_known_to_all(state: State) -> Coins:
    """Return the coins on the board as far as the suits and the activated coins show."""
    unknown = [
        [coin for coin in range(6 * suit, 6 * suit + 6) if not state.seen >> coin & 1]
        for suit in range(4)
    ]
    return _coins(state, unknown, None)


def coins_on(state: State) -> Coins:
    """Return the coins that really are on the board."""
    return tuple(() if at == EMPTY else (COIN_AT[at],) for at in state.board)


def _coins(state: State, unknown: list[list[int]], seat: int | None) -> Coins:
    coins: list[tuple[int, ...]] = []
    for at in state.board:
        if at == EMPTY:
            coins.append(())
            continue
        coin = COIN_AT[at]
        is_known = state.seen >> coin & 1 or coin // 12 == seat
        coins.append((coin,) if is_known else tuple(unknown[coin // 6]))
    return tuple(coins)


@lru_cache(maxsize=64)
def race(
    seat: int,
    believed: Coins,
    actual: Coins,
    near: Lengths = (),
    starts: Sequence[int] = range(PLACES),
) -> Race:
    """Return the race of a seat that plans with the coins it expects, and meets the actual ones.

    Args:
        seat: the racing seat.
        believed: the coins that it expects when it chooses its ways.
        actual: the coins that it meets.
        near: see `lengths_of`.
        starts: places whose curves are needed; those that are not reached from them are empty.
    """
    lengths = lengths_of(seat, believed, near)
    goals = BASES[1 - seat]
    return Race(lengths, _curves(goals, _steps(goals, lengths, believed, actual, starts)))


@lru_cache(maxsize=64)
def lengths_of(seat: int, coins: Coins, near: Lengths = ()) -> Lengths:
    """Return the mean lengths of a seat's race, in `TURN`, with the coins that it expects.

    Args:
        seat: the racing seat.
        coins: the coins that it expects.
        near: the lengths with nearly the same coins, a start that saves rounds.
    """
    goals = BASES[1 - seat]
    lengths = _iterate(goals, coins, near[:COUNT] or empty_lengths(goals))
    met = _met_on(coins, lengths)
    return (*lengths, *(_left(space, met) for space in sorted(goals)))


@lru_cache(maxsize=2)
def empty_lengths(goals: frozenset[int]) -> tuple[int, ...]:
    """Return the lengths on a board without coins."""
    start = tuple(0 if space in goals else 8 * TURN for space in range(COUNT))
    return _iterate(goals, ((),) * COUNT, start)


def _iterate(goals: frozenset[int], coins: Coins, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """Iterate in place, nearest spaces first, until all lengths change alike."""
    nearest = sorted((n for n in range(COUNT) if n not in goals), key=lengths.__getitem__)
    after, met = list(lengths), list(_met_on(coins, lengths))
    for _ in range(MAX_ROUNDS):
        changes = []
        for space in nearest:
            length = TURN + _rolled(space, after, met)
            changes.append(length - after[space])
            after[space] = length
            met[space] = _met(coins[space], space, after) if coins[space] else length
        if max(changes) - min(changes) <= CLOSE:
            break
    return tuple(after)


def _met_on(coins: Coins, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """Return the mean length from each space, after its coin if there is one."""
    return tuple(
        _met(coins[space], space, lengths) if coins[space] else lengths[space]
        for space in range(COUNT)
    )


def _met(coins: tuple[int, ...], space: int, lengths: Sequence[int]) -> int:
    """Return the mean length after one of these coins has been activated."""
    total = 0
    for coin in coins:
        if coin % 6 == 0:
            total += lengths[space] + TURN
        else:
            total += min((lengths[end] for end in JUMPS[coin][space]), default=lengths[space])
    return total // len(coins)


def _rolled(space: int, lengths: Sequence[int], met: Sequence[int]) -> int:
    ways, stuck = ROLLS[space]
    total = met[space]  # a null activates the coin under the ship
    total += stuck * lengths[space]
    for ends in ways:
        total += min(ends(met))
    return total // FACES


def _left(space: int, met: tuple[int, ...]) -> int:
    """Return the mean length for a ship on a space without a coin that it has to leave."""
    ways, _ = ROLLS[space]
    return (FACES * TURN + sum(min(ends(met)) for ends in ways)) // len(ways)


Step = tuple[int, int, int]
"""Part of a turn's probability, the place it leads to, and the turns lost there."""


def _curves(
    goals: frozenset[int], steps: Mapping[int, Sequence[Step]]
) -> tuple[tuple[int, ...], ...]:
    sums = [
        (place, *_summed(place_steps, 0), *_summed(place_steps, 1))
        for place, place_steps in steps.items()
        if place not in goals
    ]
    none = tuple(ONE if place in goals else 0 for place in range(PLACES))
    curves = [none, none]
    for _ in range(MAX_TURNS):
        earlier, before = curves[-2:]
        after = list(none)
        for place, parts, ends, late_parts, late_ends in sums:
            total = sum(map(mul, parts, ends(before)))
            if late_parts:
                total += sum(map(mul, late_parts, late_ends(earlier)))
            after[place] = total // (FACES * PARTS)
        curves.append(tuple(after))
    return tuple(curves[1:])


def _summed(steps: Sequence[Step], lost: int) -> tuple[tuple[int, ...], Getter]:
    """Return the parts of the steps that lose `lost` turns, added up by their ends, and these."""
    parts: dict[int, int] = {}
    for part, end, turns in steps:
        if turns == lost:
            parts[end] = parts.get(end, 0) + part
    return tuple(parts.values()), getter(tuple(parts) or (0,))


def _steps(
    goals: frozenset[int],
    lengths: Lengths,
    believed: Coins,
    actual: Coins,
    starts: Sequence[int] = range(PLACES),
) -> dict[int, list[Step]]:
    """Return the steps that a turn makes from each place that ships come to from `starts`.

    Each die is used as seems best.
    """
    met = _met_on(believed, lengths)
    effects = [_effect(actual[space], space, lengths, goals) for space in range(COUNT)]
    spaces = (*range(COUNT), *sorted(goals))
    steps: dict[int, list[Step]] = {}
    places = [*starts]
    for place in places:
        if place in steps:
            continue
        space, stays = spaces[place], (PARTS, place, 0)
        outcomes = list(effects[space]) if place == space else [stays]
        for ways in WAYS[1:]:
            ends = ways[space]
            outcomes += effects[min(ends, key=met.__getitem__)] if ends else [stays]
        steps[place] = outcomes
        places += [end for _, end, _ in outcomes if end not in steps]
    return steps


def _effect(
    coins: tuple[int, ...], space: int, lengths: tuple[int, ...], goals: frozenset[int]
) -> list[Step]:
    """Return the steps of a ship whose die brings it to a space."""
    if not coins or space in goals:
        return [(PARTS, space, 0)]
    part = PARTS // len(coins)
    steps = []
    for coin in coins:
        ends = JUMPS[coin][space]
        end = min(ends, key=lengths.__getitem__) if ends else space
        steps.append((part, end, int(coin % 6 == 0)))
    return steps


class Outlook:
    """The races of both seats, and who is likely to win them.

    Args:
        rules: the rule set.
        races: races of the seats.
    """

    def __init__(self, rules: str, races: tuple[Race, Race]) -> None:
        self.races = races
        self._needs_both = rules != "0.6"
        self._still_out: dict[tuple[int, ...], list[int]] = {}
        self._winning: dict[tuple[int, ...], int] = {}

    @classmethod
    def known_to(cls, state: State, seat: int, near: tuple[Lengths, Lengths] = ((), ())) -> Outlook:
        """Return the outlook by what a seat knows; the other one is assumed not to know its coins.

        Args:
            state: a position that fits what the seat knows.
            seat: the seat whose knowledge counts.
            near: lengths of the races of both seats in nearly the same position, see `lengths_of`.
        """
        mine, common = coins_known_to(state, seat), coins_known_to_all(state)
        player = race(seat, mine, mine, near[seat])
        opponent = race(1 - seat, common, mine, near[1 - seat])
        return cls(state.rules, (player, opponent) if seat == 0 else (opponent, player))

    @classmethod
    def true(cls, state: State) -> Outlook:
        """Return the outlook in a known position: seats plan by what they know, coins are real."""
        coins = coins_on(state)
        first, second = (race(seat, coins_known_to(state, seat), coins) for seat in (0, 1))
        return cls(state.rules, (first, second))

    def winning(self, state: State, seat: int, first: int) -> int:
        """Return the probability that a seat wins, in `ONE`, when `first` moves next."""
        if state.result:
            letter = state.result[0]
            return (ONE if letter == SEATS[seat] else 0) if letter in SEATS else ONE // 2
        key = (*state.ships, state.landed, state.owes, first)
        probability = self._winning.get(key)
        if probability is None:
            probability = self._winning[key] = self._first_wins(state, first)
        return probability if seat == first else ONE - probability

    def _first_wins(self, state: State, first: int) -> int:
        leads, follows = self._curve(state, first), self._curve(state, 1 - first)
        total, before = 0, ONE
        for after, other in zip(leads[1:], follows, strict=False):
            total += (before - after) * other
            before = after
        return (total + before * follows[-1] // 2) // ONE

    def _curve(self, state: State, seat: int) -> list[int]:
        """Return the probability that a seat has not won after each number of its turns."""
        one, other = 2 * seat, 2 * seat + 1
        key = (
            seat, place_of(state, one), place_of(state, other),
            state.owes >> one & 1, state.owes >> other & 1,
        )  # fmt: skip
        curve = self._still_out.get(key)
        if curve is None:
            curve = self._still_out[key] = self._make_curve(*key)
        return curve

    def _make_curve(self, seat: int, x: int, y: int, lost_x: int, lost_y: int) -> list[int]:
        curves = self.races[seat].curves
        out = []
        for turns in range(MAX_TURNS + 1):
            p = curves[max(turns - lost_x, 0)][x]
            q = curves[max(turns - lost_y, 0)][y]
            home = p * q // ONE if self._needs_both else p + q - p * q // ONE
            out.append(ONE - home)
        return out
