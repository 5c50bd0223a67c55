"""Discord's error codes and statuses."""

from __future__ import annotations

import discord

TOO_MANY_REQUESTS = 429

UNKNOWN_MEMBER = frozenset({10007, 10013})
"""Discord's codes for an unknown member and an unknown user."""

DEAD_INTERACTION_CODES = frozenset({10008, 10015, 10062, 40060, 50027})
"""Discord's codes for an interaction whose reply was deleted, that has expired or been answered."""

ARCHIVED = 50083
"""Discord's code for an archived thread."""

NOT_FOR_MESSAGES = 50008
"""Discord's code for a channel that holds no messages itself, such as a forum."""

TOO_MANY_EDITS = 30046
"""Discord's code for a message that is older than an hour and was edited too often since."""

AUTOMOD = frozenset({200000, 200001, 240000})
"""Discord's codes for a message, a title or a link that AutoMod blocks."""

HAS_THREAD = 160004
"""Discord's code for a message that has a thread already."""


def is_about_emojis(error: BaseException) -> bool:
    """Return whether Discord refuses a message because of an emoji."""
    return isinstance(error, discord.HTTPException) and "emoji" in str(error).lower()
