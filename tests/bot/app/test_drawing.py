"""Boards drawn by worker processes, and recovery when these fail. All processes are real."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import os
import pickle
import signal
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any, cast

import pytest

from bot import metrics
from bot.app import drawing
from bot.app.drawing import START_WAITING, DrawingClient, drawing_pool
from bot.app.drawing_worker import serve
from bot.domain.clocks import HOUR
from bot.i18n import catalogue, current_language
from bot.urgency import IS_URGENT
from bot.views.images import BoardImages
from bot.views.shortcuts import quick_shortcuts_of, shortcuts_of
from bot.workers.pool import Outcome, WorkerError, WorkerPool
from bot.workers.protocol import DATA
from engine import games
from render.i18n import using
from render.renderer import DEFAULT_STYLE
from render.tomtube.buttons import MAX_GHOSTS
from tests.support.metrics import failures_of
from tests.support.tomtube.positions import laying
from tests.support.worker_programs import command

NAMES = {seat: f"Player {seat}" for seat in "ODBYWT"}


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    pool = drawing_pool(1)
    yield pool
    await pool.close()


async def picture(images: BoardImages, game: str = "warp6") -> bytes:
    rules = games.get(game)
    view = rules.view(rules.start(rules.rules[0], {}))
    return (await images.view(view, NAMES)).png


async def crowded(client: DrawingClient) -> BoardImages:
    """Return images after many were wanted at once, when the worker has started or failed."""
    images = BoardImages(client)
    pictures = await asyncio.gather(*(picture(images) for _ in range(START_WAITING)))
    assert len(set(pictures)) == 1
    if client._starting:
        await client._starting
    return images


async def test_few_pictures_at_once_start_no_worker(pool: WorkerPool) -> None:
    images = BoardImages(DrawingClient(pool))
    for _ in range(START_WAITING):
        await asyncio.gather(*(picture(images) for _ in range(START_WAITING - 1)))
    assert not pool._workers
    images.close()


async def test_one_picture_with_whole_turns_starts_a_worker() -> None:
    started = list[bool]()

    class Noting(DrawingClient):
        def _start(self) -> None:
            started.append(True)

    pool = drawing_pool(1)
    images = BoardImages(Noting(pool))
    view = games.get("tomtube").view(laying("", "AB/CD"), "T")
    await images.with_actions(view, NAMES, DEFAULT_STYLE, view.legal)
    assert not started, "it takes no time"
    assert (await images.shortcuts(view, "", DEFAULT_STYLE)).ghosts
    assert len(started) == 1
    images.close()
    await pool.close()


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
async def test_worker_draws_what_the_thread_draws(pool: WorkerPool, game: str) -> None:
    local, remote = BoardImages(), await crowded(DrawingClient(pool))
    remote._thread.shutdown()
    with using(catalogue("de")):
        assert await picture(local, game) == await picture(remote, game)
        assert await local.small_cover(game, "dark") == await remote.small_cover(game, "dark")
        assert await local.cover(game) == await remote.cover(game)
    local.close()


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


@pytest.mark.slow
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


# ------------------------------------------------------------------ the client alone


class Asked:
    """In place of a pool: remembers what it is asked, and answers as it is told.

    Attributes:
        answer: of the next picture; an exception is raised.
        patience: how long each request waits for a worker.
        renewed: how often its workers were replaced.
    """

    def __init__(self, *, enabled: bool = True) -> None:
        self.enabled = enabled
        self.requests: list[tuple[Mapping[str, Any], bool]] = []
        self.patience: list[float | None] = []
        self.answer: dict[str, Any] | WorkerError = {}
        self.renewed = 0

    async def ask(
        self,
        request: Mapping[str, Any],
        timeout_seconds: float,
        *,
        urgency: bool,
        patience_seconds: float | None,
    ) -> dict[str, Any]:
        assert timeout_seconds == drawing.DRAWING_TIMEOUT_SECONDS
        self.requests.append((request, urgency))
        self.patience.append(patience_seconds)
        if isinstance(self.answer, WorkerError):
            raise self.answer
        return self.answer

    def renew(self) -> None:
        self.renewed += 1


def client_of(pool: Asked) -> DrawingClient:
    return DrawingClient(cast("WorkerPool", pool))


def _drawn() -> bytes:
    return b"PNG"


async def started(pool: Asked) -> DrawingClient:
    """A client whose worker has started."""
    client = client_of(pool)
    assert await client.draw(_drawn, START_WAITING) is None
    assert client._starting
    await client._starting
    return client


async def test_worker_is_started_at_the_third_picture() -> None:
    pool = Asked()
    client = client_of(pool)
    IS_URGENT.set(True)
    for count in (1, START_WAITING - 1):
        assert await client.draw(_drawn, count) is None
        assert client._starting is None
    for _ in range(2):
        assert await client.draw(_drawn, 3) is None
    assert client._starting
    await client._starting
    assert pool.requests == [({"do": "hello"}, False)]


async def test_no_worker_is_started_where_there_are_none() -> None:
    client = client_of(Asked(enabled=False))
    assert await client.draw(_drawn, START_WAITING) is None
    assert client._starting is None


@pytest.mark.parametrize("is_urgent", [False, True])
async def test_picture_is_asked_for_with_language_and_urgency(is_urgent: bool) -> None:
    pool = Asked()
    client = await started(pool)
    pool.answer = {DATA: b"PNG", "seconds": 0.25}
    before = drawn_seconds()
    IS_URGENT.set(is_urgent)
    with using(catalogue("de")):
        assert await client.draw(_drawn, 1) == b"PNG"
    request, urgency = pool.requests[-1]
    assert pool.patience == [None, drawing.PATIENCE_SECONDS if is_urgent else None]
    assert (request["do"], request["language"], urgency) == ("draw", "de", is_urgent)
    assert pickle.loads(b64decode(request["work"])) is _drawn  # noqa: S301 - from here
    assert drawn_seconds() - before == pytest.approx(0.25)


def drawn_seconds() -> float:
    (family,) = metrics.RENDER.collect()
    return sum(sample.value for sample in family.samples if sample.name.endswith("_sum"))


async def test_answer_without_a_picture_leaves_the_worker() -> None:
    pool = Asked()
    client = await started(pool)
    assert await client.draw(_drawn, 1) is None
    assert await client.draw(_drawn, 1) is None
    assert len(pool.requests) == 3


@pytest.mark.parametrize("outcome", [Outcome.DIED, Outcome.TIMEOUT, Outcome.CLOSED])
async def test_failed_worker_pauses_unless_it_was_closed(
    outcome: Outcome, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.WARNING)
    pool, failures = Asked(), failures_of("drawing")
    client = await started(pool)
    pool.answer = WorkerError(outcome, "reason")
    assert await client.draw(_drawn, 1) is None
    assert await client.draw(_drawn, START_WAITING - 1) is None
    assert len(pool.requests) == 2, "after a failure, it has to start again"
    failed = outcome is not Outcome.CLOSED
    pause = client._paused_until - asyncio.get_running_loop().time()
    assert (pause > drawing.PAUSE_SECONDS / 2) is failed
    assert failures_of("drawing") - failures == failed
    assert len(caplog.messages) == failed
    ready = client._starting
    await client.draw(_drawn, START_WAITING)
    assert (client._starting is ready) is failed
    client._paused_until = 0.0
    await client.draw(_drawn, START_WAITING)
    assert client._starting is not ready


def test_pause_is_a_minute_and_patience_short() -> None:
    assert (drawing.PAUSE_SECONDS, START_WAITING) == (60.0, 3)
    assert drawing.PATIENCE_SECONDS <= 0.2


# ------------------------------------------------------------------ workers that are late


class Silent(Asked):
    """In place of a pool whose workers started, but answer nothing until they may."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = asyncio.Event()
        self.is_busy = False

    async def ask(self, request: Mapping[str, Any], *args: Any, **options: Any) -> dict[str, Any]:
        await super().ask(request, *args, **options)
        if request["do"] == "draw":
            await self.may_answer.wait()
        if self.is_busy:
            raise TimeoutError
        return {}


