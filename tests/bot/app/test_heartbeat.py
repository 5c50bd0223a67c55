"""A heartbeat asks once for all background jobs which of them have work."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from sqlalchemy import Column, ColumnElement, Integer, MetaData, Table, insert, select, true

from bot.app.heartbeat import Heartbeat, Job, PeriodicJob
from bot.app.run import _background_jobs, open_database
from bot.app.settings import Settings
from bot.features.analyses.service import ANALYSES_DUE
from bot.features.cups.dates import CUP_DATES_DUE
from bot.features.cups.due_posts import CUP_POSTS_DUE
from bot.features.cups.members import CUP_MEMBERS_DUE
from bot.features.daily.service import DAILY_DUE
from bot.features.leaderboards.rank_roles import RANKS_DUE
from bot.features.privacy.retention import RETENTION_DUE
from bot.features.privacy.service import SCRUB_DUE, Privacy
from bot.outbox.store import OUTBOX_DUE
from bot.services.computer_jobs import COMPUTERS_DUE
from bot.services.vacation import VACATIONS_DUE
from bot.storage.backup import Backups
from bot.storage.database import Database
from bot.storage.due import Conditions, finds_any
from bot.storage.schema import absences
from tests.support.harness import NOW, Clock, Stage

DUE = (
    ANALYSES_DUE,
    COMPUTERS_DUE,
    CUP_DATES_DUE,
    CUP_MEMBERS_DUE,
    CUP_POSTS_DUE,
    DAILY_DUE,
    OUTBOX_DUE,
    RANKS_DUE,
    RETENTION_DUE,
    SCRUB_DUE,
    VACATIONS_DUE,
)


@pytest.fixture
async def database(url: str) -> AsyncIterator[Database]:
    async with open_database(url) as database:
        yield database


class Jobs:
    """Two background jobs that note their runs: the first one under a condition."""

    def __init__(self, database: Database, due: ColumnElement[bool]) -> None:
        self.clock = Clock()
        self.runs = list[str]()
        periodic = PeriodicJob(self._note("first"), due), PeriodicJob(self._note("always"))
        self._heartbeat = Heartbeat(self._note("timers"), periodic, database, self.clock)

    def _note(self, name: str) -> Job:
        async def run() -> None:
            self.runs.append(name)

        return run

    async def beat(self) -> list[str]:
        """Return the names of the jobs that run at a heartbeat."""
        self.runs.clear()
        await self._heartbeat.beat.coro(self._heartbeat)
        return self.runs


async def test_a_job_runs_only_when_it_has_work(database: Database) -> None:
    jobs = Jobs(database, VACATIONS_DUE)
    assert await jobs.beat() == ["timers", "always"]
    async with database.write() as connection:
        away = {"user_id": 7, "started_at": NOW, "ends_at": NOW + 60}
        await connection.execute(insert(absences).values(away))
    assert await jobs.beat() == ["timers", "always"]
    jobs.clock.now += 60
    assert await jobs.beat() == await jobs.beat() == ["timers", "first", "always"]
    jobs.clock.now -= 1  # it was set back
    assert await jobs.beat() == ["timers", "always"]


async def test_all_jobs_run_if_the_database_fails(database: Database) -> None:
    missing = Table("missing", MetaData(), Column("id", Integer))
    assert await Jobs(database, finds_any(select(missing))).beat() == ["timers", "first", "always"]


async def test_a_new_database_has_no_work(database: Database) -> None:
    values = await Conditions(database, [*DUE, true()]).read(NOW)
    assert values == [False] * len(DUE) + [True]


async def test_long_work_on_the_files_delays_no_heartbeat(
    stage: Stage, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    started, go_on = [asyncio.Event(), asyncio.Event()], asyncio.Event()

    async def purge() -> bool:
        started[0].set()
        return await go_on.wait()

    async def daily() -> None:
        started[1].set()
        await go_on.wait()

    monkeypatch.setattr(stage.database, "purge", purge)
    backups = Backups(tmp_path / "starpost.db", tmp_path, 3)
    monkeypatch.setattr(backups, "daily", daily)
    settings = Settings(backup_folder=tmp_path)
    *_, backup = _background_jobs(settings, stage.database, backups)
    await stage.begin()
    await stage.client.context.of(Privacy).erase(stage.ada.id)
    heartbeat = stage.client.runtime.heartbeat
    async with asyncio.timeout(30):
        await heartbeat.beat.coro(heartbeat)
        await backup()
        for process in started:
            await process.wait()
    go_on.set()
