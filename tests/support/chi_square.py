"""A test of whether outcomes are equally likely."""

from __future__ import annotations

from collections import Counter


def chi_square(counts: Counter[object], worlds: int) -> float:
    """Return χ²'s distance from its mean in standard deviations, if all are equally likely."""
    expected = counts.total() / worlds
    squares = sum((n - expected) ** 2 for n in counts.values())
    total = squares / expected + (worlds - len(counts)) * expected
    return float((total - (worlds - 1)) / (2 * (worlds - 1)) ** 0.5)
