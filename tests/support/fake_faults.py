"""Faults of the fake Discord's answers to requests."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from random import Random

from aiohttp import web

from tests.support.fake_gateway import FakeGateway
from tests.support.fake_http import Answer, Handler, limited_answer
from tests.support.fake_log import ASKED, CALM, Asked, Trouble

UNCOUNTED = ("/api/v10/interactions/", "/api/v10/webhooks/")
"""Paths of requests that do not count towards the bot's limit."""


class FakeFaults(FakeGateway):
    """Answers that are refused, late or lost.

    Args:
        clock: UTC seconds.

    Attributes:
        trouble: how often a request meets each fault.
        latency: seconds that each request takes.
        requests: number of all requests.
        counted: number of those that count towards the bot's limit.
        asked: requests for new messages, and looks into channels.
        before_reply: called after each request was carried out, before its reply is sent.
    """

    def __init__(self, clock: Callable[[], float], random: Random | None = None) -> None:
        super().__init__()
        self.clock = clock
        self.random = random or Random(0)
        self.trouble = CALM
        self.latency = 0.0
        self.requests = self.counted = 0
        self.asked: list[Asked] = []
        self.before_reply: Callable[[web.Request], Awaitable[None]] | None = None

    @web.middleware
    async def _reply_later(self, request: web.Request, handler: Handler) -> Answer:
        answer = await handler(request)
        if self.before_reply:
            await self.before_reply(request)
        return answer

    def trouble_of(self, _request: web.Request) -> Trouble:
        """Return the probability of each fault for a request."""
        return self.trouble

    async def arrives(self, _request: web.Request) -> bool:
        """Return whether a request arrives, perhaps late; else its connection is reset."""
        return True

    async def wait_before_reply(self, _request: web.Request) -> None:
        """Delay the reply to a request that was carried out."""

    def _faulty(self, handle: Handler) -> Handler:
        async def run(request: web.Request) -> Answer:
            self.requests += 1
            self.counted += not request.path.startswith(UNCOUNTED)
            if self.latency and not request.path.endswith("/callback"):
                await asyncio.sleep(self.latency)
            if not await self.arrives(request):
                self._count("request lost")
                if request.transport:
                    request.transport.abort()
                return web.Response()
            dice, trouble = self.random.random(), self.trouble_of(request)
            if dice < trouble.limited:
                self._count("429")
                return limited_answer(0.02)
            try:
                answer = await handle(request)
            except ConnectionResetError:  # the bot was killed while it asked
                return web.Response()
            await self.wait_before_reply(request)
            dice -= trouble.limited
            if dice < trouble.bad_gateway:
                self._count("502 after storing", request)
                return web.Response(status=502, text="bad gateway")
            if dice < trouble.bad_gateway + trouble.dropped and request.transport:
                self._count("reply dropped", request)
                request.transport.abort()
            return answer

        return run

    def _count(self, fault: str, request: web.Request | None = None) -> None:
        self.count(fault)
        if request is not None and ASKED in request:
            request[ASKED].fate = fault

    def _note(self, request: web.Request, channel: int, nonce: str, did: str) -> None:
        request[ASKED] = Asked(self.clock(), channel, nonce, did)
        self.asked.append(request[ASKED])
