"""Discord's limit of 50 requests a second, shared by all processes of the bot."""

from __future__ import annotations

import asyncio
import math
import time
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Any

from bot.shards import Shards

REQUESTS_PER_SECOND = 50
"""Requests that Discord allows a bot per second. Answers to interactions do not count."""


def least_shards(count: int) -> int:
    """Return the number of shards that a process needs for a share of one request a second."""
    return math.ceil(count / REQUESTS_PER_SECOND)


class RequestRate:
    """Limits the requests per second; the others wait their turn.

    It does not use aiolimiter, whose bucket either delays requests while there is room, or lets
    nearly twice as many pass in one second.

    Args:
        number: maximum number of requests per second.
        clock: monotonic clock in seconds.
        sleep: waits for a number of seconds.
    """

    def __init__(
        self,
        number: int,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._passed: deque[float] = deque(maxlen=number)
        self._clock = clock
        self._sleep = sleep

    @classmethod
    def of(cls, shards: Shards) -> RequestRate:
        """Return the limiter of a process, with a share proportional to its shards.

        Shares are rounded down, so all processes together keep to the limit. The settings refuse
        shards whose share is less than one.
        """
        return cls(REQUESTS_PER_SECOND * len(shards.ids) // shards.count)

    async def turn(self) -> None:
        """Wait until there is room for one more."""
        while len(self._passed) == self._passed.maxlen:
            wait = self._passed[0] + 1.0 - self._clock()
            if wait <= 0:
                break
            await self._sleep(wait)
        self._passed.append(self._clock())


def throttle(http: Any, request_rate: RequestRate) -> None:
    """Make all requests of a discord.py HTTP client wait for their turn."""
    request = http.request

    async def in_turn(*route: Any, **options: Any) -> Any:
        await request_rate.turn()
        return await request(*route, **options)

    http.request = in_turn