async def impatient(pool: Asked) -> DrawingClient:
    """A client that waits for no worker; one has started."""
    client = DrawingClient(cast("WorkerPool", pool), patience_seconds=0)
    assert await client.draw(_drawn, START_WAITING) is None
    assert client._starting
    await client._starting
    return client


@pytest.mark.parametrize("path", ["", "rhomb"])
async def test_late_shortcuts_are_quick_ones(path: str) -> None:
    pool = Silent()
    images = BoardImages(await impatient(pool))
    view = games.get("tomtube").view(laying("", "AB/CD"), "T")
    IS_URGENT.set(True)
    quick = await images.shortcuts(view, path, DEFAULT_STYLE)
    assert quick == quick_shortcuts_of(view, path)
    assert quick != shortcuts_of(view, path)
    places = {frozenset(action.args[0].split(">")) for action in quick.ghosts}
    assert len(places) == MAX_GHOSTS, "the nearest places that can be told apart"
    assert len(pool.requests) == 2, "the worker was asked"
    assert images.idle.is_set()
    images.close()


async def test_late_picture_is_drawn_by_the_bot() -> None:
    pool = Silent()
    images = BoardImages(await impatient(pool))
    expected = await picture(BoardImages())
    IS_URGENT.set(True)
    assert await picture(images) == expected
    assert len(pool.requests) == 2, "the worker was asked"
    images.close()


