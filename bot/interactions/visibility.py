"""Visibility: members of a server may see content of the channels they can see."""

from __future__ import annotations

from typing import Protocol

import discord

from bot.domain.ids import GuildId, MatchId
from bot.domain.models import Match, MatchStatus, Perspective
from bot.guilds import can_see
from bot.interactions.context import Context
from bot.interactions.replies import SUBJECT, Interaction, UserError, user_id_of
from bot.services.match_repository import NoMatchError
from render.i18n import _


class Located(Protocol):
    """An object with a channel of a server: a match, or an object of a feature."""

    @property
    def guild_id(self) -> GuildId | None:
        """Return the ID of the server; None in a DM."""

    @property
    def channel_id(self) -> int:
        """Return the ID of the channel or thread."""


async def visible_match(context: Context, interaction: Interaction, match_id: MatchId) -> Match:
    """Return a match that this user plays, or whose channel this user can see.

    Raises:
        NoMatchError: there is no such match for this user.
    """
    match = await context.queries.match(match_id)
    if not match.seat_of(user_id_of(interaction)) and not await sees_channel(interaction, match):
        raise NoMatchError(match_id)
    return match


async def visible_perspective(
    context: Context, interaction: Interaction, match_id: MatchId
) -> Perspective:
    """Return a match as this user may see it.

    Raises:
        NoMatchError: there is no such match for this user, or it has not begun.
    """
    await visible_match(context, interaction, match_id)
    return await context.queries.view(match_id, user_id_of(interaction))


async def sees_channel(interaction: Interaction, located: Located) -> bool:
    """Return whether a user can see the channel of something, by Discord's permissions."""
    guild, member = interaction.guild, interaction.user
    if guild is None or guild.id != located.guild_id or not isinstance(member, discord.Member):
        return False
    if interaction.channel_id == located.channel_id:
        return True
    try:
        channel = guild.get_channel_or_thread(located.channel_id)
        channel = channel or await guild.fetch_channel(located.channel_id)  # an archived thread
        return await can_see(guild, channel, member)
    except (discord.NotFound, discord.Forbidden, discord.InvalidData):
        return False


async def require_finished(context: Context, interaction: Interaction, match_id: MatchId) -> None:
    """Check that a match is finished and visible to this user.

    Replies about it become outdated no more, so they stay beside each other.

    Raises:
        UserError: it is not finished.
        NoMatchError: there is no such match for this user.
    """
    match = await visible_match(context, interaction, match_id)
    if match.status != MatchStatus.FINISHED:
        raise UserError(_("This match isn't over yet; `/board` shows the current position."))
    interaction.extras.pop(SUBJECT, None)
