"""Notes that are added to a message when a match continues in another place."""

from __future__ import annotations

from bot.domain.models import Match, MatchStatus
from bot.views import ui
from bot.views.message import Message
from render.i18n import _, format_list, titled


def stranded(message: Message, match: Match, *, by_dm: bool) -> Message:
    """Add a note that the match continues here because its place is closed; mention all players.

    Args:
        message: the board, or another message about the match.
        by_dm: whether the message goes to one player, without a mention.
    """
    if match.status == MatchStatus.CHALLENGE:
        return _add(message, unposted(match))
    sentence = _(
        "I can no longer post where this match was played, so it continues here. To move it, type "
        "`/board` in another channel, then *Match…*, *Move here*."
    )
    return _add(message, sentence) if by_dm else _call(message, match, sentence)


def unposted(match: Match) -> str:
    """Return the sentence for a challenger whose challenge could not be posted."""
    words = _(
        "I couldn't post this challenge in {channel}, so please tell the other players: "
        "`/games` lets them answer it."
    )
    return words.format(channel=f"<#{match.channel_id}>")


def moved(message: Message, match: Match) -> Message:
    """Add a note that the match continues here from now on; mention all players."""
    return _call(message, match, _("From now on, this match continues here."))


def left_behind(message: Message, link: str) -> Message:
    """Add the place where the match continues to a former board.

    Args:
        link: link to the new board; empty if each player has one by DM.
    """
    if link:
        return _add(message, _("This match continues [here]({link}).").format(link=link))
    return _add(message, _("I can no longer post here, so this match continues in your DMs."))


def _call(message: Message, match: Match, sentence: str) -> Message:
    users = tuple(player.user_id for player in match.people.values())
    players = format_list([f"<@{user_id}>" for user_id in users])
    pings = tuple(dict.fromkeys((*message.pings, *users)))
    return _add(message, titled(players, sentence))._replace(pings=pings)


def _add(message: Message, sentence: str) -> Message:
    message.layout.add_item(ui.TextDisplay(f"-# {sentence}"))
    return message
