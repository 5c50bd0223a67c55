"""Visibility of matches: a member of a server may look at those in channels that they can see."""

from __future__ import annotations

import discord

from bot.interactions.context import Context
from bot.interactions.replies import Interaction
from bot.services.match_rows import NoMatchError
from bot.services.models import Match, Perspective


async def visible_match(context: Context, interaction: Interaction, match_id: int) -> Match:
    """Return a match that this user plays, or whose channel this user can see.

    Raises:
        NoMatchError: there is no such match for this user.
    """
    match = await context.queries.match(match_id)
    if not match.seat_of(interaction.user.id) and not await _sees_channel(interaction, match):
        raise NoMatchError(match_id)
    return match


async def visible_perspective(
    context: Context, interaction: Interaction, match_id: int
) -> Perspective:
    """Return a match as this user may see it.

    Raises:
        NoMatchError: there is no such match for this user, or it has not begun.
    """
    await visible_match(context, interaction, match_id)
    return await context.queries.view(match_id, interaction.user.id)


async def _sees_channel(interaction: Interaction, match: Match) -> bool:
    """Return whether a user can see the channel of a match, by Discord's permissions."""
    guild, member = interaction.guild, interaction.user
    if guild is None or guild.id != match.guild_id or not isinstance(member, discord.Member):
        return False
    if interaction.channel_id == match.channel_id:
        return True
    channel = await _channel(guild, match.channel_id)
    if channel is None:
        return False
    try:
        allowed = channel.permissions_for(member)
    except discord.ClientException:  # a thread whose channel the bot cannot see
        return False
    if not allowed.view_channel:
        return False
    if isinstance(channel, discord.Thread) and channel.is_private():
        return allowed.manage_threads or await _is_in(channel, member)
    return True


async def _channel(
    guild: discord.Guild, channel_id: int
) -> discord.abc.GuildChannel | discord.Thread | None:
    """Return a channel or thread; archived threads are not cached, so Discord is asked for them."""
    if found := guild.get_channel_or_thread(channel_id):
        return found
    try:
        return await guild.fetch_channel(channel_id)
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return None


async def _is_in(thread: discord.Thread, member: discord.Member) -> bool:
    try:
        await thread.fetch_member(member.id)
    except (discord.NotFound, discord.Forbidden):
        return False
    return True
