"""Place coins where they help the seat's ships, without giving away their values.

Where a coin lies is public, and so is this program: a coin that is always placed where it is best
is as good as face up. So only the first coins of a setup are placed for their values. All others
are placed by the public part of the position, and drawn: their spaces reveal nothing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from engine.computer.situation import SCALE, Situation
from engine.computer.wormholes.race import (
    FACES,
    JUMPS,
    ONE,
    PARTS,
    TURN,
    WAYS,
    Coins,
    Lengths,
    Outlook,
    coins_known_to,
    coins_known_to_all,
    lengths_of,
    race,
)
from engine.game import Action, RandomSource
from engine.wormholes.board import BASES, INDEX, SPACES, STARTS
from engine.wormholes.knowledge import board_of
from engine.wormholes.pieces import COINS, SEATS, VALUES
from engine.wormholes.rules import apply
from engine.wormholes.state import State

MAX_DETOUR = TURN // 2
"""A way that is longer than the best one by no more than this may be taken as well."""

HORIZON = 16
"""Turns of a race that are looked at."""

HAND_SIZE = len(COINS) // len(SEATS)
"""Coins of a seat before the setup."""

KEY_COINS = 2
"""Coins that a seat places for their values.

Each is as good as face up: with two of twelve, a reader names a third of all values at most.
"""

PLACING_NODES = 10
"""Positions as which a placing counts: its chance of winning takes longer to evaluate."""

BLUFF_NODES = 130
"""Positions as which a bluff counts: its chance of winning is the mean over all values."""

CLOSE = SCALE // 200
"""Placings whose scores differ by less are equally likely."""

TURN_SCORE = 900
"""What a turn's lead is worth of the score."""


class Ways:
    """The ways of both seats' ships, given beliefs about the coins.

    Args:
        seat: the seat whose gains are calculated.
        own: the coins that this seat expects.
        other: the coins that the other one expects.

    Attributes:
        lengths: the lengths of both seats' races.
    """

    def __init__(self, seat: int, own_coins: Coins, other_coins: Coins) -> None:
        first, second = (own_coins, other_coins) if seat == 0 else (other_coins, own_coins)
        self.lengths = lengths_of(0, first), lengths_of(1, second)
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


