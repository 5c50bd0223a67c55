"""Networks of whole numbers."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.computer.network import WEIGHT, Network
from engine.computer.situation import SCALE

WEIGHTS = st.integers(-5 * WEIGHT, 5 * WEIGHT)
INPUTS = st.lists(st.integers(-200, 200), min_size=3, max_size=3)


@pytest.mark.slow
@given(
    hidden=st.lists(st.lists(WEIGHTS, min_size=4, max_size=4), min_size=2, max_size=2),
    output=st.lists(WEIGHTS, min_size=2, max_size=2),
    linear=st.lists(WEIGHTS, min_size=4, max_size=4),
    inputs=INPUTS,
    split=st.integers(0, 3),
)
def test_values_are_those_of_real_numbers_rounded(
    hidden: list[list[int]], output: list[int], linear: list[int], inputs: list[int], split: int
) -> None:
    rows = tuple(map(tuple, hidden))
    network = Network(64, rows, (tuple(output),), (tuple(linear),))
    real = [*(value / 64 for value in inputs), 1.0]
    units = [
        min(max(sum(w / WEIGHT * x for w, x in zip(row, real, strict=True)), 0.0), 1.0)
        for row in hidden
    ]
    x = sum(w / WEIGHT * u for w, u in zip(output, units, strict=True))
    x += sum(w / WEIGHT * value for w, value in zip(linear, real, strict=True))
    (value,) = network.values((tuple(inputs[:split]), tuple(inputs[split:])))
    assert abs(value - SCALE * (0.5 + x / (2 + 2 * abs(x)))) <= 2
    assert 0 <= value <= SCALE
