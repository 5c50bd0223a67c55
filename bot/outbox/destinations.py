"""Post and edit messages where a match is played: in its thread or channel, or by DM."""

from __future__ import annotations

import logging
from collections.abc import Sequence

import discord

from bot.domain.ids import ChannelId
from bot.domain.models import Match
from bot.domain.outbox import OutboxMessage, PostedKind, SentCopy
from bot.i18n import catalogue
from bot.outbox.languages import Languages
from bot.outbox.transport import MessageFactory, Transport, is_edit_limited, is_refused, may_pass
from bot.outbox.worker import UndeliverableError
from bot.services.deliveries import DeliverySnapshot
from bot.services.match_location import MatchLocations
from bot.services.preferences import Preferences
from bot.views.images import BoardImages
from bot.views.relocation_notes import moved, stranded
from render.i18n import using

log = logging.getLogger(__name__)


class Destinations:
    """Posts and edits the messages of matches.

    Args:
        places: stores that a match has left its thread.
        preferences: records whether DMs get through.
        images: checks whether a message is refused because of its emojis.
    """

    def __init__(
        self,
        client: discord.Client,
        transport: Transport,
        places: MatchLocations,
        languages: Languages,
        *,
        preferences: Preferences,
        images: BoardImages,
    ) -> None:
        self._client = client
        self._transport = transport
        self._places = places
        self._languages = languages
        self._preferences = preferences
        self._images = images

    async def post(
        self,
        queued: OutboxMessage,
        delivery: DeliverySnapshot,
        make: MessageFactory,
        former: Sequence[SentCopy] = (),
    ) -> list[SentCopy]:
        """Send a new message to the match's thread, or else to its parent channel, or else by DM.

        A place is passed over if it is closed, and if Discord refuses the message there.

        Args:
            make: builds the message, once per attempt.
            former: the copies of the previous message, to detect whether the match has moved.
        """
        match = delivery.match
        if before := await self._posted_elsewhere(queued, delivery, make):
            return before
        for channel_id in filter(None, (match.channel_id, match.parent_channel_id)):
            channel = self._transport.channel(channel_id, match.guild_id)
            try:
                with_note = self._with_place_note(queued, match, make, channel_id, former)
                sent = await self._transport.post(channel, queued, with_note)
            except discord.HTTPException as error:
                if not self._is_refused(error):
                    raise
                log.info("the channel takes no such message: %s", error.code)
                arrived = await self._transport.find_or_none(channel, queued)
                if arrived is None:
                    await self._places.note_fallback(match.id)
                    continue
                sent = arrived
            return await self._continue_in(match, channel_id, sent.id)
        return await self._post_to_players(queued, delivery, make)

    def _is_refused(self, error: discord.HTTPException) -> bool:
        """Return whether to send a message elsewhere; without emojis it may be accepted."""
        return is_refused(error) and not self._images.needs_no_emojis(error)

    async def _continue_in(
        self, match: Match, channel_id: ChannelId, message_id: int
    ) -> list[SentCopy]:
        """Return the copy posted in a channel; a match with a closed thread continues there."""
        if channel_id == match.parent_channel_id:
            await self._places.leave_thread(match.id, match.channel_id)
        return [SentCopy(None, channel_id, message_id)]

    async def _posted_elsewhere(
        self, queued: OutboxMessage, delivery: DeliverySnapshot, make: MessageFactory
    ) -> list[SentCopy]:
        """Return the copies of an earlier attempt, made where the match was or by DM.

        If one player got a DM, the others get it as well, unless the match has moved since.
        """
        match, places = delivery.match, delivery.former_channels
        copies = await self.arrived_in(queued, match, places) if places else []
        if not copies:
            return []
        first, *_ = copies
        if not first.user_id:
            return await self._continue_in(match, first.channel_id, first.message_id)
        is_moved = match.channel_id not in places
        return copies if is_moved else await self._post_to_players(queued, delivery, make)

    async def lost(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> list[SentCopy]:
        """Return the message of an earlier attempt whose response was lost."""
        if queued.attempts <= 1:
            return []
        match = delivery.match
        places = filter(None, (match.channel_id, match.parent_channel_id))
        return await self.arrived_in(queued, match, (*places, *delivery.former_channels))

    async def arrived_in(
        self, queued: OutboxMessage, match: Match, channel_ids: Sequence[ChannelId]
    ) -> list[SentCopy]:
        """Return the copies that an earlier attempt posted in one of these channels, or by DM."""
        for channel_id in channel_ids:
            message = await self._transport.find_or_none(
                self._transport.channel(channel_id, match.guild_id), queued
            )
            if message is not None:
                return [SentCopy(None, channel_id, message.id)]
        copies: list[SentCopy] = []
        for player in match.people.values():
            channel = await self._client.create_dm(discord.Object(player.user_id))
            message = await self._transport.find_or_none(channel, queued)
            copies += (
                [SentCopy(player.user_id, ChannelId(channel.id), message.id)] if message else []
            )
        return copies

    @staticmethod
    def _with_place_note(
        queued: OutboxMessage,
        match: Match,
        make: MessageFactory,
        channel_id: ChannelId,
        former: Sequence[SentCopy],
    ) -> MessageFactory:
        """Return a factory for the message, with a note if the match continues elsewhere."""
        if channel_id != match.channel_id:
            return lambda: stranded(make(), match, by_dm=False)
        if queued.payload.get("moved") or (
            former and all(copy.channel_id != channel_id for copy in former)
        ):
            return lambda: moved(make(), match)
        return make

    async def _post_to_players(
        self, queued: OutboxMessage, delivery: DeliverySnapshot, make: MessageFactory
    ) -> list[SentCopy]:
        """Send a DM to each player, except to those who were only challenged.

        The players of a series have agreed to all of its matches.
        """
        match, copies = delivery.match, list[SentCopy]()
        for seat, player in match.people.items():
            if seat in match.unaccepted and match.round == 1:
                continue
            try:
                channel = await self._client.create_dm(discord.Object(player.user_id))
                with using(catalogue(delivery.language_of(player.user_id))):
                    sent = await self._transport.post(
                        channel,
                        queued,
                        lambda: stranded(make(), match, by_dm=True),
                        player.user_id,
                    )
            except discord.HTTPException as error:
                if not self._is_refused(error):
                    raise
                log.info("a player's DMs are closed as well: %s", error.code)
                await self._preferences.record_dm_result(player.user_id, by_dm=False)
            else:
                await self._preferences.record_dm_result(player.user_id, by_dm=True)
                copies.append(SentCopy(player.user_id, ChannelId(channel.id), sent.id))
        if not copies:
            raise UndeliverableError("neither the channel nor the players can be reached")
        return copies

    async def edit(
        self,
        delivery: DeliverySnapshot,
        kind: PostedKind,
        make: MessageFactory,
        *,
        replaced: bool = False,
    ) -> list[SentCopy]:
        """Edit all copies of a live message; return none if one of them cannot be edited.

        Args:
            make: builds the new content.
            replaced: whether the caller posts a new message if this fails; then a message with too
                many edits is deleted, instead of waiting until it can be edited again.
        """
        match, copies = delivery.match, list(delivery.posted[kind].copies)
        try:
            for copy in copies:
                with using(catalogue(await self._languages.of_copy(copy, delivery))):
                    content = (
                        (lambda: stranded(make(), match, by_dm=True)) if copy.user_id else make
                    )
                    await self._transport.replace(copy, match.guild_id, content)
        except (discord.HTTPException, discord.RateLimited) as error:
            if replaced and is_edit_limited(error):
                for copy in copies:
                    await self._transport.delete(copy, match.guild_id)
            elif may_pass(error):
                raise
            log.info("its %s cannot be edited: %s", kind, error)
            return []
        return copies
