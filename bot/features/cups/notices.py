"""Notify the organiser of a cup by DM that Discord refuses its messages."""

from __future__ import annotations

import logging
from functools import partial

import discord

from bot.features.cups import views
from bot.features.cups.due_posts import refusal_of
from bot.features.cups.service import Cups
from bot.i18n import catalogue
from bot.outbox.transport import Transport, is_refused
from bot.services.preferences import Preferences, language_of
from render.i18n import using

log = logging.getLogger(__name__)


class OrganiserNotices:
    """Notifies the organisers of cups, once for each cup.

    Args:
        transport: sends messages, and finds those that were sent before.
    """

    def __init__(
        self, client: discord.Client, transport: Transport, cups: Cups, preferences: Preferences
    ) -> None:
        self._client = client
        self._transport = transport
        self._cups = cups
        self._preferences = preferences

    async def notify(self, cup_id: int) -> None:
        """Notify the organiser of a cup, unless they were notified before, or accept no DM.

        Raises:
            discord.HTTPException: Discord does not answer.
        """
        cup = await self._cups.get(cup_id)  # its organiser may have deleted their data
        if cup is None or cup.row.organiser_id <= 0:
            return
        organiser_id = cup.row.organiser_id
        language = language_of(await self._preferences.preferences(organiser_id))
        try:
            channel = await self._client.create_dm(discord.Object(organiser_id))
            with using(catalogue(language)):
                make = partial(views.refused, cup)
                await self._transport.post(channel, refusal_of(cup), make, organiser_id)
        except discord.HTTPException as error:
            if not is_refused(error):
                raise
            log.info("the organiser of a cup accepts no DM: %s", error.code)
