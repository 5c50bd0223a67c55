"""What Discord knows of a server: from the gateway's cache, or over HTTP.

Any process sends what is due, also for servers of other processes' shards, and at its start it
sends before the gateway has told it of its own servers. The cache knows none of these.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import discord

LOCALE_LIFETIME = 3600.0
"""Seconds for which a locale that was fetched is kept."""

MAX_LOCALES = 10_000
"""Locales kept at most."""

GONE = frozenset({10007, 10013})
"""Discord's codes for an unknown member and an unknown user."""


class Guilds:
    """Looks up servers.

    Args:
        client: logged in; it need not be connected.
        clock: the time in UTC seconds.
    """

    def __init__(self, client: discord.Client, clock: Callable[[], float] = time.time) -> None:
        self._client = client
        self._clock = clock
        self._locales: dict[int, tuple[float, str]] = {}

    def cached(self, guild_id: int | None) -> discord.Guild | None:
        """Return a server that the gateway has described completely."""
        guild = self._client.get_guild(guild_id or 0)
        return None if guild is None or guild.unavailable else guild

    async def locale(self, guild_id: int | None) -> str:
        """Return the preferred locale of a server; empty if there is no server, or no access.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        if guild_id is None:
            return ""
        if guild := self.cached(guild_id):
            return str(guild.preferred_locale)
        now = self._clock()
        fetched_at, locale = self._locales.get(guild_id, (float("-inf"), ""))
        if not 0 <= now - fetched_at < LOCALE_LIFETIME:
            locale = await self._fetch_locale(guild_id)
            if len(self._locales) >= MAX_LOCALES:
                self._locales.clear()
            self._locales[guild_id] = (now, locale)
        return locale

    async def _fetch_locale(self, guild_id: int) -> str:
        try:
            guild = await self._client.fetch_guild(guild_id, with_counts=False)
        except (discord.Forbidden, discord.NotFound):
            return ""
        return str(guild.preferred_locale)

    async def has_left(self, guild_id: int, user_id: int) -> bool:
        """Return whether a user is not in a server; False where the bot has no access.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        try:
            await self._client.http.get_member(guild_id, user_id)
        except discord.NotFound as error:
            return error.code in GONE
        except discord.Forbidden:
            return False
        return False
