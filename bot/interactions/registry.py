"""All commands and component handlers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import discord
from discord import app_commands
from discord.app_commands import Command, ContextMenu, Group

from bot.features.daily import commands as daily
from bot.interactions import (
    about,
    analyses,
    boards,
    cards,
    challenges,
    computers,
    context_menus,
    continuations,
    cups,
    game_commands,
    imports,
    inbox,
    leaderboards,
    lessons,
    match_commands,
    moves,
    plans,
    preferences,
    privacy,
    profiles,
    rank_roles,
    replays,
    resume,
    rules,
    servers,
    stand_ins,
    vacation,
)
from bot.interactions.components import handlers
from bot.interactions.context import Context

FEATURES = (
    cards,
    moves,
    game_commands,
    plans,
    boards,
    inbox,
    replays,
    analyses,
    imports,
    match_commands,
    cups,
    preferences,
    rules,
    lessons,
    profiles,
    leaderboards,
    about,
    privacy,
    servers,
    vacation,
)
"""Modules that define commands, in order of registration."""

COMPONENTS_ONLY = (challenges, computers, continuations, daily, rank_roles, resume, stand_ins)
"""Modules that define handlers of components but no commands."""

HANDLERS = handlers()
"""Kind of custom_id → handler; importing the modules above has registered them."""

WITH_THE_BOT = (
    app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=False),
    app_commands.AppInstallationType(guild=True, user=False),
)
"""Default: offered where the bot is installed."""

WITH_THE_USER = (
    app_commands.AppCommandContext(guild=True, dm_channel=True, private_channel=True),
    app_commands.AppInstallationType(guild=True, user=True),
)
"""For commands with only private replies: offered everywhere."""

SERVER_COMMANDS = frozenset({"leaderboard", "cup"})
"""The commands about the members of a server."""

IN_SERVERS = (app_commands.AppCommandContext(guild=True), WITH_THE_BOT[1])
"""For commands about a server."""

MANAGER_COMMANDS = frozenset({"server", "admin"})
"""The commands for managers of a server."""

USER_COMMANDS = frozenset(
    {
        "rules",
        "howto",
        "games",
        "replay",
        "analyse",
        "import",
        "settings",
        "profile",
        "verify",
        "help",
        "about",
        "privacy",
    }
)
"""The commands that users can install for their own accounts."""


def all_context_menus(context: Context) -> Iterator[ContextMenu]:
    """Return every context menu, with the places in which Discord offers it."""
    for each in context_menus.context_menus(context):
        on_person = each.type is discord.AppCommandType.user
        each.allowed_contexts, each.allowed_installs = IN_SERVERS if on_person else WITH_THE_USER
        yield each


def all_commands(context: Context) -> Iterator[Command[Any, ..., Any] | Group]:
    """Return every command, with the places in which Discord offers it."""
    commands = [each for feature in FEATURES for each in feature.commands(context)]
    for each in commands:
        place = WITH_THE_USER if each.name in USER_COMMANDS else WITH_THE_BOT
        place = IN_SERVERS if each.name in MANAGER_COMMANDS | SERVER_COMMANDS else place
        each.allowed_contexts, each.allowed_installs = place
        yield each
