"""The program that plays Tom Tube by hand-made estimates."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.record import Record
from engine.tomtube.drifting import drifts
from engine.tomtube.lattice import BASES, MODULES
from engine.tomtube.state import State
from engine.tomtube.tiles import OWN
from tests.support.tiers import examples
from tests.support.tomtube.games import random_match
from tests.support.tomtube.positions import GAME, after, hands, node, position
from tools.afterstates import (
    FAR,
    PROGRAM,
    WON,
    Sketch,
    choose,
    lead,
    outlook,
    turns_from,
    wins_race,
)

SEEDS = st.integers(1, 400)


def turn(seed: int, phase: str = "turn") -> State:
    """Return a position of a random match in which a seat begins a turn, or has drawn a rhomb."""
    state, actions = random_match(seed)
    for number in range(seed % 80, len(actions)):
        state, _ = random_match(seed, limit=number)
        if state.phase == phase:
            break
    return state


def test_printed_tubes_are_a_turn_long_and_the_rim_is_far() -> None:
    turns = turns_from(position(), 0, BASES[0])
    assert turns[node("1,2")] == turns[node("2,1")] == 1
    assert turns[node("4,0")] == turns[MODULES[1][0]] == FAR
    assert all(1 < turns[module] < FAR for module in MODULES[0])


@examples(8, 40, 1000)
@given(seed=SEEDS, seat=st.integers(0, 1))
def test_a_drift_takes_a_turn_however_long_it_is(seed: int, seat: int) -> None:
    state = turn(seed)
    turns = turns_from(state, seat, state.at[seat])
    assert {turns[end] for end in drifts(state, seat, OWN[seat])} <= {1}


@examples(8, 40, 1000)
@given(seed=SEEDS)
def test_the_lead_of_a_seat_is_the_lag_of_the_other(seed: int) -> None:
    state = turn(seed)
    assert lead(state, 0) == pytest.approx(-lead(state, 1))
    assert wins_race(2) + wins_race(-2) == pytest.approx(1)
    assert wins_race(1000) == pytest.approx(1)


@examples(8, 40, 1000)
@given(seed=SEEDS, seat=st.integers(0, 1))
def test_the_way_home_leads_over_the_next_stop(seed: int, seat: int) -> None:
    side = outlook(turn(seed), seat)
    assert [*side.times, side.total] == sorted([*side.times, side.total])
    assert min(map(sum, zip(side.near, side.rest, strict=True))) <= side.total + 1e-9


def test_t5_1_it_goes_home_if_that_wins() -> None:
    state = position(tom="1,2", dave="-1,-2", solar=(2, 0), solars=1 << MODULES[1][0])
    assert choose(state, "T").notation == "drift base"
    assert lead(after(state, "T drift base"), 0) == WON + 10 + 1


def test_t5_5_the_end_counts_more_than_all_estimates() -> None:
    ahead = position(tom="1,2", dave="base", solar=(2, 0), hands=hands((3, 1)))
    over = after(ahead, "T drift base")
    assert over.result == "T points"
    assert lead(over, 0) > WON
    assert lead(over, 1) < -WON


@examples(5, 20, 200)
@given(seed=SEEDS)
def test_a_sketch_orders_places_by_what_they_gain(seed: int) -> None:
    state = turn(seed, "rhomb")
    sketch, legal = Sketch(state, state.turn), GAME.legal(state)
    gains = [sketch.gain(state.drawn, action) for action in sketch.best(state.drawn, legal, 7)]
    assert gains == sorted((sketch.gain(state.drawn, action) for action in legal), reverse=True)[:7]


@pytest.mark.parametrize("limit", [1, 42, 88])
def test_it_answers_with_its_choice(limit: int) -> None:
    state, actions = random_match(11, limit=limit)
    seat = GAME.pending(state)
    record = Record({"Game": "tomtube", "Rules": "standard", "Version": "1"}, actions)
    request = {"do": "choose", "seat": seat, "record": str(record)}
    (answer,) = map(json.loads, PROGRAM.serve([json.dumps(request)]))
    assert answer["line"] == choose(state, seat).notation
    assert answer["line"] in {action.notation for action in GAME.legal(state)}
