"""Weights of choices that lose against the best one."""

from __future__ import annotations

from engine.computer.weights import WHOLE, weight_of


def test_loss_halves_the_weight_of_a_choice() -> None:
    assert [weight_of(loss, 80) for loss in (0, 40, 80, 120, 160)] == [
        WHOLE,
        WHOLE * 3 // 4,
        WHOLE // 2,
        WHOLE * 3 // 8,
        WHOLE // 4,
    ]
    assert [weight_of(loss, 0) for loss in (0, 1)] == [WHOLE, 0]
