"""The benchmark of a turn."""

from __future__ import annotations

from collections import Counter
from types import SimpleNamespace
from typing import Any

import pytest

from tools.bench_turn import Cost, all_counting, best


def test_best_cost_is_the_smallest_of_each_measurement() -> None:
    cost = Cost(3.0, 50.0, 0.002)
    assert best([cost]) == cost
    assert best([cost, Cost(2.0, 60.0, 0.002)]) == Cost(2.0, 50.0, 0.002)


async def test_clicks_that_make_no_choice_are_not_measured() -> None:
    lines = Counter({1: 5, 2: 3})

    async def read() -> Counter[int]:
        return Counter(lines)

    load: Any = SimpleNamespace(lines=read)
    async with all_counting(load, 2):
        lines.update([1, 2])
    async with all_counting(load, 2):
        lines.update([1, 2, 2])
    with pytest.raises(SystemExit, match="2 clicks made 1 choices"):
        async with all_counting(load, 2):
            lines.update([1])
