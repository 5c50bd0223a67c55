"""Means and their intervals, compared with published and exact quantiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import erf, fsum, sqrt

import pytest

from bot.features.profiles.confidence_intervals import Estimate, mean_of, ratio_of

NORMAL = 1.959964
"""Published quantile of the normal distribution, to six decimals."""

PUBLISHED = {
    5: 2.570582,
    6: 2.446912,
    8: 2.306004,
    10: 2.228139,
    15: 2.131450,
    20: 2.085963,
    30: 2.042272,
    40: 2.021075,
    60: 2.000298,
    100: 1.983972,
    120: 1.979930,
    1000: 1.962339,
}
"""Degrees of freedom → published quantile of Student's distribution, for 97.5 %."""


def quantile(freedom: int) -> float:
    """Return the margin for the mean of `freedom + 1` values, in standard errors."""
    count = freedom + 1
    values = [float(number % 7 - 3) for number in range(count)]
    estimate = mean_of(values)
    assert estimate.margin is not None
    variance = fsum((value - estimate.mean) ** 2 for value in values) / freedom
    return estimate.margin / sqrt(variance / count)


def probability(limit: float, freedom: int) -> float:
    """Return the probability of a value between -limit and limit, for even degrees of freedom.

    The finite sum of Abramowitz and Stegun, 26.7.4.
    """

    def terms() -> Iterator[float]:
        term = 1.0
        for number in range(1, freedom // 2 + 1):
            yield term
            term *= (2 * number - 1) / (2 * number) * freedom / (freedom + limit**2)

    return limit / sqrt(freedom + limit**2) * fsum(terms())


def exact_quantile(freedom: int) -> float:
    """Return the limit that is as probable as `NORMAL` is for the normal distribution."""
    low, high = NORMAL, 5.0
    for _ in range(60):
        middle = (low + high) / 2
        if probability(middle, freedom) < erf(NORMAL / sqrt(2)):
            low = middle
        else:
            high = middle
    return low


@pytest.mark.parametrize("freedom", PUBLISHED)
def test_margins_have_the_published_quantiles(freedom: int) -> None:
    assert quantile(freedom) == pytest.approx(PUBLISHED[freedom], abs=1e-6 + 2 / freedom**4)


@pytest.mark.parametrize("freedom", [4, 10, 30, 100, 400])
def test_quantiles_miss_only_the_fourth_term(freedom: int) -> None:
    fourth = (79 * NORMAL**9 + 776 * NORMAL**7 + 1482 * NORMAL**5) / 92160
    fourth -= (1920 * NORMAL**3 + 945 * NORMAL) / 92160
    missing = (exact_quantile(freedom) - quantile(freedom)) * freedom**4
    assert missing == pytest.approx(fourth, abs=0.01 + 1 / freedom)


def test_margin_of_a_ratio_is_that_computed_by_hand() -> None:
    # The mean is 28 / 14 = 2, so the matches differ from it by 1, -1, -1, 1, -2 and 2.
    estimate = ratio_of([3, 3, 5, 9, 2, 6], [1, 2, 3, 4, 2, 2])
    assert (estimate.mean, estimate.size) == (2.0, 6)
    assert estimate.margin == pytest.approx(2.5706 * sqrt(12 * 6 / 5) / 14, rel=0.002)


@pytest.mark.parametrize("count", [1, 2, 3])
def test_few_values_have_a_mean_without_a_margin(count: int) -> None:
    values = [2.0, 4.0, 9.0][:count]
    assert mean_of(values) == Estimate(sum(values) / count, None, count)
    assert mean_of([*values, 1.0, 2.0, 3.0]).margin


def test_equal_values_leave_no_doubt() -> None:
    assert mean_of([0.5] * 4) == Estimate(0.5, 0.0, 4)


@pytest.mark.parametrize(
    ("values", "by_chance"),
    [
        ([0.0] * 4, True),
        ([1.0] * 4, False),
        ([-1.0] * 4, False),
        ([1.0] * 3, True),
        ([1.0, 2.0, 3.0, 2.0], False),
        ([-1.0, -2.0, -3.0, -2.0], False),
        ([1.0, -2.0, 3.0, 2.0], True),
    ],
)
def test_difference_beyond_the_margin_is_no_chance(
    values: Sequence[float], by_chance: bool
) -> None:
    assert mean_of(values).is_chance is by_chance


@pytest.mark.parametrize("sign", [1, -1])
def test_difference_as_large_as_the_margin_is_chance(sign: int) -> None:
    assert Estimate(sign * 0.25, 0.25, 9).is_chance is True
    assert Estimate(sign * 0.2500001, 0.25, 9).is_chance is False
    assert Estimate(sign * 0.2499999, 0.25, 9).is_chance is True
    assert Estimate(sign * 0.25, None, 3).is_chance is True
