"""The language of a message: its receiver's, or the server's where everyone can see it."""

from __future__ import annotations

from bot.guilds import Guilds
from bot.services.outbox import EVERYONE, Copy, OutboxMessage
from bot.services.preferences import Preferences
from bot.services.queries import Queries
from bot.services.servers import Servers


class Languages:
    """Looks up the languages of messages.

    Args:
        queries: for the server of a match.
        preferences: for the language of a player.
        servers: for the language that a server has chosen.
        guilds: for the language that Discord knows of a server.
    """

    def __init__(
        self, queries: Queries, preferences: Preferences, servers: Servers, guilds: Guilds
    ) -> None:
        self._queries = queries
        self._preferences = preferences
        self._servers = servers
        self._guilds = guilds

    async def of_queued(self, queued: OutboxMessage) -> str:
        """Return the language of a message to send."""
        if queued.target != EVERYONE:
            return await self._preferences.language(queued.target.user_id)
        return await self._of_server(await self._queries.server(queued.match_id))

    async def of_copy(self, copy: Copy, guild_id: int | None) -> str:
        """Return the language of a message that was sent."""
        if copy.user_id:
            return await self._preferences.language(copy.user_id)
        return await self._of_server(guild_id)

    async def _of_server(self, guild_id: int | None) -> str:
        locale = await self._guilds.locale(guild_id)
        return await self._servers.language(guild_id, locale)
