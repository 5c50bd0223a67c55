"""Whole cups from a seed: none is stuck, each pairing once, standings as computed independently."""

from __future__ import annotations

from pathlib import Path

import pytest

from bot.services.cup_standings import standings
from tests.support.tiers import sampled
from tools.cups import simulate


@sampled(test=2, check=8, soak=1000)
async def test_simulated_cups_end_as_computed(tmp_path: Path, samples: int) -> None:
    counts = await simulate(tmp_path, samples)
    assert counts["cups"] == samples
    assert counts["restarts"] > 0


@pytest.mark.slow
async def test_a_wrong_table_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The check notices standings in another order."""
    monkeypatch.setattr("bot.services.cup_rows.standings", lambda *given: standings(*given)[::-1])
    with pytest.raises(AssertionError, match="the standings differ"):
        await simulate(tmp_path, 1)
