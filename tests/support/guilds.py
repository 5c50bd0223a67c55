"""Servers, channels and forums as discord.py has them, with what the bot and members may do."""

from __future__ import annotations

from typing import Any
from unittest.mock import Mock

import discord

from bot.features.halls.views import tag_names

ME = 99
"""ID of the bot."""

EVERYTHING = discord.Permissions.all()


def without(*names: str) -> discord.Permissions:
    allowed = discord.Permissions.all()
    allowed.update(**dict.fromkeys(names, False))
    return allowed


def channel(
    kind: type[Any] = discord.TextChannel,
    *,
    bot: discord.Permissions = EVERYTHING,
    members: discord.Permissions = EVERYTHING,
    parent: Any = None,
    **attributes: Any,
) -> Any:
    """A channel in which the bot and the members may do some things."""
    place = Mock(spec=kind, **attributes)
    place.name, place.guild = "games", Mock(spec=discord.Guild)
    if kind is discord.Thread:
        place.parent = parent
    place.permissions_for.side_effect = lambda target: bot if target is _ME else members
    return place


def me(place: Any = None, role: Any = None) -> Any:
    """The bot, on a server with this hall and its role."""
    _ME.guild.get_channel.side_effect = lambda _number: place
    _ME.guild.get_channel_or_thread.side_effect = lambda _number: place
    _ME.guild.get_role.side_effect = lambda _number: role
    return _ME


_ME = Mock(spec=discord.Member, id=ME, guild=Mock(spec=discord.Guild))


def tag(name: str, *, moderated: bool = False) -> Any:
    about = Mock(spec=discord.ForumTag, moderated=moderated)
    about.name = name
    return about


def forum(
    *,
    bot: discord.Permissions = EVERYTHING,
    tags: Any = None,
    required: bool = False,
    posts: Any = (),
    media: bool = False,
) -> Any:
    flags = discord.ChannelFlags(require_tag=required)
    names = [tag(name) for name in tag_names()] if tags is None else tags
    place = channel(discord.ForumChannel, bot=bot, available_tags=names, flags=flags)
    place.threads = list(posts)
    place.is_media.return_value = media
    return place
