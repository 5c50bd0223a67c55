"""Coordinate the identifies of shards: Discord limits the number at once."""

from __future__ import annotations

import asyncio
import logging

import discord
from sqlalchemy.exc import SQLAlchemyError

from bot.shards import Shards
from bot.storage.leases import Leases

log = logging.getLogger(__name__)

IDENTIFY_SECONDS = 5.0
"""Seconds in which Discord lets `max_concurrency` shards begin."""


class IdentifyQueue:
    """Waits for the turn of each shard of this process."""

    def __init__(self, leases: Leases, shards: Shards) -> None:
        self._leases = leases
        self._shards = shards
        self._at_once = 1

    async def learn_limits(self, http: discord.http.HTTPClient) -> None:
        """Fetch the limit of shards that begin at once, and wait if today's limit is used up."""
        *_, limit = await http.get_bot_gateway()
        self._at_once = limit["max_concurrency"]
        if limit["remaining"] < len(self._shards.ids):  # one more, and Discord resets the token
            wait = limit["reset_after"] / 1000
            log.warning("Discord allows no more identifies today; retry in %.0f s", wait)
            await asyncio.sleep(wait)

    async def wait(self, shard_id: int) -> None:
        """Wait for the turn of a shard."""
        bucket = f"identify:{shard_id % self._at_once}"
        try:
            while wait := await self._leases.turn(bucket, IDENTIFY_SECONDS):  # noqa: ASYNC110 - polled
                await asyncio.sleep(wait)
        except SQLAlchemyError as error:
            log.warning("shard %s identifies without coordination: %s", shard_id, error)
            await asyncio.sleep(IDENTIFY_SECONDS)
