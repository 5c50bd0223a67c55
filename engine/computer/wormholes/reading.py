"""Which coins of the opponent lie where, if it has placed them for their values.

A coin is as likely on a space as it is good for its owner there. This guides placing only: the
worlds in which a turn is tried are drawn from all that the record allows, each as likely.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.computer.weights import WHOLE, weight_of
from engine.computer.wormholes.race import Coins, coins_known_to
from engine.computer.wormholes.ways import Ways
from engine.wormholes.pieces import COIN_AT, EMPTY, VALUES
from engine.wormholes.state import State

HALF = 400
"""A coin that wins its owner so much less, in thousandths of a turn, is half as likely there."""

PARTS = 12
"""A space has so many parts, each for a coin that may be there: a likelier coin has more parts."""

Shares = dict[int, dict[int, int]]
"""For each space with a hidden coin of the opponent the coins that may be there, with weights out
of `WHOLE`."""


def shares_of(state: State, seat: int, common: Coins) -> Shares:
    """Return the shares of the hidden coins of the opponent on the spaces where they lie.

    Args:
        state: a position that fits what the seat knows.
        seat: the seat that reads.
        common: the coins as everyone knows them.
    """
    ways = Ways(1 - seat, common, common)
    shares: Shares = {}
    for suit in (2 - 2 * seat, 3 - 2 * seat):
        first = len(VALUES) * suit
        coins = [n for n in range(first, first + len(VALUES)) if not state.seen >> n & 1]
        spaces = [
            space for space, at in enumerate(state.board) if at != EMPTY and COIN_AT[at] in coins
        ]
        gains = [[ways.gain(coin, space) for coin in coins] for space in spaces]
        for space, weights in zip(
            spaces, _matched([_likelihoods(row) for row in gains]), strict=True
        ):
            shares[space] = dict(zip(coins, weights, strict=True))
    return shares


def coins_read_by(state: State, seat: int, shares: Shares) -> Coins:
    """Return the coins on the board as a seat expects them; a likelier coin is repeated."""
    coins = list(coins_known_to(state, seat))
    for space, weights in shares.items():
        coins[space] = _parts(weights)
    return tuple(coins)


def hand_read_from(seat: int, shares: Shares, count: int) -> list[int]:
    """Return the coins that the opponent of a seat most likely still has in its hand.

    Args:
        seat: the seat that reads.
        shares: how likely each coin is on the board.
        count: number of coins in that hand.
    """
    coins = range(12 * (1 - seat), 12 * (1 - seat) + 12)
    placed = {coin: sum(weights.get(coin, 0) for weights in shares.values()) for coin in coins}
    return sorted(coins, key=placed.__getitem__)[:count]


def _likelihoods(gains: Sequence[int]) -> list[int]:
    """Return the weights of coins on a space by the turns that each wins there."""
    return [max(weight_of(max(gains) - gain, HALF), 1) for gain in gains]


def _matched(rows: Sequence[Sequence[int]]) -> list[list[int]]:
    """Return the shares of the coins on each space; each coin lies on one space at most.

    Args:
        rows: for each space the weights of the coins there.
    """
    after = [{0: 1}]  # of the spaces so far: bits of their coins → weight of all ways to place them
    for row in rows:
        sums: dict[int, int] = {}
        for used, weight in after[-1].items():
            for coin, likelihood in enumerate(row):
                if not used >> coin & 1:
                    sums[used | 1 << coin] = sums.get(used | 1 << coin, 0) + weight * likelihood
        after.append(sums)
    total = sum(after[-1].values())
    left = dict.fromkeys(after[-1], 1)  # the same for the spaces that follow
    shares: list[list[int]] = []
    for row, sums in zip(reversed(rows), reversed(after[:-1]), strict=True):
        weights, before = [0] * len(row), dict.fromkeys(sums, 0)
        for used, weight in sums.items():
            for coin, likelihood in enumerate(row):
                if not used >> coin & 1:
                    rest = likelihood * left[used | 1 << coin]
                    weights[coin] += weight * rest
                    before[used] += rest
        left = before
        shares.append([weight * WHOLE // total for weight in weights])
    return shares[::-1]


def _parts(weights: Mapping[int, int]) -> tuple[int, ...]:
    """Return `PARTS` coins in proportion to their weights."""
    total = sum(weights.values())
    parts = {coin: weight * PARTS // total for coin, weight in weights.items()}
    by_rest = sorted(weights, key=lambda coin: -(weights[coin] * PARTS % total))
    for coin in by_rest[: PARTS - sum(parts.values())]:
        parts[coin] += 1
    return tuple(coin for coin, count in parts.items() for _ in range(count))
