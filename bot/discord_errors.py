"""Discord's errors and error codes that more than one package uses."""

from __future__ import annotations

import discord


def is_about_emojis(error: BaseException) -> bool:
    """Return whether Discord refuses a message because of an emoji."""
    return isinstance(error, discord.HTTPException) and "emoji" in str(error).lower()
