"""Hidden coins of the opponent are likelier where they are good for it."""

from __future__ import annotations

from itertools import permutations
from math import prod

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.computer.weights import WHOLE
from engine.computer.wormholes.race import coins_known_to, coins_known_to_all
from engine.computer.wormholes.reading import (
    PARTS,
    _likelihoods,
    _matched,
    coins_read_by,
    hand_read_from,
    shares_of,
)
from engine.computer.wormholes.ways import Ways
from engine.wormholes.pieces import COINS
from engine.wormholes.state import State
from tests.support.wormholes.positions import GAME, after

LINES = "* rolloff S0 M0 C5 A5", "D first move", "O place S5 e5", "D place C5 e6", "O place S0 d15"


def position() -> State:
    """Return a position with two suns of O and a comet of D."""
    return after(GAME.start("0.6", {}), *LINES)


@given(
    st.integers(1, 4).flatmap(
        lambda count: st.lists(
            st.lists(st.integers(1, WHOLE), min_size=4, max_size=4), min_size=count, max_size=count
        )
    )
)
def test_shares_are_those_of_all_ways_to_place_the_coins(rows: list[list[int]]) -> None:
    ways = list(permutations(range(4), len(rows)))
    weights = [prod(row[coin] for row, coin in zip(rows, way, strict=True)) for way in ways]
    for space, shares in enumerate(_matched(rows)):
        for coin, share in enumerate(shares):
            expected = sum(
                weight for way, weight in zip(ways, weights, strict=True) if way[space] == coin
            )
            assert share == expected * WHOLE // sum(weights)


def test_a_coin_that_wins_less_is_less_likely() -> None:
    assert _likelihoods([300, -100, 700, 500, -20_000]) == [
        WHOLE // 2,
        WHOLE // 4,
        WHOLE,
        WHOLE * 3 // 4,
        1,
    ]


def test_shares_follow_the_gains_of_the_opponent() -> None:
    state = position()
    common = coins_known_to_all(state)
    shares = shares_of(state, 1, common)
    ways = Ways(0, common, common)
    assert len(shares) == 2
    for space, weights in shares.items():
        assert [*weights] == [*range(6)]
        assert sum(weights.values()) == pytest.approx(WHOLE)
        by_gain = sorted(range(6), key=lambda coin: -ways.gain(coin, space))
        assert max(weights, key=weights.__getitem__) in by_gain[:2]


def test_a_likelier_coin_has_more_parts_of_a_space() -> None:
    state = position()
    shares = shares_of(state, 1, coins_known_to_all(state))
    read, by_suit = coins_read_by(state, 1, shares), coins_known_to(state, 1)
    for space, coins in enumerate(read):
        if space not in shares:
            assert coins == by_suit[space]
            continue
        assert len(coins) == PARTS
        for coin, weight in shares[space].items():
            assert abs(coins.count(coin) - weight * PARTS / WHOLE) < 1


def test_the_hand_is_what_is_not_likely_on_the_board() -> None:
    shares = {3: {0: 10, 1: 80, 2: 10}, 5: {0: 60, 1: 10, 2: 30}}
    assert hand_read_from(1, shares, 10) == [3, 4, 5, 6, 7, 8, 9, 10, 11, 2]
    assert hand_read_from(0, {}, 2) == [COINS.index("C0"), COINS.index("C1")]
