"""Posts in a forum: one for each match, and one for the list of a hall."""

from __future__ import annotations

import json
import logging
from collections.abc import Awaitable, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple

import discord
from discord.http import Route, handle_message_parameters

from bot.audiences import Audiences
from bot.guilds import Guilds
from bot.outbox.destinations import Destinations
from bot.outbox.threads import ARCHIVE_AFTER_MINUTES
from bot.outbox.transport import DISCORD_CLOCK_SKEW_SECONDS, Make, Transport, is_refused, marked
from bot.outbox.worker import RetryLaterError
from bot.services.deliveries import DeliverySnapshot
from bot.services.halls import Halls
from bot.services.outbox import Copy, OutboxMessage, PostedKind, PostedMessage
from bot.services.places import Places
from bot.views import challenges
from bot.views import halls as views

log = logging.getLogger(__name__)

UNKNOWN_STAGE = -1
"""Stored instead of a `Stage` for a post that an earlier attempt may have created."""

NEWEST_POSTS = 5
"""Number of recent posts always searched for an unconfirmed one, regardless of timestamps."""


class NewPost(NamedTuple):
    """A post to create in a forum: its name, its tags, and a factory for its first message."""

    name: str
    tags: list[int]
    make: Make


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
    """Creates posts in forums, and finds those whose creation is unconfirmed.

    Args:
        client: logged-in client.
        transport: finds messages.
    """

    def __init__(self, client: discord.Client, transport: Transport) -> None:
        self._client = client
        self._transport = transport

    async def create(
        self, queued: OutboxMessage, guild_id: int, forum_id: int, post: NewPost
    ) -> Copy:
        """Create a post once, and return its first message.

        Search for the post of an earlier attempt first. If the tags are reserved for moderators or
        have just been deleted, the post gets none.

        Raises:
            discord.HTTPException: it cannot be created.
        """
        if queued.attempts > 1 and (found := await self.find(queued, guild_id, forum_id)):
            return found
        try:
            return await self._create(queued, forum_id, post)
        except discord.HTTPException as error:
            if not post.tags or not is_refused(error):
                raise
            log.info("no post with tags created: %s, %s", error.status, error.code)
        return await self._create(queued, forum_id, post._replace(tags=[]))

    async def rename(self, post_id: int, name: str, tags: Sequence[int]) -> None:
        """Change the name and the tags of a post, if that is possible."""
        applied = [str(tag) for tag in tags]

        async def attempt() -> object:
            return await self._client.http.edit_channel(post_id, name=name, applied_tags=applied)

        await self._attempt(self._transport.awake(post_id, attempt))

    async def pin(self, post_id: int) -> None:
        """Keep a post at the top of its forum, if that is possible."""
        pinned = discord.ChannelFlags(pinned=True)
        await self._attempt(self._client.http.edit_channel(post_id, flags=pinned.value))

    async def delete(self, post_id: int) -> bool:
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

    async def _create(self, queued: OutboxMessage, forum_id: int, post: NewPost) -> Copy:
        message = marked(post.make(), queued)
        payload: dict[str, Any] = {
            "name": post.name,
            "auto_archive_duration": ARCHIVE_AFTER_MINUTES,
            "applied_tags": [str(tag) for tag in post.tags],
        }
        route = Route("POST", "/channels/{channel_id}/threads", channel_id=forum_id)
        with handle_message_parameters(
            view=message.layout, allowed_mentions=message.mentions, channel_payload=payload
        ) as params:
            once: Any = _SentOnce(params.payload)
        made = await self._client.http.request(route, form=once, params={"use_nested_fields": 1})
        return Copy(0, int(made["id"]), int(made["message"]["id"]))

    async def find(self, queued: OutboxMessage, guild_id: int, forum_id: int) -> Copy | None:
        """Return the first message of the post that an earlier attempt created.

        The newest posts are searched whatever their age: the local clock may be wrong.
        """
        own_id = 0 if self._client.user is None else self._client.user.id
        begin = queued.first_attempt_at - DISCORD_CLOCK_SKEW_SECONDS
        active = await self._client.http.get_active_threads(guild_id)
        archived = await self._client.http.get_public_archived_threads(forum_id)
        ours = [
            int(thread["id"])
            for thread in (*active["threads"], *archived["threads"])
            if int(thread["owner_id"]) == own_id and int(thread["parent_id"]) == forum_id
        ]
        for place, number in enumerate(sorted(ours, reverse=True)):
            if place >= NEWEST_POSTS and discord.utils.snowflake_time(number).timestamp() < begin:
                break
            channel = self._transport.channel(number, guild_id)
            # Each may be deleted meanwhile
            if message := await self._transport.arrived(channel, queued):
                return Copy(0, number, message.id)
        return None


