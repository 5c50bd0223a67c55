"""Predict results from ratings.

A rating is an estimate under the prior that the strengths of people spread by `SIGMA`. How much the
people of a pool really differ is learned from its earlier results: for each of several spreads, the
estimates are turned into those under that prior, and the predictions are weighted by how well each
spread has predicted the results so far. The ratings stay as they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt

from bot.services.ratings import BETA, MU, SIGMA, Rating

SPREADS = (25.0, 50.0, 100.0, 200.0, 400.0)
"""Standard deviations of strengths."""


class Forecast:
    """Predicts the results of matches of two in a pool, in their order.

    Args:
        spreads: those that are thought possible; only one is that of the prior.
    """

    def __init__(self, spreads: Sequence[float] = SPREADS) -> None:
        self._spreads = spreads
        self._weights = [1 / len(spreads)] * len(spreads)
        self._scores: list[float] = []

    def expect(self, one: Rating, two: Rating) -> float:
        """Return the expected score of the first player."""
        self._scores = [_expected(one, two, spread) for spread in self._spreads]
        return sum(w * score for w, score in zip(self._weights, self._scores, strict=True))

    def learn(self, score: float) -> None:
        """Learn from the result of the match that was just predicted."""
        weighted = zip(self._weights, self._scores, strict=True)
        new = [weight * exp(-loss(expected, score)) for weight, expected in weighted]
        self._weights = [weight / sum(new) for weight in new]


def loss(expected: float, score: float) -> float:
    """Return the log-loss of a prediction."""
    return -(score * log(expected) + (1 - score) * log(1 - expected))


def _expected(one: Rating, two: Rating, spread: float) -> float:
    """Return the expected score of the first player if strengths spread like this."""
    (mean, variance), (other, more) = (_under_prior(each, spread) for each in (one, two))
    scale = sqrt(variance + more + 2 * BETA**2)
    return 1 / (1 + exp((other - mean) / scale))


def _under_prior(rating: Rating, spread: float) -> tuple[float, float]:
    """Return mean and variance of a strength under another prior than that of the ratings.

    Precisions of normal distributions add up: that of a rating is that of the prior and that of
    the results.
    """
    known = max(0.0, 1 / rating.sigma**2 - 1 / SIGMA**2)
    variance = 1 / (known + 1 / spread**2)
    return (rating.mu - MU) / rating.sigma**2 * variance, variance
