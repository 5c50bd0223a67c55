"""Where a user begins a match."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

import discord

from bot.domain.ids import ChannelId, GuildId

Person = discord.User | discord.Member


class Invocation(Protocol):
    """Where a user begins a match: where they interact, or the place of another match."""

    @property
    def client(self) -> Any:
        """The bot."""

    @property
    def guild(self) -> discord.Guild | None:
        """The server."""

    @property
    def guild_id(self) -> int | None:
        """ID of the server."""

    @property
    def channel(self) -> Any:
        """The channel or thread."""

    @property
    def channel_id(self) -> int | None:
        """ID of the channel or thread."""

    @property
    def user(self) -> Person:
        """The user."""

    @property
    def app_permissions(self) -> discord.Permissions:
        """The bot's permissions there."""


def guild_id_of(place: Invocation) -> GuildId | None:
    """Return the id of the server; None in a DM."""
    return None if place.guild_id is None else GuildId(place.guild_id)


@dataclass(frozen=True)
class MatchInvocation:
    """The place of a match, for one of its players who interacts elsewhere; see `Invocation`.

    Attributes:
        app_permissions: all permissions: where the bot may not write, boards go to the
            players by DM.
    """

    client: Any
    guild: discord.Guild
    channel: discord.abc.GuildChannel | discord.Thread
    user: discord.Member
    app_permissions: discord.Permissions

    @property
    def guild_id(self) -> int | None:
        """ID of the server."""
        return self.guild.id

    @property
    def channel_id(self) -> int | None:
        """ID of the channel or thread."""
        return self.channel.id


def parent_of(place: Invocation) -> ChannelId | None:
    """Return the parent channel if the place is a thread."""
    channel = place.channel
    return ChannelId(channel.parent_id) if isinstance(channel, discord.Thread) else None
