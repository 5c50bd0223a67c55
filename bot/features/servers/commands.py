"""The settings of a server, and `/admin doctor`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Group

from bot.domain.ids import ChannelId, GuildId
from bot.features.servers import views
from bot.features.servers.diagnosis import GuildSetup, diagnose
from bot.interactions.command import IN_SERVERS, CheckedCommand, command, group
from bot.interactions.components import component, selected_values
from bot.interactions.context import Context
from bot.interactions.permissions import (
    managed_guild_id,
)
from bot.interactions.replies import Interaction, UserError, edit_reply, reply
from bot.interactions.server_options import (
    Finding,
    ServerOptions,
)
from bot.outbox.refusals import Refusals
from bot.services.servers import (
    ServerSettings,
)
from bot.views.custom_ids import ServerId
from bot.views.message import Message
from bot.views.server_options import SettingList
from render.i18n import N_, _

AnyChannel = app_commands.AppCommandChannel | app_commands.AppCommandThread
"""A channel or a thread."""


class AnyChannelOption(app_commands.Transformer):
    """Takes channels of any kind.

    discord.py would name all kinds, even those that Discord does not document for commands.
    """

    @property
    def type(self) -> discord.AppCommandOptionType:
        """Return the type of the option."""
        return discord.AppCommandOptionType.channel

    async def transform(self, _interaction: Any, value: AnyChannel, /) -> AnyChannel:
        """Return the channel as it is."""
        return value


CHANNEL_LIMIT = 25
"""Maximum number of channels in one diagnosis."""


@component(ServerId)
async def _choose_server_setting(context: Context, interaction: Interaction, id: ServerId) -> None:
    """Change one of the server's settings."""
    guild_id = managed_guild_id(interaction)
    option = context.of(ServerOptions).named(id.option)
    await option.choose(context, interaction, guild_id, selected_values(interaction))
    await edit_reply(interaction, await _panel(context, interaction))


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


def _admin(context: Context) -> Group:
    admin = group(
        N_("admin"),
        N_("Tools for those who manage this server"),
        IN_SERVERS,
        discord.Permissions(manage_guild=True),
    )

    @command(name=N_("doctor"), description=N_("Find out why something doesn't work here"))
    @app_commands.describe(
        channel=N_("Check only this channel (default: all where matches may start)")
    )
    async def doctor(
        interaction: Interaction,
        channel: app_commands.Transform[AnyChannel, AnyChannelOption] | None = None,
    ) -> None:
        managed_guild_id(interaction)
        setup = await _setup(context, interaction)
        if setup is None:  # it was installed for a person, not for the server
            raise UserError(_("I'm not a member of this server; invite me first."))
        tree = interaction.client.tree
        wanted = {item.name for item in tree.get_commands()}
        registered = {item.name for item in await tree.fetch_commands()}
        setup = setup._replace(wanted=wanted, registered=registered)
        if channel:
            findings = await _findings(context, setup.me, ChannelId(channel.id))
            setup = (await _only(setup, channel))._replace(findings=findings)
        left_out = len(setup.channels) - CHANNEL_LIMIT
        setup = setup._replace(channels=setup.channels[:CHANNEL_LIMIT])
        await reply(interaction, views.diagnosis(diagnose(setup), max(0, left_out)))

    admin.add_command(doctor)
    return admin


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


async def _only(setup: GuildSetup, channel: AnyChannel) -> GuildSetup:
    """Return a server with a single channel to check.

    Raises:
        UserError: the bot cannot see it, or it is a category.
    """
    try:
        place = channel.resolve() or await channel.fetch()
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


def commands(context: Context) -> list[CheckedCommand | Group]:
    """Return the commands of this feature."""
    return [_server(context), _admin(context)]
