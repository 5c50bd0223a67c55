"""The links that install the bot, with the permissions it needs and no others."""

from __future__ import annotations

import base64

import discord

from bot.app.settings import SettingsError
from bot.interactions.permissions import PLAY_PERMISSIONS, THREAD_PERMISSIONS

SERVER_SCOPES, USER_SCOPES = ("bot", "applications.commands"), ("applications.commands",)
"""The parts of Discord that an installation for a server or for a user gives the bot."""

USER_INSTALL = 1
"""Discord's number of an installation for a user."""

PERMISSIONS = (*PLAY_PERMISSIONS, *THREAD_PERMISSIONS)
"""By discord.py's names."""


def application_id(token: str) -> int:
    """Return the application that a token belongs to: its first part is the id in base64.

    Raises:
        SettingsError: this is no bot's token; the text does not repeat it.
    """
    match token.split("."):
        case [first, _, _]:
            number = _decoded(first)
        case _:
            number = ""
    if not number.isdecimal():
        raise SettingsError("DISCORD_TOKEN is not a bot token: copy it from the portal again.")
    return int(number)


def _decoded(part: str) -> str:
    try:
        return base64.urlsafe_b64decode(part + "=" * (-len(part) % 4)).decode("ascii")
    except ValueError:
        return ""


def permissions() -> discord.Permissions:
    """Return the permissions that the bot needs on a server."""
    return discord.Permissions(**dict.fromkeys(PERMISSIONS, True))


def link(application: int) -> str:
    """Return the URL where the host chooses a server for the bot.

    Args:
        application: ID of the application.
    """
    return discord.utils.oauth_url(application, permissions=permissions(), scopes=SERVER_SCOPES)


def user_link(application: int) -> str:
    """Return the URL where users install the bot for themselves, for use on every server.

    Args:
        application: ID of the application.
    """
    address = discord.utils.oauth_url(application, scopes=USER_SCOPES)
    return f"{address}&integration_type={USER_INSTALL}"
