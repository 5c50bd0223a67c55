"""Boards drawn by worker processes, and what happens when these fail. All are real."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
from collections.abc import AsyncIterator

import pytest

from bot.app import drawing
from bot.app.drawing import START_WAITING, DrawingClient, drawing_pool
from bot.app.workers import WorkerPool
from bot.i18n import catalogue
from bot.views.images import BoardImages
from engine import games
from render.i18n import using
from tests.support.worker_programs import command

NAMES = {seat: f"Player {seat}" for seat in "ODBYWT"}


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    made = drawing_pool(1)
    yield made
    await made.close()


async def picture(images: BoardImages, game: str = "warp6") -> bytes:
    rules = games.get(game)
    view = rules.view(rules.start(rules.rules[0], {}))
    return (await images.view(view, NAMES)).png


async def crowded(client: DrawingClient) -> BoardImages:
    """Return images after many were wanted at once, when the worker has started or failed."""
    images = BoardImages(client)
    drawn = await asyncio.gather(*(picture(images) for _ in range(START_WAITING)))
    assert len(set(drawn)) == 1
    if client._starting:
        await client._starting
    return images


async def test_few_pictures_at_once_start_no_worker(pool: WorkerPool) -> None:
    images = BoardImages(DrawingClient(pool))
    for _ in range(START_WAITING):
        await asyncio.gather(*(picture(images) for _ in range(START_WAITING - 1)))
    assert not pool._workers
    images.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
async def test_worker_draws_what_the_thread_draws(pool: WorkerPool, game: str) -> None:
    here, there = BoardImages(), await crowded(DrawingClient(pool))
    there._thread.shutdown()
    with using(catalogue("de")):
        assert await picture(here, game) == await picture(there, game)
        assert await here.small_cover(game, "dark") == await there.small_cover(game, "dark")
        assert await here.cover(game) == await there.cover(game)
    here.close()


@pytest.mark.slow
async def test_worker_that_was_killed_costs_no_picture(
    pool: WorkerPool, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    images = await crowded(DrawingClient(pool))
    (worker,) = pool._workers
    drawing = asyncio.create_task(picture(images))
    await asyncio.sleep(0)
    os.kill(worker._process.pid, signal.SIGKILL)
    assert await drawing == await picture(images)
    assert caplog.messages == ["no worker draws for 60 s: the worker died: exit code -9"]
    images.close()


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("input(); print('{}', flush=True); input(); input()", "no answer"),
        ("input(); print('{}', flush=True); input(); raise KeyError", "died: KeyError"),
        ("input(); raise KeyError", "died: KeyError"),
    ],
)
async def test_worker_that_fails_is_tried_again_later(
    program: str, reason: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    monkeypatch.setattr(drawing, "DRAWING_TIMEOUT_SECONDS", 1.0)
    serve = "input(); print('{}', flush=True); "
    failing = WorkerPool(1, command(serve + program))
    client = DrawingClient(failing)
    images = await crowded(client)
    await picture(images)
    await picture(images)
    assert len(caplog.messages) == 1
    assert reason in caplog.messages[0]
    client._paused_until = 0.0
    await crowded(client)
    await picture(images)
    assert len(caplog.messages) == 2
    images.close()
    await failing.close()


def _broken() -> bytes:
    raise KeyError("seat")


@pytest.mark.slow
async def test_picture_that_fails_leaves_the_worker_to_others(
    pool: WorkerPool, caplog: pytest.LogCaptureFixture
) -> None:
    client = DrawingClient(pool)
    images = await crowded(client)
    (worker,) = pool._workers
    assert await client.draw(_broken, 1) is None
    assert await picture(images)
    assert pool._workers == {worker}
    assert not caplog.messages
    images.close()


@pytest.mark.slow
async def test_closed_pool_is_no_failure(
    pool: WorkerPool, caplog: pytest.LogCaptureFixture
) -> None:
    images = await crowded(DrawingClient(pool))
    await pool.close()
    assert await picture(images)
    assert not caplog.messages
    images.close()


@pytest.mark.slow
@pytest.mark.parametrize("is_busy", [False, True])
async def test_deleted_names_leave_the_worker(pool: WorkerPool, is_busy: bool) -> None:
    images = await crowded(DrawingClient(pool))
    (worker,) = pool._workers
    running = asyncio.create_task(picture(images)) if is_busy else None
    await asyncio.sleep(0)
    images.clear_cache()
    if running:
        assert await running
    await worker.ended()
    assert await picture(images)
    images.close()
