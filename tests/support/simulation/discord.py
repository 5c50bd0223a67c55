"""A Discord whose gateway loses connections, and delays events."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from tests.support.fake_discord import FakeDiscord

LATE, LATE_SECONDS = 0.04, 30.0
"""How often an interaction comes late, and by how much at most."""


class SimulatedDiscord(FakeDiscord):
    """See `FakeDiscord`.

    Args:
        clock: UTC seconds.
        random: decides about faults.
    """

    def __init__(self, clock: Callable[[], float], random: Random) -> None:
        super().__init__(clock, random)
        self._late = set[asyncio.Task[bool]]()

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
