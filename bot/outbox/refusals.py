"""The last message that Discord refused on each server, for *Check this server*.

The bot cannot read some settings of a server, such as its AutoMod rules: a refused message is the
only sign of them.
"""

from __future__ import annotations

import json
from typing import NamedTuple

from sqlalchemy import select

from bot.domain.clocks import DAY
from bot.domain.ids import ChannelId, GuildId
from bot.storage.database import Database, upsert
from bot.storage.schema import facts

REFUSAL_MAX_AGE_SECONDS = 7 * DAY
"""Seconds until a refusal is no longer reported: its cause may have been removed since."""


class Refusal(NamedTuple):
    """A message that Discord refused.

    Attributes:
        channel_id: the channel or thread.
    """

    channel_id: ChannelId
    code: int
    refused_at: float


class Refusals:
    """Stores and reads the last refusal of each server."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def note(self, guild_id: GuildId, refusal: Refusal) -> None:
        """Store a refusal in place of the server's previous one."""
        async with self._database.write() as connection:
            await upsert(connection, facts, name=_name(guild_id), value=json.dumps(refusal))

    async def latest(self, guild_id: GuildId, now: float) -> Refusal | None:
        """Return the last refusal of a server, unless it is older than the maximum age."""
        query = select(facts.c.value).where(facts.c.name == _name(guild_id))
        async with self._database.read() as connection:
            value = (await connection.execute(query)).scalar_one_or_none()
        if value is None:
            return None
        refusal = Refusal(*json.loads(value))
        age = abs(now - refusal.refused_at)  # the clock may have been set back since
        return refusal if age <= REFUSAL_MAX_AGE_SECONDS else None


def _name(guild_id: GuildId) -> str:
    return f"refused:{guild_id}"
