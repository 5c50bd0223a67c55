"""A Discord whose gateway loses connections, and delays events and replies."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from aiohttp import web

from tests.support.fake_discord import FakeDiscord
from tests.support.fake_log import Trouble

LATE, LATE_SECONDS = 0.04, 30.0
"""How often an interaction comes late, and by how much at most."""

SLOW, SLOW_SECONDS = 0.02, 20.0
"""How often the reply to a request is slow, and by how much at most."""

SLOW_THREADS = 0.3
"""The same for replies about new threads and posts."""

UNPROTECTED = 4.0
"""How much more often such a reply is lost: no nonce prevents a second thread or post."""


class SimulatedDiscord(FakeDiscord):
    """See `FakeDiscord`.

    Args:
        clock: UTC seconds.
        random: decides about faults.
    """

    def __init__(self, clock: Callable[[], float], random: Random) -> None:
        super().__init__(clock, random)
        self._late = set[asyncio.Task[bool]]()
        self._awaited: list[tuple[int, asyncio.Future[None]]] = []

    async def carry_out(self, number: int) -> None:
        """Wait for so many more requests; the reply to the last one is not yet sent."""
        reached: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._awaited = [each for each in self._awaited if not each[1].done()]
        self._awaited.append((self.requests + number, reached))
        await reached

    def trouble_of(self, request: web.Request) -> Trouble:
        """See `FakeFaults`."""
        limited, *lost = self.trouble
        if _makes_thread(request):
            return Trouble(limited, *(UNPROTECTED * each for each in lost))
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
        await asyncio.sleep(self.random.uniform(0, LATE_SECONDS))
        return await super().interact(payload)

    async def hang_up(self) -> None:
        """Close the connections to the gateway; the bot may come back at once."""
        self.count("gateway closed")
        await self.leave()
        self.is_unreachable = False


def _makes_thread(request: web.Request) -> bool:
    return request.method == "POST" and request.path.endswith("/threads")
