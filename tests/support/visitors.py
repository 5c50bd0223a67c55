"""Members of a server as discord.py knows them, and what they click, without a connection."""

from __future__ import annotations

from itertools import count
from types import SimpleNamespace
from typing import Any

import discord

from bot.domain.ids import ChannelId
from tests.support.fake_objects import GUILD, text_channel, thread
from tests.support.fake_objects import guild as guild_data

OPEN, HIDDEN = ChannelId(5), ChannelId(6)
"""Channels: all members see the first one; the second one has members of its own."""

INSIDER = 81
"""A member who sees the hidden channel; others do not."""

VIEW = 1024

PRIVATE_THREAD = 12
"""Discord's number of this type of channel."""


class Server:
    """A server with an open and a hidden channel, cached by a client that is not connected."""

    def __init__(self, client: discord.Client | None = None) -> None:
        self.client = client or discord.Client(intents=discord.Intents.none())
        self._ids = count(1)
        data: Any = guild_data(GUILD, "en-US")
        self.guild = discord.Guild(data=data, state=self.client._connection)
        self.client._connection._add_guild(self.guild)
        for number in (OPEN, HIDDEN):
            channel: Any = text_channel(number, set(), GUILD)
            if number == HIDDEN:
                channel["permission_overwrites"] = [
                    {"id": str(GUILD), "type": 0, "allow": "0", "deny": str(VIEW)},
                    {"id": str(INSIDER), "type": 1, "allow": str(VIEW), "deny": "0"},
                ]
            state = self.guild._state
            self.guild._add_channel(
                discord.TextChannel(state=state, guild=self.guild, data=channel)
            )

    def add_thread(self, number: int, parent: int, *, private: bool = False) -> discord.Thread:
        """Add a thread in a channel, or in another thread."""
        data: Any = thread(number, str(parent), GUILD)
        if private:
            data["type"] = PRIVATE_THREAD
        added = discord.Thread(guild=self.guild, state=self.guild._state, data=data)
        self.guild._add_thread(added)
        return added

    def member(self, user_id: int) -> discord.Member:
        """Return a member without roles."""
        user = {"id": str(user_id), "username": f"u{user_id}", "discriminator": "0", "avatar": None}
        data: Any = {"user": user, "roles": [], "joined_at": None, "flags": 0}
        return discord.Member(data=data, guild=self.guild, state=self.guild._state)

    def interaction(self, user_id: int, channel_id: int = OPEN, **fields: Any) -> Any:
        """Return an interaction of a member in a channel; it has no connection to answer."""
        given: dict[str, Any] = {
            "id": 10**6 + next(self._ids),
            "type": discord.InteractionType.application_command,
            "client": self.client,
            "guild": self.guild,
            "guild_id": self.guild.id,
            "user": self.member(user_id),
            "channel_id": channel_id,
            "channel": self.guild.get_channel_or_thread(channel_id),
            "permissions": discord.Permissions.none(),
            "message": None,
            "data": {},
            "extras": {},
        }
        return SimpleNamespace(**(given | fields))


def not_found() -> discord.NotFound:
    """Return Discord's answer about what does not exist."""
    response: Any = SimpleNamespace(status=404, reason="")
    return discord.NotFound(response, "")
