"""A Discord whose gateway loses connections, and delays events and replies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any, NamedTuple

from aiohttp import web

from tests.support.fake_discord import FakeDiscord
from tests.support.fake_log import Trouble
from tests.verification.simulation.network import Endpoint
from tests.verification.simulation.process import SimulatedProcess

Arrival = asyncio.Future[bool]
"""Set to whether a held request arrives."""

LATE, LATE_SECONDS = 0.04, 30.0
"""Probability that an interaction is late, and its maximum delay in seconds."""

SLOW, SLOW_SECONDS = 0.02, 20.0
"""Probability that the reply to a request is slow, and its maximum delay in seconds."""

SLOW_THREADS = 0.3
"""The same for replies about new threads and posts."""

UNPROTECTED = 4.0
"""Factor on the loss of such replies: no nonce prevents a second thread or post."""


class Held(NamedTuple):
    """A request for a new thread or post that is to be held.

    Attributes:
        is_by: whether it makes the request, or one of the others.
        asked: set when the request is made.
    """

    process: SimulatedProcess
    is_by: bool
    asked: asyncio.Future[Arrival]


class SimulatedDiscord(FakeDiscord):
    """See `FakeDiscord`.

    Args:
        clock: UTC seconds.
    """

    def __init__(self, clock: Callable[[], float], random: Random) -> None:
        super().__init__(clock, random)
        self._late = set[asyncio.Task[bool]]()
        self._awaited: list[tuple[int, asyncio.Future[None]]] = []
        self._held: list[Held] = []

    async def carry_out(self, number: int) -> None:
        """Wait for so many more requests; the reply to the last one is not yet sent."""
        reached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._awaited = [entry for entry in self._awaited if not entry[1].done()]
        self._awaited.append((self.requests + number, reached))
        await reached

    async def thread_asked(self, process: SimulatedProcess, *, is_by: bool) -> Arrival:
        """Wait until a process asks for a thread or post, or one of the others does.

        Returns:
            A future; the request is held until it is set.
        """
        loop = asyncio.get_running_loop()
        hold = Held(process, is_by, loop.create_future())
        self._held.append(hold)
        try:
            return await hold.asked
        except asyncio.CancelledError:
            if not hold.asked.cancelled():
                hold.asked.result().set_result(True)
            raise
        finally:
            self._held.remove(hold)

    async def arrives(self, request: web.Request) -> bool:
        """See `FakeFaults`."""
        transport = request.transport
        if transport is None or not _makes_thread(request):
            return True
        assert isinstance(transport, Endpoint)
        for process, is_by, asked in self._held:
            if (transport.client is process) is is_by and not asked.done():
                arrival: Arrival = asyncio.get_running_loop().create_future()
                asked.set_result(arrival)
                return await arrival and not transport.is_closing()
        return True

    def trouble_of(self, request: web.Request) -> Trouble:
        """See `FakeFaults`."""
        limited, *lost = self.trouble
        if _makes_thread(request):
            return Trouble(limited, *(UNPROTECTED * share for share in lost))
        return self.trouble

    async def wait_before_reply(self, request: web.Request) -> None:
        """See `FakeFaults`."""
        for number, reached in self._awaited:
            if number <= self.requests and not reached.done():
                reached.set_result(None)
        often = SLOW_THREADS if _makes_thread(request) else SLOW
        if self.trouble.limited and self.random.random() < often:
            self.count("slow reply")
            await asyncio.sleep(self.random.uniform(0, SLOW_SECONDS))

    async def interact(self, payload: dict[str, Any]) -> bool:
        """Send an interaction to the bot, perhaps late; return whether a bot was there."""
        if self.trouble.limited and self.connected and self.random.random() < LATE:
            self.count("event late")
            task = asyncio.create_task(self._interact_later(payload))
            self._late.add(task)
            task.add_done_callback(self._late.discard)
            return True
        return await super().interact(payload)

    async def _interact_later(self, payload: dict[str, Any]) -> bool:
        """Send an interaction later; a new session does not get one that was answered before."""
        session = self.session(payload)
        await asyncio.sleep(self.random.uniform(0, LATE_SECONDS))
        if self.answer(int(payload["id"])).done() and self.session(payload) is not session:
            return False
        return await super().interact(payload)

    async def hang_up(self) -> None:
        """Close the connections to the gateway; the bot may come back at once."""
        self.count("gateway closed")
        await self.leave()
        self.is_unreachable = False


def _makes_thread(request: web.Request) -> bool:
    return request.method == "POST" and request.path.endswith("/threads")
