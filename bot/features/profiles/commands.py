"""`/profile`: statistics of a player's finished matches."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import ContextMenu

from bot.domain.ids import UserId
from bot.features.profiles import views
from bot.features.profiles.service import HiddenProfileError, Profiles
from bot.interactions.command import EVERYWHERE, CheckedCommand, command, menu
from bot.interactions.context import Context
from bot.interactions.invocation import Person, guild_id_of
from bot.interactions.replies import Interaction, UserError, error_boundary, reply, user_id_of
from bot.sanitize import clean_name, escape
from render import pictures
from render.charts import ProfileCard
from render.i18n import N_, _

DRAWING_TIMEOUT_SECONDS = 1.0
"""Timeout for the picture, without which a profile is then sent: a command must be answered within
3 s."""


async def show(context: Context, interaction: Interaction, person: Person) -> None:
    """Show the profile of a player, as far as this user may see it.

    Raises:
        UserError: this user may not see it.
    """
    is_self = person.id == user_id_of(interaction)
    name = clean_name(person.display_name)
    if person.bot:
        raise UserError(_("Bots have no profile."))
    is_member = isinstance(person, discord.Member)
    if interaction.guild_id is not None and not is_member and not is_self:
        raise UserError(_("{name} is not a member of this server.").format(name=escape(name)))
    try:
        profile = await context.of(Profiles).read(
            UserId(person.id), user_id_of(interaction), is_member=is_member
        )
    except HiddenProfileError as error:
        raise UserError(views.refusal(escape(name), error.audience)) from None
    preferences = (
        await context.preferences.preferences(user_id_of(interaction)) if is_self else None
    )
    has_met = not is_self and bool(profile.opponents)  # that a reader sees: only the reader
    user_id, now = UserId(person.id), context.clock()
    active = await context.preferences.active_hours(user_id, now) if has_met else None
    picture = await _picture(context, interaction, views.card(name, profile))
    await reply(interaction, views.page(name, profile, preferences, picture, active))


async def _picture(
    context: Context, interaction: Interaction, card: ProfileCard | None
) -> bytes | None:
    """Return the picture of a profile if there is something to draw, and it is drawn in time."""
    if card is None:
        return None
    style = await context.preferences.style(user_id_of(interaction), guild_id_of(interaction))
    try:
        async with asyncio.timeout(DRAWING_TIMEOUT_SECONDS):
            return await context.images.draw(partial(pictures.profile, card, style.theme))
    except TimeoutError:
        return None


def commands(context: Context) -> list[CheckedCommand]:
    """Return the commands of this feature."""

    @command(
        name=N_("profile"),
        description=N_("Your statistics from finished matches, or another player's"),
        offered=EVERYWHERE,
    )
    @app_commands.describe(player=N_("Whose profile (default: yours)"))
    async def profile(interaction: Interaction, player: discord.User | None = None) -> None:
        person: Any = player or interaction.user
        await show(context, interaction, person)

    return [profile]


def menus(context: Context) -> list[ContextMenu]:
    """Return the context menus of this feature."""

    async def profile(interaction: Interaction, person: discord.User) -> None:
        async with error_boundary(interaction):
            await show(context, interaction, person)

    return [menu(N_("Profile"), profile)]
