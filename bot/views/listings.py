"""Matches as lists of several name them: title, players, state, and open seats to take."""

from __future__ import annotations

from collections.abc import Collection

import discord

from bot.domain.models import Match, MatchStatus
from bot.services.match_summaries import MatchSummary
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import AcceptId
from bot.views.links import link_to
from bot.views.names import distinct_names, title_of
from render.i18n import _, format_list


def seat_to_take(summary: MatchSummary) -> ui.Item:
    """Return a match with an open seat, and a button that takes it."""
    lines = (f"**{linked_title(summary)}**: {players_of(summary.match)}", state_of(summary))
    return ui.Section("\n".join(lines), accessory=join_button(summary.match))


def join_button(match: Match) -> ui.Button:
    """Return the button that takes an open seat."""
    return button(_("Join"), AcceptId(match.id), discord.ButtonStyle.success)


def linked_title(summary: MatchSummary) -> str:
    """Return the game and number of a match, as a link to it."""
    match = summary.match
    title = title_of(match)
    if summary.link is None:
        return title
    return f"[{title}]({link_to(match.guild_id, *summary.link)})"


def players_of(match: Match) -> str:
    """Return the names of the players of a match."""
    return format_list([*distinct_names(match).values()], style="commas")


def state_of(summary: MatchSummary) -> str:
    """Return whose turn it is and until when, or until when a seat is open."""
    match = summary.match
    if match.status == MatchStatus.CHALLENGE:
        until = f"<t:{int(match.expires_at or 0)}:R>"
        return _("Looking for players; expires {time}").format(time=until)
    if match.status == MatchStatus.RUNNING:
        names = distinct_names(match)
        players = format_list([names[seat] for seat in match.decisions])
        time = time_of_turn(summary, match.decisions)
        return _("Turn: {players} ({time})").format(players=players, time=time)
    if match.status == MatchStatus.FINISHED:
        return _("The match is over.")
    return _("This challenge is no longer open.")


def time_of_turn(summary: MatchSummary, seats: Collection[str]) -> str:
    """Return the first deadline of some seats; without a clock, the time of the last change."""
    deadline = summary.match.deadline(seats)
    if deadline is None:
        return f"<t:{int(summary.since)}:R>"
    return _("deadline {time}").format(time=f"<t:{int(deadline)}:R>")
