"""Post messages on Discord once, find and edit them, even if a response is lost."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import Any, TypeVar

import discord

from bot.clicked_messages import ClickedMessages
from bot.discord_errors import ARCHIVED, NOT_FOR_MESSAGES, TOO_MANY_EDITS, TOO_MANY_REQUESTS
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.domain.outbox import Delivery, SentCopy
from bot.outbox.refusals import Refusal, Refusals
from bot.views.message import Message

log = logging.getLogger(__name__)

SEARCH_AFTER_SECONDS = 30.0
"""Age of a first attempt in seconds for searching the channel before another one. Discord remembers
a nonce for two minutes; the local clock may be behind the first attempt's clock, an attempt may
send its request at the end of `bot.outbox.worker.ATTEMPT_TIMEOUT_SECONDS`, and this may take up to
30 s to arrive."""

NEWEST_LIMIT = 200
"""Number of recent messages always searched, regardless of timestamps."""

SEARCH_LIMIT = 1000
"""Maximum number of further messages searched from the time of the first attempt."""

DISCORD_CLOCK_SKEW_SECONDS = 60.0
"""Maximum seconds that the local clock may be ahead of Discord's."""

UNAUTHORIZED, SERVER_ERRORS = 401, 500
TEMPORARY_STATUSES = frozenset({UNAUTHORIZED, 408, TOO_MANY_REQUESTS})
"""HTTP statuses unrelated to the message: a changed token, a timeout, a rate limit. Statuses of 500
and above are unrelated as well."""

UNAUTHORIZED_PAUSE_SECONDS = 60.0
"""Seconds until the next attempt when Discord rejects the token."""

MessageFactory = Callable[[], Message]
Channel = discord.PartialMessageable | discord.DMChannel
T = TypeVar("T")


class Transport:
    """Posts and finds messages.

    Args:
        refusals: stores that Discord refused a message.
    """

    def __init__(
        self,
        client: discord.Client,
        clock: Callable[[], float],
        clicked: ClickedMessages,
        refusals: Refusals,
    ) -> None:
        self._client = client
        self._clock = clock
        self._clicked = clicked
        self._refusals = refusals
        self._logged: dict[int, int] = {}

    async def post(
        self,
        channel: Channel,
        delivery: Delivery,
        make: MessageFactory,
        receiver: UserId | None = None,
    ) -> discord.Message:
        """Send a message once, ensured by a nonce, or by a search after the nonce has expired.

        Args:
            delivery: its mark is the ID of the message's first component.
            make: builds the message, once per attempt.
            receiver: user ID of the recipient of a DM; None in a channel.
        """
        if not 0 <= self._clock() - delivery.first_attempt_at <= SEARCH_AFTER_SECONDS:
            earlier = await self.find(channel, delivery)
            if earlier is not None:
                return earlier
        channel_id = ChannelId(channel.id)

        async def attempt() -> discord.Message:
            message = marked(make(), delivery)
            return await channel.send(
                view=message.layout,
                files=message.files,
                allowed_mentions=message.mentions,
                nonce=delivery.nonce(channel_id),
                silent=message.is_silent(receiver),
            )

        guild_id = channel.guild_id if isinstance(channel, discord.PartialMessageable) else None
        server = None if guild_id is None else GuildId(guild_id)
        async with self.noting(server, channel_id):
            return await self.in_open_thread(channel_id, attempt)

    @asynccontextmanager
    async def noting(self, guild_id: GuildId | None, channel_id: ChannelId) -> AsyncIterator[None]:
        """Store refusals by Discord of messages sent inside, unless their channel is closed.

        The log names each code once until another one follows.

        Args:
            guild_id: the server; None for a DM.
        """
        try:
            yield
        except discord.HTTPException as error:
            if guild_id and is_refused(error) and not is_closed(error):
                if self._logged.get(guild_id) != error.code:
                    log.warning("Discord refused a message: %s, %s", error.status, error.code)
                self._logged[guild_id] = error.code
                refusal = Refusal(channel_id, error.code, self._clock())
                await self._refusals.note(guild_id, refusal)
            raise

    async def edit(
        self, copy: SentCopy, guild_id: GuildId | None, changes: Callable[[], dict[str, Any]]
    ) -> None:
        """Edit a message, if possible with a request that does not count towards Discord's limit.

        Args:
            guild_id: ID of the server, None for a DM.
            changes: builds the keyword arguments of `discord.Message.edit`, once per attempt.
        """
        if await self._clicked.edit(copy.message_id, changes):
            return
        message = self.channel(copy.channel_id, guild_id).get_partial_message(copy.message_id)

        async def attempt() -> None:
            await message.edit(**changes())

        async with self.noting(guild_id, copy.channel_id):
            await self.in_open_thread(copy.channel_id, attempt)

    async def replace(self, copy: SentCopy, guild_id: GuildId | None, make: MessageFactory) -> None:
        """Replace the content of a message, with its pictures; see `edit`."""

        def changes() -> dict[str, Any]:
            message = make()
            pings = message.mentions
            return {"view": message.layout, "attachments": message.files, "allowed_mentions": pings}

        await self.edit(copy, guild_id, changes)

    async def find(self, channel: Channel, delivery: Delivery) -> discord.Message | None:
        """Return the message of an earlier attempt at the same delivery."""
        async for message in _since(channel, delivery.first_attempt_at):
            is_marked = any(
                getattr(component, "id", None) == delivery.mark for component in message.components
            )
            if is_marked and message.author == self._client.user:
                return message
        return None

    async def find_or_none(self, channel: Channel, delivery: Delivery) -> discord.Message | None:
        """Return a message that arrived before its channel closed, if its response was lost."""
        try:
            return await self.find(channel, delivery)
        except discord.HTTPException as error:
            if may_pass(error):
                raise
            return None

    async def in_open_thread(self, channel_id: ChannelId, attempt: Callable[[], Awaitable[T]]) -> T:
        """Run an operation in a channel; if its thread is archived, unarchive it and retry."""
        try:
            return await attempt()
        except discord.HTTPException as error:
            if error.code != ARCHIVED:
                raise
        thread = await self._client.fetch_channel(channel_id)
        if isinstance(thread, discord.Thread):
            await thread.edit(archived=False)
        return await attempt()

    async def delete(self, copy: SentCopy, guild_id: GuildId | None) -> bool:
        """Delete a message; return whether it is gone, even if it was deleted before."""
        message = self.channel(copy.channel_id, guild_id).get_partial_message(copy.message_id)
        try:
            await self.in_open_thread(copy.channel_id, message.delete)
        except discord.NotFound:
            return True
        except discord.HTTPException as error:
            log.info("a message is not deleted: %s", error.code)
            return False
        return True

    def channel(
        self, channel_id: ChannelId, guild_id: GuildId | None
    ) -> discord.PartialMessageable:
        """Return a channel or thread to write to, whether or not it is cached."""
        return self._client.get_partial_messageable(channel_id, guild_id=guild_id)


