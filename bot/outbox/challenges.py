"""The messages of challenges, and the threads of matches that begin under them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.domain.ids import ChannelId
from bot.domain.outbox import OutboxKind, OutboxMessage, PostedKind, SentMessage
from bot.outbox import threads
from bot.outbox.feature_messages import Deliver, Enter, MessageKit
from bot.outbox.questions import answered
from bot.outbox.transport import MessageFactory
from bot.services.deliveries import DeliverySnapshot
from bot.views import challenges
from bot.views.images import BoardImages


class ChallengeMessages:
    """Posts and edits challenges, and begins threads.

    Args:
        kit: the services that all deliveries use.
        images: draws the covers of games.
        enter: find places of features for matches that begin, see `MessageKinds`.
    """

    def __init__(self, kit: MessageKit, images: BoardImages, enter: Sequence[Enter]) -> None:
        self._client = kit.client
        self._guilds = kit.guilds
        self._destinations = kit.destinations
        self._places = kit.places
        self._images = images
        self._enter = enter

    def deliveries(self) -> dict[OutboxKind, Deliver]:
        """Return kind of message → the method that sends it."""
        return {
            OutboxKind.POST_CHALLENGE: self.post,
            OutboxKind.UPDATE_CHALLENGE: self.update,
            OutboxKind.START_THREAD: self.start_thread,
        }

    async def post(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> SentMessage:
        """Post a challenge."""
        make = await self._factory(delivery)
        copies = await self._destinations.post(queued, delivery, make)
        return SentMessage(PostedKind.CHALLENGE, 0, copies, unretired=answered(delivery))

    async def update(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> SentMessage:
        """Edit a challenge; post it again if it cannot be edited."""
        make = await self._factory(delivery)
        copies = await self._destinations.edit(delivery, PostedKind.CHALLENGE, make, replaced=True)
        if not copies:
            return await self.post(queued, delivery)
        return SentMessage(PostedKind.CHALLENGE, 0, copies, unretired=answered(delivery))

    async def _factory(self, delivery: DeliverySnapshot) -> MessageFactory:
        match = delivery.match
        cover = await self._images.cover(match.game)
        return lambda: challenges.challenge(
            match,
            delivery.closed_by,
            cover=cover,
            facts=delivery.challenge,
            series_end=delivery.series_end,
        )

    async def start_thread(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> SentMessage | None:
        """Create a thread for a match in a place of a feature or under its challenge, if permitted.

        A thread has the ID of the message that it is created from, so retries create only one.
        """
        for enter in self._enter:
            entered, posted = await enter(queued, delivery)
            if entered:
                return posted
        match, copies = delivery.match, delivery.posted[PostedKind.CHALLENGE].copies
        in_channel = [copy for copy in copies if copy.channel_id == match.channel_id]
        if not in_channel or match.guild_id is None or match.parent_channel_id is not None:
            return None
        if not delivery.server.threads:
            return None
        if not self._guilds.may_write_in_threads(match.guild_id, match.channel_id):
            return None
        if await threads.start_thread(self._client, queued, match, in_channel[0].message_id):
            await self._places.enter_thread(
                queued.id, match.id, ChannelId(in_channel[0].message_id)
            )
        return None
