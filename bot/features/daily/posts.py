"""Post the position of the day, and show its solution on the next day."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from functools import partial
from itertools import chain

import discord

from bot.domain.ids import GuildId
from bot.domain.outbox import SentCopy
from bot.feature import Delivery, ScheduledJob
from bot.features.daily import views
from bot.features.daily.service import DAILY_DUE, TOPIC, DailyPosition, DailyPositions, channel_of
from bot.guilds import Guilds
from bot.i18n import catalogue, sides
from bot.outbox.batches import send_all
from bot.outbox.transport import MessageFactory, Transport, is_refused, marked
from bot.rulebook.lessons import Place, hint
from bot.rulebook.positions import find
from bot.services.servers import Servers
from bot.storage.leases import Leases
from bot.views.images import BoardImages, Drawn
from engine.game import Action
from render.i18n import using

log = logging.getLogger(__name__)

LEASE_NAME = "daily positions"

LEASE_SECONDS = 300.0
"""Lease duration of a batch. Losing the lease does no harm, because posts have a nonce."""


class DailySender:
    """Posts and edits the messages of positions of the day."""

    def __init__(
        self,
        daily: DailyPositions,
        servers: Servers,
        leases: Leases,
        *,
        images: BoardImages,
        transport: Transport,
        guilds: Guilds,
        clock: Callable[[], float],
    ) -> None:
        self._daily = daily
        self._servers = servers
        self._leases = leases
        self._images = images
        self._transport = transport
        self._guilds = guilds
        self._clock = clock
        self._closed: dict[int, int] = {}

    async def run(self) -> None:
        """Show the solutions and post the positions that are due; a background job.

        Raises:
            Exception: the first error; the other positions have been handled.
        """
        await self._daily.delete_expired()
        before = None
        while any(work := (await self._daily.unfinished(), await self._daily.due())):
            if work == before:  # nothing has changed: the next heartbeat tries again
                return
            before = work
            if await self._leases.take(LEASE_NAME, LEASE_SECONDS) is None:
                return
            unfinished, due = work
            steps = (self._advance(position) for position in unfinished)
            await send_all(chain(steps, (self._begin(guild_id) for guild_id in due)))

    async def _begin(self, guild_id: GuildId) -> None:
        daily = await self._daily.begin(guild_id)
        if daily:
            await self._advance(daily)

    async def _advance(self, daily: DailyPosition) -> None:
        """Take the next step with a position: post it, or show its solution.

        If the channel is closed to the bot, that is logged once: the next day tries again.
        """
        try:
            settings = await self._servers.settings(daily.guild_id)
            locale = await self._guilds.locale(daily.guild_id)
            with using(catalogue(settings.language_for(locale))):
                await self._post_or_solve(
                    daily, is_selected=channel_of(settings) == daily.channel_id
                )
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            if self._closed.get(daily.guild_id) != error.code:
                log.warning("no position of the day: %s, %s", error.status, error.code)
            self._closed[daily.guild_id] = error.code
            await self._give_up(daily)
        else:
            self._closed.pop(daily.guild_id, None)

    async def _give_up(self, daily: DailyPosition) -> None:
        """Store that nothing more can be done in the channel."""
        if daily.message_id is None:
            await self._daily.drop(daily.id)
        else:
            await self._daily.solved(daily.id)

    async def _post_or_solve(self, daily: DailyPosition, *, is_selected: bool) -> None:
        place, message_id = find(daily.position), daily.message_id
        is_over = not daily.is_open(self._clock())
        if message_id is None:
            message_id = await self._post(daily, place if is_selected and not is_over else None)
            if message_id is None:
                await self._daily.drop(daily.id)
                return
            await self._daily.posted(daily.id, message_id)
        if is_over:
            make = await self._solution(daily, place) if place else views.withdrawn
            copy = SentCopy(None, daily.channel_id, message_id)
            await self._transport.replace(copy, daily.guild_id, lambda: marked(make(), daily))
            await self._daily.solved(daily.id)

    async def _post(self, daily: DailyPosition, place: Place | None) -> int | None:
        """Post a position; without one, only look for the message of an earlier attempt."""
        channel = self._transport.channel(daily.channel_id, daily.guild_id)
        if place is None:
            message = await self._transport.find_or_none(channel, daily)
            return None if message is None else message.id
        drawn = await self._drawn(daily, place)
        sent = await self._transport.post(
            channel, daily, partial(views.question, daily, place, drawn)
        )
        return sent.id

    async def _solution(self, daily: DailyPosition, place: Place) -> MessageFactory:
        best = await asyncio.to_thread(hint, place)
        drawn = await self._drawn(daily, place, best[0])
        shares = await self._daily.close(daily.id)
        return partial(views.solution, daily, place, shares, best, drawn)

    async def _drawn(self, daily: DailyPosition, place: Place, *actions: Action) -> Drawn:
        style = (await self._servers.settings(daily.guild_id)).style
        return await self._images.with_actions(place.view, sides(place.game), style, actions)


def jobs(delivery: Delivery) -> list[ScheduledJob]:
    """Return the job that posts and solves positions of the day."""
    context = delivery.context
    sender = DailySender(
        context.of(DailyPositions),
        context.servers,
        delivery.leases,
        images=context.images,
        transport=delivery.transport,
        guilds=delivery.guilds,
        clock=context.clock,
    )
    return [ScheduledJob("the position of the day", sender.run, DAILY_DUE, TOPIC)]
