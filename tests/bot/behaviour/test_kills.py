"""The bot is killed at random moments under load, and nothing is lost, doubled or out of order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.support.faults.audit_log import FileAuditLog
from tests.support.faults.kills import Simulation


@pytest.mark.parametrize(
    "kills",
    [
        pytest.param(100, id="100 kills"),
        pytest.param(1000, id="1000 kills", marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
    ],
)
async def test_kills_lose_nothing_and_double_nothing(
    tmp_path: Path, say: Callable[[object], None], kills: int
) -> None:
    report = await Simulation(FileAuditLog(tmp_path / "kills.db"), Random(kills)).run(kills)
    say(report)
    assert not report.wrong, str(report)
    assert report.acknowledged > kills
