"""The bot is killed at random moments under load, and nothing is lost, doubled or out of order."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.support.tiers import sampled
from tests.verification.kills.audit_log import FileAuditLog
from tests.verification.kills.kills import Kills, TakebackKills


@pytest.mark.slow
@sampled(4, 5, 1000)
async def test_kills_lose_nothing_and_double_nothing(
    tmp_path: Path, say: Callable[[object], None], samples: int
) -> None:
    report = await Kills(FileAuditLog(tmp_path / "kills.db"), Random(samples)).run(samples)
    say(report)
    assert not report.wrong, str(report)
    assert report.acknowledged > samples
    assert 4 * report.computer_choices > samples


@pytest.mark.slow
@sampled(2, 8, 500)
async def test_kills_while_answers_go_back_lose_nothing(
    tmp_path: Path, say: Callable[[object], None], samples: int
) -> None:
    report = await TakebackKills(FileAuditLog(tmp_path / "kills.db"), Random(samples)).run(samples)
    say(report)
    assert not report.wrong, str(report)
    assert report.done["answers taken back"]
