"""Questions to players, which lose their buttons once they have been answered.

A question is stored as a message about its match. The next message that keeps the match up to date,
its board or its challenge, is delivered after it, and queues the removal of its buttons.
"""

from __future__ import annotations

import logging

import discord

from bot.domain.ids import ChannelId
from bot.domain.models import Match, MatchStatus
from bot.domain.outbox import (
    QUESTIONS,
    OutboxMessage,
    PostedKind,
    SentCopy,
    SentMessage,
)
from bot.outbox.feature_messages import MessageKit
from bot.outbox.transport import MessageFactory, is_refused
from bot.services.deliveries import DeliverySnapshot
from bot.views.requests import closed

log = logging.getLogger(__name__)


def answered(delivery: DeliverySnapshot) -> tuple[SentMessage, ...]:
    """Return the questions about a match that have been answered and still have their buttons."""
    return tuple(
        SentMessage(kind, question.revision, question.copies)
        for kind, question in delivery.posted.items()
        if kind in QUESTIONS
        and question.copies
        and not _is_open(delivery.match, kind, question.revision)
    )


def _is_open(match: Match, kind: PostedKind, version: int) -> bool:
    """Return whether a question that was asked at a version of a match can still be answered."""
    if kind == PostedKind.SERIES_REMINDER:
        return match.status == MatchStatus.CHALLENGE
    return match.version == version


class Questions:
    """Posts questions, and removes their buttons.

    Args:
        kit: the services that all deliveries use.
    """

    def __init__(self, kit: MessageKit) -> None:
        self._transport = kit.transport
        self._destinations = kit.destinations

    async def post(
        self, queued: OutboxMessage, delivery: DeliverySnapshot, make: MessageFactory
    ) -> SentMessage:
        """Post a question; an earlier one of its kind loses its buttons."""
        kind = PostedKind(queued.kind)
        former = delivery.posted[kind]
        copies = await self._destinations.post(queued, delivery, make)
        unretired = (SentMessage(kind, former.revision, former.copies),) if former.copies else ()
        return SentMessage(kind, delivery.match.version, copies, unretired=unretired)

    async def adopt(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> SentMessage | None:
        """Return a question that has been answered meanwhile, if it was posted before.

        The response to that attempt was lost. It is stored so that it loses its buttons.
        """
        copies = await self._destinations.lost(queued, delivery)
        version = queued.payload.get("version", 0)
        return SentMessage(PostedKind(queued.kind), version, copies) if copies else None

    async def close(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Remove the buttons from a copy of a question.

        One that was deleted or closed has none.
        """
        message_id, guild_id = queued.payload["message"], delivery.match.guild_id
        copy = SentCopy(queued.target.user_id, ChannelId(queued.payload["channel"]), message_id)
        channel = self._transport.channel(copy.channel_id, guild_id)
        try:
            message = await channel.fetch_message(message_id)
            await self._transport.edit(copy, guild_id, lambda: {"view": closed(message)})
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            log.info("a question keeps its buttons: %s", error.code)
