"""Find obstacles to matches on a server: missing permissions, settings, missing commands."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

import discord

from bot.discord_errors import AUTOMOD
from bot.features.servers.views import Diagnosis
from bot.interactions.channel_checks import (
    ServerChannel,
    name_of,
    place_problems,
    thread_problem,
)
from bot.interactions.server_options import Finding
from bot.outbox.refusals import Refusal
from bot.services.servers import ServerSettings
from render.i18n import _, format_list, ngettext

MAX_ACTIVE_THREADS = 1000
"""Maximum number of active threads of a server, by Discord."""


class GuildSetup(NamedTuple):
    """A server as the bot sees it.

    Attributes:
        me: the bot as a member of it.
        channels: channels where matches could be played.
        wanted: names of the commands that should be registered; empty if unknown.
        registered: names of the commands that Discord has; None to skip this check.
        threads: whether each match gets its own thread.
        settings: the server's settings, to check channels and roles in them; None to skip this.
        refusal: the last message that Discord refused here.
    """

    me: discord.Member
    channels: Sequence[ServerChannel]
    wanted: Collection[str]
    registered: Collection[str] | None
    threads: bool = True
    settings: ServerSettings | None = None
    refusal: Refusal | None = None
    findings: Sequence[Finding] = ()


def diagnose(setup: GuildSetup) -> Diagnosis:
    """Check the commands, each channel, and the channels and roles in the server's settings."""
    findings = [*_commands(setup), *_server(setup), *_channels(setup)]
    if setup.settings:
        findings += _chosen(setup.me, setup.settings)
    findings += setup.findings
    return Diagnosis(
        [finding.text for finding in findings],
        healthy=not any(finding.fatal for finding in findings),
        problems=tuple(finding.text for finding in findings if finding.problem),
    )


def _commands(setup: GuildSetup) -> Iterator[Finding]:
    if setup.registered is None:
        return
    if not setup.registered:
        text = _("No commands are registered with Discord; I register them when I start.")
        yield Finding(text, fatal=True)
    elif lacking := sorted(set(setup.wanted) - set(setup.registered)):
        names = format_list([f"/{name}" for name in lacking])
        text = _("These commands are not registered with Discord: {names}.").format(names=names)
        yield Finding(text, fatal=True)
    else:
        yield Finding(_("All commands are registered."), problem=False)


def _server(setup: GuildSetup) -> Iterator[Finding]:
    """Yield problems of the whole server."""
    me = setup.me
    if me.is_timed_out():
        yield Finding(_("I'm timed out on this server, so I can't post; end that."), fatal=True)
    if len(me.guild.threads) >= MAX_ACTIVE_THREADS:
        count = len(me.guild.threads)
        text = ngettext(
            "This server has {count} active thread, as many as Discord allows, so matches stay in"
            " their channels; close some.",
            "This server has {count} active threads, as many as Discord allows, so matches stay in"
            " their channels; close some.",
            count,
        )
        yield Finding(text.format(count=count))
    if setup.refusal is not None:
        yield Finding(_refused(me, setup.refusal))


def _refused(me: discord.Member, refusal: Refusal) -> str:
    """Return a sentence about a message that Discord refused."""
    place = me.guild.get_channel_or_thread(refusal.channel_id)
    name = _("a channel that I can't see") if place is None else name_of(place)
    text = _(
        "In the last week, Discord refused a message of mine in {channel} (code {code}); please "
        "tell my host."
    )
    if refusal.code in AUTOMOD:
        text = _(
            "In the last week, AutoMod blocked a message of mine in {channel}; in the server's "
            "settings, let its rules ignore my role, or this channel."
        )
    return text.format(channel=name, code=refusal.code)


def _channels(setup: GuildSetup) -> Iterator[Finding]:
    """Yield the problems of each channel, or that everything works."""
    if not setup.channels:
        yield Finding(_("There is no channel where matches may start."), fatal=True)
    for channel in setup.channels:
        problems = [Finding(text, fatal=True) for text in place_problems(channel, setup.me)]
        thread = thread_problem(channel, setup.me) if setup.threads and not problems else ""
        works = _("{channel}: everything works.").format(channel=name_of(channel))
        is_text = isinstance(channel, discord.TextChannel)
        yield from problems or [Finding(thread or works, problem=bool(thread) and is_text)]


def _chosen(me: discord.Member, settings: ServerSettings) -> Iterator[Finding]:
    """Yield the problems of the channels and roles that the server has chosen."""
    deleted = sum(me.guild.get_channel(channel_id) is None for channel_id in settings.channels)
    if deleted:
        text = ngettext(
            "{count} of the channels where matches may start was deleted; choose again with"
            " `/server`.",
            "{count} of the channels where matches may start were deleted; choose again with"
            " `/server`.",
            deleted,
        )
        yield Finding(text.format(count=deleted))
    if settings.role and me.guild.get_role(settings.role) is None:
        text = _(
            "The role of those who can play was deleted, so no one can; choose another one with"
            " `/server`."
        )
        yield Finding(text, fatal=True)