async def _since(channel: Channel, first_attempt_at: float) -> AsyncIterator[discord.Message]:
    """Yield the newest messages, then those from the time of the first attempt on.

    Users may have written any number of messages since then.
    """
    begin = datetime.fromtimestamp(first_attempt_at - DISCORD_CLOCK_SKEW_SECONDS, UTC)
    newest = [message async for message in channel.history(limit=NEWEST_LIMIT)]
    for message in newest:
        yield message
    if len(newest) == NEWEST_LIMIT and newest[-1].created_at > begin:
        async for message in channel.history(limit=SEARCH_LIMIT, before=newest[-1], after=begin):
            yield message


def marked(message: Message, delivery: Delivery) -> Message:
    """Return a message with the mark that lets a retry of this delivery find it."""
    message.layout.children[0].id = delivery.mark
    return message


def is_closed(error: discord.HTTPException) -> bool:
    """Return whether a channel is not writable: deleted, forbidden, a forum, or locked."""
    is_gone = isinstance(error, discord.Forbidden | discord.NotFound)
    return is_gone or error.code in (ARCHIVED, NOT_FOR_MESSAGES)


def is_refused(error: discord.HTTPException) -> bool:
    """Return whether Discord refuses a request, and would refuse it again.

    The channel may be closed, a message blocked by AutoMod or too large, a tag deleted.
    """
    return not may_pass(error)


def is_edit_limited(error: discord.HTTPException | discord.RateLimited) -> bool:
    """Return whether an edit failed because of Discord's limit on edits of a message.

    Discord limits edits of messages older than an hour and requests a pause, which discord.py
    reports if the pause is long.
    """
    return isinstance(error, discord.RateLimited) or error.code == TOO_MANY_EDITS


def may_pass(error: discord.HTTPException | discord.RateLimited) -> bool:
    """Return whether the same request may succeed later, because the error is unrelated to it."""
    if isinstance(error, discord.RateLimited):
        return True
    return error.status in TEMPORARY_STATUSES or error.status >= SERVER_ERRORS


def pause(error: discord.HTTPException) -> float:
    """Return the seconds to wait, as requested by Discord."""
    if error.status == UNAUTHORIZED:
        return UNAUTHORIZED_PAUSE_SECONDS
    wait = error.response.headers.get("Retry-After", "")
    return float(wait) if wait.isdecimal() else 0.0
