"""The races home of lone ships in Wormholes, by value iteration on many boards at once.

Arrays have a row for each place: a space, or one of the two goals for a ship that was sent there
and has to land yet (W7.5). A *landing* is a place where a ship lands, or PLACES + the place where
it stays. The last axis of most arrays is the board.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from engine.wormholes.board import BASES, ENDS, SPACES
from engine.wormholes.pieces import AXES, COIN_AT, COINS, EMPTY, SEATS, owner
from engine.wormholes.state import State

HORIZON = 28
"""Turns that are looked ahead."""

ROUNDS, CLOSE = 60, 0.02
"""Rounds of value iteration at most, and the change in turns at which it ends."""

SOFT = 0.3
"""A way that is so many turns longer is taken 1/e as often, in `Races.visits`."""

VALUES, WAYS, COUNT = 6, 8, len(SPACES)
PLACES = COUNT + 2
ALL = np.arange(PLACES)[:, None]
IS_NULL = np.arange(len(COINS)) % VALUES == 0

Floats = NDArray[np.float32]
Ints = NDArray[np.intp]


def _moves(seat: int) -> Ints:
    """Return `[way][value][place]`: the landings of a seat's ships; ways may be repeated."""
    table = np.zeros((WAYS, VALUES, PLACES), dtype=np.intp)
    for place, space in enumerate((*range(COUNT), *sorted(BASES[1 - seat]))):
        table[:, 0, place] = place if place < COUNT else PLACES + place
        for value in range(1, VALUES):
            ends = [*ENDS[value][space].values()] or [PLACES + place]
            table[:, value, place] = (ends * WAYS)[:WAYS]
    return table


def _jumps() -> Ints:
    """Return `[way][coin][place]`: where coins take ships; the place itself if nowhere."""
    table = np.tile(np.arange(PLACES), (2, len(COINS), 1))
    for coin in range(len(COINS)):
        suit, value = divmod(coin, VALUES)
        for space in range(COUNT) if value else ():
            ends = [ENDS[value][space][way] for way in AXES[suit] if way in ENDS[value][space]]
            table[:, coin, space] = [ends[0], ends[-1]] if ends else space
    return table


MOVES = _moves(0), _moves(1)
JUMPS = _jumps()


