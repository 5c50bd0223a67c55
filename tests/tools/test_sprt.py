"""The sequential test of the ladder: by hand, and its error rates by simulation."""

from __future__ import annotations

import math
from random import Random

import pytest

from tools.sprt import ALPHA, BETA, SCORES, Hypotheses, Sprt, expected_score

RUNS = 200


def test_ratio_of_won_and_lost_pairs_is_that_of_a_coin() -> None:
    test = Sprt(Hypotheses(0, 100), [5, 0, 0, 0, 15])
    by_hand = 15 * math.log(0.64006 / 0.5) + 5 * math.log(0.35994 / 0.5)
    assert by_hand == pytest.approx(2.061, abs=1e-3)
    assert test.ratio == pytest.approx(by_hand, abs=0.03)
    assert test.verdict is None


def test_ratio_of_drawn_pairs_is_that_of_a_half_won_match() -> None:
    """Half a point and none: a mean of ¼ is reached by equal parts, one of ⅓ by ⅔ and ⅓."""
    low, high = (400 * math.log10(mean / (1 - mean)) for mean in (1 / 4, 1 / 3))
    by_hand = 6 * math.log((2 / 3) / (1 / 2)) + 4 * math.log((1 / 3) / (1 / 2))
    assert Sprt(Hypotheses(low, high), [4, 0, 6, 0, 0]).ratio == pytest.approx(by_hand, abs=0.05)


@pytest.mark.parametrize("score", SCORES)
def test_a_score_that_never_changes_ends_the_test(score: float) -> None:
    test = Sprt(Hypotheses(0, 100))
    while test.verdict is None:
        test.add(score)
        assert test.pairs < 30
    assert test.verdict == ("accepted" if score > expected_score(100) else "rejected")


@pytest.mark.slow
@pytest.mark.parametrize(("even", "drawn"), [(0.2, 0.0), (0.1, 0.3), (0.6, 0.0)])
def test_errors_are_as_rare_as_promised(even: float, drawn: float) -> None:
    hypotheses = Hypotheses(0, 100)
    accepted = [
        sum(_accepts(hypotheses, expected_score(elo), even, drawn, Random(n)) for n in range(RUNS))
        for elo in hypotheses
    ]
    assert accepted[0] <= ALPHA * RUNS
    assert RUNS - accepted[1] <= BETA * RUNS


def _accepts(
    hypotheses: Hypotheses, mean: float, even: float, drawn: float, random: Random
) -> bool:
    test = Sprt(hypotheses)
    while test.verdict is None:
        test.add(_pair(mean, even, drawn, random))
    return test.verdict == "accepted"


def _pair(mean: float, even: float, drawn: float, random: Random) -> float:
    """Play a pair of matches between players of known strength.

    Args:
        mean: expected score of the first player.
        even: how often the dice decide, so that each player wins once.
        drawn: how often the other matches are drawn where the players are equal.
        random: source of all that.
    """
    if random.random() < even:
        return 0.5
    win = (mean - even / 2) / (1 - even)
    draw = drawn * 2 * min(win, 1 - win)
    return sum(_match(win - draw / 2, draw, random) for _ in range(2)) / 2


def _match(win: float, draw: float, random: Random) -> float:
    number = random.random()
    return 1.0 if number < win else 0.5 if number < win + draw else 0.0
