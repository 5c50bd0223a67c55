"""Settings of servers: their menus and changes in `/server`, and checks of the setup."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import NamedTuple

import discord

from bot.domain.ids import ChannelId, GuildId
from bot.interactions.context import Context
from bot.interactions.replies import Interaction, UserError
from bot.services.servers import ServerSettings
from bot.views import ui
from render.i18n import N_, _

LIST_GONE = N_("This list no longer works; `/server` opens a new one.")


class Finding(NamedTuple):
    """A sentence of *Check this server*.

    Attributes:
        text: the sentence.
        problem: whether it names a problem.
        fatal: whether no match can be played because of it.
    """

    text: str
    problem: bool = True
    fatal: bool = False


class ServerOption(NamedTuple):
    """A setting of a server.

    Attributes:
        name: name in the custom_id of its menu, and in the stored settings.
        label: the sentence above its list.
        control: returns its list, with the current value.
        choose: checks the values selected on a server, and stores them; raises UserError.
        is_playable: whether it names a channel where matches may start, whichever the server has
            chosen for them.
    """

    name: str
    label: str
    control: Callable[[ServerSettings], ui.Item]
    choose: Callable[[Context, Interaction, GuildId, Sequence[str]], Awaitable[None]]
    is_playable: bool = False


Doctor = Callable[[Context, discord.Member, ChannelId | None], Awaitable[Sequence[Finding]]]
"""Checks a server for the bot as its member: all of it (None), or what concerns a channel ID."""


class ServerOptions(NamedTuple):
    """All settings of servers, in the order of `/server`, with features' settings."""

    options: Sequence[ServerOption]
    buttons: Sequence[Callable[[], ui.Button]]
    doctors: Sequence[Doctor]

    def playable(self, settings: ServerSettings) -> set[int]:
        """Return the channels where matches may start, besides those chosen for them."""
        names = [option.name for option in self.options if option.is_playable]
        return {settings.stored[name] for name in names if name in settings.stored}

    def named(self, name: str) -> ServerOption:
        """Return a setting by its name.

        Raises:
            UserError: there is none.
        """
        for option in self.options:
            if option.name == name:
                return option
        raise UserError(_(LIST_GONE))


def selected_id(values: Sequence[str]) -> int:
    """Return the ID of the selected channel or role; 0 for none."""
    return next((int(value) for value in values if value.isdecimal()), 0)


def selected_channel(
    interaction: Interaction, values: Sequence[str]
) -> discord.abc.GuildChannel | None:
    """Return the selected channel; None if there is none, or the bot cannot see it."""
    number, guild = selected_id(values), interaction.guild
    return guild.get_channel(number) if guild and number else None
