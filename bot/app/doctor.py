"""Examine a server from the command line, without a connection to the gateway."""

from __future__ import annotations

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.features.servers.diagnosis import GuildSetup, diagnose
from bot.features.servers.views import Diagnosis
from render.i18n import _


async def diagnose_remotely(
    client: discord.Client, guild_id: GuildId, channel_id: ChannelId | None
) -> Diagnosis:
    """Examine a server from outside, with a client that is logged in but not connected.

    Args:
        channel_id: only this channel; without it all text channels.
    """
    try:
        guild = await client.fetch_guild(guild_id, with_counts=False)
        me = await guild.fetch_member(client.user.id if client.user else 0)
        text_channels = [
            c for c in await guild.fetch_channels() if isinstance(c, discord.TextChannel)
        ]
    except (discord.Forbidden, discord.NotFound):
        sentence = _("I'm not on this server; `starpost invite` prints the invitation link.")
        return Diagnosis([sentence], healthy=False)
    application = client.application_id or 0  # not the bot's own number where it is an old one
    text_channels = [channel for channel in text_channels if channel_id in (None, channel.id)]
    names = [command["name"] for command in await client.http.get_global_commands(application)]
    channels = sorted(text_channels, key=lambda channel: channel.position)
    return diagnose(GuildSetup(me, channels, (), names))
