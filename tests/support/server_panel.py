"""The message of `/server`, and its check."""

from __future__ import annotations

from typing import Any

from bot.app.registry import FEATURES, server_options
from bot.features.servers.commands import panel_of
from bot.services.servers import ServerSettings
from bot.views.message import Message
from tests.support.harness import Stage, ids


def server_panel(settings: ServerSettings) -> Message:
    """Return the settings of a server, with those of all features."""
    return panel_of(server_options(FEATURES), settings)


async def check_server(stage: Stage, actor: Any, channel: Any = None) -> Any:
    """Click *Check this server*, choose a channel if one is given, and return the answer."""
    panel = await actor.slash(stage.channel, "server")
    answer = await stage.click(actor, panel.response, "doctor")
    if channel is None:
        return answer
    (custom_id,) = ids(answer.response)
    return await actor.select(answer.response, [channel], custom_id=custom_id)
