"""Figures of play agree with those of an independent implementation (docs/rules/tomtube.md)."""

from __future__ import annotations

from collections import Counter
from statistics import mean, median

import pytest

from engine.tomtube.tables import ALIEN, CONTROL, ENERGY
from tests.support.tomtube.figures import counters, empty, filling, isolated, mouths, rhombs
from tests.support.tomtube.games import any_of, bare, greedy, isolating_tiles, match, random_match

BOARDS = 60

pytestmark = pytest.mark.slow


def test_random_fillings() -> None:
    boards = [filling(any_of, seed) for seed in range(BOARDS)]
    assert all(30 <= rhombs(board) <= 38 for board in boards)
    assert 33.5 < mean(map(rhombs, boards)) < 34.7
    assert all(2 <= isolated(board) <= 18 for board in boards)
    assert 8.6 < mean(map(isolated, boards)) < 11
    assert all(13 <= counters(ENERGY)(board) <= 20 for board in boards)
    assert all(counters(CONTROL)(board) <= 5 for board in boards)
    assert all(counters(ALIEN)(board) <= 2 for board in boards)


def test_isolating_fillings() -> None:
    boards = [filling(isolating_tiles, seed) for seed in range(BOARDS)]
    assert all(26 <= rhombs(board) <= 30 for board in boards)
    assert all(18 <= isolated(board) <= 26 for board in boards)
    assert 0 < max(map(empty, boards)) <= 8


def test_bare_fillings() -> None:
    boards = [filling(bare, seed) for seed in range(BOARDS)]
    assert all(counters(CONTROL)(board) <= 8 for board in boards)
    assert 1 <= max(counters(ALIEN)(board) for board in boards) <= 3
    assert all(mouths(board) <= 6 for board in boards)


def test_random_matches_are_as_long_as_expected() -> None:
    turns = [random_match(seed)[0].number for seed in range(100)]
    assert min(turns) > 60
    assert max(turns) < 290
    assert 105 < median(turns) < 135


def test_greedy_matches_are_even_and_most_end_with_a_bonus() -> None:
    ends = [match(greedy, seed)[0] for seed in range(40)]
    winners = Counter(state.result[0] for state in ends)
    assert min(winners["T"], winners["D"]) > 10
    bonus = [state.bonus for state in ends if state.bonus]
    assert len(bonus) > 16
    assert 4 <= median(bonus) <= 9
