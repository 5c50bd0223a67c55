"""The language of a message: its recipient's, or the server's where everyone can see it."""

from __future__ import annotations

from bot.domain.outbox import OutboxMessage, SentCopy
from bot.guilds import Guilds
from bot.services.deliveries import DeliverySnapshot


class Languages:
    """Chooses the languages of messages.

    Args:
        guilds: reads a server's language on Discord.
    """

    def __init__(self, guilds: Guilds) -> None:
        self._guilds = guilds

    async def of_queued(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> str:
        """Return the language of a message to send."""
        if queued.target.user_id:
            return delivery.language_of(queued.target.user_id)
        return await self._of_server(delivery)

    async def of_copy(self, copy: SentCopy, delivery: DeliverySnapshot) -> str:
        """Return the language of a message that was sent."""
        if copy.user_id:
            return delivery.language_of(copy.user_id)
        return await self._of_server(delivery)

    async def _of_server(self, delivery: DeliverySnapshot) -> str:
        locale = await self._guilds.locale(delivery.match.guild_id)
        return delivery.server.language_for(locale)
