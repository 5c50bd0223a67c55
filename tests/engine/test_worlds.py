"""Frequencies of worlds that a game draws are compared with those that honest draws have."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from engine.testing.worlds import DRAWS, LIMIT, MOST_WORLDS, unlike_each_other, unlike_equal

HONEST = 2000
"""Number of honest samples; of so many, one exceeds `LIMIT` with a chance of 0.06 %."""


def sample(random: Random, weights: list[int]) -> Counter[str]:
    worlds = [str(number) for number in range(len(weights))]
    return Counter(random.choices(worlds, weights, k=DRAWS))


@pytest.mark.slow
@pytest.mark.parametrize("worlds", [2, 5, MOST_WORLDS])
def test_honest_draws_never_reach_the_limit(worlds: int) -> None:
    random, weights = Random(1), [1] * worlds
    deviations = [unlike_equal(sample(random, weights)) for _ in range(HONEST)]
    assert max(deviations) < LIMIT
    mean, spread = sum(deviations) / HONEST, sum(d * d for d in deviations) / HONEST
    assert abs(mean) < 0.2, "in the middle of a normal distribution"
    assert 0.8 < spread < 1.2


@pytest.mark.parametrize(("worlds", "weight"), [(2, 2), (5, 2), (MOST_WORLDS, 4)])
def test_a_world_that_is_more_likely_is_noticed(worlds: int, weight: int) -> None:
    assert unlike_equal(sample(Random(1), [weight] + [1] * (worlds - 1))) > LIMIT


def test_a_single_world_cannot_be_unequal() -> None:
    assert unlike_equal(Counter({"a": DRAWS})) == 0


@pytest.mark.slow
def test_samples_of_one_distribution_are_alike() -> None:
    random, weights = Random(2), [1, 2, 3, 4, 200]
    deviations = [
        unlike_each_other(sample(random, weights), sample(random, weights)) for _ in range(HONEST)
    ]
    assert max(deviations) < LIMIT


def test_samples_of_two_distributions_are_noticed() -> None:
    random = Random(3)
    assert unlike_each_other(sample(random, [1, 2]), sample(random, [1, 1])) > LIMIT
