"""Who can see the channels of a server, compared by their permissions.

The list of a hall may show a match only to users who can also see the channel of the match.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Collection, Iterator, Mapping
from itertools import combinations
from typing import Any, NamedTuple

import discord

from bot.domain.ids import NO_CHANNEL, ChannelId, GuildId
from bot.guilds import Guilds

MAX_THREADS = 10_000
"""Maximum number of threads whose parents are remembered."""


class ThreadPlace(NamedTuple):
    """Immutable facts about a thread; if it cannot be found, `parent_id` is 0."""

    parent_id: ChannelId
    private: bool


class ServerChannels:
    """The channels of a server.

    Args:
        channels: all channels by their IDs.
        own_id: user ID of the bot.
    """

    def __init__(
        self,
        guild: discord.Guild,
        channels: Mapping[int, discord.abc.GuildChannel],
        own_id: int,
    ) -> None:
        self._guild = guild
        self._channels = channels
        self._own_id = own_id

    def channel(self, channel_id: ChannelId) -> discord.abc.GuildChannel | None:
        """Return a channel; None if it was deleted, or is a thread."""
        return self._channels.get(channel_id)

    def forum(self, channel_id: ChannelId) -> discord.ForumChannel | None:
        """Return a forum; None if it is none, or was deleted."""
        channel = self.channel(channel_id)
        return channel if isinstance(channel, discord.ForumChannel) else None

    def thread(self, thread_id: ChannelId) -> ThreadPlace | None:
        """Return a thread that the gateway has described."""
        thread = self._guild.get_thread(thread_id)
        return (
            None
            if thread is None
            else ThreadPlace(ChannelId(thread.parent_id), thread.is_private())
        )

    def is_within(self, inner_id: ChannelId, outer_id: ChannelId) -> bool:
        """Return whether every member who can see the inner channel can see the outer one."""
        inner, outer = self.channel(inner_id), self.channel(outer_id)
        if inner is None or outer is None:
            return False
        rules = _view_rules(inner), _view_rules(outer)
        members = {0, *rules[0].members, *rules[1].members} - {self._own_id}
        return inner_id == outer_id or not any(
            self._sees(rules[0], roles, member) and not self._sees(rules[1], roles, member)
            for roles in self._groups({*rules[0].roles, *rules[1].roles})
            for member in members
        )

    def _groups(self, named: Collection[int]) -> Iterator[tuple[int, ...]]:
        """Yield the sets of roles that suffice to find a member who sees only one of two channels.

        One role may open the first channel, another one close the second one, and a third one allow
        to see channels at all. Administrators see every channel, and bots' roles are no members'.
        """
        opens = self._guild.default_role.permissions.view_channel
        relevant = [
            role.id
            for role in self._guild.roles
            if not (role.is_default() or role.is_bot_managed() or role.permissions.administrator)
            and (role.id in named or (not opens and role.permissions.view_channel))
        ]
        for size in range(3 if opens else 4):
            yield from combinations(relevant, size)

    def _sees(self, rules: ViewRules, roles: Collection[int], member: int) -> bool:
        """Return whether a member with these roles can see a channel."""
        if member in rules.members:
            return rules.members[member]
        if of_roles := [rules.roles[role] for role in roles if role in rules.roles]:
            return any(of_roles)
        default = self._guild.default_role
        if default.id in rules.roles:
            return rules.roles[default.id]
        member_roles = [self._guild.get_role(role) for role in roles]
        return any(role.permissions.view_channel for role in (default, *member_roles) if role)


class ViewRules(NamedTuple):
    """Who may see a channel, where that differs from the server: by role, and by user ID."""

    roles: Mapping[int, bool]
    members: Mapping[int, bool]


def _view_rules(channel: discord.abc.GuildChannel) -> ViewRules:
    roles, members = dict[int, bool](), dict[int, bool]()
    for target, overwrite in channel.overwrites.items():
        of_role = isinstance(target, discord.Role) or getattr(target, "type", None) is discord.Role
        if overwrite.view_channel is not None:
            (roles if of_role else members)[target.id] = overwrite.view_channel
    return ViewRules(roles, members)


class Audiences:
    """Looks up the channels of servers, and the channels of threads.

    Args:
        client: logged in; it need not be connected.
        guilds: finds servers in the gateway's cache.
    """

    def __init__(self, client: discord.Client, guilds: Guilds) -> None:
        self._client = client
        self._guilds = guilds
        self._threads: OrderedDict[int, ThreadPlace] = OrderedDict()

    async def of_server(self, guild_id: GuildId) -> ServerChannels:
        """Return the channels of a server.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        guild = self._guilds.cached(guild_id)
        if guild is not None:
            channels = list(guild.channels)
        else:
            guild = await self._client.fetch_guild(guild_id, with_counts=False)
            channels = list(await guild.fetch_channels())
        own_id = 0 if self._client.user is None else self._client.user.id
        return ServerChannels(guild, {channel.id: channel for channel in channels}, own_id)

    async def channel_of(self, server: ServerChannels, place_id: ChannelId) -> ChannelId:
        """Return the channel whose audience sees a place: itself, or the parent of a public thread.

        Returns:
            0 for a private thread, and for a place that cannot be found.

        Raises:
            discord.HTTPException: Discord does not answer as it should.
        """
        if server.channel(place_id) is not None:
            return place_id
        if place_id not in self._threads:
            self._threads[place_id] = server.thread(place_id) or await self._fetch_thread(place_id)
            if len(self._threads) > MAX_THREADS:
                self._threads.popitem(last=False)
        thread = self._threads[place_id]
        return NO_CHANNEL if thread.private else thread.parent_id

    async def _fetch_thread(self, thread_id: ChannelId) -> ThreadPlace:
        try:
            data: Any = await self._client.http.get_channel(thread_id)
        except (discord.Forbidden, discord.NotFound):
            return ThreadPlace(NO_CHANNEL, private=True)
        private = data["type"] == discord.ChannelType.private_thread.value
        return ThreadPlace(ChannelId(int(data.get("parent_id") or 0)), private)
