"""Send the messages of the outbox; their content is read at that time."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import NamedTuple

import aiohttp
import discord

from bot.clicked_messages import ClickedMessages
from bot.domain.ids import ChannelId, MatchId
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
from bot.guilds import Guilds
from bot.i18n import catalogue
from bot.outbox.boards import Boards
from bot.outbox.destinations import Destinations
from bot.outbox.feature_messages import Deliver, DeliverQueued, Enter, MessageKit, RegisterMessages
from bot.outbox.former_boards import FormerBoards
from bot.outbox.languages import Languages
from bot.outbox.pings import Pings, latest_decision, pending_seats, seats_to_ping
from bot.outbox.refusals import Refusals
from bot.outbox.store import DeliveryResult
from bot.outbox.threads import ThreadNames, start_thread
from bot.outbox.transport import MessageFactory, Transport, is_refused, may_pass, pause
from bot.outbox.worker import RetryLaterError, UndeliverableError
from bot.services.deliveries import Deliveries, DeliverySnapshot
from bot.services.match_location import MatchLocations
from bot.services.match_repository import OutdatedMatchError
from bot.services.preferences import Preferences
from bot.services.queries import Queries
from bot.storage.database import Database
from bot.views import challenges, confirmations, inbox, pings, silence, takebacks
from bot.views.images import NO_EMOJIS, BoardImages
from bot.views.public_boards import EndButton
from render import for_game
from render.i18n import using

log = logging.getLogger(__name__)

_NAMING = frozenset({OutboxKind.POST_BOARD, OutboxKind.EDIT_BOARD})
"""Kinds of messages that are followed by a check of a thread's name against the players' names."""

_POSITIONS = _NAMING | {OutboxKind.POST_RESULT}
"""Kinds of messages that show a new position."""


class SenderServices(NamedTuple):
    """The services that messages are made with.

    Attributes:
        queries: reads the content.
        preferences: records whether DMs get through.
        images: draws the boards.
        clicked: edits messages that were just clicked.
        clock: the time in UTC seconds.
        computers: whether the computer can play.
        match_changed: called when a match has shown a new position.
    """

    queries: Queries
    preferences: Preferences
    images: BoardImages
    clicked: ClickedMessages
    clock: Callable[[], float] = time.time
    computers: bool = False
    match_changed: Callable[[MatchId], None] = lambda _match_id: None


class DiscordSender:
    """Sends and edits messages.

    Args:
        client: logged-in client.
        database: stores the locations of messages.
        services: make the messages.
        messages: return the deliveries of features.
        end_buttons: return the buttons of features at the end of a match.
    """

    def __init__(
        self,
        client: discord.Client,
        database: Database,
        services: SenderServices,
        *,
        messages: Sequence[RegisterMessages],
        end_buttons: Sequence[EndButton] = (),
    ) -> None:
        queries, preferences, images, clicked, clock, computers, match_changed = services
        self._client = client
        self._database = database
        self._images = images
        self._queries = queries
        self._preferences = preferences
        self._clock = clock
        self._match_changed = match_changed
        self._places = MatchLocations(database, clock)
        self._deliveries = Deliveries(database, queries, clock)
        self._guilds = Guilds(client, clock)
        self._transport = Transport(client, clock, clicked, Refusals(database))
        self._languages = Languages(self._guilds)
        self._destinations = Destinations(
            client,
            self._transport,
            self._places,
            self._languages,
            preferences=preferences,
            images=images,
        )
        self._pings = Pings(self._transport, self._languages)
        self._thread_names = ThreadNames(client)
        kit = self._kit()
        self._boards = Boards(
            queries,
            images,
            kit,
            pings=self._pings,
            former=FormerBoards(queries, self._transport, self._languages),
            computers=computers,
            end_buttons=end_buttons,
        )
        self._enter: list[Enter] = []
        self._delivery_by_kind: dict[str, DeliverQueued] = {
            kind: self._about_match(deliver) for kind, deliver in self._core_deliveries().items()
        }
        self._add(messages, kit)

    def _core_deliveries(self) -> dict[OutboxKind, Deliver]:
        return {
            OutboxKind.POST_CHALLENGE: self._post_challenge,
            OutboxKind.UPDATE_CHALLENGE: self._update_challenge,
            OutboxKind.START_THREAD: self._start_thread,
            OutboxKind.POST_BOARD: self._boards.post,
            OutboxKind.EDIT_BOARD: self._boards.edit,
            OutboxKind.ENSURE_BOARD: self._boards.ensure,
            OutboxKind.RETIRE_BOARD: self._retire_board,
            OutboxKind.POST_RESULT: self._boards.post,
            OutboxKind.TURN_PING: self._post_ping,
            OutboxKind.NUDGE: self._post_nudge,
            OutboxKind.TAKEBACK_REQUEST: self._request_takeback,
            OutboxKind.ABANDON_REQUEST: self._request_end,
            OutboxKind.NOTICE: self._give_notice,
            OutboxKind.SERIES_REMINDER: self._remind_of_series,
            OutboxKind.PRIVATE_HAND: self._send_hand,
            OutboxKind.TURN_DM: self._send_turn_dm,
        }

    def _kit(self) -> MessageKit:
        """Return the services that deliveries use."""
        return MessageKit(
            self._client,
            self._database,
            self._clock,
            self._guilds,
            self._transport,
            self._destinations,
            self._places,
            self._thread_names,
            self._about_match,
        )

    def _add(self, messages: Sequence[RegisterMessages], kit: MessageKit) -> None:
        """Add the deliveries of features."""
        for register in messages:
            kinds = register(kit)
            self._delivery_by_kind |= kinds.deliveries
            self._enter += [kinds.enter] if kinds.enter else []

    def _about_match(self, deliver: Deliver) -> DeliverQueued:
        """Return a delivery that reads the match, and chooses the language."""

        async def read_and_deliver(queued: OutboxMessage) -> SentMessage | None:
            delivery = await self._deliveries.read(queued)
            with using(catalogue(await self._languages.of_queued(queued, delivery))):
                posted = await deliver(queued, delivery)
                if queued.kind in _POSITIONS:
                    self._match_changed(queued.match_id)
                await self._update_names(queued, delivery)
                return posted

        return read_and_deliver

    async def deliver(self, queued: OutboxMessage) -> DeliveryResult | None:
        """See `bot.outbox.worker.Sender`; messages of features that are left out are dropped."""
        deliver = self._delivery_by_kind.get(queued.kind)
        if deliver is None:
            return None
        try:
            return await deliver(queued)
        except discord.RateLimited as error:
            raise RetryLaterError("rate limited", error.retry_after) from error
        except discord.HTTPException as error:
            if self._images.needs_no_emojis(error):
                self._images.emojis = NO_EMOJIS
                raise RetryLaterError("an emoji is gone") from error
            if may_pass(error):
                raise RetryLaterError(f"Discord answers {error.status}", pause(error)) from error
            raise UndeliverableError(f"Discord answers {error.status}, {error.code}") from error
        except (TimeoutError, aiohttp.ClientError, OSError) as error:
            raise RetryLaterError(type(error).__name__) from error
        except OutdatedMatchError as error:
            raise UndeliverableError("its game has other rules now") from error

    async def _update_names(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Rename the thread of a match after its players' present names."""
        match = delivery.match
        if queued.kind in _NAMING and match.status == MatchStatus.RUNNING:
            await self._thread_names.update(match, match.channel_id)

    async def _retire_board(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Remove the controls of a former board; one that was deleted or closed has none."""
        try:
            await self._boards.retire(queued, delivery)
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            log.info("the former board stays as it is: %s", error.code)

    async def _post_challenge(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> SentMessage:
        make = await self._challenge_factory(delivery)
        copies = await self._destinations.post(queued, delivery, make)
        return SentMessage(PostedKind.CHALLENGE, 0, copies)

    async def _update_challenge(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> SentMessage:
        make = await self._challenge_factory(delivery)
        copies = await self._destinations.edit(delivery, PostedKind.CHALLENGE, make, replaced=True)
        if not copies:
            return await self._post_challenge(queued, delivery)
        return SentMessage(PostedKind.CHALLENGE, 0, copies)

    async def _challenge_factory(self, delivery: DeliverySnapshot) -> MessageFactory:
        match = delivery.match
        cover = await self._images.cover(match.game)
        return lambda: challenges.challenge(
            match,
            delivery.closed_by,
            cover=cover,
            facts=delivery.challenge,
            series_end=delivery.series_end,
        )

    async def _start_thread(
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
        if await start_thread(self._client, queued, match, in_channel[0].message_id):
            await self._places.enter_thread(
                queued.id, match.id, ChannelId(in_channel[0].message_id)
            )
        return None

    async def _post_ping(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> SentMessage | None:
        """Ping players who have to decide; if the board is not accessible, post it again."""
        ping = SentMessage(PostedKind.PING, latest_decision(queued), ())
        seats = seats_to_ping(queued, delivery)
        if not seats:
            return (
                ping._replace(copies=copies)
                if (copies := await self._boards.lost(queued, delivery))
                else None
            )
        copies = await self._pings.post(queued, delivery, seats)
        if not copies:
            return await self._boards.post(queued, delivery)
        await self._pings.delete(delivery)
        return ping._replace(copies=copies)

    async def _post_nudge(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        seats = pending_seats(queued, delivery)
        if seats:
            make = partial(pings.nudge, delivery.perspective(), seats)
            await self._destinations.post(queued, delivery, make)

    async def _request_takeback(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        perspective, version = delivery.perspective(), queued.payload["version"]
        if delivery.match.version == version:
            seats = perspective.view.seats
            last = (await self._queries.record(queued.match_id)).actions[-1].actor
            asking = [seat for seat in seats if f"{TAKEN_BACK_PREFIX}{seat}" in queued.payload]
            answering = [seat for seat in seats if f"{PING_PREFIX}{seat}" in queued.payload]
            make = partial(
                takebacks.takeback_request, perspective, (*asking, last)[0], answering, version
            )
            await self._destinations.post(queued, delivery, make)

    async def _request_end(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        match, view = delivery.match, delivery.perspective().view
        missing = [seat for seat in match.people if f"{PING_PREFIX}{seat}" in queued.payload]
        agreed = [
            person for person in match.people if person in view.playing and person not in missing
        ]
        if match.version == queued.payload["version"]:
            make = partial(confirmations.request_end, match, agreed, missing)
            await self._destinations.post(queued, delivery, make)

    async def _give_notice(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
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
                await self._send_dm(queued, make)

    async def _remind_of_series(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        match = delivery.match
        if match.status == MatchStatus.CHALLENGE:
            make = partial(challenges.series_reminder, match)
            await self._destinations.post(queued, delivery, make)

    async def _send_hand(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        perspective = delivery.perspective(queued.target.user_id)
        if not perspective.seat or not for_game(perspective.match.game).hand(perspective.view):
            return  # the player has left, or nothing is hidden
        await self._send_dm(queued, lambda: inbox.hand(perspective, linked=True))

    async def _send_turn_dm(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        perspective = delivery.perspective(queued.target.user_id)
        if perspective.seat and perspective.match.version == queued.payload["version"]:
            await self._send_dm(queued, lambda: inbox.turn_dm(perspective, delivery.stopped))

    async def _send_dm(self, queued: OutboxMessage, make: MessageFactory) -> None:
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
