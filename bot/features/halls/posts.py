"""Send the list of a hall, and ping its role for open seats."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.domain.outbox import OutboxMessage, SentCopy
from bot.features.halls import views
from bot.features.halls.audiences import Audiences, ServerChannels
from bot.features.halls.forums import Forums, NewPost, PostTitle
from bot.features.halls.message_kinds import HallKind, guild_of
from bot.features.halls.service import (
    CALL_PAUSE_SECONDS,
    Halls,
    HallSnapshot,
    Listing,
    first_list_key,
    hall_chosen_at,
    hall_of,
    hall_role_of,
)
from bot.guilds import Guilds
from bot.i18n import catalogue
from bot.outbox.store import RowChange
from bot.outbox.transport import MessageFactory, Transport, is_edit_limited, is_refused, marked
from bot.outbox.worker import WORKER_CLOCK_SKEW_SECONDS
from bot.storage.schema import halls
from render.i18n import using

log = logging.getLogger(__name__)

Location = tuple[ChannelId, int]
"""Channel and message."""

LIST_COLUMNS = ("posted_in", "list_channel_id", "list_message_id")

CALL_COLUMNS = ("called_at", "call_channel_id", "call_message_id")


class HallSender:
    """Sends the messages of halls.

    A list is edited in place. In a forum it is the first message of a post of its own. It shows a
    match only if everyone who can see the hall can also see the channel of the match.

    Args:
        audiences: compares who can see which channels.
    """

    def __init__(
        self,
        client: discord.Client,
        audiences: Audiences,
        guilds: Guilds,
        *,
        halls: Halls,
        transport: Transport,
        clock: Callable[[], float],
    ) -> None:
        self._audiences = audiences
        self._guilds = guilds
        self._halls = halls
        self._transport = transport
        self._forums = Forums(client, transport)
        self._clock = clock
        self._closed: dict[int, int] = {}
        self._calls: dict[int, str] = {}

    async def deliver(self, queued: OutboxMessage) -> RowChange | None:
        """Update the list of a hall, or ping its role.

        If the hall is closed to the bot, that is logged once: the next change tries again.
        """
        guild_id = guild_of(queued.target)
        snapshot = await self._halls.read(guild_id)
        if snapshot is None:
            return None
        send = self._update if queued.kind == HallKind.UPDATE_LIST else self._call
        try:
            locale = await self._guilds.locale(guild_id)
            with using(catalogue(snapshot.server.language_for(locale))):
                posted = await send(queued, snapshot)
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            if self._closed.get(guild_id) != error.code:
                log.warning("the hall of a server cannot be used: %s, %s", error.status, error.code)
            self._closed[guild_id] = error.code
            return None
        self._closed.pop(guild_id, None)
        return posted

    async def _update(self, queued: OutboxMessage, snapshot: HallSnapshot) -> RowChange | None:
        hall, hall_id = snapshot.hall, hall_of(snapshot.server)
        listed = _location(hall.list_channel_id, hall.list_message_id)
        if listed and hall.posted_in != hall_id:
            await self._delete_list(snapshot, listed)
            await self._halls.forget_list(listed[1])
            listed = None
        if not hall_id:
            await self._delete_call(snapshot)
            await self._halls.forget(hall.guild_id)
            return None
        if not listed:
            queued = _first_list(queued, snapshot)
        server = await self._audiences.of_server(hall.guild_id)
        listing = await self._listing(snapshot, server)
        await self._update_call(snapshot, listing)
        make = partial(views.hall_list, listing)
        newer = await self._unconfirmed(queued, snapshot, server) if listed else None
        if listed and not newer and await self._edited(listed, hall.guild_id, make):
            return None
        posted = newer or await self._post_list(queued, snapshot, server, make)
        if queued.attempts > 1:  # it may be that of an earlier attempt, whose mark it keeps
            await self._edited(posted, hall.guild_id, lambda: marked(make(), queued))
        if listed:
            await self._delete_list(snapshot, listed)
        columns = dict(zip(LIST_COLUMNS, (hall_id, *posted), strict=True))
        return RowChange(halls, {"guild_id": hall.guild_id}, columns)

    async def _post_list(
        self,
        queued: OutboxMessage,
        snapshot: HallSnapshot,
        server: ServerChannels,
        make: MessageFactory,
    ) -> Location:
        guild_id, hall_id = snapshot.hall.guild_id, hall_of(snapshot.server)
        forum = server.forum(hall_id)
        if forum is None:
            channel = self._transport.channel(hall_id, guild_id)
            return hall_id, (await self._transport.post(channel, queued, make)).id
        post = NewPost(PostTitle(views.list_name(), views.list_name()), make)
        copy = await self._forums.create(queued, guild_id, forum, post)
        await self._forums.pin(copy.channel_id)
        return copy.channel_id, copy.message_id

    async def _unconfirmed(
        self, queued: OutboxMessage, snapshot: HallSnapshot, server: ServerChannels
    ) -> Location | None:
        """Return the list that an earlier attempt posted in place of the former one.

        The former list is edited without a mark, so it is never taken for that one.
        """
        if queued.attempts == 1:
            return None
        guild_id, hall_id = snapshot.hall.guild_id, hall_of(snapshot.server)
        if server.forum(hall_id) is not None:
            copy = await self._forums.find(queued, guild_id, hall_id)
            return (copy.channel_id, copy.message_id) if copy else None
        channel = self._transport.channel(hall_id, guild_id)
        message = await self._transport.find_or_none(channel, queued)
        return (hall_id, message.id) if message else None

    async def _call(self, queued: OutboxMessage, snapshot: HallSnapshot) -> RowChange | None:
        """Ping the role for the open seats, unless it was pinged a short time ago."""
        hall, hall_id = snapshot.hall, hall_of(snapshot.server)
        role_id, now = hall_role_of(snapshot.server), self._clock()
        if not role_id or not hall_id:
            return None
        due = (hall.called_at or float("-inf")) + CALL_PAUSE_SECONDS
        if now < due <= now + CALL_PAUSE_SECONDS + WORKER_CLOCK_SKEW_SECONDS:
            await self._halls.postpone(queued, due)
            return None
        server = await self._audiences.of_server(hall.guild_id)
        listing = await self._listing(snapshot, server)
        place: ChannelId | None = hall_id
        if server.forum(hall_id) is not None:
            place = hall.list_channel_id if hall.posted_in == hall_id else None
        if not place:
            return None
        channel = self._transport.channel(place, hall.guild_id)
        if not listing.open:
            if queued.attempts > 1 and (
                sent := await self._transport.find_or_none(channel, queued)
            ):
                await self._delete((place, sent.id), hall.guild_id)
            return None
        make = partial(views.role_call, listing, role_id)
        sent = await self._transport.post(channel, queued, make)
        self._calls[sent.id] = _components(make)
        await self._delete_call(snapshot, keep_id=sent.id)
        columns = dict(zip(CALL_COLUMNS, (now, place, sent.id), strict=True))
        return RowChange(halls, {"guild_id": hall.guild_id}, columns)

    async def _listing(self, snapshot: HallSnapshot, server: ServerChannels) -> Listing:
        """Return the matches that everyone in the hall may see."""
        hall_id, place_ids = hall_of(snapshot.server), list[ChannelId]()
        visible: dict[ChannelId, bool] = {}
        for place in snapshot.places:
            channel_id = await self._audiences.channel_of(server, place)
            if channel_id not in visible:
                visible[channel_id] = server.is_within(hall_id, channel_id)
            place_ids += [place] if visible[channel_id] else []
        return await self._halls.listing(snapshot.hall.guild_id, place_ids)

    async def _edited(self, listed: Location, guild_id: GuildId, make: MessageFactory) -> bool:
        """Edit the list; return False if it was deleted, or edited too often in the last hour."""

        def changes() -> dict[str, Any]:
            new = make()
            return {"view": new.layout, "allowed_mentions": new.mentions}

        try:
            await self._transport.edit(SentCopy(None, *listed), guild_id, changes)
        except discord.NotFound:
            return False
        except (discord.HTTPException, discord.RateLimited) as error:
            if not is_edit_limited(error):
                raise
            return False
        return True

    async def _delete_list(self, snapshot: HallSnapshot, listed: Location) -> None:
        """Delete the list; in a forum, with its post."""
        hall = snapshot.hall
        if listed[0] == hall.posted_in or not await self._forums.delete(listed[0]):
            await self._delete(listed, hall.guild_id)

    async def _update_call(self, snapshot: HallSnapshot, listing: Listing) -> None:
        """Offer only open seats in the last call of the role; delete it if that is impossible.

        It is edited only if it changes, or once after a restart: most changes of a list concern
        no open seat.
        """
        call = _location(snapshot.hall.call_channel_id, snapshot.hall.call_message_id)
        if not call:
            return
        role_id, guild_id = hall_role_of(snapshot.server), snapshot.hall.guild_id
        if role_id and listing.open:
            make = partial(views.role_call, listing, role_id)
            components = _components(make)
            if components == self._calls.get(call[1]) or await self._edited(call, guild_id, make):
                self._calls[call[1]] = components
                return
        await self._delete_call(snapshot)

    async def _delete_call(self, snapshot: HallSnapshot, keep_id: int = 0) -> None:
        """Delete the last call of the role."""
        hall = snapshot.hall
        call = _location(hall.call_channel_id, hall.call_message_id)
        if call and call[1] != keep_id:
            self._calls.pop(call[1], None)
            await self._delete(call, hall.guild_id)
            await self._halls.forget_call(call[1])

    async def _delete(self, message: Location, guild_id: GuildId) -> None:
        """Delete a message, if that is possible."""
        channel = self._transport.channel(message[0], guild_id)
        try:
            await channel.get_partial_message(message[1]).delete()
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            log.info("a message of a hall stays: %s", error.code)


def _components(make: MessageFactory) -> str:
    """Return the components of a message as text, without the mark of its delivery."""
    return str(make().layout.to_components())  # type: ignore[no-untyped-call]


def _first_list(queued: OutboxMessage, snapshot: HallSnapshot) -> OutboxMessage:
    """Return the delivery of the first list in a hall.

    All deliveries that find no list share its key, so only one of them posts it: one of them may
    have posted it without storing it, and the job for halls without matches may run beside the
    outbox.
    """
    return queued._replace(
        attempts=max(queued.attempts, 2),  # so that an earlier one is searched for
        first_attempt_at=hall_chosen_at(snapshot.server),
        key=first_list_key(snapshot.hall.guild_id, snapshot.server),
    )


def _location(channel_id: ChannelId | None, message_id: int | None) -> Location | None:
    return (channel_id, message_id) if channel_id and message_id else None
