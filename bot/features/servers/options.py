"""The settings of servers, without other features' settings.

A new one is a field of `ServerSettings` with its line in `ServerSettings.of`
(`bot/services/servers.py`) and an entry of `OPTIONS`. A feature has its own in a file
`server_options.py`, and registers it in its `Feature`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import discord

from bot.domain.clocks import OFFERED_CLOCKS
from bot.domain.ids import GuildId
from bot.domain.models import Switch
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, UserError
from bot.interactions.server_options import LIST_GONE, ServerOption, selected_id
from bot.services.servers import (
    LANGUAGE_CHOICES,
    ORIENTATION_CHOICES,
    RATED_CHOICES,
    THREAD_CHOICES,
    ServerSettings,
)
from bot.views.server_options import channel_list, clock_list, role_list, word_list
from render.i18n import N_, _

MAX_CHANNELS = 25
"""Maximum number of channels where matches may start."""

TEXT_CHANNELS = (discord.ChannelType.text, discord.ChannelType.news)


async def _choose_channels(
    context: Context, _interaction: Interaction, guild_id: GuildId, values: Sequence[str]
) -> None:
    """Choose the channels where matches may start."""
    channels = [int(value) for value in values if value.isdecimal()]
    await context.servers.choose(guild_id, channels=channels)


async def _choose_role(
    context: Context, _interaction: Interaction, guild_id: GuildId, values: Sequence[str]
) -> None:
    """Choose the role of those who can play."""
    await context.servers.choose(guild_id, role=selected_id(values))


def _words_option(
    name: str, label: str, values: Mapping[str, str], current: Callable[[ServerSettings], str]
) -> ServerOption:
    """Return a setting that is one of a few values.

    Args:
        label: the sentence above its list.
        values: value → words.
        current: returns the current value.
    """

    async def choose(
        context: Context, _interaction: Interaction, guild_id: GuildId, selected: Sequence[str]
    ) -> None:
        value = "".join(selected[:1])
        if value not in values:
            raise UserError(_(LIST_GONE))
        await context.servers.choose(guild_id, **{name: value})

    return ServerOption(
        name, label, lambda settings: word_list(name, values, current(settings)), choose
    )


async def _choose_clock(
    context: Context, _interaction: Interaction, guild_id: GuildId, values: Sequence[str]
) -> None:
    """Choose the default clock of matches.

    Raises:
        UserError: it is not offered.
    """
    clock = OFFERED_CLOCKS.get("".join(values[:1]))
    if clock is None:
        raise UserError(_(LIST_GONE))
    await context.servers.choose(guild_id, clock=clock)


def _switch(on: object) -> Switch:
    return Switch.ON if on else Switch.OFF


OPTIONS = (
    ServerOption(
        "channels",
        N_("Matches may start in:"),
        lambda settings: channel_list(
            "channels", settings.channels, _("Every channel"), TEXT_CHANNELS, most=MAX_CHANNELS
        ),
        _choose_channels,
    ),
    ServerOption(
        "role",
        N_("Who can play:"),
        lambda settings: role_list("role", settings.role, _("Everyone")),
        _choose_role,
    ),
    ServerOption(
        "clock",
        N_("Default clock:"),
        lambda settings: clock_list("clock", settings.clock),
        _choose_clock,
    ),
    _words_option(
        "rated",
        N_("New challenges are:"),
        RATED_CHOICES,
        lambda settings: _switch(settings.rated),
    ),
    _words_option(
        "threads",
        N_("Matches are played:"),
        THREAD_CHOICES,
        lambda settings: _switch(settings.threads),
    ),
    _words_option(
        "language",
        N_("Language of public messages:"),
        LANGUAGE_CHOICES,
        lambda settings: settings.language,
    ),
    _words_option(
        "orientation",
        N_("Orientation of public boards:"),
        ORIENTATION_CHOICES,
        lambda settings: settings.orientation,
    ),
)
"""The settings of servers, without features' settings."""
