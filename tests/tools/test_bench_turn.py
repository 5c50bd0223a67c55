"""The benchmark of a turn."""

from __future__ import annotations

from tools.bench_turn import Cost, best


def test_best_cost_is_the_smallest_of_each_measurement() -> None:
    cost = Cost(3.0, 50.0, 0.002)
    assert best([cost]) == cost
    assert best([cost, Cost(2.0, 60.0, 0.002)]) == Cost(2.0, 50.0, 0.002)