def beliefs(states: Sequence[State], knowers: str) -> Floats:
    """Return `[coin][place][board]`: how likely a coin lies there, by what seats know together."""
    table = np.zeros((len(COINS), PLACES, len(states)), dtype=np.float32)
    hidden = {coin for coin in range(len(COINS)) if SEATS[coin // 12] not in knowers}
    for board, state in enumerate(states):
        for space, letter in enumerate(state.board):
            if letter != EMPTY:
                coin = COIN_AT[letter]
                alike = range(coin - coin % VALUES, coin - coin % VALUES + VALUES)
                unknown = [c for c in alike if c in hidden and not state.seen >> c & 1]
                coins = unknown if coin in unknown else [coin]
                table[coins, space, board] = 1 / len(coins)
    return table


def place_if_sent(ship: int, space: int) -> int:
    """Return the place of a ship that is sent to a space."""
    goals = sorted(BASES[1 - owner(ship)])
    return COUNT + goals.index(space) if space in goals else space


class Races:
    """The races home of a seat's lone ships on some boards.

    Args:
        seat: the racing seat.
        believed: the coins that it expects, see `beliefs`.
        start: `[place][board]`: lengths of nearly the same races.

    Attributes:
        lengths: `[place][board]`: mean turns home.
    """

    def __init__(self, seat: int, believed: Floats, start: Floats | None = None) -> None:
        self._goals, self._moves = sorted(BASES[1 - seat]), MOVES[seat]
        self._spots = np.flatnonzero(believed.any(axis=(0, 2)))
        self._believed = believed[:, self._spots]
        cold = np.full(believed.shape[1:], VALUES, dtype=np.float32)
        self.lengths: Floats = cold if start is None else np.broadcast_to(start, cold.shape)
        for _ in range(ROUNDS):
            before = self.lengths
            self.lengths = 1 + self.landing()[self._moves].min(axis=0).mean(axis=0)
            self.lengths[self._goals] = 0
            if np.abs(self.lengths - before).max() < CLOSE:
                break

    def met(self, spots: Ints) -> Floats:
        """Return `[coin][spot][board]`: the mean turns home after a coin is activated there."""
        first, second = (self.lengths[ends[:, spots]] for ends in JUMPS)
        met: Floats = np.minimum(first, second)
        met[IS_NULL] += 1
        return met

    def landing(self) -> Floats:
        """Return `[landing][board]`: the mean turns home that the seat expects."""
        landing: Floats = np.concatenate((self.lengths, self.lengths))
        landing[self._spots] *= 1 - self._believed.sum(axis=0)
        landing[self._spots] += (self._believed * self.met(self._spots)).sum(axis=0)
        return landing

    def visits(self, starts: Sequence[int]) -> Floats:
        """Return `[place]`: how often ships land there that take good ways, on average."""
        landing = self.landing().mean(axis=1)[self._moves]
        shares = np.exp((landing.min(axis=0) - landing) / SOFT)
        shares /= shares.sum(axis=0) * VALUES
        now, total = np.bincount(starts, minlength=PLACES), np.zeros(PLACES, dtype=np.float32)
        for _ in range(HORIZON // 2):
            after = np.bincount(self._moves.ravel(), (now * shares).ravel(), 2 * PLACES)
            total += after[:PLACES]
            now = after[:PLACES] + after[PLACES:]
            now[self._goals] = 0
        return total

    def ends(self, actual: Floats) -> Ints:
        """Return `[landing][board]`: where a ship is then; PLACES + that if it loses a turn."""
        boards = np.arange(actual.shape[2])
        coin, is_coin = actual.argmax(axis=0), actual.any(axis=0)
        lengths = np.broadcast_to(self.lengths, coin.shape)
        first, second = (ends[coin, ALL] for ends in JUMPS)
        is_first = lengths[first, boards] <= lengths[second, boards]
        ends = np.where(is_coin, np.where(is_first, first, second), ALL)
        return np.concatenate(
            (ends + PLACES * (is_coin & IS_NULL[coin]), np.tile(ALL, len(boards)))
        )

    def out(self, actual: Floats) -> Floats:
        """Return `[turns][place][board]`: how likely a ship is not home after so many turns."""
        boards = np.arange(actual.shape[2])
        ways = np.broadcast_to(
            self.landing()[self._moves].argmin(axis=0), (VALUES, PLACES, len(boards))
        )
        landings = self._moves[ways, np.arange(VALUES)[:, None, None], ALL]
        ends = self.ends(actual)[landings, boards] * len(boards) + boards
        out = np.ones((HORIZON + 1, PLACES, len(boards)), dtype=np.float32)
        out[0, self._goals] = 0
        for turn in range(1, HORIZON + 1):
            both = np.concatenate((out[turn - 1], out[max(turn - 2, 0)]))
            out[turn] = both.take(ends).mean(axis=0)
            out[turn, self._goals] = 0
        return out

    def expected(self, out: Floats) -> Floats:
        """Return `[turns][landing][board]`: what the seat expects of the same after a landing."""
        lengths, spots, boards = self.lengths, self._spots, np.arange(out.shape[2])
        first, second = (ends[:, spots, None] for ends in JUMPS)
        ends = np.where(lengths[first, boards] <= lengths[second, boards], first, second)
        met = out[:, ends, boards]
        met[:, IS_NULL] = delayed(out)[:, None, spots]
        landed = out.copy()
        landed[:, spots] *= 1 - self._believed.sum(axis=0)
        landed[:, spots] += np.einsum("csb,tcsb->tsb", self._believed, met)
        return np.concatenate((landed, out), axis=1)


def delayed(out: Floats) -> Floats:
    """Return curves over turns after a turn is lost."""
    return np.concatenate((out[:1], out[:-1]))
