"""Links to messages on Discord."""

from __future__ import annotations

from bot.domain.models import Match


def link(match: Match) -> str:
    """Return a link to the match's board, or a mention of its channel."""
    if match.link is None:
        return f"<#{match.channel_id}>"
    return link_to(None if match.linked_by_dm else match.guild_id, *match.link)


def url_of(match: Match, other: tuple[int, int] | None = None) -> str:
    """Return a link for a button: to the board, else to another message, else to the channel.

    Args:
        match: the match as its reader sees it.
        other: channel and message, such as those of its challenge.
    """
    guild_id = None if match.linked_by_dm else match.guild_id
    return link_to(guild_id, *(match.link or other or (match.channel_id,)))


def link_to(guild_id: int | None, *place: int) -> str:
    """Return Discord's link to a channel, or a message in it; without a server it is a DM."""
    return "/".join(("https://discord.com/channels", f"{guild_id or '@me'}", *map(str, place)))
