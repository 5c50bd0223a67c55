"""The measuring itself, in small: every click is answered, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.load.__main__ import measure


@pytest.mark.soak
async def test_a_small_crowd_plays_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    result = await measure(
        tmp_path, matches=60, servers=3, rate=20, seconds=2, computers=5, analyses=1
    )
    assert result.asked > 10
    assert result.answered == {"done": result.asked}
    assert (result.lost, result.unsent, result.turns_left) == (0, 0, 0)
    assert result.turns_asked
    assert result.analysed == 1
    assert result.requests >= result.asked
    assert result.inside.pop("loop_lag") >= 0  # where there is none, it is 0
    assert min(result.click, result.peak, result.cpu, *result.inside.values()) > 0
    assert "p99" in result.report()
