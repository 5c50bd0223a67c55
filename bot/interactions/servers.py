"""The settings of a server, and `/admin doctor`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Group

from bot.interactions.command import CheckedCommand, command
from bot.interactions.components import component, selected_values
from bot.interactions.context import Context
from bot.interactions.diagnosis import GuildSetup, diagnose
from bot.interactions.permissions import (
    FORUM_PERMISSIONS,
    HALL_PERMISSIONS,
    MENTION_PERMISSIONS,
    START_PERMISSIONS,
    mention_problem,
    missing,
)
from bot.interactions.replies import Interaction, UserError, edit_reply, reply
from bot.services.cup_rows import CupStatus
from bot.services.servers import (
    LANGUAGE_CHOICES,
    RATED_CHOICES,
    THREAD_CHOICES,
    ServerSettings,
)
from bot.services.time_controls import OFFERED_CLOCKS
from bot.views import servers
from bot.views.custom_ids import ServerId, ServerOption
from bot.views.message import Message
from render.i18n import N_, _

AnyChannel = app_commands.AppCommandChannel | app_commands.AppCommandThread
"""A channel or a thread."""


class AnyChannelOption(app_commands.Transformer):
    """Takes channels of any kind.

    discord.py would name all kinds, some of which Discord does not describe for commands.
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


def managed_guild_id(interaction: Interaction) -> int:
    """Return the ID of the server if this user may manage it.

    Raises:
        UserError: they may not, or it is no server.
    """
    if interaction.guild_id is None or not interaction.permissions.manage_guild:
        raise UserError(_("Only members who can manage this server can change that."))
    return interaction.guild_id


@component(ServerId)
async def _choose_server_setting(context: Context, interaction: Interaction, id: ServerId) -> None:
    """Change one of the server's settings."""
    guild_id = managed_guild_id(interaction)
    values = selected_values(interaction)
    if id.option == ServerOption.HALL:
        await _choose_hall(context, interaction, guild_id, values)
    elif id.option == ServerOption.DAILY:
        channel_id = _channel_for_daily(interaction, values)
        await context.daily.choose(guild_id, channel_id)
    else:
        chosen = _chosen(id.option, values)
        if id.option == ServerOption.HALL_ROLE:
            _require_callable(interaction, chosen[id.option])
        await context.servers.choose(guild_id, **chosen)
    await edit_reply(interaction, await _panel(context, interaction))


async def _choose_hall(
    context: Context, interaction: Interaction, guild_id: int, values: Sequence[str]
) -> None:
    """Make a channel the hall of a server, or switch its hall off.

    Raises:
        UserError: the channel cannot be used, or the bot lacks permissions there.
    """
    number, channel = _channel(interaction, values)
    guild = interaction.guild
    is_forum = isinstance(channel, discord.ForumChannel)
    is_media = isinstance(channel, discord.ForumChannel) and channel.is_media()
    if number and (is_media or not isinstance(channel, discord.TextChannel | discord.ForumChannel)):
        raise UserError(_("A hall is a text channel or a forum that I can see."))
    needed = FORUM_PERMISSIONS if is_forum else HALL_PERMISSIONS
    sentence = _("{channel} can't be the hall yet: I need {permissions} there.")
    _require_permissions(guild, channel, needed, sentence)
    _require_may_write(interaction, channel)
    await context.halls.choose(guild_id, number, is_forum=is_forum, now=context.clock())


def _channel_for_daily(interaction: Interaction, values: Sequence[str]) -> int:
    """Return the channel chosen for positions of the day; 0 for none.

    Raises:
        UserError: the channel cannot be used, or the bot lacks permissions there.
    """
    number, channel = _channel(interaction, values)
    if number and not isinstance(channel, discord.TextChannel):
        raise UserError(_("The position of the day needs a text channel that I can see."))
    sentence = _("{channel} can't have the position of the day yet: I need {permissions} there.")
    _require_permissions(interaction.guild, channel, START_PERMISSIONS, sentence)
    _require_may_write(interaction, channel)
    return number


def _channel(
    interaction: Interaction, values: Sequence[str]
) -> tuple[int, discord.abc.GuildChannel | None]:
    """Return the ID of the chosen channel, 0 for none, and the channel if the bot can see it."""
    number = next((int(value) for value in values if value.isdecimal()), 0)
    guild = interaction.guild
    return number, guild.get_channel(number) if guild and number else None


def _require_permissions(
    guild: discord.Guild | None,
    channel: discord.abc.GuildChannel | None,
    needed: Mapping[str, str],
    sentence: str,
) -> None:
    """Check that the bot has permissions in a channel, if one is chosen.

    Raises:
        UserError: some are missing.
    """
    if guild is None or channel is None or guild.me is None:
        return
    if lacking := missing(channel.permissions_for(guild.me), needed):
        raise UserError(sentence.format(channel=channel.mention, permissions=lacking))


def _require_may_write(interaction: Interaction, channel: discord.abc.GuildChannel | None) -> None:
    """Check that the user can write in the channel where they have the bot write.

    Raises:
        UserError: they cannot.
    """
    user = interaction.user
    if channel is None or not isinstance(user, discord.Member):
        return
    if not channel.permissions_for(user).send_messages:
        sentence = _("You can't write in {channel} yourself; choose a channel where you can.")
        raise UserError(sentence.format(channel=channel.mention))


