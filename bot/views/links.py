"""Links to messages on Discord, and to rules."""

from __future__ import annotations

from bot.domain.ids import GuildId
from bot.domain.models import Match
from bot.rulebook.book import game_of
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import PageTarget, RulesId
from bot.views.names import title_of
from render.i18n import _


def masked_link(match: Match) -> str:
    """Return the title of a match as a link to its board, or to its channel if it has none."""
    return f"[{title_of(match)}]({url_of(match)})"


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


def board_link(url: str) -> ui.Button:
    """Return the button that leads to a board."""
    return ui.Button(label=_("To the board"), url=url)


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
