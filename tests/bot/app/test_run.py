"""Starting and running the bot, as far as it needs no Discord."""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import warnings
from pathlib import Path

import aiohttp
import pytest

import bot.app.run
from bot.app.client import Starpost
from bot.app.deployment import Deployment
from bot.app.invite import link
from bot.app.run import _background_jobs, _freeze_when_ready, open_database, serve, startup_line
from bot.app.settings import Settings, backups_of
from bot.storage.file_lock import last_touched
from bot.storage.sqlite import SQLite
from bot.version import version
from tests.support.command import APPLICATION, TOKEN
from tests.support.harness import Stage


def test_the_first_line_says_what_a_host_wants_to_know() -> None:
    line = startup_line(Settings(discord_token=TOKEN), TOKEN)
    assert version() in line
    assert "sqlite+aiosqlite:///starpost.db" in line
    assert "1 shard" in line
    assert line.endswith(link(APPLICATION))
    assert TOKEN not in line


def test_a_token_of_an_unusual_form_is_tried_all_the_same() -> None:
    line = startup_line(Settings(discord_token="odd"), "odd")
    assert "unusual form" in line
    assert "odd " not in line


@pytest.mark.errors_wanted
async def test_the_heart_beats_on_whatever_becomes_of_a_job(database: SQLite) -> None:
    async def fail() -> None:
        raise OSError

    async def beat() -> None:
        database.lock.touch_heartbeat()

    async with Starpost(database, deployment=Deployment(background_jobs=[fail, beat])) as client:
        os.utime(database.lock.path, (0, 0))
        await client.runtime.heartbeat.beat.coro(client.runtime.heartbeat)
        assert last_touched(database.path)


@pytest.mark.parametrize("folder", [None, "backups"])
async def test_background_jobs_delete_a_database_replaced_long_ago(
    database: SQLite, folder: str | None
) -> None:
    backups = database.path.parent / folder if folder else None
    url = f"sqlite+aiosqlite:///{database.path}"
    settings = Settings(discord_token=TOKEN, database_url=url, backup_folder=backups)
    old = database.path.with_name(f"{database.path.name}.replaced-20200101T000000Z")
    old.touch()
    for job in _background_jobs(settings, database, backups_of(settings)):
        await job()
    assert not old.exists()


@pytest.fixture(autouse=True)
def _no_garbage() -> None:
    """Collect what earlier tests left, such as open connections: `serve` collects garbage, too."""
    with warnings.catch_warnings(action="ignore", category=ResourceWarning):
        gc.collect()


@pytest.mark.slow
async def test_serving_watches_the_gateway_and_the_backups(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, unused_tcp_port: int
) -> None:
    address = f"127.0.0.1:{unused_tcp_port}"
    lines: list[str] = []

    async def ask(client: Starpost, token: str) -> None:
        lines.extend(task.get_name() for task in asyncio.all_tasks())
        async with (
            aiohttp.ClientSession() as session,
            session.get(f"http://{address}/metrics") as answer,
        ):
            lines.extend((await answer.text()).splitlines())

    monkeypatch.setattr("bot.app.run._connect_with_retries", ask)
    url = f"sqlite+aiosqlite:///{tmp_path / 'starpost.db'}"
    await serve(Settings(discord_token=TOKEN, database_url=url, metrics_address=address))
    assert "gateway" in lines
    (age,) = [line for line in lines if line.startswith("starpost_backup_age_seconds ")]
    assert float(age.split()[1]) >= 0


SECOND_START = """
import asyncio, sys
from bot.app.run import open_database

UNNEEDED = {
    "aiohttp.web", "alembic", "asyncpg", "openskill", "sqlalchemy.dialects.postgresql",
    "PIL", "engine.computer.tomtube.placing",
}

async def start():
    async with open_database(sys.argv[1]):
        print(*UNNEEDED & set(sys.modules))

asyncio.run(start())
"""


@pytest.mark.slow
async def test_a_start_loads_nothing_that_it_does_not_need(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'test.db'}"
    async with open_database(url):
        pass
    done = subprocess.run(
        [sys.executable, "-c", SECOND_START, url], capture_output=True, text=True, check=True
    )
    assert done.stdout == "\n"


@pytest.mark.slow
async def test_garbage_collections_leave_out_the_servers(stage: Stage) -> None:
    collected: list[int] = []

    def note(_: str, details: dict[str, int]) -> None:
        collected.append(details["generation"])

    gc.unfreeze()  # what the process of the tests has left out
    assert not gc.get_freeze_count()
    gc.callbacks.append(note)
    try:
        await _freeze_when_ready(stage.client)
    finally:
        gc.callbacks.remove(note)
    assert gc.get_freeze_count() > 1000
    assert 2 not in collected  # a full collection stops the event loop
    gc.unfreeze()


def test_garbage_is_collected_while_the_bot_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    """The command switches it off while it imports, and what it imported is left out."""
    states = list[tuple[bool, bool, tuple[int, int, int]]]()

    async def serve(_: Settings) -> None:
        states.append((gc.isenabled(), gc.get_freeze_count() > 1000, gc.get_threshold()))

    monkeypatch.setattr(bot.app.run, "serve", serve)
    threshold = gc.get_threshold()
    gc.disable()
    try:
        bot.app.run.run(Settings(discord_token=TOKEN))
    finally:
        gc.enable()
        gc.set_threshold(*threshold)
        gc.unfreeze()
    assert states == [(True, True, (5_000, 10, 200))]  # full ones, which block the loop, are rare
