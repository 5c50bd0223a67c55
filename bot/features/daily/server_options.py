"""The setting of the channel with the position of the day, and its check."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.features.daily.service import OPTION, DailyPositions, channel_of
from bot.interactions.channel_checks import name_of
from bot.interactions.context import Context
from bot.interactions.permissions import (
    START_PERMISSIONS,
    missing,
    require_may_write,
    require_permissions,
)
from bot.interactions.replies import Interaction, UserError
from bot.interactions.server_options import (
    Finding,
    ServerOption,
    selected_channel,
    selected_id,
)
from bot.services.servers import ServerSettings
from bot.views import ui
from bot.views.server_options import channel_list
from render.i18n import N_, _

KINDS = (discord.ChannelType.text, discord.ChannelType.news)


def _control(settings: ServerSettings) -> ui.Item:
    return channel_list(OPTION, [channel_of(settings)], _("No channel"), KINDS)


async def _choose(
    context: Context, interaction: Interaction, guild_id: GuildId, values: Sequence[str]
) -> None:
    """Choose the channel, or switch positions of the day off.

    Raises:
        UserError: the channel cannot be used, or the bot lacks permissions there.
    """
    number, channel = selected_id(values), selected_channel(interaction, values)
    if number and not isinstance(channel, discord.TextChannel):
        raise UserError(_("The position of the day needs a text channel that I can see."))
    sentence = _("{channel} can't have the position of the day yet: I need {permissions} there.")
    require_permissions(channel, START_PERMISSIONS, sentence)
    require_may_write(interaction, channel)
    await context.of(DailyPositions).choose(guild_id, ChannelId(number))


CHANNEL = ServerOption(
    OPTION,
    N_("Position of the day, a puzzle that members answer in private:"),
    _control,
    _choose,
)


async def check_channel(
    context: Context, me: discord.Member, channel_id: ChannelId | None
) -> Sequence[Finding]:
    """Check the channel with the position of the day."""
    chosen_id = channel_of(await context.servers.settings(GuildId(me.guild.id)))
    if not chosen_id or channel_id is not None:
        return ()
    problem, channel = channel_problem(me, chosen_id), me.guild.get_channel(chosen_id)
    works = _("{channel}: the position of the day works.")
    works = works.format(channel=name_of(channel) if channel else "")
    return [Finding(problem or works, problem=bool(problem))]


def channel_problem(me: discord.Member, channel_id: ChannelId) -> str:
    """Return the problem of positions of the day; empty if they work."""
    channel = me.guild.get_channel(channel_id)
    if not isinstance(channel, discord.TextChannel):
        return _(
            "The channel of the position of the day was deleted, or I can't see it; choose another"
            " one with `/server`."
        )
    sentence = _("{channel}: there is no position of the day; I need {permissions}.")
    lacking = missing(channel.permissions_for(me), START_PERMISSIONS)
    return sentence.format(channel=name_of(channel), permissions=lacking) if lacking else ""
