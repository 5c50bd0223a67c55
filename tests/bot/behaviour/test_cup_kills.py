"""The bot is killed at random moments while cups are played, and nothing is lost or doubled."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest

from tests.support.tiers import sampled
from tests.verification.kills.audit_log import FileAuditLog
from tests.verification.kills.cups import CupKills, GroupKills, SeasonKills

MAX_RUNS = 4
"""Maximum number of runs until a season has opened: one of seven runs opened none."""


@pytest.mark.slow
@sampled(1, 2, 200)
async def test_kills_during_cups_lose_nothing_and_double_nothing(
    tmp_path: Path, say: Callable[[object], None], samples: int
) -> None:
    report = await CupKills(FileAuditLog(tmp_path / "kills.db"), Random(samples)).run(samples)
    say(report)
    assert not report.wrong, str(report)
    assert report.done["cups"]


@pytest.mark.soak  # the next one has seasons, too
@sampled(1, 5, 200)
async def test_kills_while_seasons_open_lose_and_double_nothing(
    tmp_path: Path, say: Callable[[object], None], samples: int
) -> None:
    report = await SeasonKills(FileAuditLog(tmp_path / "kills.db"), Random(samples)).run(samples)
    say(report)
    assert not report.wrong, str(report)
    assert report.done["cups: seasons opened"]


@pytest.mark.slow
@sampled(1, 5, 200)
async def test_kills_while_seasons_of_groups_open_lose_nothing(
    tmp_path: Path, say: Callable[[object], None], samples: int
) -> None:
    """All kills of a run can come before a season opens; then there is another run."""
    for run in range(MAX_RUNS):
        log = FileAuditLog(tmp_path / f"kills{run}.db")
        report = await GroupKills(log, Random(samples + run)).run(samples)
        say(report)
        assert not report.wrong, str(report)
        if report.done["cups: seasons opened"]:
            break
    assert report.done["cups: seasons opened"]
    assert report.done["cups: groups of first seasons"]
