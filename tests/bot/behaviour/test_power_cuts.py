"""After a power cut all acknowledged commits are there, and the file is sound."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.support.tiers import sampled
from tests.verification.kills.power import cut, record, statements


@pytest.fixture(autouse=True)
def no_syncs() -> None:
    """Write to the disk as the bot does."""


@pytest.mark.slow
@sampled(20, 40, 1000)
async def test_a_power_cut_loses_nothing_that_was_acknowledged(
    tmp_path: Path, say: Callable[[object], None], samples: int
) -> None:
    noted = await statements(tmp_path, 120, Random(samples))
    recording = record(tmp_path, noted)
    (tmp_path / "images").mkdir()
    verdict = cut(recording, tmp_path / "images", samples, Random(samples))
    say(verdict)
    assert (verdict.lost, verdict.corrupt) == (0, 0), verdict
    assert verdict.checkpointed > 1, "the log was never copied into the file"
