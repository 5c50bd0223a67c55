"""The settings of a server's hall, and of the role that is pinged there."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.features.halls.checks import (
    FORUM_PERMISSIONS,
    HALL_PERMISSIONS,
    MENTION_PERMISSIONS,
    mention_problem,
)
from bot.features.halls.service import HALL, HALL_ROLE, Halls, hall_of, hall_role_of
from bot.interactions.context import Context
from bot.interactions.permissions import missing, require_may_write, require_permissions
from bot.interactions.replies import Interaction, UserError
from bot.interactions.server_options import ServerOption, selected_channel, selected_id
from bot.services.servers import ServerSettings
from bot.views import ui
from bot.views.server_options import channel_list, role_list
from render.i18n import N_, _

KINDS = (discord.ChannelType.text, discord.ChannelType.forum)


def _channel_control(settings: ServerSettings) -> ui.Item:
    return channel_list(HALL, [hall_of(settings)], _("No hall"), KINDS)


def _role_control(settings: ServerSettings) -> ui.Item:
    return role_list(HALL_ROLE, hall_role_of(settings), _("No role"))


async def _choose(
    context: Context, interaction: Interaction, guild_id: GuildId, values: Sequence[str]
) -> None:
    """Make a channel the hall of a server, or switch its hall off.

    Raises:
        UserError: the channel cannot be used, or the bot lacks permissions there.
    """
    number, channel = selected_id(values), selected_channel(interaction, values)
    is_forum = isinstance(channel, discord.ForumChannel)
    is_media = isinstance(channel, discord.ForumChannel) and channel.is_media()
    if number and (is_media or not isinstance(channel, discord.TextChannel | discord.ForumChannel)):
        raise UserError(_("A hall is a text channel or a forum that I can see."))
    needed = FORUM_PERMISSIONS if is_forum else HALL_PERMISSIONS
    sentence = _("{channel} can't be the hall yet: I need {permissions} there.")
    require_permissions(channel, needed, sentence)
    require_may_write(interaction, channel)
    await context.of(Halls).choose(
        guild_id, ChannelId(number), is_forum=is_forum, now=context.clock()
    )


async def _choose_role(
    context: Context, interaction: Interaction, guild_id: GuildId, values: Sequence[str]
) -> None:
    """Choose the role that is pinged for open seats.

    Raises:
        UserError: the bot or the user may not mention it.
    """
    role_id = selected_id(values)
    _require_callable(interaction, role_id)
    await context.servers.choose(guild_id, **{HALL_ROLE: role_id})


def _require_callable(interaction: Interaction, role_id: int) -> None:
    """Check that the bot and the user can mention a role.

    Raises:
        UserError: one of them may not.
    """
    guild = interaction.guild
    role = guild.get_role(role_id) if guild and role_id else None
    if guild is None or role is None or guild.me is None or role.is_default():
        if role_id:
            raise UserError(_("I can't ping this role for open seats; choose another one."))
    elif not role.mentionable and (
        lacking := missing(guild.me.guild_permissions, MENTION_PERMISSIONS)
    ):
        sentence = _("I can't ping {role}: allow everyone to mention it, or give me {permissions}.")
        raise UserError(sentence.format(role=role.mention, permissions=lacking))
    elif problem := mention_problem(interaction.user, role):
        raise UserError(problem)


CHANNEL = ServerOption(
    HALL,
    N_("Hall, with a list of open seats and matches in progress:"),
    _channel_control,
    _choose,
    is_playable=True,
)

ROLE = ServerOption(
    HALL_ROLE,
    N_("Role to ping when a seat opens (at most hourly):"),
    _role_control,
    _choose_role,
)
