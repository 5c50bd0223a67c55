"""Background jobs are retried, and neither a heartbeat nor the process depends on them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator

import discord
import pytest
from prometheus_client import REGISTRY

from bot.app.background import JOB_RETRY_SECONDS, BackgroundJob, GuardedJob
from bot.app.client import Starpost
from bot.app.deployment import Deployment
from bot.app.run import _connect_with_retries, open_database
from bot.shards import Shards
from bot.storage.database import Database
from bot.storage.leases import LostLeaseError
from tests.support.fake_discord import FakeDiscord, until
from tests.support.harness import Clock
from tests.support.metrics import failures_of


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    async with open_database(url) as database:
        yield database


@pytest.mark.first(test=1)
@pytest.mark.parametrize("status", [400, 403, 429, 503])
async def test_refused_commands_do_not_end_the_bot(
    database: Database, fake_discord: FakeDiscord, status: int, caplog: pytest.LogCaptureFixture
) -> None:
    fake_discord.sync_refusals = [status]
    async with Starpost(database, Clock()) as client:
        await client.login("token")
        await until(lambda: "registering the commands failed" in caplog.text)
        assert not client.is_closed()
        assert client.runtime.heartbeat.beat.is_running()
        assert fake_discord.synced == 0
        await client.runtime.command_sync.run()
    assert fake_discord.synced == 1


async def test_a_refused_login_is_retried(
    database: Database, fake_discord: FakeDiscord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.app.run.LOGIN_RETRY_SECONDS", (0, 0))
    fake_discord.login_refusals = [429, 403, 503]
    fake_discord.gateway_refusals = [429, 403, 503]
    async with Starpost(database, Clock(), deployment=Deployment(shards=Shards(2, (0,)))) as client:
        running = asyncio.create_task(_connect_with_retries(client, "token"))
        await until(lambda: fake_discord.connected or running.done())
        assert not running.done(), running.exception()
        await client.close()
        await running


class Flaky:
    """A job that fails as told, and counts its runs."""

    def __init__(self, failures: list[Exception]) -> None:
        self.failures: Iterator[Exception] = iter(failures)
        self.runs = 0

    async def __call__(self) -> None:
        self.runs += 1
        if failure := next(self.failures, None):
            raise failure


async def run(job: BackgroundJob) -> None:
    """Start the job and wait for its end."""
    await job.start()
    assert job.task
    await job.task


async def test_a_failed_job_is_retried_with_back_off() -> None:
    clock, flaky = Clock(), Flaky([OSError("no route")] * 7)
    job = BackgroundJob("test", flaky, clock)
    waits = (*JOB_RETRY_SECONDS, JOB_RETRY_SECONDS[-1], JOB_RETRY_SECONDS[-1])
    for number, wait in enumerate(waits, start=1):
        await run(job)
        assert flaky.runs == number
        clock.now += wait - 1
        await job.start()
        assert flaky.runs == number
        clock.now += 1
    for _ in range(2):
        await run(job)
    assert flaky.runs == len(waits) + 2, "after a success there is no wait"


async def test_a_rate_limit_is_waited_for() -> None:
    clock, flaky = Clock(), Flaky([discord.RateLimited(7200.0)])
    job = BackgroundJob("test", flaky, clock)
    before = failures_of("background")
    await run(job)
    assert failures_of("background") == before + 1
    clock.now += 7199
    await job.start()
    assert flaky.runs == 1
    clock.now += 1
    await run(job)
    assert flaky.runs == 2


async def test_a_slow_job_runs_once_at_a_time_and_can_be_stopped() -> None:
    started = asyncio.Event()
    runs: list[int] = []

    async def slow() -> None:
        runs.append(1)
        started.set()
        await asyncio.Event().wait()

    job = BackgroundJob("test", slow)
    await job.start()
    await started.wait()
    await job.start()
    await job.stop()
    assert job.task
    assert job.task.cancelled()
    assert len(runs) == 1


class Slow:
    """A job whose runs end when they are told to; it fails as told, and counts its runs."""

    def __init__(self) -> None:
        self.clock = Clock()
        self.job = BackgroundJob("test", self.run, self.clock)
        self.runs = 0
        self.error: Exception | None = None
        self.may_end = asyncio.Event()
        self.begun = asyncio.Event()

    async def run(self) -> None:
        """Wait until this run may end."""
        self.runs += 1
        self.begun.set()
        await self.may_end.wait()
        self.may_end.clear()
        if self.error:
            raise self.error

    async def end(self) -> None:
        """Let the present run end, and wait for the next one or the end of the task."""
        assert self.job.task
        await self.begun.wait()
        self.begun.clear()
        self.may_end.set()
        start = asyncio.create_task(self.begun.wait())
        await asyncio.wait({start, self.job.task}, return_when=asyncio.FIRST_COMPLETED)
        start.cancel()


@pytest.mark.parametrize("wakes", [1, 3])
async def test_a_wake_up_during_a_run_has_another_run_follow(wakes: int) -> None:
    slow = Slow()
    slow.job.wake()
    await slow.begun.wait()
    for _ in range(wakes):
        slow.job.wake()
    assert slow.runs == 1
    await slow.end()
    assert slow.runs == 2
    await slow.end()
    assert slow.runs == 2
    assert slow.job.task
    assert slow.job.task.done()


async def test_a_heartbeat_during_a_run_starts_no_other_run() -> None:
    slow = Slow()
    await slow.job.start()
    await slow.begun.wait()
    await slow.job.start()
    await slow.end()
    assert slow.runs == 1


async def test_a_wake_up_during_a_run_that_fails_waits() -> None:
    slow = Slow()
    slow.error = OSError("no route")
    slow.job.wake()
    await slow.begun.wait()
    slow.job.wake()
    await slow.end()
    slow.job.wake()
    assert slow.runs == 1
    slow.clock.now += JOB_RETRY_SECONDS[0]
    slow.error = None
    await slow.job.start()
    await slow.end()
    assert slow.runs == 2


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
    assert 4 <= job.runs <= len(JOB_RETRY_SECONDS)
    tracebacks = [record for record in caplog.records if record.exc_info]
    assert [traceback.getMessage() for traceback in tracebacks] == ["tidying failed and is retried"]
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
    assert len([record for record in caplog.records if record.exc_info]) == 1


async def test_job_without_its_lease_is_the_callers_affair() -> None:
    job = Job()
    job.error = LostLeaseError()
    with pytest.raises(LostLeaseError):
        await job.beat(1)
