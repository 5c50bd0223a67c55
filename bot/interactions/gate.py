"""Admit interactions: each once, within the rate limit, and not during shutdown."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from typing import Any

from sqlalchemy.exc import SQLAlchemyError

from bot import metrics
from bot.domain.ids import GuildId, UserId
from bot.i18n import catalogue
from bot.interactions.context import Context
from bot.interactions.rate_limit import RateLimiter
from bot.interactions.replies import CARDS, RECOVERY, Interaction, reject, user_id_of
from bot.sanitize import clean_name
from bot.urgency import IS_URGENT
from bot.views.images import NO_EMOJIS
from render.i18n import N_, set_translations

log = logging.getLogger(__name__)

SEEN_LIMIT = 1000
"""Number of recent interaction ids kept for deduplication."""

BACK_SOON = N_("I'm restarting and will be back in a moment. Please try again then.")
TOO_FAST = N_("That was too fast, so I did nothing. Wait a few seconds and try again.")


class Gate:
    """Admits interactions, sets their language, and tracks those that are still unanswered.

    Args:
        stores_nothing: returns whether handling an interaction may store nothing about its user.
    """

    def __init__(self, context: Context, stores_nothing: Callable[[Interaction], bool]) -> None:
        self._preferences, self._names = context.preferences, context.names
        self._images, self._cards = context.images, context.cards
        self._stores_nothing = stores_nothing
        self._limits = RateLimiter()
        self._running: set[asyncio.Task[Any]] = set()
        self._seen_ids: deque[int] = deque(maxlen=SEEN_LIMIT)
        self._closed = False

    async def admit(self, interaction: Interaction) -> bool:
        """Return whether an interaction may begin; if not, reply in the user's language.

        An interaction delivered twice has been answered, or will be: if one delivery were refused
        and the other one carried out, the refusal would be wrong.
        """
        if interaction.id in self._seen_ids:
            return False
        self._seen_ids.append(interaction.id)
        IS_URGENT.set(True)
        interaction.extras[RECOVERY] = self
        interaction.extras[CARDS] = self._cards
        set_translations(catalogue(interaction.locale.value))
        if self._closed:
            await reject(interaction, BACK_SOON)
            return False
        self._track(asyncio.current_task())
        if not await self._limits.admit(user_id_of(interaction)):
            metrics.LIMITED.inc()
            await reject(interaction, TOO_FAST)
            return False
        client = interaction.locale.value
        set_translations(catalogue(await self._language(interaction), client))
        await self._update_name(interaction)
        return True

    def close(self) -> None:
        """Admit no more interactions."""
        self._closed = True

    async def drain(self) -> None:
        """Wait until everything that was admitted has been answered."""
        if running := self._running - {asyncio.current_task()}:
            await asyncio.wait(running)

    def _track(self, task: asyncio.Task[Any] | None) -> None:
        """Let `drain` wait for a task, from its first query on."""
        if task is not None:
            self._running.add(task)
            task.add_done_callback(self._running.discard)

    def reply_lost(self, interaction_id: int) -> None:
        """Forget an interaction whose reply was lost, so that a repeated delivery is admitted."""
        with suppress(ValueError):
            self._seen_ids.remove(interaction_id)

    def emoji_missing(self) -> None:
        """Build messages without emojis until the emojis are uploaded again."""
        self._images.emojis = NO_EMOJIS

    async def _update_name(self, interaction: Interaction) -> None:
        """Store the user's name on this server if it has changed, before it is shown again."""
        if interaction.guild_id is None or self._stores_nothing(interaction):
            return
        user, guild_id = interaction.user, GuildId(interaction.guild_id)
        try:
            await self._names.update(UserId(user.id), guild_id, clean_name(user.display_name))
        except SQLAlchemyError as error:
            log.info("name not updated: %s", error)

    async def _language(self, interaction: Interaction) -> str:
        """Return the user's language, or the client's if it cannot be read."""
        locale = interaction.locale.value
        try:
            note = not self._stores_nothing(interaction)
            return await self._preferences.language(user_id_of(interaction), locale, remember=note)
        except SQLAlchemyError as error:
            log.info("language not read, using the client's: %s", error)
            return locale
