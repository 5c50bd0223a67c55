"""The hall of a server: its list, the call of its role, and the posts of matches in a forum."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import discord

from bot.domain.models import Match, MatchStatus, Stage
from bot.features.halls.service import Listing
from bot.rulebook.lessons import steps
from bot.services.match_summaries import MatchSummary
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import HowtoId, SeekId
from bot.views.invitations import terms
from bot.views.links import link_to
from bot.views.listings import join_button, linked_title, players_of, seat_to_take, state_of
from bot.views.message import COLOUR, PAGE_LIMIT, Message, layout_of, note
from bot.views.names import distinct_names, title_of
from engine import games
from render.i18n import N_, _, format_list, ngettext, pgettext

MAX_JOIN_BUTTONS = 8
"""Maximum number of open seats in one message: each has a button, and a message 40 components."""

TAG_NAMES: Mapping[Stage, str] = {Stage.OPEN: N_("Open seat"), Stage.OVER: N_("Finished")}
"""Names of a forum's tags, besides the titles of the games; a match in progress has none."""


def hall_list(listing: Listing) -> Message:
    """Return the list of open seats and matches in progress."""
    joinable = listing.open[:MAX_JOIN_BUTTONS]
    items: list[ui.Item] = [ui.TextDisplay(_("## Open seats"))]
    items += [seat_to_take(entry) for entry in joinable]
    if not joinable:
        items.append(ui.TextDisplay(_("None right now; `/play` without an opponent opens one.")))
        seek = button(_("Find me a match"), SeekId(), discord.ButtonStyle.primary)
        items.append(ui.ActionRow(seek))
    remaining = PAGE_LIMIT - sum(_length(item) for item in items)
    lines, more = [_("## Matches in progress")], listing.more + len(listing.open) - len(joinable)
    for number, entry in enumerate(listing.running):
        line = _running(entry)
        remaining -= len(line) + 1
        if remaining < 0:
            more += len(listing.running) - number
            break
        lines.append(line)
    if not listing.running:
        lines.append(_("None right now."))
    if more:
        words = ngettext("-# and {count} more match", "-# and {count} more matches", more)
        lines.append(words.format(count=more))
    items.append(ui.TextDisplay("\n".join(lines)))
    return Message(layout_of(ui.Container(*items, accent_colour=COLOUR)))


def role_call(listing: Listing, role_id: int) -> Message:
    """Return the message that pings a role for open seats."""
    call = _("{role}: there are open seats.").format(role=f"<@&{role_id}>")
    items = [seat_to_take(entry) for entry in listing.open[:MAX_JOIN_BUTTONS]]
    return note(call, *items)._replace(role_pings=(role_id,))


def card(summary: MatchSummary, *, elsewhere: bool) -> Message:
    """Return the first message of a match's post.

    Args:
        elsewhere: whether the match was moved to a place that not everyone here can see.
    """
    match = summary.match
    title = f"## {title_of(match)}"
    players = format_list([*distinct_names(match).values()], style="commas")
    buttons: list[ui.Button] = []
    if elsewhere:
        text = _("This match is played elsewhere.")
        return note(f"{title}\n{text}")
    if match.stage == Stage.OPEN:
        buttons.append(join_button(match))
        buttons += [button(_("How it works"), HowtoId(match.game))] if steps(match.game) else []
    row = [ui.ActionRow(*buttons)] if buttons else []
    agreed = terms(match.game, match.rules, match.options, match.clock, (match.round, match.rounds))
    text = "\n".join((title, players, *agreed, state_of(summary), *_look(summary)))
    return Message(layout_of(ui.Container(ui.TextDisplay(text), *row, accent_colour=COLOUR)))


def list_name() -> str:
    """Return the name of the post in a forum that holds the list."""
    return _("Open seats and matches in progress")


def tags_of(match: Match, available: Mapping[str, int]) -> list[int]:
    """Return the tags of a match's post.

    Args:
        available: name in lower case → ID of each tag of the forum.
    """
    title, stage = games.get(match.game).title, TAG_NAMES.get(match.stage)
    names = [[title], [_(stage), stage] if stage else []]
    matching = [[available[n.lower()] for n in group if n.lower() in available] for group in names]
    return [tags[0] for tags in matching if tags]


def tag_names() -> list[str]:
    """Return the names of the tags that a forum should have."""
    titles = [games.get(name).title for name in games.names()]
    return [*titles, *map(_, TAG_NAMES.values())]


def _running(summary: MatchSummary) -> str:
    return f"- **{linked_title(summary)}**: {players_of(summary.match)}. {state_of(summary)}"


def _look(summary: MatchSummary) -> Sequence[str]:
    if summary.link is None:
        return ()
    url = link_to(summary.match.guild_id, *summary.link)
    words = (
        pgettext("noun", "Challenge")
        if summary.match.status == MatchStatus.CHALLENGE
        else _("Board")
    )
    return (f"[{words}]({url})",)


def _length(item: ui.Item) -> int:
    """Return the characters of an item's text."""
    children = [item, *getattr(item, "children", ())]
    return sum(
        len(child.content) for child in children if isinstance(child, discord.ui.TextDisplay)
    )
