"""Processes on one PostgreSQL are killed at random, and it is as if nothing had happened."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tests.support.postgres import Server
from tests.support.tiers import sampled
from tests.verification.kills.cluster import Cluster, ServerAuditLog


@pytest.mark.slow
@sampled(9, 9, 300)
async def test_kills_of_four_processes_lose_nothing_and_double_nothing(
    postgres: Server, tmp_path: Path, say: Callable[[object], None], samples: int
) -> None:
    with (
        postgres.database() as url,
        closing(ServerAuditLog(url, tmp_path / "cluster.log")) as audit_log,
    ):
        report = await Cluster(audit_log, Random(samples)).run(samples)
    say(report)
    assert not report.wrong, str(report)
    assert report.acknowledged > samples
    assert 4 * report.computer_choices > samples
