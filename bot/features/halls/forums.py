"""Create, find and change posts in forums."""

from __future__ import annotations

import json
import logging
from collections import deque
from collections.abc import Awaitable, Iterator
from typing import Any, NamedTuple

import discord
from discord.http import Route, handle_message_parameters

from bot.domain.ids import ChannelId, GuildId
from bot.domain.outbox import OutboxMessage, SentCopy
from bot.features.halls.forum_tags import Choose, ForumTags
from bot.outbox.threads import ARCHIVE_AFTER_MINUTES
from bot.outbox.transport import (
    DISCORD_CLOCK_SKEW_SECONDS,
    MessageFactory,
    Transport,
    is_closed,
    is_refused,
    marked,
)
from bot.outbox.worker import RetryLaterError

log = logging.getLogger(__name__)

NEWEST_POSTS = 5
"""Number of recent posts always searched for an unconfirmed one, regardless of timestamps."""


Head = tuple[str, list[int]]
"""The name and the tags of a post, as they are requested."""


class PostTitle(NamedTuple):
    """The name and the tags of a post.

    Attributes:
        plain_name: a name without names of players, in case that AutoMod blocks the other one.
        choose: chooses its tags.
    """

    name: str
    plain_name: str
    choose: Choose = lambda _available: []


class NewPost(NamedTuple):
    """A post to create in a forum, and a factory for its first message."""

    title: PostTitle
    make: MessageFactory


class _SentOnce:
    """The form of a request that discord.py must not repeat.

    discord.py repeats requests that are answered with 5xx, although they may have been carried
    out, and Discord accepts no nonce for a post.

    Args:
        payload: the content.
    """

    def __init__(self, payload: object) -> None:
        self._part = {"name": "payload_json", "value": json.dumps(payload)}
        self._part["content_type"] = "application/json"  # the form of requests with files
        self._is_sent = False

    def __iter__(self) -> Iterator[dict[str, str]]:
        """Yield the only part, on the first attempt.

        Raises:
            RetryLaterError: discord.py tries again.
        """
        if self._is_sent:
            raise RetryLaterError("Discord did not confirm a post")
        self._is_sent = True
        yield self._part


