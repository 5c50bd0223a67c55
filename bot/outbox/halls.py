"""The list of a hall, and the call of its role for open seats."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import Any

import discord

from bot.audiences import Audiences, ServerChannels
from bot.guilds import Guilds
from bot.i18n import catalogue
from bot.outbox.posts import Forums, NewPost, is_refused
from bot.outbox.transport import Make, Transport, is_closed
from bot.services.halls import CALL_PAUSE_SECONDS, Halls, HallSnapshot, Listing
from bot.services.outbox import Copy, OutboxKind, OutboxMessage
from bot.views import halls as views
from render.i18n import using

log = logging.getLogger(__name__)

Location = tuple[int, int]
"""Channel and message."""


class HallSender:
    """Sends the messages of halls.

    A list is edited in place. In a forum it is the first message of a post of its own. It shows a
    match only if everyone who can see the hall can also see the channel of the match.

    Args:
        client: logged-in client.
        audiences: compares who can see which channels.
        guilds: knows the languages of servers.
        halls: reads and stores the halls.
        transport: sends and finds messages.
        clock: the time in UTC seconds.
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

    async def deliver(self, queued: OutboxMessage) -> None:
        """Update the list of a hall, or call its role.

        If the hall is closed to the bot, that is logged once: the next change tries again.
        """
        found = await self._halls.read(queued.match_id)
        if found is None:
            return
        guild_id = found.hall.guild_id
        send = self._update if queued.kind == OutboxKind.UPDATE_HALL else self._call
        try:
            locale = await self._guilds.locale(guild_id)
            with using(catalogue(found.server.language_for(locale))):
                await send(queued, found)
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            if self._closed.get(guild_id) != error.code:
                log.warning("the hall of a server cannot be used: %s, %s", error.status, error.code)
            self._closed[guild_id] = error.code
        else:
            self._closed.pop(guild_id, None)

    async def _update(self, queued: OutboxMessage, found: HallSnapshot) -> None:
        hall, hall_id = found.hall, found.server.hall
        listed = _location(hall.list_channel_id, hall.list_message_id)
        if listed and hall.posted_in != hall_id:
            await self._delete_list(found, listed)
            await self._halls.keep_list(hall.guild_id, hall_id, None)
            listed = None
        if not hall_id:
            await self._delete_call(found)
            await self._halls.forget(hall.guild_id)
            return
        server = await self._audiences.of_server(hall.guild_id)
        listing = await self._listing(found, server)
        if not listing.open:
            await self._delete_call(found)
        make = partial(views.hall_list, listing)
        if listed and await self._edited(listed, hall.guild_id, make):
            return
        posted = await self._post_list(queued, found, server, make)
        await self._halls.keep_list(hall.guild_id, hall_id, posted)
        if queued.attempts > 1:  # it can be that of an earlier attempt
            await self._edited(posted, hall.guild_id, make)

    async def _post_list(
        self, queued: OutboxMessage, found: HallSnapshot, server: ServerChannels, make: Make
    ) -> Location:
        guild_id, hall_id = found.hall.guild_id, found.server.hall
        if server.forum(hall_id) is None:
            channel = self._transport.channel(hall_id, guild_id)
            return hall_id, (await self._transport.post(channel, queued, make)).id
        post = NewPost(views.list_name(), [], make)
        copy = await self._forums.create(queued, guild_id, hall_id, post)
        await self._forums.pin(copy.channel_id)
        return copy.channel_id, copy.message_id

    async def _call(self, queued: OutboxMessage, found: HallSnapshot) -> None:
        """Call the role for the seats that are open, unless it was called a short time ago."""
        hall, role_id, now = found.hall, found.server.hall_role, self._clock()
        if not role_id or not found.server.hall:
            return
        due = (hall.called_at or float("-inf")) + CALL_PAUSE_SECONDS
        if queued.attempts == 1 and now < due <= now + CALL_PAUSE_SECONDS:
            await self._halls.postpone_call(queued, due)
            return
        server = await self._audiences.of_server(hall.guild_id)
        listing = await self._listing(found, server)
        place: int | None = found.server.hall
        if server.forum(found.server.hall) is not None:
            place = hall.list_channel_id if hall.posted_in == place else None
        if not listing.open or not place:
            return
        make = partial(views.role_call, listing, role_id)
        channel = self._transport.channel(place, hall.guild_id)
        sent = await self._transport.post(channel, queued, make)
        await self._delete_call(found, kept=sent.id)
        await self._halls.keep_call(hall.guild_id, (place, sent.id), called_at=now)

    async def _listing(self, found: HallSnapshot, server: ServerChannels) -> Listing:
        """Return the matches that everyone in the hall may see."""
        hall_id, shown = found.server.hall, list[int]()
        visible: dict[int, bool] = {}
        for place in found.places:
            channel_id = await self._audiences.channel_of(server, place)
            if channel_id not in visible:
                visible[channel_id] = server.is_within(hall_id, channel_id)
            shown += [place] if visible[channel_id] else []
        return await self._halls.listing(found.hall.guild_id, shown)

    async def _edited(self, listed: Location, guild_id: int, make: Make) -> bool:
        """Edit the list; return whether it still exists."""

        def changes() -> dict[str, Any]:
            new = make()
            return {"view": new.layout, "allowed_mentions": new.mentions}

        try:
            await self._transport.edit(Copy(0, *listed), guild_id, changes)
        except discord.NotFound:
            return False
        return True

    async def _delete_list(self, found: HallSnapshot, listed: Location) -> None:
        """Delete the list, in a forum with its post."""
        hall = found.hall
        if listed[0] == hall.posted_in or not await self._forums.delete(listed[0]):
            await self._delete(listed, hall.guild_id)

    async def _delete_call(self, found: HallSnapshot, kept: int = 0) -> None:
        """Delete the last call of the role."""
        hall = found.hall
        called = _location(hall.call_channel_id, hall.call_message_id)
        if called and called[1] != kept:
            await self._delete(called, hall.guild_id)
            await self._halls.keep_call(hall.guild_id, None)

    async def _delete(self, message: Location, guild_id: int) -> None:
        """Delete a message, if that is possible."""
        channel = self._transport.channel(message[0], guild_id)
        try:
            await channel.get_partial_message(message[1]).delete()
        except discord.HTTPException as error:
            if not is_closed(error):
                raise
            log.info("a message of a hall stays: %s", error.code)


def _location(channel_id: int | None, message_id: int | None) -> Location | None:
    return (channel_id, message_id) if channel_id and message_id else None
