"""Notifications about matches: the kinds of messages that tell players something.

A new notification is a member of `OutboxKind` (`bot/domain/outbox.py`), a text in `bot/views/`, and
here a method that sends it, with its entry in `Notifications.deliveries`. A service queues it with
`MatchStore.queue`. The kinds of a feature are registered in its `Feature`, see
`bot/outbox/feature_messages.py`.
"""

from __future__ import annotations

from functools import partial

import discord

from bot.domain.ids import Version
from bot.domain.models import MatchStatus
from bot.domain.outbox import (
    EVERYONE,
    PING_PREFIX,
    TAKEN_BACK_PREFIX,
    VOID_PREFIX,
    OutboxKind,
    OutboxMessage,
    PostedKind,
    SentMessage,
)
from bot.outbox.boards import Boards
from bot.outbox.feature_messages import Deliver, MessageKit
from bot.outbox.pings import Pings, latest_decision, pending_seats, seats_to_ping
from bot.outbox.questions import Questions
from bot.outbox.transport import MessageFactory, is_refused
from bot.services.deliveries import DeliverySnapshot
from bot.services.preferences import Preferences
from bot.services.queries import Queries
from bot.views import challenges, confirmations, inbox, pings, silence, takebacks
from bot.views.images import BoardImages
from render import for_game


class Notifications:
    """Sends notifications; those that have become pointless are dropped.

    Args:
        kit: the services that all deliveries use.
        queries: reads what a snapshot lacks.
        preferences: records whether DMs get through.
        images: whether a refusal is about emojis.
        boards: posts a board where a ping cannot be posted.
    """

    def __init__(
        self,
        kit: MessageKit,
        queries: Queries,
        preferences: Preferences,
        images: BoardImages,
        *,
        boards: Boards,
        pings: Pings,
    ) -> None:
        self._client = kit.client
        self._transport = kit.transport
        self._destinations = kit.destinations
        self._queries = queries
        self._preferences = preferences
        self._images = images
        self._boards = boards
        self._pings = pings
        self._questions = Questions(kit)

    def deliveries(self) -> dict[OutboxKind, Deliver]:
        """Return kind of notification → the method that sends it."""
        return {
            OutboxKind.TURN_PING: self.post_ping,
            OutboxKind.NUDGE: self.post_nudge,
            OutboxKind.TAKEBACK_REQUEST: self.request_takeback,
            OutboxKind.ABANDON_REQUEST: self.request_end,
            OutboxKind.CLOSE_QUESTION: self._questions.close,
            OutboxKind.NOTICE: self.give_notice,
            OutboxKind.SERIES_REMINDER: self.remind_of_series,
            OutboxKind.PRIVATE_HAND: self.send_hand,
            OutboxKind.TURN_DM: self.send_turn_dm,
        }

    async def post_ping(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> SentMessage | None:
        """Ping players who have to decide; if the board is not accessible, post it again."""
        ping = SentMessage(PostedKind.PING, latest_decision(queued), ())
        seats = seats_to_ping(queued, delivery)
        if not seats:
            copies = await self._destinations.lost(queued, delivery)
            return ping._replace(copies=copies) if copies else None
        copies = await self._pings.post(queued, delivery, seats)
        if not copies:
            return await self._boards.post(queued, delivery)
        await self._pings.delete(delivery)
        return ping._replace(copies=copies)

    async def post_nudge(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Repeat a ping at the wish of a waiting player, to those who still have to decide."""
        seats = pending_seats(queued, delivery)
        if seats:
            make = partial(pings.nudge, delivery.perspective(), seats)
            await self._destinations.post(queued, delivery, make)

    async def request_takeback(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> SentMessage | None:
        """Ask the other players to agree to a takeback, unless the match has moved on."""
        perspective, version = delivery.perspective(), Version(queued.payload["version"])
        if delivery.match.version != version:
            return await self._questions.adopt(queued, delivery)
        seats = perspective.view.seats
        last = (await self._queries.record(queued.match_id)).actions[-1].actor
        asking = [seat for seat in seats if f"{TAKEN_BACK_PREFIX}{seat}" in queued.payload]
        answering = [seat for seat in seats if f"{PING_PREFIX}{seat}" in queued.payload]
        make = partial(
            takebacks.takeback_request, perspective, (*asking, last)[0], answering, version
        )
        return await self._questions.post(queued, delivery, make)

    async def request_end(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> SentMessage | None:
        """Ask the players who have not agreed to end the match, unless it has moved on."""
        match, view = delivery.match, delivery.perspective().view
        if match.version != queued.payload["version"]:
            return await self._questions.adopt(queued, delivery)
        missing = [seat for seat in match.people if f"{PING_PREFIX}{seat}" in queued.payload]
        agreed = [
            person for person in match.people if person in view.playing and person not in missing
        ]
        make = partial(confirmations.request_end, match, agreed, missing)
        return await self._questions.post(queued, delivery, make)

    async def give_notice(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Announce that a silent player will lose, or that such a notice is void."""
        match, view = delivery.match, delivery.perspective().view
        void = [seat for seat in match.people if f"{VOID_PREFIX}{seat}" in queued.payload]
        if void and match.status == MatchStatus.RUNNING:
            await self._destinations.post(queued, delivery, partial(silence.void, match, void))
        for seat in pending_seats(queued, delivery):
            if seat not in match.notices:
                continue
            make = partial(silence.notice, match, seat, view.playing)
            if queued.target == EVERYONE:
                await self._destinations.post(queued, delivery, make)
            else:
                await self.send_dm(queued, make)

    async def remind_of_series(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> SentMessage | None:
        """Remind the players who have not accepted the next match of a series."""
        match = delivery.match
        if match.status != MatchStatus.CHALLENGE:
            return await self._questions.adopt(queued, delivery)
        return await self._questions.post(
            queued, delivery, partial(challenges.series_reminder, match)
        )

    async def send_hand(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Send hidden information to its owner."""
        perspective = delivery.perspective(queued.target.user_id)
        if not perspective.seat or not for_game(perspective.match.game).hand(perspective.view):
            return  # the player has left, or nothing is hidden
        await self.send_dm(queued, lambda: inbox.hand(perspective, linked=True))

    async def send_turn_dm(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Tell a player that it is their turn, unless the match has moved on."""
        perspective = delivery.perspective(queued.target.user_id)
        if perspective.seat and perspective.match.version == queued.payload["version"]:
            await self.send_dm(queued, lambda: inbox.turn_dm(perspective, delivery.stopped))

    async def send_dm(self, queued: OutboxMessage, make: MessageFactory) -> None:
        """Send a DM; record whether it was accepted, and never retry if it is refused."""
        user_id = queued.target.recipient
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await self._transport.post(channel, queued, make, user_id)
        except discord.HTTPException as error:
            if not is_refused(error) or self._images.needs_no_emojis(error):
                raise
            await self._preferences.record_dm_result(user_id, by_dm=False)
        else:
            await self._preferences.record_dm_result(user_id, by_dm=True)
