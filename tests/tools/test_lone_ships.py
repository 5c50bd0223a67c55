"""The races home of lone ships in Wormholes, on many boards at once."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.wormholes.board import BASES, COLUMNS, INDEX, SPACES, STARTS
from engine.wormholes.pieces import COINS, SEATS, owner
from engine.wormholes.state import State
from tests.support.tiers import examples
from tests.support.wormholes.games import random_match
from tests.support.wormholes.positions import GAME, position
from tools.lone_ships import COUNT, MOVES, PLACES, VALUES, Races, beliefs, delayed, place_if_sent

EMPTY_BOARD = beliefs([position()], "")


def board(seed: int) -> State:
    """Return a position after all coins were placed at random."""
    state, _ = random_match("0.6", seed, limit=40)
    return state


@pytest.mark.parametrize("ship", range(4))
@pytest.mark.parametrize("name", ["e9", "c17", "g1", "d8"])
def test_w4_2_landings_are_those_of_the_rules(ship: int, name: str) -> None:
    suit, mate = "SMCA"[ship], "SMCA"[ship ^ 1]
    for value in range(1, VALUES):
        dice = " ".join([f"{suit}{value}", f"{mate}-"][:: 1 - 2 * (ship & 1)])
        state = position({suit: name}, dice=dice, seat=SEATS[owner(ship)])
        ends = {GAME.apply(state, action)[0].ships[ship] for action in GAME.legal(state)}
        lands = {*MOVES[owner(ship)][:, value, INDEX[name]].tolist()} - {state.ships[ship ^ 1]}
        assert lands == ends or (lands, ends) == ({PLACES + INDEX[name]}, set())


def test_both_seats_have_the_same_way_on_an_empty_board() -> None:
    first, second = (Races(seat, EMPTY_BOARD).lengths[:, 0] for seat in (0, 1))
    turned = [
        INDEX[f"{COLUMNS[9 - COLUMNS.index(name[0])]}{19 - int(name[1:])}"] for name in SPACES
    ]
    assert first[:COUNT] == pytest.approx(second[turned], abs=0.05)
    assert first[list(BASES[1])].tolist() == [0, 0]
    assert first[INDEX["b17"]] < first[INDEX["e9"]] < first[STARTS[0]]


def test_w7_5_a_ship_that_was_sent_to_its_goal_is_not_home() -> None:
    races = Races(0, EMPTY_BOARD)
    sent = place_if_sent(0, INDEX["a17"])
    assert sent >= COUNT
    assert races.lengths[sent, 0] > 1
    assert races.out(EMPTY_BOARD)[0, [sent, INDEX["a17"]], 0].tolist() == [1, 0]


@examples(5, 30, 300)
@given(seed=st.integers(1, 400), seat=st.integers(0, 1))
def test_mean_turns_are_the_sum_of_the_turns_not_home(seed: int, seat: int) -> None:
    coins = beliefs([board(seed)], SEATS)
    races = Races(seat, coins)
    out = races.out(coins)
    arrives = out[-1, :, 0] < 1e-4
    assert (np.diff(out, axis=0) <= 1e-6).all()
    assert out.sum(axis=0)[arrives] == pytest.approx(races.lengths[arrives], abs=0.25)
    met = np.concatenate((out, delayed(out)), axis=1)[:, races.ends(coins)[:, 0]]
    assert races.expected(out) == pytest.approx(met, abs=1e-5)


@examples(5, 30, 300)
@given(seed=st.integers(1, 400))
def test_w2_3_a_seat_is_sure_of_its_own_coins_only(seed: int) -> None:
    state = board(seed)
    table = beliefs([state], "O")[:, :, 0]
    assert table.sum() == pytest.approx(len(COINS))
    assert np.unique(table[:12]).tolist() == [0, 1]
    for suit in (12, 18):
        hidden = [coin for coin in range(suit, suit + VALUES) if not state.seen >> coin & 1]
        spaces = table[hidden].any(axis=0)
        assert spaces.sum() == len(hidden)
        assert table[hidden][:, spaces] == pytest.approx(1 / len(hidden))


def test_w6_1_a_black_hole_costs_a_turn_and_a_coin_jumps() -> None:
    state = position(coins={"e9": "S0", "e12": "C2", "g2": "S4"}, seen=(1 << 24) - 1)
    races = Races(0, beliefs([state], ""))
    landing, lengths = races.landing()[:, 0], races.lengths[:, 0]
    assert landing[INDEX["e9"]] == pytest.approx(lengths[INDEX["e9"]] + 1)
    assert landing[INDEX["e12"]] == pytest.approx(lengths[INDEX["c14"]])
    assert landing[INDEX["g2"]] == pytest.approx(lengths[INDEX["g6"]])
