"""Look up servers in the gateway's cache or over HTTP.

Any process sends due messages, also for servers of other processes' shards, and at its start it
sends before the gateway has sent its own servers. The cache knows none of these.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from typing import NamedTuple

import discord

from bot.discord_errors import UNKNOWN_MEMBER
from bot.domain.ids import ChannelId, GuildId, UserId

LOCALE_LIFETIME_SECONDS = 60.0
"""Seconds that a fetched locale is cached."""

MAX_LOCALES = 10_000
"""Maximum number of cached locales."""


class Absent(NamedTuple):
    """The users who could not follow a match to a channel.

    Attributes:
        outside: players who are not on the match's server.
        blind: players who are, but cannot see the channel.
    """

    outside: tuple[UserId, ...]
    blind: tuple[UserId, ...]


class Guilds:
    """Looks up servers.

    Args:
        client: logged in; it need not be connected.
    """

    def __init__(self, client: discord.Client, clock: Callable[[], float] = time.time) -> None:
        self._client = client
        self._clock = clock
        self._locales: dict[int, tuple[float, str]] = {}

    def cached(self, guild_id: GuildId | None) -> discord.Guild | None:
        """Return a server that the gateway has described completely."""
        guild = self._client.get_guild(guild_id or 0)
        return None if guild is None or guild.unavailable else guild

    async def has(self, guild_id: GuildId) -> bool:
        """Return whether the bot is on a server.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        if self._client.get_guild(guild_id) is not None:
            return True
        try:
            await self._client.fetch_guild(guild_id, with_counts=False)
        except (discord.Forbidden, discord.NotFound):
            return False
        return True

    async def locale(self, guild_id: GuildId | None) -> str:
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
        if not 0 <= now - fetched_at < LOCALE_LIFETIME_SECONDS:
            locale = await self._fetch_locale(guild_id)
            if len(self._locales) >= MAX_LOCALES:
                self._locales.clear()
            self._locales[guild_id] = (now, locale)
        return locale

    async def _fetch_locale(self, guild_id: GuildId) -> str:
        try:
            guild = await self._client.fetch_guild(guild_id, with_counts=False)
        except (discord.Forbidden, discord.NotFound):
            return ""
        return str(guild.preferred_locale)

    def may_write_in_threads(self, guild_id: GuildId, channel_id: ChannelId) -> bool:
        """Return whether the bot may write in a channel's threads, as far as that is known."""
        guild = self.cached(guild_id)
        channel = None if guild is None else guild.get_channel(channel_id)
        if guild is None or channel is None:
            return True
        return channel.permissions_for(guild.me).send_messages_in_threads

    async def has_left(self, guild_id: GuildId, user_id: UserId) -> bool:
        """Return whether a user is not in a server; False where the bot has no access.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        try:
            await self._client.http.get_member(guild_id, user_id)
        except discord.NotFound as error:
            return error.code in UNKNOWN_MEMBER
        except discord.Forbidden:
            return False
        return False

    async def member_name(self, guild_id: GuildId, user_id: UserId) -> str | None:
        """Return the display name of a member of a server; None if they are no member.

        Raises:
            discord.HTTPException: Discord does not answer as it should, or the bot has no access.
        """
        try:
            data = await self._client.http.get_member(guild_id, user_id)
        except discord.NotFound as error:
            if error.code in UNKNOWN_MEMBER:
                return None
            raise
        user = data["user"]
        return str(data.get("nick") or user.get("global_name") or user["username"])

    async def own_member(self, guild_id: GuildId) -> discord.Member:
        """Return the bot as a member of a server.

        Raises:
            discord.HTTPException: the bot is not there, or Discord does not answer as it should.
        """
        guild = self.cached(guild_id)
        if guild is not None and guild.me is not None:
            return guild.me
        guild = await self._client.fetch_guild(guild_id, with_counts=False)
        return await guild.fetch_member(0 if self._client.user is None else self._client.user.id)

    async def change_role(
        self, guild_id: GuildId, user_id: UserId, role_id: int, reason: str, *, give: bool
    ) -> None:
        """Give a role to a member of a server, or take it away; both can be repeated.

        Args:
            reason: for the server's audit log.
            give: whether to give it.

        Raises:
            discord.HTTPException: Discord refuses it, or does not answer as it should.
        """
        http = self._client.http
        change = http.add_role if give else http.remove_role
        await change(guild_id, user_id, role_id, reason=reason)

    async def absent(
        self, guild_id: GuildId, channel_id: ChannelId, users: Collection[UserId]
    ) -> Absent:
        """Return which of these users are not on a server, or cannot see one of its channels.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        guild = self.cached(guild_id) or await self._client.fetch_guild(guild_id, with_counts=False)
        channel = guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
        outside, blind = [], []
        for user_id in users:
            try:
                member = await guild.fetch_member(user_id)
            except discord.NotFound:
                outside.append(user_id)
            else:
                if not await can_see(guild, channel, member):
                    blind.append(user_id)
        return Absent(tuple(outside), tuple(blind))


async def can_see(
    guild: discord.Guild, channel: discord.abc.GuildChannel | discord.Thread, member: discord.Member
) -> bool:
    """Return whether a member sees a channel or thread; a private thread has its own members.

    Raises:
        discord.HTTPException: the thread's channel or its members cannot be read.
    """
    if not isinstance(channel, discord.Thread):
        return channel.permissions_for(member).view_channel
    parent = channel.parent or await guild.fetch_channel(channel.parent_id)
    if isinstance(parent, discord.Thread):
        return False
    allowed = parent.permissions_for(member)
    if not allowed.view_channel or allowed.manage_threads or not channel.is_private():
        return allowed.view_channel
    try:
        await channel.fetch_member(member.id)
    except discord.NotFound:
        return False
    return True


def is_dangerous(role: discord.Role) -> bool:
    """Return whether a role lets its members moderate, manage or call others."""
    harmful = discord.Permissions.elevated()
    harmful.update(mention_everyone=True, manage_nicknames=True, view_audit_log=True)
    return bool(role.permissions.value & harmful.value)


def may_give(me: discord.Member, role: discord.Role) -> bool:
    """Return whether the bot can give a role, and should: it is below its own and not dangerous."""
    given_by_hand = not (role.is_default() or role.managed)
    allowed = me.guild_permissions.manage_roles and role < me.top_role
    return given_by_hand and allowed and not is_dangerous(role)
