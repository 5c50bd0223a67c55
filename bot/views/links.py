"""Links to messages on Discord."""

from __future__ import annotations

from bot.services.models import Match


def link(match: Match) -> str:
    """Return a link to the match's board, or a mention of its channel."""
    if match.link is None:
        return f"<#{match.channel_id}>"
    return link_to(None if match.linked_by_dm else match.guild_id, *match.link)


def link_to(guild_id: int | None, channel_id: int, message_id: int) -> str:
    """Return Discord's link to a message; without a server it is a DM."""
    return f"https://discord.com/channels/{guild_id or '@me'}/{channel_id}/{message_id}"
