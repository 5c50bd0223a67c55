"""How a whole match is shared among its seats: expected scores that add up to `SCALE`."""

from __future__ import annotations

from collections.abc import Sequence

from engine.computer.situation import SCALE
from engine.game import Action

Shares = tuple[int, ...]
"""Expected scores of all seats, in the order of seats."""


def even(seats: int) -> Shares:
    """Return equal shares.

    Example:
        >>> even(3)
        (3334, 3333, 3333)
    """
    return scaled((1,) * seats)


def won_by(seats: str, winner: str) -> Shares:
    """Return the shares after a match; equal ones if no seat has won it.

    Args:
        seats: letters of the seats.
        winner: the first word of its result.
    """
    return (
        tuple(SCALE * (seat == winner) for seat in seats) if winner in seats else even(len(seats))
    )


def scaled(values: Sequence[int]) -> Shares:
    """Return values in proportion so that they add up to `SCALE`; what rounding leaves comes first.

    Example:
        >>> scaled((2, 1, 0))
        (6667, 3333, 0)
    """
    total = sum(values)
    shares = [SCALE * value // total for value in values]
    shares[shares.index(max(shares))] += SCALE - sum(shares)
    return tuple(shares)


def mean(several: Sequence[Shares]) -> Shares:
    """Return the mean of equally likely shares, rounded so that it adds up to `SCALE`."""
    return scaled([sum(column) for column in zip(*several, strict=True)])


def damped(rated: list[tuple[int, Action]], percent: int) -> list[tuple[int, Action]]:
    """Return rated actions whose distance to the best one is only a part of what it was.

    A judge sees differences where there are none, and a chance that was missed may come again: a
    decision costs less than it seems.

    Args:
        rated: actions with their values.
        percent: the part, measured with `tools/errors.py`.
    """
    best = max((value for value, _ in rated), default=0)
    return [(best - (best - value) * percent // 100, action) for value, action in rated]
