"""The settings of a server, and the check of its setup."""

from __future__ import annotations

from collections.abc import Sequence

import discord
from discord import app_commands

from bot.domain.ids import ChannelId, GuildId
from bot.features.servers import views
from bot.features.servers.diagnosis import GuildSetup, diagnose
from bot.features.servers.ids import CheckServerId
from bot.interactions.command import IN_SERVERS, CheckedCommand, command
from bot.interactions.components import component, selected_values
from bot.interactions.context import Context
from bot.interactions.permissions import (
    managed_guild_id,
)
from bot.interactions.replies import Interaction, UserError, edit_reply, reply
from bot.interactions.server_options import Finding, ServerOptions, selected_id
from bot.outbox.refusals import Refusals
from bot.services.servers import (
    ServerSettings,
)
from bot.views.custom_ids import ServerId
from bot.views.message import Message
from bot.views.server_options import SettingList
from render.i18n import N_, _

CHANNEL_LIMIT = 25
"""Maximum number of channels in one diagnosis."""


@component(ServerId)
async def _choose_server_setting(context: Context, interaction: Interaction, id: ServerId) -> None:
    """Change one of the server's settings."""
    guild_id = managed_guild_id(interaction)
    option = context.of(ServerOptions).named(id.option)
    await option.choose(context, interaction, guild_id, selected_values(interaction))
    await edit_reply(interaction, await _panel(context, interaction))


@component(CheckServerId)
async def _check(context: Context, interaction: Interaction, _id: CheckServerId) -> None:
    """Check the server, or the selected channel."""
    managed_guild_id(interaction)
    setup = await _setup(context, interaction)
    if setup is None:  # it was installed for a person, not for the server
        raise UserError(_("I'm not a member of this server; invite me first."))
    tree = interaction.client.tree
    wanted = {item.name for item in tree.get_commands()}
    registered = {item.name for item in await tree.fetch_commands()}
    setup = setup._replace(wanted=wanted, registered=registered)
    if channel_id := ChannelId(selected_id(selected_values(interaction))):
        findings = await _findings(context, setup.me, channel_id)
        setup = (await _only(setup, channel_id))._replace(findings=findings)
    left_out = len(setup.channels) - CHANNEL_LIMIT
    setup = setup._replace(channels=setup.channels[:CHANNEL_LIMIT])
    message = views.diagnosis(diagnose(setup), max(0, left_out))
    answer = edit_reply if channel_id else reply
    await answer(interaction, message)


def _server(context: Context) -> CheckedCommand:
    @command(
        name=N_("server"),
        description=N_("Choose where matches start on this server, who can play, and how"),
        offered=IN_SERVERS,
    )
    @app_commands.default_permissions(manage_guild=True)
    async def show_server(interaction: Interaction) -> None:
        managed_guild_id(interaction)
        await reply(interaction, await _panel(context, interaction))

    return show_server


async def _panel(context: Context, interaction: Interaction) -> Message:
    """Return the settings of a server with the problems that they have."""
    settings = await context.servers.settings(GuildId(interaction.guild_id or 0))
    setup = await _setup(context, interaction)
    problems = diagnose(setup).problems if setup else ()
    return panel_of(context.of(ServerOptions), settings, problems)


def panel_of(
    every: ServerOptions, settings: ServerSettings, problems: Sequence[str] = ()
) -> Message:
    """Return all settings with their current values, and the problems that they have."""
    lists = [SettingList(_(option.label), option.control(settings)) for option in every.options]
    return views.server(lists, [button() for button in every.buttons], problems)


async def _setup(context: Context, interaction: Interaction) -> GuildSetup | None:
    """Return a server as the bot sees it, without its commands; None if it is no member."""
    guild = interaction.guild
    if guild is None or guild.me is None:
        return None
    settings = await context.servers.settings(GuildId(guild.id))
    return GuildSetup(
        guild.me,
        _places(guild, settings.channels),
        wanted=(),
        registered=None,
        threads=settings.threads,
        settings=settings,
        refusal=await context.of(Refusals).latest(GuildId(guild.id), context.clock()),
        findings=await _findings(context, guild.me, None),
    )


async def _findings(
    context: Context, me: discord.Member, channel_id: ChannelId | None
) -> Sequence[Finding]:
    """Return the findings of all features."""
    doctors = context.of(ServerOptions).doctors
    return [finding for doctor in doctors for finding in await doctor(context, me, channel_id)]


async def _only(setup: GuildSetup, channel_id: ChannelId) -> GuildSetup:
    """Return a server with a single channel to check.

    Raises:
        UserError: the bot cannot see it, or it is a category.
    """
    guild = setup.me.guild
    try:
        place = guild.get_channel_or_thread(channel_id) or await guild.fetch_channel(channel_id)
    except (discord.Forbidden, discord.NotFound):
        raise UserError(_("I can't see this channel; give me View Channel there.")) from None
    if isinstance(place, discord.CategoryChannel):
        raise UserError(_("This is a category; choose one of its channels."))
    return setup._replace(channels=[place], settings=None)


def _places(guild: discord.Guild, channel_ids: Sequence[ChannelId]) -> list[discord.TextChannel]:
    """Return the channels chosen for matches; all text channels if none is chosen."""
    return [
        channel for channel in guild.text_channels if not channel_ids or channel.id in channel_ids
    ]


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""
    return [_server(context)]
