"""The seeds of dice."""

from __future__ import annotations

from bot.services.chance import random_seed


def test_each_seed_is_another_one_of_32_bytes() -> None:
    seeds = {random_seed() for _ in range(100)}
    assert {len(each) for each in seeds} == {32}
    assert len(seeds) == 100
