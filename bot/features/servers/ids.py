"""The custom_ids of the settings of servers."""

from __future__ import annotations

from bot.views.custom_id_codec import CustomId


class CheckServerId(CustomId, prefix="doctor"):
    """Check the bot's setup on a server, or in the channel selected in a list."""
