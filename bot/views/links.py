"""Links to messages on Discord, and to rules."""

from __future__ import annotations

from bot.domain.ids import GuildId
from bot.domain.models import Match
from bot.rulebook.book import game_of
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import PageTarget, RulesId
from render.i18n import _


def link(match: Match) -> str:
    """Return a link to the match's board, or a mention of its channel."""
    if match.link is None:
        return f"<#{match.channel_id}>"
    return link_to(None if match.linked_by_dm else match.guild_id, *match.link)


def url_of(match: Match, other: tuple[int, int] | None = None) -> str:
    """Return a link for a button: to the board, else to another message, else to the channel.

    Args:
        match: the match as its reader sees it.
        other: another channel and message, such as the challenge's.
    """
    guild_id = None if match.linked_by_dm else match.guild_id
    return link_to(guild_id, *(match.link or other or (match.channel_id,)))


def link_to(guild_id: GuildId | None, *place: int) -> str:
    """Return Discord's link to a channel, or a message in it; without a server it is a DM."""
    return "/".join(("https://discord.com/channels", f"{guild_id or '@me'}", *map(str, place)))


def rule_link(rule: str) -> list[ui.ActionRow]:
    """Return a button that opens a rule next to the text; none if no book explains it."""
    game = game_of(rule)
    return (
        [
            ui.ActionRow(
                button(_("Rule {rule}").format(rule=rule), RulesId(game, rule, PageTarget.OPEN))
            )
        ]
        if game
        else []
    )
