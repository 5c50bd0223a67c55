"""The player of Tom Tube: lengths of ways, leads, and candidates for a closer look."""

from __future__ import annotations

from itertools import combinations
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.computer.situation import SCALE, Situation
from engine.computer.tomtube.outlook import SPREAD, lead, score, side_of, slope
from engine.computer.tomtube.placing import promising
from engine.computer.tomtube.player import MAX_NODES, rate
from engine.computer.tomtube.ways import COUNT, DRIFT, NO_WAY, PASS, Ways, ways_of
from engine.tomtube.drifting import drifts
from engine.tomtube.lattice import BASES, KNOT_NAMES, MODULES
from engine.tomtube.state import State
from engine.tomtube.tiles import OWN
from tests.support.tiers import examples
from tests.support.tomtube.games import random_match
from tests.support.tomtube.positions import GAME

SEEDS = st.integers(0, 10**6)


def position(seed: int, phase: str = "") -> State:
    """Return a position of a random match, in this phase if one is named."""
    state, _ = random_match(seed, limit=20 + seed % 120)
    while phase and state.phase != phase and not state.result:
        random = Random(seed)
        if GAME.pending(state) == "*":
            action = GAME.chance(state, random.randrange)
        else:
            action = GAME.legal(state)[0]
        state, _ = GAME.apply(state, action)
    return state


def test_a_printed_tube_is_a_way_and_rim_knots_are_not() -> None:
    state = GAME.start("standard", {})
    lengths = ways_of(state.board, 0, 0, True, False).lengths(BASES[0])
    assert lengths[KNOT_NAMES.index("1,2")] == lengths[KNOT_NAMES.index("2,1")] == DRIFT
    assert lengths[KNOT_NAMES.index("4,0")] == lengths[MODULES[1][0]] == NO_WAY
    assert all(DRIFT < lengths[module] < NO_WAY for module in MODULES[0])


def test_a_triangle_left_empty_closes_the_knots_around_it() -> None:
    state = GAME.start("standard", {})
    board = state.board
    lengths = ways_of(board, board.free, 0, True, False).lengths(BASES[0])
    assert lengths[KNOT_NAMES.index("0,0")] == NO_WAY


@examples(10, 40, 1000)
@given(seed=SEEDS, ends=st.lists(st.integers(0, COUNT - 1), min_size=1, max_size=6))
def test_a_search_that_goes_on_finds_the_shortest_ways(seed: int, ends: list[int]) -> None:
    state = position(seed)
    arguments = (state.board, state.left, 0, True, False)
    all_at_once = Ways(*arguments).lengths(state.at[0])
    step_by_step = Ways(*arguments)
    assert [step_by_step.length(state.at[0], end) for end in ends] == [
        all_at_once[end] for end in ends
    ]
    assert step_by_step.lengths(state.at[0]) == all_at_once


@examples(10, 40, 1000)
@given(seed=SEEDS, seat=st.integers(0, 1), counters=st.booleans())
def test_ways_between_stations_are_as_long_back(seed: int, seat: int, counters: bool) -> None:
    state = position(seed)
    ways = Ways(state.board, state.left, seat, counters, counters)
    for start, end in combinations((BASES[seat], *MODULES[seat]), 2):
        assert ways.length(start, end) == ways.length(end, start)


@examples(20, 80, 2000)
@given(seed=SEEDS, seat=st.integers(0, 1))
def test_a_free_drift_takes_a_turn_however_long_it_is(seed: int, seat: int) -> None:
    state = position(seed)
    lengths = Ways(state.board, state.left, seat, True, True).lengths(state.at[seat])
    for end, path in drifts(state, seat, OWN[seat]).items():
        assert DRIFT <= lengths[end] <= DRIFT + PASS * (len(path) - 2)


@examples(20, 80, 2000)
@given(seed=SEEDS)
def test_the_lead_of_a_seat_is_the_lag_of_the_other(seed: int) -> None:
    state = position(seed)
    assert abs(lead(state, 0) + lead(state, 1)) <= 12  # quotients are rounded down
    if not state.result:
        assert 0 < score(state, 0) < SCALE


@given(ahead=st.integers(-30 * SPREAD, 30 * SPREAD))
def test_the_slope_is_that_of_the_score(ahead: int) -> None:
    value = SCALE // 2 + SCALE * ahead // (2 * (SPREAD + abs(ahead)))
    derivative = (SPREAD / (SPREAD + abs(ahead))) ** 2
    assert slope(value) == pytest.approx(100 * derivative, abs=1.1)


def test_foreseen_outcomes_are_told_apart_as_in_an_even_position() -> None:
    assert [slope(value) for value in (-5000, 0, SCALE, 3 * SCALE)] == [100] * 4


@examples(20, 80, 2000)
@given(seed=SEEDS)
def test_a_tour_ends_at_home_and_grows_with_each_stop(seed: int) -> None:
    state = position(seed)
    for seat in (0, 1):
        side = side_of(state, seat)
        assert side.stops[0] == state.at[seat]
        assert side.stops[-1] == BASES[seat]
        lengths = (0, *side.times, side.total)
        assert list(lengths) == sorted(lengths)


def test_a_won_match_scores_everything_and_a_lost_one_nothing() -> None:
    ended = next(state for seed in range(50) if (state := random_match(seed)[0]).result[0] in "TD")
    winner = "TD".index(ended.result[0])
    assert (score(ended, winner), score(ended, 1 - winner)) == (SCALE, 0)


@examples(5, 25, 500)
@given(seed=SEEDS)
def test_promising_places_are_different_legal_ones(seed: int) -> None:
    state = position(seed, "rhomb")
    if state.result:
        return
    legal = GAME.legal(state)
    best = promising(state, state.turn, legal, 7)
    assert len(set(best)) == len(best) == min(7, len(legal))
    assert set(best) <= set(legal)


def test_nodes_limit_how_many_places_are_rated() -> None:
    state = position(3, "rhomb")
    legal = GAME.legal(state)
    situation = Situation(GAME, "TD"[state.turn], legal, state)
    counts = [len(rate(situation, Random(1).randrange, nodes)) for nodes in (1, 10, 1000)]
    assert counts == [1, min(10, len(legal)), min(MAX_NODES, len(legal))]
