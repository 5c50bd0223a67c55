"""Failing writes: one sentence, boards can still be seen, automatic recovery."""

from __future__ import annotations

import os
import resource
import sqlite3
import subprocess
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import insert
from sqlalchemy.exc import SQLAlchemyError

from bot.app.run import open_database
from bot.storage.database import Database
from bot.storage.schema import facts
from tests.support.harness import Stage, ids
from tests.support.write_failures import choose, quota

pytestmark = pytest.mark.slow

Full = Callable[[Database], Any]


@asynccontextmanager
async def limit(database: Database) -> AsyncIterator[None]:
    """The system lets no file of this process grow."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = os.stat(f"{database.url.database}-wal").st_size  # noqa: PTH116 - at once
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@asynccontextmanager
async def full(database: Database) -> AsyncIterator[None]:
    """The file system has no block left."""
    filler = Path(str(database.url.database)).with_name("filler")
    with filler.open("wb", buffering=0) as file:
        try:
            while file.write(bytes(4096)):
                pass
        except OSError:
            pass
    yield
    filler.unlink()


@pytest.fixture(params=[quota, limit, full])
def means(request: pytest.FixtureRequest) -> Full:
    """How the disk gets full."""
    full_disk: Full = request.param
    return full_disk


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Path]:
    """Where the database is: on a small file system of its own if that is to be full."""
    if "means" not in request.fixturenames or request.getfixturevalue("means") is not full:
        yield tmp_path
        return
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(tmp_path)]
    if subprocess.run(mount, check=False, capture_output=True).returncode:
        pytest.skip("only who may mount can make a small file system")
    yield tmp_path
    subprocess.run(["umount", "--lazy", str(tmp_path)], check=True)


@pytest.fixture
async def database(folder: Path) -> AsyncIterator[Database]:
    async with open_database(f"sqlite+aiosqlite:///{folder / 'stage.db'}") as database:
        yield database


async def test_a_full_disk_is_said_and_forgotten_when_there_is_room(
    stage: Stage, means: Full
) -> None:
    match_id = await stage.begin()
    async with means(stage.database):
        text = ""
        for _ in range(60):
            before = await stage.state(match_id)
            if "Done" not in (text := await choose(stage, match_id)):
                break
        assert "disk seems to be full" in text
        assert "nothing has changed" in text
        assert await stage.state(match_id) == before
        board = await stage.ada.slash(stage.channel, "board")
        assert board.response.attachments
    assert "Done" in await choose(stage, match_id)
    assert await stage.state(match_id) != before
    stage.clock.now += 61
    await stage.env.advance_time(61)
    perspective = await stage.perspective(match_id)
    boards = [
        message
        for message in stage.public()
        if perspective.match.link and message.id == perspective.match.link[1]
    ]
    (board,) = boards
    lines = len((await stage.client.context.queries.record(match_id)).actions)
    assert f"text:{match_id}:{lines}" in ids(board)
    assert await waiting(stage) == 0


async def waiting(stage: Stage) -> int:
    """How much is still to be sent."""
    with closing(sqlite3.connect(str(stage.database.url.database))) as connection:
        return int(connection.execute("SELECT count(*) FROM outbox").fetchone()[0])


async def test_a_locked_database_is_said_in_time_and_forgotten(stage: Stage) -> None:
    match_id = await stage.begin()
    before = await stage.state(match_id)
    with closing(sqlite3.connect(str(stage.database.url.database))) as other:
        other.execute("BEGIN IMMEDIATE")
        assert "busy right now" in await choose(stage, match_id)
        assert await stage.state(match_id) == before
        other.rollback()
    assert "Done" in await choose(stage, match_id)


async def test_what_the_database_says_of_an_error_shows_no_values(database: Database) -> None:
    async def write_twice() -> None:
        async with database.write() as connection:
            for _ in range(2):
                await connection.execute(insert(facts).values(name="seed", value="0123secret"))

    with pytest.raises(SQLAlchemyError) as caught:
        await write_twice()
    assert "secret" not in str(caught.value)
