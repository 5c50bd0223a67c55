"""A sequential probability ratio test: matches are played until it is clear who is stronger.

Two matches with the same dice and swapped seats are one observation, because dice that favour a
seat then favour each player once. Its score is 0, ¼, ½, ¾ or 1: the test is *pentanomial*. Nothing
is assumed about how often each score occurs. The ratio compares the most likely frequencies with
the mean that one hypothesis demands with the most likely ones for the other (an empirical
likelihood, as in the generalised test that Fishtest uses for chess engines).

Example:
    >>> test = Sprt(Hypotheses(0, 100))
    >>> while test.verdict is None:
    ...     test.add(1.0)
    >>> test.verdict, test.pairs
    ('accepted', 12)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

SCORES = (0.0, 0.25, 0.5, 0.75, 1.0)
"""The scores that a pair of matches may have."""

ALPHA = BETA = 0.05
"""Probability of accepting where the first hypothesis is true, and of rejecting where not."""

RARE = 0.03
"""How often a score counts that has not occurred yet, so that it stays possible.

With less, some players that always score the same at first are rejected too soon.
"""

BISECTIONS = 25


class Hypotheses(NamedTuple):
    """The hypotheses of a test.

    Attributes:
        at_most: Elo difference of the null hypothesis, which the test tries to refute.
        at_least: Elo difference of the alternative.
    """

    at_most: float = 0
    at_least: float = 100


@dataclass(slots=True)
class Sprt:
    """A test that is under way.

    Attributes:
        hypotheses: the two hypotheses to decide between.
        counts: number of pairs with each of `SCORES`.
    """

    hypotheses: Hypotheses
    counts: list[int] = field(default_factory=lambda: [0] * len(SCORES))

    def add(self, score: float) -> None:
        """Count the mean score of a pair of matches."""
        self.counts[SCORES.index(score)] += 1

    @property
    def pairs(self) -> int:
        """The number of pairs so far."""
        return sum(self.counts)

    @property
    def ratio(self) -> float:
        """The logarithm of the likelihood ratio; above 0 it speaks for the alternative."""
        low, high = (expected_score(elo) for elo in self.hypotheses)
        return log_likelihood(self.counts, high) - log_likelihood(self.counts, low)

    @property
    def verdict(self) -> str | None:
        """Return `accepted` or `rejected`, about the alternative; None while it is open."""
        ratio = self.ratio
        if ratio >= math.log((1 - BETA) / ALPHA):
            return "accepted"
        return "rejected" if ratio <= math.log(BETA / (1 - ALPHA)) else None


def expected_score(elo: float) -> float:
    """Return the score that corresponds to an Elo difference."""
    return 1 / (1 + 10 ** (-elo / 400))


def log_likelihood(counts: Sequence[int], mean: float) -> float:
    """Return the maximum log-likelihood of these counts if the mean score is `mean`.

    The best frequencies are count / (total * (1 + t * (score - mean))) for one number t. A constant
    that depends on the counts only is left out.
    """
    weights = [count or RARE for count in counts]
    distances = [score - mean for score in SCORES]
    low, high = -1 / distances[-1], -1 / distances[0]  # where a frequency becomes infinite
    for _ in range(BISECTIONS):
        t = (low + high) / 2
        slope = sum(w * d / (1 + t * d) for w, d in zip(weights, distances, strict=True))
        low, high = (t, high) if slope > 0 else (low, t)
    return -sum(w * math.log(1 + low * d) for w, d in zip(weights, distances, strict=True))