def rate(situation: Situation, draw: RandomSource, nodes: int) -> list[tuple[int, Action]]:
    """Return placings with the expected score after each; the best ones are equally good.

    Args:
        situation: situation of a seat that places a coin.
        draw: draws the coins that are placed for their spaces.
        nodes: maximum positions to evaluate.
    """
    placed = HAND_SIZE - coins_in_hand(situation.sampled_state, SEATS.index(situation.seat))
    if placed < KEY_COINS:
        rated = _rate_for_values(situation, max(nodes // PLACING_NODES, 1))
    else:
        rated = _rate_for_spaces(situation, draw, nodes // BLUFF_NODES)
    situation.tally.nodes += len(rated)
    best = max(score for score, _ in rated)
    return [(best if best - score < CLOSE else score, action) for score, action in rated]


def _rate_for_values(situation: Situation, count: int) -> list[tuple[int, Action]]:
    """Return the most promising placings with the chance of winning after each."""
    ways = known_ways(situation)
    gains = ways.gains(situation.legal)
    best = sorted(gains, key=lambda action: -gains[action])[:count]
    return [(score_after(situation, action, ways.lengths), action) for action in best]


def _rate_for_spaces(
    situation: Situation, draw: RandomSource, count: int
) -> list[tuple[int, Action]]:
    """Return placings of one coin of each suit, drawn from the hand.

    A score is the mean over all values of the suit, by what everyone knows: so a space tells
    nothing of the coin on it, nor of those that were placed before.

    Args:
        situation: situation of a seat that places a coin.
        draw: draws the coins.
        count: number of the most promising placings to compare by the chance of winning after
            each; with fewer than two, all are returned, rated by the turns that they win.
    """
    state = with_laid(situation.sampled_state, situation.seat)
    common = coins_known_to_all(state)
    ways = Ways(SEATS.index(situation.seat), common, common)
    coins = sorted({action.args[0] for action in situation.legal})
    suits = sorted({coin[0] for coin in coins})
    hands = [[coin for coin in coins if coin[0] == suit] for suit in suits]
    drawn = {hand[draw(len(hand))] for hand in hands}
    rated = []
    for action in situation.legal:
        if action.args[0] in drawn:
            suit, space = COINS.index(action.args[0]) // len(VALUES), INDEX[action.args[1]]
            won = sum(ways.gain(len(VALUES) * suit + n, space) for n in range(len(VALUES)))
            rated.append((SCALE // 2 + won * TURN_SCORE // (TURN * len(VALUES)), action))
    if count < 2:
        return rated
    rated.sort(key=lambda pair: -pair[0])
    return [(score_of_suit(state, action, ways.lengths), action) for _, action in rated[:count]]


def known_ways(situation: Situation) -> Ways:
    """Return the ways of both seats, by what a seat knows; the other one knows what all know."""
    seat = SEATS.index(situation.seat)
    state = with_laid(situation.sampled_state, situation.seat)
    return Ways(seat, coins_known_to(state, seat), coins_known_to_all(state))


def score_after(
    situation: Situation, action: Action, near: tuple[Lengths, Lengths] = ((), ())
) -> int:
    """Return the expected score of a seat after a placing, by what it knows.

    Args:
        situation: situation of the seat.
        action: the placing.
        near: lengths of both races before it, see `race.lengths_of`.
    """
    seat = SEATS.index(situation.seat)
    after = with_laid(apply(situation.sampled_state, action)[0], situation.seat)
    return before_play(after, Outlook.known_to(after, seat, near), seat) * SCALE // ONE


def score_of_suit(state: State, action: Action, near: tuple[Lengths, Lengths]) -> int:
    """Return the expected score of a seat after a placing, by what everyone knows.

    It is the mean over all coins of the suit. The seat itself knows which one it is, and avoids one
    that does not help; the other seat expects each of them, whenever a ship comes there.

    Args:
        state: position before the placing.
        action: the placing.
        near: lengths of both races before it, by what everyone knows; see `race.lengths_of`.
    """
    seat, space = SEATS.index(action.actor), INDEX[action.args[1]]
    first = COINS.index(action.args[0]) // len(VALUES) * len(VALUES)
    coins = tuple(coin for coin in range(first, first + len(VALUES)) if not state.seen >> coin & 1)
    common = coins_known_to_all(state)
    without = race(seat, common, common, near[seat])
    after = _with_coins(common, space, coins)
    opponent = race(1 - seat, after, after, near[1 - seat])
    chances = 0
    for coin in coins:
        player = without
        if gain(coin, space, near[seat]) > 0:
            after = _with_coins(common, space, (coin,))
            player = race(seat, after, after, near[seat])
        races = (player, opponent) if seat == 0 else (opponent, player)
        chances += before_play(state, Outlook(state.rules, races), seat)
    return chances * SCALE // (ONE * len(coins))


def _with_coins(board: Coins, space: int, coins: tuple[int, ...]) -> Coins:
    return (*board[:space], coins, *board[space + 1 :])


def before_play(state: State, outlook: Outlook, seat: int) -> int:
    """Return the probability that a seat wins, in `ONE`, whichever moves first."""
    return sum(outlook.winning(state, seat, first) for first in (0, 1)) // 2


def coins_in_hand(state: State, seat: int) -> int:
    """Return the number of coins that a seat has not placed yet."""
    return (state.hand >> HAND_SIZE * seat & (1 << HAND_SIZE) - 1).bit_count()


def with_laid(state: State, seats: str) -> State:
    """Return a position with the coins on the board that these seats have placed in secret."""
    if not state.laid:
        return state
    draft = state.draft()
    for seat in seats:
        draft.board = board_of(draft, seat)
    return draft.freeze()


def gain(coin: int, space: int, lengths: tuple[int, ...]) -> int:
    """Return by how much a coin shortens the race of a ship that comes to its space."""
    if coin % 6 == 0:
        return -TURN
    ends = JUMPS[coin][space]
    return lengths[space] - min(lengths[end] for end in ends) if ends else 0


@lru_cache(maxsize=4)
def visits_of(seat: int, lengths: tuple[int, ...]) -> tuple[int, ...]:
    """Return the expected visits of a seat's ships to each space by a die, in `ONE`."""
    goals = BASES[1 - seat]
    visits = [0] * len(SPACES)
    now = [0] * len(SPACES)
    for start in STARTS[2 * seat : 2 * seat + 2]:
        now[start] += ONE
    shares = [_shares(space, lengths) for space in range(len(SPACES))]
    for _ in range(HORIZON):
        after = [0] * len(SPACES)
        for space, weight in enumerate(now):
            if not weight or space in goals:
                continue
            for end, share in shares[space]:
                part = weight * share // (FACES * PARTS)
                visits[end] += part
                after[end] += part
            after[space] += weight // FACES
        now = after
    return tuple(visits)


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
