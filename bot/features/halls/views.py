"""The hall of a server: its list, the call of its role, and the posts of matches in a forum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import discord
from discord import ui

from bot.domain.models import Match, MatchStatus, Stage
from bot.features.halls.service import Listing
from bot.rulebook.lessons import steps
from bot.services.listings import Listed
from bot.views.controls import button
from bot.views.custom_ids import AcceptId, HowtoId
from bot.views.invitations import terms
from bot.views.links import link_to
from bot.views.message import COLOUR, PAGE_LIMIT, Message, layout_of, note
from bot.views.names import distinct_names, title_of
from engine import games
from render.i18n import N_, _, format_list, ngettext

MAX_JOIN_BUTTONS = 8
"""Maximum number of open seats in one message: each has a button, and a message 40 components."""

TAG_NAMES: Mapping[Stage, str] = {Stage.OPEN: N_("Open seat"), Stage.OVER: N_("Finished")}
"""Names of a forum's tags, besides the titles of the games; a running match has none."""


def hall_list(listing: Listing) -> Message:
    """Return the list of open seats and running matches."""
    shown = listing.open[:MAX_JOIN_BUTTONS]
    items: list[ui.Item[Any]] = [ui.TextDisplay(_("## Open seats"))]
    items += [seat_to_take(each) for each in shown]
    if not shown:
        items.append(ui.TextDisplay(_("None right now; `/play` without an opponent opens one.")))
    left = PAGE_LIMIT - sum(_length(item) for item in items)
    lines, more = [_("## Running matches")], listing.more + len(listing.open) - len(shown)
    for number, each in enumerate(listing.running):
        line = _running(each)
        left -= len(line) + 1
        if left < 0:
            more += len(listing.running) - number
            break
        lines.append(line)
    if not listing.running:
        lines.append(_("None right now."))
    if more:
        rest = ngettext("-# and {count} more match", "-# and {count} more matches", more)
        lines.append(rest.format(count=more))
    items.append(ui.TextDisplay("\n".join(lines)))
    return Message(layout_of(ui.Container[Any](*items, accent_colour=COLOUR)))


def role_call(listing: Listing, role_id: int) -> Message:
    """Return the message that calls a role for open seats."""
    call = _("{role}: there are open seats.").format(role=f"<@&{role_id}>")
    items = [seat_to_take(each) for each in listing.open[:MAX_JOIN_BUTTONS]]
    return note(call, *items)._replace(role_pings=(role_id,))


def card(listed: Listed, *, elsewhere: bool) -> Message:
    """Return the first message of a match's post.

    Args:
        listed: the match.
        elsewhere: whether the match was moved to a place that not everyone here can see.
    """
    match = listed.match
    title = f"## {title_of(match)}"
    players = ", ".join(distinct_names(match).values())
    buttons: list[ui.Button[Any]] = []
    if elsewhere:
        text = _("This match is played elsewhere.")
        return note(f"{title}\n{text}")
    if match.stage == Stage.OPEN:
        buttons.append(_join(match))
        buttons += [button(_("How it works"), HowtoId(match.game))] if steps(match.game) else []
    row = [ui.ActionRow[Any](*buttons)] if buttons else []
    agreed = terms(match.game, match.rules, match.options, match.clock, (match.round, match.rounds))
    text = "\n".join((title, players, *agreed, _state(listed), *_look(listed)))
    return Message(layout_of(ui.Container[Any](ui.TextDisplay(text), *row, accent_colour=COLOUR)))


def list_name() -> str:
    """Return the name of the post in a forum that holds the list."""
    return _("Open seats and running matches")


def tags_of(match: Match, available: Mapping[str, int]) -> list[int]:
    """Return the tags of a match's post.

    Args:
        match: the match.
        available: name in lower case → ID of each tag of the forum.
    """
    title, stage = games.get(match.game).title, TAG_NAMES.get(match.stage)
    names = [[title], [_(stage), stage] if stage else []]
    found = [[available[n.lower()] for n in each if n.lower() in available] for each in names]
    return [each[0] for each in found if each]


def tag_names() -> list[str]:
    """Return the names of the tags that a forum should have."""
    titles = [games.get(name).title for name in games.names()]
    return [*titles, *map(_, TAG_NAMES.values())]


def seat_to_take(listed: Listed) -> ui.Item[Any]:
    """Return a match with an open seat, and a button that takes it."""
    lines = (f"**{_title(listed)}**: {_players(listed.match)}", _state(listed))
    return ui.Section[Any]("\n".join(lines), accessory=_join(listed.match))


def _running(listed: Listed) -> str:
    return f"- **{_title(listed)}**: {_players(listed.match)}. {_state(listed)}"


def _players(match: Match) -> str:
    return ", ".join(distinct_names(match).values())


def _join(match: Match) -> ui.Button[Any]:
    return button(_("Join"), AcceptId(match.id), discord.ButtonStyle.success)


def _title(listed: Listed) -> str:
    """Return the game and number of a match, as a link to it."""
    match = listed.match
    title = title_of(match)
    if listed.link is None:
        return title
    return f"[{title}]({link_to(match.guild_id, *listed.link)})"


def _look(listed: Listed) -> Sequence[str]:
    if listed.link is None:
        return ()
    url = link_to(listed.match.guild_id, *listed.link)
    words = _("Challenge") if listed.match.status == MatchStatus.CHALLENGE else _("Board")
    return (f"[{words}]({url})",)


def _state(listed: Listed) -> str:
    """Return whose turn it is and since when, or until when a seat is open."""
    match = listed.match
    if match.status == MatchStatus.CHALLENGE:
        until = f"<t:{int(match.expires_at or 0)}:R>"
        return _("Looking for players; closes {time}").format(time=until)
    if match.status == MatchStatus.RUNNING:
        names = distinct_names(match)
        asked = format_list([names[seat] for seat in match.decisions])
        since = f"<t:{int(listed.since)}:R>"
        return _("Turn: {players} ({time})").format(players=asked, time=since)
    if match.status == MatchStatus.FINISHED:
        return _("The match is over.")
    return _("This challenge is no longer open.")


def _length(item: ui.Item[Any]) -> int:
    """Return the characters of an item's text."""
    children = [item, *getattr(item, "children", ())]
    return sum(len(each.content) for each in children if isinstance(each, ui.TextDisplay))
