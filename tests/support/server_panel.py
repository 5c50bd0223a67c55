"""The message of `/server`."""

from __future__ import annotations

from bot.app.registry import FEATURES, server_options
from bot.features.servers.commands import panel_of
from bot.services.servers import ServerSettings
from bot.views.message import Message


def server_panel(settings: ServerSettings) -> Message:
    """Return the settings of a server, with those of all features."""
    return panel_of(server_options(FEATURES), settings)
