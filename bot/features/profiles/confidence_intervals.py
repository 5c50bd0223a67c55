"""Means with an interval that contains the true value with a probability of 95 %."""

from __future__ import annotations

from collections.abc import Sequence
from math import sqrt
from typing import NamedTuple

MIN_VALUES = 4
"""Number of values below which there is no interval."""

_NORMAL = 1.959964
"""Quantile of the normal distribution."""


class Estimate(NamedTuple):
    """A mean.

    Attributes:
        mean: of the values.
        margin: half of the width of the interval; None with too few values.
    """

    mean: float
    margin: float | None
    size: int

    @property
    def is_chance(self) -> bool:
        """Return whether the true value may as well be 0, as far as is known."""
        return self.margin is None or abs(self.mean) <= self.margin


def mean_of(values: Sequence[float]) -> Estimate:
    """Return the mean of values.

    Example:
        >>> mean_of([1.0, 2.0, 3.0, 2.0]).mean
        2.0
    """
    return ratio_of(values, [1.0] * len(values))


def ratio_of(parts: Sequence[float], sizes: Sequence[float]) -> Estimate:
    """Return the ratio of the sum of parts to the sum of sizes, as an estimate.

    The interval is calculated for a ratio of means: each match is one observation.
    """
    count, total = len(parts), sum(sizes)
    mean = sum(parts) / total
    if count < MIN_VALUES:
        return Estimate(mean, None, count)
    squares = sum((part - mean * size) ** 2 for part, size in zip(parts, sizes, strict=True))
    error = sqrt(squares * count / (count - 1)) / total
    return Estimate(mean, _quantile(count - 1) * error, count)


def _quantile(freedom: int) -> float:
    """Return the quantile of Student's distribution, by the expansion of Cornish and Fisher.

    Example:
        >>> [round(_quantile(freedom), 3) for freedom in (3, 5, 10, 30)]
        [3.159, 2.568, 2.228, 2.042]
    """
    z = _NORMAL
    first = (z**3 + z) / 4
    second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
    third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
    return z + first / freedom + second / freedom**2 + third / freedom**3
