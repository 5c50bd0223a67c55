"""Predict results from ratings: a pure function of the results of a pool, in order.

Ratings begin under the prior that the strengths of people spread by `SIGMA`. How much the people of
a pool really differ is learned from its results: the same ratings are computed under several
spreads, and their predictions are weighted by how well each of them has predicted the results so
far. Nothing is learned from later results. The ratings that players see stay as they are.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import exp, log, sqrt
from typing import NamedTuple

from bot.domain.ratings import BETA, SIGMA, TAU

Played = tuple[int, int, float]
"""Two players, and the score of the first one."""

SPREADS = tuple(SIGMA * 2 ** (step / 2) for step in range(-8, 4))
"""Standard deviations of strengths that are thought possible: 12.5 to 566."""


class Forecast(NamedTuple):
    """The expected score of the first player before a match.

    Attributes:
        expected: if the spread is learned.
        by_number: if it is known, for each spread. With Elo, this is the factor K.
    """

    expected: float
    by_number: Sequence[float]


def forecasts(played: Iterable[Played], spreads: Sequence[float] = SPREADS) -> Iterator[Forecast]:
    """Yield the forecast before each match.

    At first a spread is the less likely, the wider it is: where people differ little, results say
    little, so that a wide spread would cost most before it is found to be wrong.
    """
    estimates = [Estimates(spread) for spread in spreads]
    mixture = Mixture([1 / spread for spread in spreads])
    for one, two, score in played:
        expected = [estimate.learn(one, two, score) for estimate in estimates]
        yield Forecast(mixture.learn(expected, score), expected)


class Estimates:
    """The strengths of the players of a pool, as Plackett–Luce estimates them for matches of two.

    With the spread `SIGMA` these are the ratings of `bot.domain.ratings`. With another one,
    strengths also change less or more between results, in proportion.
    """

    def __init__(self, spread: float) -> None:
        self._unknown = 0.0, spread**2
        self._drift = (TAU * spread / SIGMA) ** 2
        self._known = dict[int, tuple[float, float]]()

    def of(self, player: int) -> tuple[float, float]:
        """Return mean and variance of a strength; the mean of all players is 0."""
        return self._known.get(player, self._unknown)

    def learn(self, one: int, two: int, score: float) -> float:
        """Learn from a result; return the expected score of the first player before it."""
        (mean, variance), (other, more) = self.of(one), self.of(two)
        variance, more = variance + self._drift, more + self._drift
        scale = sqrt(variance + more + 2 * BETA**2)
        expected = 1 / (1 + exp((other - mean) / scale))
        surprise, information = (score - expected) / scale, expected * (1 - expected) / scale**2
        self._known[one] = mean + variance * surprise, variance * (1 - variance * information)
        self._known[two] = other - more * surprise, more * (1 - more * information)
        return expected


class Mixture:
    """The mean of several predictions, weighted by how well they have predicted so far.

    Its total loss exceeds each one's loss by at most `log(1 / weight)` with the first weight.

    Args:
        weights: weights of the predictions before the first result, up to a factor.
    """

    def __init__(self, weights: Sequence[float]) -> None:
        self._weights = [weight / sum(weights) for weight in weights]

    def learn(self, expected: Sequence[float], score: float) -> float:
        """Learn from a result; return the mean score expected before it."""
        mean = sum(w * value for w, value in zip(self._weights, expected, strict=True))
        weighted = zip(self._weights, expected, strict=True)
        new = [weight * exp(-loss(value, score)) for weight, value in weighted]
        total = sum(new)
        self._weights = [weight / total for weight in new]
        return mean


def loss(expected: float, score: float) -> float:
    """Return the log-loss of a prediction."""
    return -(score * log(expected) + (1 - score) * log(1 - expected))