async def test_late_plan_is_drawn_by_the_bot() -> None:
    """Its picture has the orders, and its worker, if it answers at last, changes nothing."""
    pool = Silent()
    client = await impatient(pool)
    images = BoardImages(client)
    view = games.get("tomtube").view(laying("", "AB/CD"), "T")
    orders = view.legal[:2]
    expected = await BoardImages().with_actions(view, NAMES, DEFAULT_STYLE, ghosts=orders)
    IS_URGENT.set(True)
    drawn = await images.with_actions(view, NAMES, DEFAULT_STYLE, ghosts=orders)
    assert drawn == expected
    assert len(pool.requests) == 2, "the worker was asked"
    pool.may_answer.set()
    await asyncio.gather(*client._asking)
    assert images.idle.is_set()
    images.close()


async def test_what_no_player_waits_for_is_never_late() -> None:
    pool = Silent()
    client = await impatient(pool)
    drawing = asyncio.create_task(client.draw(_drawn, 1))
    for _ in range(9):
        await asyncio.sleep(0)
    assert not drawing.done()
    pool.may_answer.set()
    assert await drawing is None


async def test_request_that_no_worker_took_in_time_is_no_error(
    caplog: pytest.LogCaptureFixture,
) -> None:
    pool = Silent()
    client = await impatient(pool)
    IS_URGENT.set(True)
    with pytest.raises(TimeoutError):
        await client.draw(_drawn, 1)
    pool.is_busy = True
    pool.may_answer.set()
    await asyncio.wait(client._asking)
    gc.collect()  # asyncio logs an error that was never retrieved when its task is deleted
    assert not caplog.messages


async def test_worker_that_is_late_is_not_interrupted() -> None:
    pool = Silent()
    client = await impatient(pool)
    IS_URGENT.set(True)
    with pytest.raises(TimeoutError):
        await client.draw(_drawn, 1)
    (asking,) = client._asking
    pool.may_answer.set()
    await asking
    assert not asking.cancelled()
    assert not client._asking
    assert client._is_ready


async def test_deleted_names_replace_the_workers() -> None:
    pool = Asked()
    client_of(pool).clear_cache()
    assert pool.renewed == 1


# ------------------------------------------------------------------ the worker alone


def asked_for(work: Callable[[], bytes], language: str) -> str:
    pickled = b64encode(pickle.dumps(work)).decode()
    return json.dumps({"do": "draw", "language": language, "work": pickled})


def test_worker_draws_in_each_language_and_survives_a_failure() -> None:
    hello = json.dumps({"do": "hello"})
    lines = (hello, asked_for(_broken, "de"), asked_for(_title, "de"), asked_for(_title, "en"))
    first, second, *answers = (answer.partition(b"\n") for answer in serve(lines))
    assert first == second == (b"{}", b"\n", b"")
    for (header, _, picture), title in zip(answers, (b"Deutsch", b"English"), strict=True):
        answer = json.loads(header)
        assert picture == title
        assert answer[DATA] == len(title)
        assert 0 <= answer["seconds"] < HOUR


def _title() -> bytes:
    return {"en": "English", "de": "Deutsch"}[current_language()].encode()
