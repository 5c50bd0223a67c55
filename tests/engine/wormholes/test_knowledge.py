"""W9 and W3.4: who may know what."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.game import Action
from engine.record import Record
from engine.wormholes.state import State
from tests.support.any_game import assert_equal_views, assert_equal_worlds
from tests.support.tiers import examples
from tests.support.wormholes.games import PLACINGS, random_match, wild_match
from tests.support.wormholes.positions import GAME, after, placed, position

SEATS = ("", "O", "D")


@st.composite
def states(draw: st.DrawFn) -> State:
    """A state out of a random or a wild match of any rule set."""
    rules = draw(st.sampled_from(GAME.rules))
    seed = draw(st.integers(0, 10**6))
    if draw(st.booleans()):
        return wild_match(rules, seed, draw(st.integers(1, 80)))[0]
    notes, placing = draw(st.sampled_from(("off", "on"))), draw(st.sampled_from(PLACINGS))
    limit = draw(st.one_of(st.integers(1, 40), st.integers(1, 250)))
    return random_match(rules, seed, notes, limit, placing)[0]


@examples(40, 100, 10_000)
@given(state=states(), seat=st.sampled_from(SEATS), seed=st.integers(0, 10**6))
def test_w9_1_states_with_other_hidden_values_give_equal_views(
    state: State, seat: str, seed: int
) -> None:
    assert_equal_views(GAME, state, seat, seed)
    assert_equal_worlds(GAME, state, seat, seed)


def test_resampling_does_change_what_is_hidden() -> None:
    state, _ = random_match("0.6", 7, limit=60)
    others = {GAME.resample_view(state, "O", Random(seed).randrange).board for seed in range(20)}
    assert len(others) > 10


def test_resampling_keeps_every_coin_exactly_once() -> None:
    state, _ = random_match("0.6", 7, limit=150)
    for seed in range(50):
        other = GAME.resample_view(state, "D", Random(seed).randrange)
        letters = "".join(other.board).replace(".", "").upper()
        assert sorted(letters) == sorted("ABCDEFGHIJKLMNOPQRSTUVWX")


def test_w3_4_notes_off_hides_own_placed_coins_too() -> None:
    view = GAME.view(placed(), "O")
    assert {coin.value for coin in view.coins} == {"?"}


def test_w3_4_notes_on_shows_own_coins_and_all_ever_activated() -> None:
    state = position({"S": "f8"}, {"f9": "C3", "e9": "S4", "d9": "A1"}, "S1 M-", notes=1)
    state = after(state, "O move S N")
    coins = {coin.space: coin.suit + coin.value for coin in GAME.view(state, "O").coins}
    assert coins == {"f9": "C3", "e9": "S4", "d9": "A?"}
    coins = {coin.space: coin.suit + coin.value for coin in GAME.view(state, "").coins}
    assert coins == {"f9": "?3", "e9": "S?", "d9": "A?"}


def test_w9_1_the_opponents_hand_is_known_by_count_only() -> None:
    state = after(GAME.start("0.6", {}), "* rolloff S5 M5 C0 A0", "O first place", "O place S4 e9")
    assert GAME.view(state, "D").left == (5, 6, 6, 6)
    assert all(name[0] in "CA" for name in GAME.view(state, "D").hand)
    assert GAME.view(state).hand == ()


def test_w9_1_only_the_seat_that_decides_sees_a_list() -> None:
    state = position(dice="S1 M1")
    assert GAME.view(state, "O").legal
    assert not GAME.view(state, "D").legal
    assert not GAME.view(state).legal


def test_w9_2_after_the_end_everything_is_public() -> None:
    state, _ = random_match("0.6", 1)
    assert state.result
    assert all("?" not in (coin.suit, coin.value) for coin in GAME.view(state).coins)


@pytest.mark.parametrize("seat", SEATS)
def test_w9_3_a_record_hides_values_until_the_first_activation(seat: str) -> None:
    _, actions = random_match("0.6", 3, limit=70)
    record = Record({"Game": "wormholes", "Seed": "00"}, actions).redact(seat)
    assert "Seed" not in record.headers
    seen = GAME.load(GAME.dump(Record({"Game": "wormholes"}, actions).replay().state)).seen
    placings = [action for action in record.actions if action.verb == "place"]
    assert sum("?" not in action.args[0] for action in placings) == seen.bit_count()


def test_w9_3_with_notes_the_owner_reads_the_own_values() -> None:
    state = after(GAME.start("0.6", {"notes": "on"}), "* rolloff S5 M5 C0 A0", "O first place")
    placing = Action.parse("O place S4 e9")
    state, _ = GAME.apply(state, placing)
    assert GAME.redact(state, "O", [placing]) == (placing,)
    assert str(GAME.redact(state, "D", [placing])[0]) == "O place S? e9"
