"""`/about`, `/privacy`, `/server`, `/admin doctor` and `/vacation`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import discord
from discord.app_commands import Command, Group, Range

from bot.interactions.command import Interaction, Option, command
from bot.interactions.context import Context
from bot.interactions.diagnosis import Scene, examine
from bot.interactions.people import may_manage
from bot.interactions.replies import UnclearError, whisper
from bot.services.clocks import DAY
from bot.services.vacation import ALLOWANCE_DAYS, TooLongError
from bot.views import about, privacy, servers, vacation
from bot.views.message import note
from render.i18n import _, later

MOST = 25
"""So many channels are told of in one answer."""


def people_commands(context: Context) -> list[Command[Any, ..., Any] | Group]:
    """All of them."""
    return [_about(context), _privacy(), _server(context), _admin(context), _vacation(context)]


def _about(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await whisper(interaction, about.about(context.contact))

    meaning = later("Who I am, whose the games are, where to report a problem")
    return command(later("about"), meaning, run)


def _privacy() -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        await whisper(interaction, privacy.privacy())

    return command(later("privacy"), later("What I store about you; export or delete it"), run)


def _server(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction) -> None:
        chosen = await context.servers.settings(may_manage(interaction))
        await whisper(interaction, servers.server(chosen))

    meaning = later("Where matches begin on this server, who may play, and how")
    made = command(later("server"), meaning, run)
    made.default_permissions = discord.Permissions(manage_guild=True)
    return made


def _admin(context: Context) -> Group:
    async def run(interaction: Interaction, channel: discord.TextChannel | None = None) -> None:
        may_manage(interaction)
        guild = interaction.guild
        if guild is None or guild.me is None:  # it was installed for a person, not for the server
            raise UnclearError(_("I am not a member of this server; invite me first."))
        chosen = await context.servers.settings(guild.id)
        places = [channel] if channel else _places(guild, chosen.channels)
        wanted = {each.name for each in interaction.client.tree.get_commands()}
        registered = {each.name for each in await interaction.client.tree.fetch_commands()}
        scene = Scene(guild.me, places[:MOST], wanted, registered, chosen.threads)
        await whisper(interaction, servers.diagnosis(examine(scene), len(places[MOST:])))

    group = Group(
        name=later("admin"),
        description=later("For those who manage this server"),
        default_permissions=discord.Permissions(manage_guild=True),
    )
    only = Option(
        later("channel"),
        later("Only this one; without it all in which matches may begin"),
        discord.TextChannel,
    )
    meaning = later("Why something does not work here")
    group.add_command(command(later("doctor"), meaning, run, [only]))
    return group


def _places(guild: discord.Guild, chosen: Sequence[int]) -> list[discord.TextChannel]:
    """The channels that were chosen for matches; if none was, all that people write in."""
    return [each for each in guild.text_channels if not chosen or each.id in chosen]


def _vacation(context: Context) -> Command[Any, ..., Any]:
    async def run(interaction: Interaction, days: int | None = None) -> None:
        user_id = interaction.user.id
        if days is None:
            await whisper(interaction, vacation.vacation(await context.vacations.leave(user_id)))
            return
        if days:
            try:
                leave = await context.vacations.begin(user_id, context.clock() + days * DAY)
            except TooLongError as error:
                raise UnclearError(vacation.too_long(error.days)) from None
            answer = vacation.vacation(leave)
        elif await context.vacations.end(user_id):
            answer = note(_("Welcome back; your clocks go on."))
        else:
            raise UnclearError(_("You are not away; nothing has changed."))
        await whisper(interaction, answer)

    about = later("How many; 0 when you are back; without it I tell how many you have left")
    days = Option(later("days"), about, Range[int, 0, ALLOWANCE_DAYS])
    meaning = later("Be away: your clocks stand still, the others see it")
    return command(later("vacation"), meaning, run, [days])
