"""Draw boards in worker processes, so that they use another core than the event loop."""

from __future__ import annotations

import asyncio
import logging
import pickle
import sys
from base64 import b64encode
from collections.abc import Callable, Coroutine
from contextvars import Context
from functools import partial
from typing import Any

from bot import metrics
from bot.failures import count_failure
from bot.i18n import current_language
from bot.urgency import IS_URGENT
from bot.workers.pool import Outcome, WorkerError, WorkerPool
from bot.workers.process import Limits
from bot.workers.protocol import DATA

log = logging.getLogger(__name__)

COMMAND = (sys.executable, "-P", "-m", "bot.app.drawing_worker")

LIMITS = Limits(niceness=5, address_space_bytes=512 * 2**20, resident_bytes=192 * 2**20)
"""It has 30 MiB at first, 90 MiB with boards in the default style, and 140 MiB with boards of a
second style."""

DRAWING_TIMEOUT_SECONDS = 10.0
"""Timeout of one picture in seconds: several hundred times its usual duration."""

PATIENCE_SECONDS = 0.15
"""Seconds that a player's request waits for the workers: a picture takes a few hundredths, so they
are busy then, and the bot draws, or does with less."""

START_WAITING = 3
"""Pictures in progress at which a worker is started: few bots ever need one."""

PAUSE_SECONDS = 60.0
"""Seconds without workers after one has failed: meanwhile, the bot draws."""


def drawing_pool(size: int) -> WorkerPool:
    """Return a pool of processes that draw."""
    return WorkerPool(size, COMMAND, LIMITS)


class DrawingClient:
    """Asks processes for pictures, from the first time on when many are wanted at once.

    One that takes long is enough: a thread that draws shares its core with the event loop.

    Args:
        patience_seconds: see `PATIENCE_SECONDS`.
    """

    def __init__(self, workers: WorkerPool, patience_seconds: float = PATIENCE_SECONDS) -> None:
        self._workers = workers
        self._patience_seconds = patience_seconds
        self._asking: set[asyncio.Task[dict[str, Any] | None]] = set()
        self._is_ready = False
        self._paused_until = 0.0
        self._starting: asyncio.Task[None] | None = None

    async def draw(
        self, work: Callable[[], bytes], waiting: int, *, takes_long: bool = False
    ) -> bytes | None:
        """Return a picture, drawn in a worker; None if no worker can draw it.

        Args:
            work: draws it; a function that can be pickled.
            waiting: number of pictures in progress, this one included.
            takes_long: whether it is worth a worker of its own.

        Raises:
            TimeoutError: a player waits, and the workers are busy.
        """
        if not self._is_ready:
            if (takes_long or waiting >= START_WAITING) and self._workers.enabled:
                self._start()
            return None
        pickled = b64encode(pickle.dumps(work)).decode()
        asking = self._ask(do="draw", language=current_language(), work=pickled)
        answer = await (self._in_time(asking) if IS_URGENT.get() else asking)
        if not answer:
            return None
        metrics.RENDER.observe(answer["seconds"])
        picture: bytes = answer[DATA]
        return picture

    def _start(self) -> None:
        """Start a worker; meanwhile, the bot draws."""
        now = asyncio.get_running_loop().time()
        if now < self._paused_until or (self._starting and not self._starting.done()):
            return
        self._starting = Context().run(partial(asyncio.create_task, self._prepare()))

    async def _prepare(self) -> None:
        self._is_ready = await self._ask(do="hello") is not None

    async def _in_time(
        self, asking: Coroutine[Any, Any, dict[str, Any] | None]
    ) -> dict[str, Any] | None:
        """Return an answer for which a player waits.

        Raises:
            TimeoutError: it is late. The worker's work goes on: it would be killed otherwise.
        """
        task = asyncio.create_task(asking, name="drawing")
        self._asking.add(task)
        task.add_done_callback(self._on_answer)
        return await asyncio.wait_for(asyncio.shield(task), self._patience_seconds)

    def _on_answer(self, task: asyncio.Task[dict[str, Any] | None]) -> None:
        """Drop a request, whose error has been raised, or is of no use any more."""
        self._asking.discard(task)
        if not task.cancelled():
            task.exception()

    async def _ask(self, **request: str) -> dict[str, Any] | None:
        """Return the answer of a worker; None if it has failed, or is closed.

        Raises:
            TimeoutError: a player waits, and no worker has been free.
        """
        patience_seconds = self._patience_seconds if IS_URGENT.get() else None
        try:
            return await self._workers.ask(
                request,
                DRAWING_TIMEOUT_SECONDS,
                urgency=IS_URGENT.get(),
                patience_seconds=patience_seconds,
            )
        except WorkerError as error:
            self._is_ready = False
            if error.outcome is not Outcome.CLOSED:
                self._paused_until = asyncio.get_running_loop().time() + PAUSE_SECONDS
                log.warning("no worker draws for %g s: %s", PAUSE_SECONDS, error)
                count_failure("drawing", error)
            return None

    def clear_cache(self) -> None:
        """Drop cached drawings, which contain names of players."""
        self._workers.renew()
