"""A part of the heartbeat that ends in a bug is tried less often, and its traceback logged once."""

from __future__ import annotations

import pytest
from prometheus_client import REGISTRY

from bot.app.background import RETRY_SECONDS, GuardedJob
from bot.storage.leases import LostLeaseError


class Job:
    """Fails as it is told."""

    def __init__(self) -> None:
        self.now = 0.0
        self.runs = 0
        self.error: Exception | None = None
        self.guarded = GuardedJob("tidying", self.run, lambda: self.now)

    async def run(self) -> None:
        """Count the run."""
        self.runs += 1
        if self.error:
            raise self.error

    async def beat(self, times: int) -> None:
        """Let so many heartbeats pass."""
        for _ in range(times):
            await self.guarded.run()
            self.now += 15


def counted() -> float:
    """How often background jobs have ended in a bug."""
    labels = {"part": "background", "reason": "unexpected"}
    return REGISTRY.get_sample_value("starpost_failures_total", labels) or 0.0


@pytest.mark.errors_wanted
async def test_job_with_a_bug_is_retried_less_often(caplog: pytest.LogCaptureFixture) -> None:
    job = Job()
    job.error, failures = ZeroDivisionError("no"), counted()
    await job.beat(4 * 60)  # an hour
    assert 4 <= job.runs <= len(RETRY_SECONDS)
    tracebacks = [each for each in caplog.records if each.exc_info]
    assert [each.getMessage() for each in tracebacks] == ["tidying failed, and is tried again"]
    assert counted() == failures + job.runs
    job.error, job.now, before = None, 1e6, job.runs
    await job.beat(4)
    assert job.runs == before + 4


@pytest.mark.errors_wanted
async def test_job_refused_by_the_system_is_retried_at_each_heartbeat(
    caplog: pytest.LogCaptureFixture,
) -> None:
    job = Job()
    job.error = PermissionError(13, "Permission denied")
    await job.beat(20)
    assert job.runs == 20
    assert len([each for each in caplog.records if each.exc_info]) == 1


async def test_job_without_its_lease_is_the_callers_affair() -> None:
    job = Job()
    job.error = LostLeaseError()
    with pytest.raises(LostLeaseError):
        await job.beat(1)
