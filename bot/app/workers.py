"""The pool of processes in which computer players choose: their queue, and their replacement.

A worker is `python -m engine seat`, which speaks the protocol of `engine.computer.protocol`; see
`bot.app.worker_process` for its limits.
"""

from __future__ import annotations

import asyncio
import sys
from collections import deque
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from time import perf_counter
from typing import Any

from bot import metrics
from bot.app.worker_process import Outcome, Worker, WorkerError

__all__ = ["Outcome", "WorkerError", "WorkerPool"]

COMMAND = (sys.executable, "-P", "-m", "engine", "seat")
"""Start a worker; `-P` keeps its working directory out of the module path."""

RESIDENT_BYTES = 64 * 2**20
"""Memory above which a worker is replaced after its answer.

It has 22 MiB at first and 58 MiB after a match of each game; caches grow by 1 MiB a match.
"""

START_TIMEOUT_SECONDS = 30.0
"""Maximum seconds from the start of a worker to its first answer; a busy machine takes several."""

START_PAUSE_SECONDS = (0.0, 1.0, 5.0, 15.0, 60.0)
"""Seconds before a start, by the number of starts that failed before it; the last is repeated."""

HELLO = {"do": "hello", "protocol": 1}
"""First request to a worker: one that does not answer it has not started."""


class WorkerPool:
    """Send requests to a limited number of workers, each started when first needed.

    Args:
        size: maximum number of workers; 0 turns the computer players off.
        command: starts a worker.
    """

    def __init__(self, size: int, command: Sequence[str] = COMMAND) -> None:
        self._size = size
        self._command = command
        self._slots = _Slots(size)
        self._workers: set[Worker] = set()
        self._failed_starts = 0
        self._closing = asyncio.Event()

    @property
    def enabled(self) -> bool:
        """Whether the host has not turned the computer players off."""
        return self._size > 0

    async def ask(
        self, request: Mapping[str, Any], timeout_seconds: float, *, urgent: bool = True
    ) -> dict[str, Any]:
        """Send a request and return its answer.

        Args:
            request: a JSON-compatible object of the protocol.
            timeout_seconds: maximum time from sending it to a worker; waiting for one is extra.
            urgent: whether a player waits; other requests are sent when no urgent one waits.

        Raises:
            WorkerError: there is no answer, or the worker refused the request.
        """
        self._check_open()
        async with self._slots.taken(urgent) as slot:
            begin = perf_counter()
            outcome = Outcome.CLOSED
            try:
                worker = await self._running(slot)
                answer = await self._exchange(worker, request, timeout_seconds)
                outcome = Outcome.ANSWERED
                if worker.resident_bytes() > RESIDENT_BYTES:
                    worker.kill()
            except WorkerError as error:
                outcome = error.outcome
                raise
            finally:
                labels = metrics.WORKER_REQUEST.labels(request.get("do"), outcome)
                labels.observe(perf_counter() - begin)
        return answer

    async def close(self) -> None:
        """Kill all workers, and wait until they have ended; requests fail from now on."""
        self._closing.set()
        self._slots.refuse_waiting()
        for worker in self._workers:
            worker.kill()
        async with AsyncExitStack() as stack:
            for _ in range(self._size):  # so that no request is in the middle of a start
                await stack.enter_async_context(self._slots.taken(urgent=True))
            for worker in self._workers:
                worker.kill()
                await worker.ended()

    def _check_open(self) -> None:
        if not self.enabled:
            raise WorkerError(Outcome.CLOSED, "the computer players are off")
        if self._closing.is_set():
            raise _closed()

    async def _running(self, slot: _Slot) -> Worker:
        """Return the worker of a slot, and start one if there is none.

        Raises:
            WorkerError: it does not start.
        """
        if slot.worker and slot.worker.is_usable:
            return slot.worker
        slot.worker = None
        pause = START_PAUSE_SECONDS[min(self._failed_starts, len(START_PAUSE_SECONDS) - 1)]
        with suppress(TimeoutError):
            await asyncio.wait_for(self._closing.wait(), pause)
        self._check_open()
        try:
            slot.worker = await self._start()
        except WorkerError:
            self._failed_starts += 1
            raise
        self._failed_starts = 0
        return slot.worker

    async def _start(self) -> Worker:
        """Start a worker.

        Raises:
            WorkerError: it does not answer.
        """
        try:
            worker = await Worker.spawn(self._command)
        except OSError as error:
            reason = f"no worker starts: {error.strerror}"
            raise WorkerError(Outcome.DIED, reason) from error
        self._workers = {each for each in self._workers if not each.has_ended} | {worker}
        try:
            await self._exchange(worker, HELLO, START_TIMEOUT_SECONDS)
        except WorkerError:
            worker.kill()  # also one that refuses
            raise
        return worker

    async def _exchange(
        self, worker: Worker, request: Mapping[str, Any], timeout_seconds: float
    ) -> dict[str, Any]:
        """Exchange a request for an answer, and kill a worker that gives none.

        Raises:
            WorkerError: the worker gives none, or refuses.
        """
        try:
            self._check_open()
            async with asyncio.timeout(timeout_seconds):
                answer = await worker.exchange(request)
        except TimeoutError as error:
            worker.kill()
            reason = f"the worker had no answer after {timeout_seconds:g} s"
            raise WorkerError(Outcome.TIMEOUT, reason) from error
        except WorkerError:
            worker.kill()
            self._check_open()  # the pool may have killed it
            raise
        except BaseException:
            worker.kill()
            raise
        if "error" in answer:
            raise WorkerError(Outcome.REFUSED, "the worker refused the request")
        return answer


def _closed() -> WorkerError:
    return WorkerError(Outcome.CLOSED, "the workers are closed")


class _Slot:
    """Room for one worker."""

    def __init__(self) -> None:
        self.worker: Worker | None = None


class _Slots:
    """Slots, each taken by one request at a time: urgent ones first, then in order of arrival."""

    def __init__(self, size: int) -> None:
        self._free = [_Slot() for _ in range(size)]
        self._urgent: deque[asyncio.Future[_Slot]] = deque()
        self._later: deque[asyncio.Future[_Slot]] = deque()

    @asynccontextmanager
    async def taken(self, urgent: bool) -> AsyncIterator[_Slot]:
        """Take a slot inside the block."""
        slot = await self._take(self._urgent if urgent else self._later)
        try:
            yield slot
        finally:
            self._give(slot)

    def refuse_waiting(self) -> None:
        """Refuse all requests that wait for a slot."""
        for future in (*self._urgent, *self._later):
            if not future.done():
                future.set_exception(_closed())

    async def _take(self, waiting: deque[asyncio.Future[_Slot]]) -> _Slot:
        if self._free:
            return self._free.pop()
        future: asyncio.Future[_Slot] = asyncio.get_running_loop().create_future()
        waiting.append(future)
        try:
            return await future
        except asyncio.CancelledError:
            if future.done() and not future.cancelled() and not future.exception():
                self._give(future.result())
            raise

    def _give(self, slot: _Slot) -> None:
        """Pass a slot to the next request; a free one with a worker is taken first."""
        for waiting in (self._urgent, self._later):
            while waiting:
                future = waiting.popleft()
                if not future.done():
                    future.set_result(slot)
                    return
        self._free.append(slot)
