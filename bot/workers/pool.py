"""Pools of processes that work for the bot: their queue, and their replacement.

Computer players choose in `python -m engine seat`, which speaks the protocol of
`engine.computer.protocol`; boards are drawn in `bot.app.drawing_worker`.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Awaitable, Callable, Hashable, Mapping, Sequence
from contextlib import AsyncExitStack, suppress
from time import perf_counter
from typing import Any, TypeVar

from bot import metrics
from bot.resource_pool import ResourcePool
from bot.urgency import Urgency
from bot.workers.process import Limits, Outcome, Worker, WorkerError
from bot.workers.protocol import REPORT

__all__ = ["Outcome", "WorkerError", "WorkerPool"]

T = TypeVar("T")

OnReport = Callable[[dict[str, Any]], Awaitable[None]]
"""Is called with each report on the progress of a request."""

COMMAND = (sys.executable, "-P", "-m", "engine", "seat")
"""Start a computer player; `-P` keeps its working directory out of the module path."""

LIMITS = Limits(niceness=10, address_space_bytes=128 * 2**20, resident_bytes=64 * 2**20)
"""Limits of a computer player.

It has 22 MiB at first and 58 MiB after a match of each game; caches grow by 1 MiB a match. Its
address space is 5 MiB larger than its memory.
"""

START_TIMEOUT_SECONDS = 120.0
"""Maximum seconds from the start of a worker to its first answer.

Beside eight busy processes on two processors, a start with niceness 10 took 11 s.
"""

START_PAUSE_SECONDS = (0.0, 1.0, 5.0, 15.0, 60.0)
"""Seconds before a start, by the number of starts that failed before it; the last is repeated."""

HELLO = {"do": "hello", "protocol": 1}
"""First request to a worker: one that does not answer it has not started."""


class WorkerPool:
    """Send requests to a limited number of workers, each started when first needed.

    Args:
        size: maximum number of workers; with 0, all requests fail.
        command: starts a worker; by default, a computer player.
        limits: resource limits of each worker.
    """

    def __init__(
        self, size: int, command: Sequence[str] = COMMAND, limits: Limits = LIMITS
    ) -> None:
        self._size = size
        self._command = command
        self._limits = limits
        self._slots = tuple(_Slot() for _ in range(size))
        self._pool = ResourcePool(self._slots)
        self._workers: set[Worker] = set()
        self._failed_starts = 0
        self._closing = asyncio.Event()

    @property
    def enabled(self) -> bool:
        """Whether there are workers."""
        return self._size > 0

    def of_one(self) -> WorkerPool:
        """Return a pool of one worker like those of this pool; of none if it has none."""
        return WorkerPool(min(self._size, 1), self._command, self._limits)

    async def ask(
        self,
        request: Mapping[str, Any],
        timeout_seconds: float,
        *,
        urgency: int = Urgency.TURN,
        owner: Hashable = None,
        patience_seconds: float | None = None,
        on_report: OnReport | None = None,
    ) -> dict[str, Any]:
        """Send a request and return its answer.

        Args:
            request: a JSON-compatible object of the protocol.
            timeout_seconds: maximum time from sending it to a worker; waiting for one is extra. It
                begins again with each report.
            urgency: requests with a greater one are sent first.
            owner: owner of the request; equally urgent requests are sent for each owner in turn.
            patience_seconds: maximum time to wait for a free worker; None for any.
            on_report: called with each report; without it, a report is an answer.

        Raises:
            WorkerError: there is no answer, or the worker refused the request.
            TimeoutError: no worker was free in time.
        """
        self._check_open()
        async with self._pool.acquired(urgency, owner, patience_seconds) as slot:
            begin = perf_counter()
            outcome = Outcome.CLOSED
            try:
                worker = await self._running(slot)
                answer = await self._exchange(worker, request, timeout_seconds, on_report)
                outcome = Outcome.ANSWERED
                if slot.is_stale or worker.resident_bytes() > self._limits.resident_bytes:
                    worker.kill()
            except WorkerError as error:
                outcome = error.outcome
                raise
            finally:
                labels = metrics.WORKER_REQUEST.labels(request.get("do"), outcome)
                labels.observe(perf_counter() - begin)
        return answer

    async def wait_for(self, outcome: Awaitable[T]) -> T:
        """Await the consequences of an answer; a simulation reports the wait to its Discord."""
        return await outcome

    def renew(self) -> None:
        """Replace all workers: idle ones now, others after their answer."""
        for slot in self._slots:
            slot.is_stale = True
        for slot in self._pool.free:
            if slot.worker:
                slot.worker.kill()

    async def close(self) -> None:
        """Kill all workers, and wait until they have ended; requests fail from now on."""
        self._closing.set()
        self._pool.refuse_waiting(_closed())
        for worker in self._workers:
            worker.kill()
        async with AsyncExitStack() as stack:
            for _ in range(self._size):  # so that no request is in the middle of a start
                await stack.enter_async_context(self._pool.acquired(Urgency.TURN))
            for worker in self._workers:
                worker.kill()
                await worker.ended()

    def _check_open(self) -> None:
        if not self.enabled:
            raise WorkerError(Outcome.CLOSED, "there are no workers")
        if self._closing.is_set():
            raise _closed()

    async def _running(self, slot: _Slot) -> Worker:
        """Return the worker of a slot, and start one if there is none.

        Raises:
            WorkerError: it does not start.
        """
        if slot.worker and slot.worker.is_usable:
            return slot.worker
        slot.worker, slot.is_stale = None, False
        pause = START_PAUSE_SECONDS[min(self._failed_starts, len(START_PAUSE_SECONDS) - 1)]
        with suppress(TimeoutError):
            async with asyncio.timeout(pause):  # in this task, which a simulation knows to wait
                await self._closing.wait()
        self._check_open()
        try:
            slot.worker = await self._start()
        except WorkerError as error:
            self._failed_starts += 1
            if self._failed_starts >= len(START_PAUSE_SECONDS) and not self._is_any_usable():
                self._pool.refuse_waiting(error)  # each would wait for a start of its own
            raise
        self._failed_starts = 0
        return slot.worker

    def _is_any_usable(self) -> bool:
        return any(slot.worker and slot.worker.is_usable for slot in self._slots)

    async def _start(self) -> Worker:
        """Start a worker.

        Raises:
            WorkerError: it does not answer.
        """
        try:
            worker = await Worker.spawn(self._command, self._limits)
        except OSError as error:
            reason = f"no worker starts: {error.strerror}"
            raise WorkerError(Outcome.DIED, reason) from error
        self._workers = {other for other in self._workers if not other.has_ended} | {worker}
        try:
            await self._exchange(worker, HELLO, START_TIMEOUT_SECONDS)
        except WorkerError:
            worker.kill()  # also one that refuses
            raise
        return worker

    async def _exchange(
        self,
        worker: Worker,
        request: Mapping[str, Any],
        timeout_seconds: float,
        on_report: OnReport | None = None,
    ) -> dict[str, Any]:
        """Exchange a request for an answer, and kill a worker that gives none.

        Raises:
            WorkerError: the worker gives none, or refuses.
        """
        try:
            self._check_open()
            async with asyncio.timeout(timeout_seconds):
                answer = await worker.exchange(request)
            while on_report and REPORT in answer:
                await on_report(answer)
                async with asyncio.timeout(timeout_seconds):
                    answer = await worker.read()
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
    """Room for one worker.

    Attributes:
        worker: the last one, if it was started.
        is_stale: whether to replace it.
    """

    def __init__(self) -> None:
        self.worker: Worker | None = None
        self.is_stale = False
