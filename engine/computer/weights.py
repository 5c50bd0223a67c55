"""Weights of choices, the smaller the more they lose against the best."""

from __future__ import annotations

WHOLE = 1 << 40
"""Weight of the best choice."""


def weight_of(loss: int, half: int) -> int:
    """Return the weight of a choice that loses `loss` against the best one, which has `WHOLE`.

    Args:
        loss: at least 0.
        half: a loss that halves the weight; with 0, only the best has any.
    """
    if not half:
        return 0 if loss else WHOLE
    halvings, remainder = divmod(loss, half)
    return (WHOLE >> halvings) * (2 * half - remainder) // (2 * half)
