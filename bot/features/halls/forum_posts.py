"""Posts in a forum: one for each match, and one for the list of a hall."""

from __future__ import annotations

import logging
from functools import partial

import discord

from bot.domain.models import Match
from bot.domain.outbox import OutboxMessage, PostedKind, SentMessage
from bot.features.halls import views
from bot.features.halls.audiences import Audiences
from bot.features.halls.forums import Forums, NewPost, PostTitle
from bot.features.halls.service import Halls, hall_of
from bot.guilds import Guilds
from bot.outbox.destinations import Destinations
from bot.outbox.transport import (
    Transport,
    is_refused,
)
from bot.outbox.worker import RetryLaterError
from bot.services.deliveries import DeliverySnapshot
from bot.services.match_location import MatchLocations
from bot.views import challenges
from bot.views.names import title_of

log = logging.getLogger(__name__)

UNKNOWN_STAGE = -1
"""Stored instead of a `Stage` for a post that an earlier attempt may have created."""


class ForumThreads:
    """Keeps the posts of matches in the forum of their server.

    Args:
        audiences: compares who can see which channels.
        guilds: looks up the players of a match.
    """

    def __init__(
        self,
        client: discord.Client,
        audiences: Audiences,
        guilds: Guilds,
        *,
        halls: Halls,
        places: MatchLocations,
        destinations: Destinations,
        transport: Transport,
    ) -> None:
        self._audiences = audiences
        self._guilds = guilds
        self._halls = halls
        self._places = places
        self._destinations = destinations
        self._forums = Forums(client, transport)

    async def start(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> SentMessage | None:
        """Create the post of a match, if everyone in the forum can also see its channel.

        If that has changed, the post that an earlier attempt may have created is deleted.
        """
        match, hall_id = delivery.match, hall_of(delivery.server)
        if delivery.posted[PostedKind.POST].copies or not hall_id or match.guild_id is None:
            return None
        server = await self._audiences.of_server(match.guild_id)
        forum = server.forum(hall_id)
        if forum is None:
            return None
        channel_id = await self._audiences.channel_of(server, match.channel_id)
        summary = await self._halls.card(match.id)
        if summary is None or not server.is_within(hall_id, channel_id):
            await self._delete_unconfirmed(queued, delivery)
            return None
        post = NewPost(_title(match), lambda: views.card(summary, elsewhere=False))
        try:
            copy = await self._forums.create(queued, match.guild_id, forum, post)
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            log.info("no post created: %s, %s", error.status, error.code)
            return None
        stage = match.stage if queued.attempts == 1 else UNKNOWN_STAGE
        return SentMessage(PostedKind.POST, stage, [copy])

    async def enter(
        self, queued: OutboxMessage, delivery: DeliverySnapshot
    ) -> tuple[bool, SentMessage | None]:
        """Move a match that is about to begin into its post.

        It does not move if a player has chosen a thread for it or cannot see the forum.

        Returns:
            Whether it continues there; and the post if it was created now. Otherwise an update of
            the post, for which no other delivery of the match waits, has stored its content.
        """
        match, posted = delivery.match, delivery.posted[PostedKind.POST]
        if not await self._may_enter(delivery):
            await self._delete_unconfirmed(queued, delivery)
            return False, None
        started = await self.start(queued, delivery)
        copies = started.copies if started else posted.copies
        if not copies:
            return False, None
        thread_id = copies[0].channel_id
        await self._places.enter_thread(queued.id, match.id, thread_id)
        await self._destinations.edit(
            delivery, PostedKind.CHALLENGE, lambda: challenges.begun_in(match, thread_id)
        )
        return True, started

    async def _may_enter(self, delivery: DeliverySnapshot) -> bool:
        """Return whether a match belongs in a post that all its players can see."""
        match, hall_id = delivery.match, hall_of(delivery.server)
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
        guild_id, hall_id = delivery.match.guild_id, hall_of(delivery.server)
        if queued.attempts == 1 or guild_id is None or delivery.posted[PostedKind.POST].copies:
            return
        server = await self._audiences.of_server(guild_id)
        if server.forum(hall_id) and (post := await self._forums.find(queued, guild_id, hall_id)):
            await self._forums.delete(post.channel_id)

    async def update(self, queued: OutboxMessage, delivery: DeliverySnapshot) -> SentMessage | None:
        """Edit the first message of a match's post; its name and tags when it begins or ends."""
        match, posted = delivery.match, delivery.posted[PostedKind.POST]
        if not posted.copies:
            if await self._halls.may_have_post(match.id):
                raise RetryLaterError("its post has yet to be created")
            return None
        summary = await self._halls.card(match.id)
        if summary is None or match.guild_id is None:
            return None
        post_id = posted.copies[0].channel_id
        server = await self._audiences.of_server(match.guild_id)
        forum_id = await self._audiences.channel_of(server, post_id)
        channel_id = await self._audiences.channel_of(server, match.channel_id)
        elsewhere = match.channel_id != post_id and not server.is_within(forum_id, channel_id)
        make = partial(views.card, summary, elsewhere=elsewhere)
        if not await self._destinations.edit(delivery, PostedKind.POST, make):
            return None
        forum = server.forum(forum_id)
        if match.stage != posted.revision and forum is not None:
            await self._forums.rename(post_id, forum, _title(match))
        return SentMessage(PostedKind.POST, match.stage, posted.copies)


def _title(match: Match) -> PostTitle:
    """Return the name and the tags of a match's post."""
    return PostTitle(challenges.thread_name(match), title_of(match), partial(views.tags_of, match))
