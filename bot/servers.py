"""What those who manage a server have chosen for it."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import select

from bot.storage.database import Database, hold, put
from bot.storage.schema import guilds

THREADS = {"on": "Each in a thread of its own", "off": "In the channel where it began"}
"""Values of a setting, with their words."""


class ServerSettings(NamedTuple):
    """The settings of a server.

    Attributes:
        channels: where matches may begin; none for everywhere.
        role: whose members may play; 0 for everybody.
        clock: of matches for which none is chosen, see `bot.clocks.Clock.parse`.
        threads: whether each match gets a thread of its own.
    """

    channels: tuple[int, ...] = ()
    role: int = 0
    clock: str = ""
    threads: bool = True


class Servers:
    """Reads and writes the settings of servers.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def settings(self, guild_id: int) -> ServerSettings:
        """What a server has chosen."""
        async with self._database.read() as connection:
            found = select(guilds.c.settings).where(guilds.c.guild_id == guild_id)
            stored = (await connection.execute(found)).scalar_one_or_none() or {}
        return ServerSettings(
            channels=tuple(stored.get("channels", ())),
            role=stored.get("role", 0),
            clock=stored.get("clock", ""),
            threads=stored.get("threads", "on") == "on",
        )

    async def wants_threads(self, guild_id: int) -> bool:
        """Whether each match gets a thread of its own; it does unless they are turned off."""
        return (await self.settings(guild_id)).threads

    async def choose(self, guild_id: int, **chosen: Any) -> None:
        """Change settings of a server; the others stay."""
        async with self._database.write() as connection:
            held = await hold(connection, guilds, guild_id=guild_id, settings={})
            await put(connection, guilds, guild_id=guild_id, settings=held.settings | chosen)
