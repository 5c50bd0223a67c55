"""Post cups, keep their posts up to date, and announce their start and end."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import NamedTuple

import discord

from bot.domain.ids import MatchId
from bot.domain.outbox import SentCopy
from bot.features.cups import views
from bot.features.cups.due_posts import ANNOUNCEMENTS, CupPosts, announcement_of, post_of
from bot.features.cups.listings import OpenMatch
from bot.features.cups.notices import OrganiserNotices
from bot.features.cups.rows import Cup, CupStatus
from bot.features.cups.service import Cups
from bot.features.cups.standings_view import picture_of
from bot.guilds import Guilds
from bot.i18n import catalogue
from bot.outbox.batches import send_all
from bot.outbox.transport import Transport, is_edit_limited, is_refused, marked
from bot.services.servers import ServerSettings
from bot.storage.leases import Leases
from bot.views.images import BoardImages
from render import pictures
from render.i18n import using
from render.renderer import DEFAULT_STYLE

log = logging.getLogger(__name__)

LEASE_NAME = "cups"

LEASE_SECONDS = 300.0
"""Lease duration of a batch. Losing the lease does no harm, because messages have a nonce."""

LINK_WAIT_SECONDS = 600.0
"""Maximum seconds after a change that a post waits for boards to link."""

RESULT_WAIT_SECONDS = 600.0
"""Maximum seconds that the announcement of the end waits for the last matches' messages."""


class CupDelivery(NamedTuple):
    """The services that the messages of cups are made and sent with.

    Attributes:
        guilds: reads the languages of servers.
    """

    leases: Leases
    images: BoardImages
    transport: Transport
    guilds: Guilds
    clock: Callable[[], float]


class CupSender:
    """Posts and edits the messages of cups.

    Args:
        notices: notifies organisers of messages that Discord refuses.
    """

    def __init__(
        self,
        cups: Cups,
        posts: CupPosts,
        notices: OrganiserNotices,
        delivery: CupDelivery,
    ) -> None:
        self._cups = cups
        self._posts = posts
        self._notices = notices
        self._leases = delivery.leases
        self._images = delivery.images
        self._transport = delivery.transport
        self._guilds = delivery.guilds
        self._clock = delivery.clock
        self._closed: dict[int, int] = {}

    async def run(self) -> None:
        """Bring the messages of all cups up to date; a background job.

        Raises:
            Exception: the first error; the other cups have been handled.
        """
        due = await self._posts.due()
        if due and await self._leases.may_work(LEASE_NAME, LEASE_SECONDS):
            await send_all(self._show(*cup) for cup in due)

    async def _show(self, cup: Cup, settings: ServerSettings) -> None:
        """Bring the messages of a cup up to date.

        If Discord refuses them, that is logged once, and the organiser is notified; the next change
        tries again.
        """
        number = cup.row.id
        try:
            locale = await self._guilds.locale(cup.row.guild_id)
            with using(catalogue(settings.language_for(locale))):
                await self._update(cup)
        except (discord.HTTPException, discord.RateLimited) as error:
            if is_edit_limited(error):
                return
            if isinstance(error, discord.RateLimited) or not is_refused(error):
                raise
            if self._closed.get(number) != error.code:
                log.warning("a cup cannot be shown: %s, %s", error.status, error.code)
                await self._notices.notify(number)
            self._closed[number] = error.code
            await self._posts.shown(number, cup.row.version)
            await self._posts.announced(number, ANNOUNCEMENTS.get(cup.row.status, 0))
        else:
            self._closed.pop(number, None)

    async def _update(self, cup: Cup) -> None:
        """Post or edit the post of a cup, then make its announcements."""
        places = await self._cups.open_matches(cup)
        if cup.row.shown_version < cup.row.version:
            await self._update_post(cup, places)
        if await self._waits_for_results(cup):
            return
        for number in range(cup.row.announced + 1, ANNOUNCEMENTS.get(cup.row.status, 0) + 1):
            current = await self._cups.get(cup.row.id) or cup  # with the location of its post
            if number > 1 or cup.row.status == CupStatus.RUNNING:
                make = partial(views.started if number == 1 else views.ended, current)
                await self._transport.post(self._channel(cup), announcement_of(cup, number), make)
            await self._posts.announced(cup.row.id, number)

    async def _update_post(self, cup: Cup, places: Mapping[int, OpenMatch]) -> None:
        """Post a cup, or edit its post; a post that was deleted before the end is posted again."""
        if cup.row.message_id is None and self._is_closed(cup):
            await self._posts.shown(cup.row.id, cup.row.version)
            return
        drawn = await self._drawn(cup)
        make, delivery = partial(views.post, cup, places, drawn), post_of(cup)
        if cup.row.message_id is None:
            sent = await self._transport.post(self._channel(cup), delivery, make)
            is_shown = not self._was_lost(cup) and not self._waits_for_links(cup, places)
            await self._posts.posted(cup.row.id, sent.id, cup.row.version if is_shown else None)
            return
        copy = SentCopy(None, cup.row.channel_id, cup.row.message_id)
        try:
            await self._transport.replace(copy, cup.row.guild_id, lambda: marked(make(), delivery))
        except discord.NotFound:
            await self._posts.posted(cup.row.id, None)  # the next run posts it again
            return
        if not self._waits_for_links(cup, places):
            await self._posts.shown(cup.row.id, cup.row.version)

    async def _waits_for_results(self, cup: Cup) -> bool:
        """Return whether its last results, which decide the cup, are still to be posted."""
        if cup.row.status != CupStatus.FINISHED:
            return False
        is_recent = self._is_recent(cup.row.ended_at, RESULT_WAIT_SECONDS)
        return is_recent and await self._posts.has_waiting_messages(cup)

    def _is_recent(self, time: float | None, seconds: float) -> bool:
        """Return whether a stored time was at most some seconds ago.

        One that is further ahead was stored before the clock was set back: nothing waits for it.
        """
        return time is not None and abs(self._clock() - time) <= seconds

    @staticmethod
    def _is_closed(cup: Cup) -> bool:
        """Return whether the end of a cup has been announced: its post is not replaced any more."""
        return cup.row.announced >= ANNOUNCEMENTS[CupStatus.FINISHED]

    def _was_lost(self, cup: Cup) -> bool:
        """Return whether the post may come from an earlier attempt, which shows less."""
        return cup.row.version > 1 and cup.row.shown_version == 0

    def _waits_for_links(self, cup: Cup, places: Mapping[int, OpenMatch]) -> bool:
        """Return whether a post waits for boards that it will link."""
        unlinked = [pair for pair in cup.running if self._awaits_board(pair.match_id, places)]
        times = (cup.row.started_at, *(pair.ended_at for pair in cup.pairings))
        return bool(unlinked) and any(self._is_recent(time, LINK_WAIT_SECONDS) for time in times)

    @staticmethod
    def _awaits_board(match_id: MatchId | None, places: Mapping[int, OpenMatch]) -> bool:
        place = places.get(match_id or 0)
        return place is None or place.awaits_board

    async def _drawn(self, cup: Cup) -> bytes | None:
        """Return the picture of the standings; None before the start."""
        if not cup.pairings:
            return None
        return await self._images.draw(
            partial(pictures.standings, picture_of(cup), DEFAULT_STYLE.theme)
        )

    def _channel(self, cup: Cup) -> discord.PartialMessageable:
        return self._transport.channel(cup.row.channel_id, cup.row.guild_id)
