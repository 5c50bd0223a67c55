"""Obstacles to using a channel: its permissions and its settings, as sentences."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import discord

from bot.interactions.permissions import (
    PLAY_PERMISSIONS,
    TAG_PERMISSIONS,
    THREAD_PERMISSIONS,
    VOICE_PERMISSIONS,
    missing,
)
from bot.sanitize import clean
from render.i18n import _

ServerChannel = discord.abc.GuildChannel | discord.Thread
"""A channel, or a thread or post in one."""

_SPEAKING = (discord.VoiceChannel, discord.StageChannel)

_WITH_POSTS = (discord.ForumChannel, discord.Thread)


def place_problems(place: ServerChannel, me: discord.Member) -> Iterator[str]:
    """Yield the reasons that no match can be played in a channel, thread or forum."""
    allowed = place.permissions_for(me)
    needed = PLAY_PERMISSIONS
    if isinstance(place, _WITH_POSTS):
        needed = {name: words for name, words in needed.items() if name != "send_messages"}
        needed |= {"send_messages_in_threads": THREAD_PERMISSIONS["send_messages_in_threads"]}
    if isinstance(place, _SPEAKING):
        needed = needed | VOICE_PERMISSIONS
    if lacking := missing_in(allowed, needed):
        sentence = _("{channel}: matches can't be played here; I need {permissions}.")
        yield sentence.format(channel=name_of(place), permissions=lacking)
    if isinstance(place, discord.Thread) and place.locked and not allowed.manage_threads:
        sentence = _("{channel}: it is locked; unlock it, or give me {permissions}.")
        words = missing(discord.Permissions.none(), TAG_PERMISSIONS)
        yield sentence.format(channel=name_of(place), permissions=words)
    everyone = _allowed_to_everyone(place)
    if everyone.view_channel and not everyone.use_application_commands:
        sentence = _("{channel}: members can't use commands here; allow {permissions}.")
        words = _("Use Application Commands")
        yield sentence.format(channel=name_of(place), permissions=words)


def thread_problem(place: ServerChannel, me: discord.Member) -> str:
    """Return the reason that matches in a channel get no threads, or an empty string."""
    if not isinstance(place, discord.TextChannel):
        return _("{channel}: matches stay here; threads are for text channels.").format(
            channel=name_of(place)
        )
    lacking = missing_in(place.permissions_for(me), THREAD_PERMISSIONS)
    line = _("{channel}: matches stay in the channel; for threads I need {permissions}.")
    return line.format(channel=name_of(place), permissions=lacking) if lacking else ""


def _allowed_to_everyone(place: ServerChannel) -> discord.Permissions:
    """Return the permissions of members without a role in a place."""
    role = place.guild.default_role
    if not isinstance(place, discord.Thread):
        return place.permissions_for(role)
    return place.parent.permissions_for(role) if place.parent else discord.Permissions.all()


def missing_in(allowed: discord.Permissions, needed: Mapping[str, str]) -> str:
    """Return the permissions that a channel lacks; for a hidden one only *View Channel*."""
    if not allowed.view_channel:
        needed = {"view_channel": PLAY_PERMISSIONS["view_channel"]}
    return missing(allowed, needed)


def name_of(place: ServerChannel) -> str:
    """Return the name of a channel as its members know it."""
    return f"#{clean(place.name)}"
