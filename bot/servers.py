"""What those who manage a server have chosen for it."""

from __future__ import annotations

from sqlalchemy import delete, insert, select

from bot.storage.database import Database
from bot.storage.schema import guilds


class Servers:
    """Reads and writes the settings of servers.

    Args:
        database: where they are.
    """

    def __init__(self, database: Database) -> None:
        self._database = database

    async def wants_threads(self, guild_id: int) -> bool:
        """Whether each match gets a thread of its own; it does unless they are turned off."""
        async with self._database.read() as connection:
            found = select(guilds.c.settings).where(guilds.c.guild_id == guild_id)
            settings = (await connection.execute(found)).scalar_one_or_none() or {}
            return bool(settings.get("threads", "on") == "on")

    async def choose(self, guild_id: int, **chosen: str) -> None:
        """Change settings of a server; the others stay."""
        same = guilds.c.guild_id == guild_id
        async with self._database.write() as connection:
            found = select(guilds.c.settings).where(same)
            settings = (await connection.execute(found)).scalar_one_or_none() or {}
            await connection.execute(delete(guilds).where(same))
            row = {"guild_id": guild_id, "settings": settings | chosen}
            await connection.execute(insert(guilds).values(row))