class Posts:
    """Keeps the posts of matches in the forum of their server.

    Args:
        client: logged-in client.
        audiences: compares who can see which channels.
        guilds: looks up the players of a match.
        halls: reads the content of posts.
        places: stores where a match is played.
        destinations: edits messages.
        transport: finds messages.
    """

    def __init__(
        self,
        client: discord.Client,
        audiences: Audiences,
        guilds: Guilds,
        *,
        halls: Halls,
        places: Places,
        destinations: Destinations,
        transport: Transport,
    ) -> None:
        self._audiences = audiences
        self._guilds = guilds
        self._halls = halls
        self._places = places
        self._destinations = destinations
        self._forums = Forums(client, transport)

    async def start(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> PostedMessage | None:
        """Create the post of a match, if everyone in the forum can also see its channel.

        If that has changed, the post that an earlier attempt may have created is deleted.
        """
        match, hall_id = delivery.match, delivery.server.hall
        if delivery.posted[PostedKind.POST].copies or not hall_id or match.guild_id is None:
            return None
        server = await self._audiences.of_server(match.guild_id)
        forum = server.forum(hall_id)
        if forum is None:
            return None
        channel_id = await self._audiences.channel_of(server, match.channel_id)
        listed = await self._halls.card(match.id)
        if listed is None or not server.is_within(hall_id, channel_id):
            await self._delete_unconfirmed(queued, delivery)
            return None
        name, tags = views.post_name(match), views.tags_of(match, tags_by_name(forum))
        post = NewPost(name, tags, lambda: views.card(listed, elsewhere=False))
        try:
            copy = await self._forums.create(queued, match.guild_id, hall_id, post)
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            log.info("no post created: %s, %s", error.status, error.code)
            return None
        stage = match.stage if queued.attempts == 1 else UNKNOWN_STAGE
        return PostedMessage(PostedKind.POST, stage, [copy])

    async def enter(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> tuple[bool, PostedMessage | None]:
        """Move a match that is about to begin into its post.

        It does not move if a player has chosen a thread for it or cannot see the forum.

        Returns:
            Whether it continues there; and the post if it was created now. Otherwise an update of
            the post, for which no other delivery of the match waits, has stored its content.
        """
        match, known = delivery.match, delivery.posted[PostedKind.POST]
        if not await self._may_enter(delivery):
            await self._delete_unconfirmed(queued, delivery)
            return False, None
        started = await self.start(queued, delivery)
        copies = started.copies if started else known.copies
        if not copies:
            return False, None
        thread_id = copies[0].channel_id
        await self._places.enter_thread(queued.id, match.id, thread_id)
        await self._destinations.edit(
            delivery, PostedKind.CHALLENGE, lambda: challenges.begun_in(match, thread_id)
        )
        return True, started

    async def _may_enter(self, delivery: DeliverySnapshot) -> bool:
        """Return whether a match is to be played in a post that all its players can see."""
        match, hall_id = delivery.match, delivery.server.hall
        if not hall_id or match.guild_id is None or not delivery.server.threads:
            return False
        server = await self._audiences.of_server(match.guild_id)
        if server.forum(hall_id) is None:
            return False
        in_thread = server.channel(match.channel_id) is None
        if in_thread and await self._audiences.channel_of(server, match.channel_id) != hall_id:
            return False
        users = [player.user_id for player in match.people.values()]
        try:
            absent = await self._guilds.absent(match.guild_id, hall_id, users)
        except (discord.Forbidden, discord.NotFound, discord.InvalidData):
            return False
        return not absent.outside and not absent.blind

    async def _delete_unconfirmed(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> None:
        """Delete the post that an earlier attempt may have created, if it is not stored."""
        guild_id, hall_id = delivery.match.guild_id, delivery.server.hall
        if queued.attempts == 1 or guild_id is None or delivery.posted[PostedKind.POST].copies:
            return
        server = await self._audiences.of_server(guild_id)
        if server.forum(hall_id) and (found := await self._forums.find(queued, guild_id, hall_id)):
            await self._forums.delete(found.channel_id)

    async def update(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> PostedMessage | None:
        """Edit the first message of a match's post; its name and tags when it begins or ends."""
        match, posted = delivery.match, delivery.posted[PostedKind.POST]
        if not posted.copies:
            if await self._halls.may_have_post(match.id):
                raise RetryLaterError("its post has yet to be created")
            return None
        listed = await self._halls.card(match.id)
        if listed is None or match.guild_id is None:
            return None
        post_id = posted.copies[0].channel_id
        server = await self._audiences.of_server(match.guild_id)
        forum_id = await self._audiences.channel_of(server, post_id)
        channel_id = await self._audiences.channel_of(server, match.channel_id)
        elsewhere = match.channel_id != post_id and not server.is_within(forum_id, channel_id)
        make = partial(views.card, listed, elsewhere=elsewhere)
        if not await self._destinations.edit(delivery, PostedKind.POST, make):
            return None
        forum = server.forum(forum_id)
        if match.stage != posted.action_count and forum is not None:
            await self._forums.rename(
                post_id, views.post_name(match), views.tags_of(match, tags_by_name(forum))
            )
        return PostedMessage(PostedKind.POST, match.stage, posted.copies)


def tags_by_name(forum: discord.ForumChannel) -> dict[str, int]:
    """Return name in lower case → ID of each tag of a forum."""
    return {tag.name.lower(): tag.id for tag in forum.available_tags}
