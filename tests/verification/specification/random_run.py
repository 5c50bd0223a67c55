"""Run the real outbox with two workers and random faults."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Literal

from bot.outbox.worker import OutboxWorker
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_discord import until
from tests.support.fake_log import CALM, Trouble
from tests.verification.specification.history import PROCESSES, History
from tests.verification.specification.outbox_state import TICK_SECONDS

LOST = Trouble(dropped=1.0)
"""Discord does what it is asked to, and no reply arrives."""

UNAVAILABLE = (503, 0)

PAUSE_TICKS = 5
"""Maximum number of ticks after a step: some are longer than a lease."""


class Gate(asyncio.Event):
    """Holds requests on their way to Discord, and tells that one has come."""

    is_reached = False

    async def wait(self) -> Literal[True]:
        """Hold a request."""
        self.is_reached = True
        return await super().wait()


class RandomRun:
    """Two workers that deliver the messages of a match.

    Args:
        history: records the events.
    """

    def __init__(self, delivery: DeliveryFixture, history: History, seed: int) -> None:
        self._delivery = delivery
        self._fake = delivery.fake
        self._history = history
        self._random = Random(seed)
        self._workers: list[OutboxWorker | None] = [self._worker(0), self._worker(1)]
        self.crashes = 0

    def _worker(self, number: int) -> OutboxWorker:
        """Return a worker; the clock of the second one is ahead by a tick."""
        return self._delivery.worker_behind(-number * TICK_SECONDS, PROCESSES[number])

    async def finish(self, steps: int) -> None:
        """Take some random steps, then let everything arrive."""
        for _ in range(steps):
            await self._step(self._random.randrange(2))
            await self._settle()
            for _ in range(self._random.choice((0, 0, 1, 2, PAUSE_TICKS))):
                self._tick()
        for number in range(2):
            await self._resume(number)
        while await self._delivery.left():
            await self._settle()
            self._tick()
            await self._flush(0)
        for worker in filter(None, self._workers):
            await worker.stop()
        self._history.read_database()

    async def _step(self, number: int) -> None:
        if self._workers[number] is None:
            await self._resume(number)
            return
        fault = self._random.choice(("flush", "lose", "refuse", "slow", "late"))
        if fault == "lose":
            self._fake.trouble = LOST
        elif fault == "refuse":
            self._fake.refusals[CHANNEL] = UNAVAILABLE
        if fault in ("slow", "late"):
            await self._hold(number, crash=fault == "late")
        else:
            await self._flush(number)
        self._fake.trouble = CALM
        self._fake.refusals.pop(CHANNEL, None)

    async def _flush(self, number: int) -> None:
        worker = self._workers[number]
        assert worker
        await worker.flush()

    async def _settle(self) -> None:
        """Wait for attempts, which the simulated clock does not end; begin no others."""
        for worker in filter(None, self._workers):
            await worker.flush(new=False)

    async def _hold(self, number: int, *, crash: bool) -> None:
        """Hold a request for a tick; its process may crash, and the other one may be faster."""
        gate = self._fake.gates[CHANNEL] = Gate()
        flush = asyncio.create_task(self._flush(number))
        await until(lambda: gate.is_reached or flush.done())
        asked = len(self._history)
        if crash:
            await self._crash(number)
        self._tick()
        del self._fake.gates[CHANNEL]
        if crash and self._random.random() < 0.5:
            await self._resume(number)
        gate.set()
        if gate.is_reached:
            await until(lambda: len(self._history) > asked)
        if not crash:
            await flush

    async def _crash(self, number: int) -> None:
        worker = self._workers[number]
        assert worker
        await worker.stop()
        self._history.note(f"crash: worker {number}")
        self._workers[number] = None
        self.crashes += 1

    async def _resume(self, number: int) -> None:
        """Start a process again; what it writes then is not the result of an attempt."""
        if self._workers[number] is None:
            worker = self._workers[number] = self._worker(number)
            self._history.read_database()
            await worker.resume()
            self._history.read_database(skip=True)
            self._history.note(f"resume: worker {number}")
            await self._flush(number)

    def _tick(self) -> None:
        self._history.note("a tick passes")
        self._delivery.env.now += TICK_SECONDS