class Forums:
    """Creates posts in forums, and finds those whose creation is unconfirmed."""

    def __init__(self, client: discord.Client, transport: Transport) -> None:
        self._client = client
        self._transport = transport

    async def create(
        self, queued: OutboxMessage, guild_id: GuildId, forum: discord.ForumChannel, post: NewPost
    ) -> SentCopy:
        """Create a post once, and return its first message.

        Search for the post of an earlier attempt first. If its tags were deleted just now, or its
        name is blocked, it gets the tags of today, or none, and a plain name.

        Raises:
            discord.HTTPException: it cannot be created.
        """
        forum_id = ChannelId(forum.id)
        if queued.attempts > 1 and (thread := await self.find(queued, guild_id, forum_id)):
            return thread
        first = (post.title.name, ForumTags.of(forum).applied(post.title.choose))
        heads = deque([first])
        while True:
            head = heads.popleft()
            try:
                return await self._create(queued, guild_id, forum_id, head, post.make)
            except discord.HTTPException as error:
                if not is_refused(error):
                    raise
                log.info("no such post created: %s, %s", error.status, error.code)
                if head is first:
                    is_blocked = not is_closed(error)
                    heads += await self._simpler(forum_id, post.title, first, is_blocked=is_blocked)
                if not heads:
                    raise

    async def _simpler(
        self, forum_id: ChannelId, title: PostTitle, refused: Head, *, is_blocked: bool
    ) -> list[Head]:
        """Return names and tags that may be accepted for a refused post.

        Args:
            refused: the name and the tags that were refused.
            is_blocked: whether its name may be the reason.
        """
        now = await self._tags_now(forum_id, title)
        names = [title.name, title.plain_name] if is_blocked else [title.name]
        heads = [(name, tags) for name in names for tags in (now, list[int]())]
        return [head for place, head in enumerate(heads) if head not in (refused, *heads[:place])]

    async def _tags_now(self, forum_id: ChannelId, title: PostTitle) -> list[int]:
        """Return the tags of a post in a forum as it is now, not as the gateway last described it.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        try:
            forum = await self._client.fetch_channel(forum_id)
        except (discord.Forbidden, discord.NotFound, discord.InvalidData):
            return []
        if not isinstance(forum, discord.ForumChannel):
            return []
        return ForumTags.of(forum).applied(title.choose)

    async def rename(
        self, post_id: ChannelId, forum: discord.ForumChannel, title: PostTitle
    ) -> None:
        """Change the name and the tags of a post, each as far as that is possible."""
        tags = ForumTags.of(forum).applied(title.choose)
        if await self._change(post_id, name=title.name, applied_tags=list(map(str, tags))):
            return
        if not await self._change(post_id, name=title.name):
            await self._change(post_id, name=title.plain_name)
        now = await self._tags_now(ChannelId(forum.id), title)
        await self._change(post_id, applied_tags=list(map(str, now)))

    async def _change(self, post_id: ChannelId, **fields: Any) -> bool:
        """Change fields of a post; return whether the bot was allowed to."""

        async def attempt() -> object:
            return await self._client.http.edit_channel(post_id, **fields)

        return await self._attempt(self._transport.in_open_thread(post_id, attempt))

    async def pin(self, post_id: ChannelId) -> None:
        """Keep a post at the top of its forum, if that is possible."""
        pinned = discord.ChannelFlags(pinned=True)
        await self._attempt(self._client.http.edit_channel(post_id, flags=pinned.value))

    async def delete(self, post_id: ChannelId) -> bool:
        """Delete a post; return whether that is possible."""
        return await self._attempt(self._client.http.delete_channel(post_id))

    @staticmethod
    async def _attempt(change: Awaitable[object]) -> bool:
        """Await a change of a post; return whether the bot was allowed to make it."""
        try:
            await change
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            log.info("a post stays as it is: %s, %s", error.status, error.code)
            return False
        return True

    async def _create(
        self,
        queued: OutboxMessage,
        guild_id: GuildId,
        forum_id: ChannelId,
        head: Head,
        make: MessageFactory,
    ) -> SentCopy:
        """Create a post with a name and tags."""
        message, (name, tags) = marked(make(), queued), head
        payload: dict[str, Any] = {
            "name": name,
            "auto_archive_duration": ARCHIVE_AFTER_MINUTES,
            "applied_tags": [str(tag) for tag in tags],
        }
        route = Route("POST", "/channels/{channel_id}/threads", channel_id=forum_id)
        with handle_message_parameters(
            view=message.layout, allowed_mentions=message.mentions, channel_payload=payload
        ) as params:
            once: Any = _SentOnce(params.payload)
        async with self._transport.noting(guild_id, forum_id):
            response = await self._client.http.request(
                route, form=once, params={"use_nested_fields": 1}
            )
        return SentCopy(None, ChannelId(int(response["id"])), int(response["message"]["id"]))

    async def find(
        self, queued: OutboxMessage, guild_id: GuildId, forum_id: ChannelId
    ) -> SentCopy | None:
        """Return the first message of the post that an earlier attempt created.

        The newest posts are searched whatever their age: the local clock may be wrong.
        """
        own_id = 0 if self._client.user is None else self._client.user.id
        begin = queued.first_attempt_at - DISCORD_CLOCK_SKEW_SECONDS
        active = await self._client.http.get_active_threads(guild_id)
        archived = await self._client.http.get_public_archived_threads(forum_id)
        ours = [
            ChannelId(int(thread["id"]))
            for thread in (*active["threads"], *archived["threads"])
            if int(thread["owner_id"]) == own_id and int(thread["parent_id"]) == forum_id
        ]
        for place, number in enumerate(sorted(ours, reverse=True)):
            if place >= NEWEST_POSTS and discord.utils.snowflake_time(number).timestamp() < begin:
                break
            channel = self._transport.channel(number, guild_id)
            # Each may be deleted meanwhile
            if message := await self._transport.find_or_none(channel, queued):
                return SentCopy(None, number, message.id)
        return None