def _require_callable(interaction: Interaction, role_id: int) -> None:
    """Check that the bot and the user can mention a role.

    Raises:
        UserError: one of them may not.
    """
    guild = interaction.guild
    role = guild.get_role(role_id) if guild and role_id else None
    if guild is None or role is None or guild.me is None or role.is_default():
        if role_id:
            raise UserError(_("This role can't be called for open seats; choose another one."))
    elif not role.mentionable and (
        lacking := missing(guild.me.guild_permissions, MENTION_PERMISSIONS)
    ):
        sentence = _("I can't call {role}: allow everyone to mention it, or give me {permissions}.")
        raise UserError(sentence.format(role=role.mention, permissions=lacking))
    elif problem := mention_problem(interaction.user, role):
        raise UserError(problem)


def _chosen(option: ServerOption, values: Sequence[str]) -> dict[str, Any]:
    """Return a setting as it is stored.

    Raises:
        UserError: there is no such value.
    """
    numbers = [int(value) for value in values if value.isdecimal()]
    first = "".join(values[:1])
    match option:
        case ServerOption.CHANNELS:
            return {option: numbers}
        case ServerOption.ROLE | ServerOption.HALL_ROLE:
            return {option: next(iter(numbers), 0)}
        case ServerOption.CLOCK if first in OFFERED_CLOCKS:
            return {option: OFFERED_CLOCKS[first]}
        case ServerOption.THREADS if first in THREAD_CHOICES:
            return {option: first}
        case ServerOption.RATED if first in RATED_CHOICES:
            return {option: first}
        case ServerOption.LANGUAGE if first in LANGUAGE_CHOICES:
            return {option: first}
    raise UserError(_("This list no longer works; `/server` opens a new one."))


def _server(context: Context) -> CheckedCommand:
    @command(
        name=N_("server"),
        description=N_("Choose where matches start on this server, who can play, and how"),
    )
    @app_commands.default_permissions(manage_guild=True)
    async def show_server(interaction: Interaction) -> None:
        managed_guild_id(interaction)
        await reply(interaction, await _panel(context, interaction))

    return show_server


def _admin(context: Context) -> Group:
    group = Group(
        name=N_("admin"),
        description=N_("Tools for those who manage this server"),
        default_permissions=discord.Permissions(manage_guild=True),
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
        wanted = {each.name for each in tree.get_commands()}
        registered = {each.name for each in await tree.fetch_commands()}
        setup = setup._replace(wanted=wanted, registered=registered)
        if channel:
            setup = await _only(setup, channel)
        left_out = len(setup.channels) - CHANNEL_LIMIT
        setup = setup._replace(channels=setup.channels[:CHANNEL_LIMIT])
        await reply(interaction, servers.diagnosis(diagnose(setup), max(0, left_out)))

    group.add_command(doctor)
    return group


async def _panel(context: Context, interaction: Interaction) -> Message:
    """Return the settings of a server with the problems that they have."""
    chosen = await context.servers.settings(interaction.guild_id or 0)
    setup = await _setup(context, interaction)
    return servers.server(chosen, diagnose(setup).problems if setup else ())


async def _setup(context: Context, interaction: Interaction) -> GuildSetup | None:
    """Return a server as the bot sees it, without its commands; None if it is no member."""
    guild = interaction.guild
    if guild is None or guild.me is None:
        return None
    chosen = await context.servers.settings(guild.id)
    ranks = await context.rank_roles.of_server(guild.id)
    cups = await context.cups.of_server(guild.id)
    return GuildSetup(
        guild.me,
        _places(guild, chosen.channels),
        wanted=(),
        registered=None,
        threads=chosen.threads,
        settings=chosen,
        ranks=[each.role_id for each in ranks],
        cups=[cup for cup in cups if cup.status in (CupStatus.SIGN_UP, CupStatus.RUNNING)],
        refusal=await context.refusals.latest(guild.id, context.clock()),
    )


async def _only(setup: GuildSetup, channel: AnyChannel) -> GuildSetup:
    """Return a server of which only one channel is checked, also as its hall.

    Raises:
        UserError: the bot cannot see it, or it is a category.
    """
    try:
        place = channel.resolve() or await channel.fetch()
    except (discord.Forbidden, discord.NotFound):
        raise UserError(_("I can't see this channel; give me View Channel there.")) from None
    if isinstance(place, discord.CategoryChannel):
        raise UserError(_("This is a category; choose one of its channels."))
    settings = setup.settings or ServerSettings()
    hall = settings.hall if settings.hall == channel.id else 0
    checked = ServerSettings(hall=hall, hall_role=settings.hall_role if hall else 0)
    return setup._replace(channels=[place], settings=checked, ranks=(), cups=())


def _places(guild: discord.Guild, chosen: Sequence[int]) -> list[discord.TextChannel]:
    """Return the channels chosen for matches; all text channels if none is chosen."""
    return [each for each in guild.text_channels if not chosen or each.id in chosen]


def commands(context: Context) -> list[CheckedCommand | Group]:
    """Return the commands of this feature."""
    return [_server(context), _admin(context)]
