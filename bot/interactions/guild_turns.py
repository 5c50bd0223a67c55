"""Work that users of one server do in turns."""

from __future__ import annotations

import asyncio
from weakref import WeakValueDictionary

from bot.domain.ids import GuildId


class GuildTurns:
    """A lock for each server while it is needed. All clicks of a server arrive in one process."""

    def __init__(self) -> None:
        self._locks: WeakValueDictionary[GuildId, asyncio.Lock] = WeakValueDictionary()

    def of(self, guild_id: GuildId) -> asyncio.Lock:
        """Return the lock of a server."""
        return self._locks.setdefault(guild_id, asyncio.Lock())
