"""What keeps the bot from playing on a server: missing permissions, missing commands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

import discord

from bot.interactions.permissions import PLAY_PERMISSIONS, THREAD_PERMISSIONS, missing
from bot.text import clean
from bot.views.servers import Diagnosis
from render.i18n import _


class GuildSetup(NamedTuple):
    """A server as the bot sees it.

    Attributes:
        me: the bot as a member of it.
        channels: where matches could be played.
        wanted: names of the commands that there should be; empty if that is not known.
        registered: names of those that Discord has.
        threads: whether each match gets a thread of its own.
    """

    me: discord.Member
    channels: Sequence[discord.TextChannel]
    wanted: Collection[str]
    registered: Collection[str]
    threads: bool = True


def diagnose(setup: GuildSetup) -> Diagnosis:
    """Look at the commands, and at each channel."""
    faults = [*_commands(setup)]
    lines = faults or [_("All commands are registered.")]
    if not setup.channels:
        faults.append(_("There is no channel where matches may start."))
        lines.append(faults[-1])
    for channel in setup.channels:
        allowed = channel.permissions_for(setup.me)
        lacking = _missing(allowed, PLAY_PERMISSIONS)
        if lacking:
            fault = _("{channel}: matches can't be played here; I need {permissions}.")
            faults.append(fault)
            lines.append(fault.format(channel=_name(channel), permissions=lacking))
        elif setup.threads and (lacking := _missing(allowed, THREAD_PERMISSIONS)):
            line = _("{channel}: matches stay in the channel; for threads I need {permissions}.")
            lines.append(line.format(channel=_name(channel), permissions=lacking))
        else:
            lines.append(_("{channel}: everything works.").format(channel=_name(channel)))
    return Diagnosis(lines, not faults)


def _commands(setup: GuildSetup) -> Iterator[str]:
    if not setup.registered:
        yield _("No commands are registered with Discord; I register them when I start.")
    elif missing := sorted(set(setup.wanted) - set(setup.registered)):
        names = ", ".join(f"/{name}" for name in missing)
        yield _("These commands are not registered with Discord: {names}.").format(names=names)


def _missing(allowed: discord.Permissions, needed: Mapping[str, str]) -> str:
    """Return the permissions that a channel lacks; for a hidden one only *View Channel*."""
    if not allowed.view_channel:
        needed = {"view_channel": PLAY_PERMISSIONS["view_channel"]}
    return missing(allowed, needed)


def _name(channel: discord.TextChannel) -> str:
    return f"#{clean(channel.name)}"
