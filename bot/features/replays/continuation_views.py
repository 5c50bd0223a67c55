"""Messages for playing on from a position of a finished match, or of a record."""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.computer_players import COMPUTER_NAMES, LEVEL_TITLES
from bot.domain.ids import UserId
from bot.domain.models import Match, Player
from bot.domain.origin import same_players
from bot.i18n import sides
from bot.sanitize import escape
from bot.views import ui
from bot.views.custom_ids import PlayOnId, PlayOnTypedId
from bot.views.message import Message, note
from bot.views.origins import PLAY_ON
from bot.views.private_boards import MODAL_TITLE_LIMIT
from render.i18n import NP_, _, format_list, truncate

ENTRY_LIMIT = 100
"""Maximum length of an entry of a list."""

SAME = "same"
"""Value in the list of opponents for the players of the finished match."""

OTHERS = "others"
"""Value in the list of opponents that opens the window."""

PAIR = 2
"""Number of players of a match that can begin several times at once, against different ones."""

MAX_OPPONENTS = 3
"""Maximum number of opponents of matches of two players from one position at once."""

TOO_MANY = NP_(
    "Choose up to {count} player, and the computer only alone.",
    "Choose up to {count} players, and the computer only alone.",
)

AGAINST = "against"
"""Label of the list of opponents in its custom_id."""


def opponents(
    match: Match, action_count: int, user_id: UserId, *, computers: bool
) -> list[ui.ActionRow]:
    """Return the menu of opponents for a player of a finished match who continues from a position.

    Args:
        match: the finished match.
        action_count: number of its actions before the position.
        user_id: user ID of the reader; users who did not play in the match get no list.
        computers: whether the computer can play.
    """
    if not match.seat_of(user_id):
        return []
    levels = {level: _(name) for level, name in COMPUTER_NAMES.items()} if computers else {}
    entries = {value: _("Against: {players}").format(players=n) for value, n in levels.items()}
    if players := list(same_players(match, user_id).values())[1:]:
        names = format_list(
            [player.name if player.has_own_name else _(player.name) for player in players]
        )
        entries[SAME] = _("Challenge {players}").format(players=names)
    entries[OTHERS] = _("Other players …")
    select = ui.Select(
        custom_id=str(PlayOnId(action_count, match.id, AGAINST)),
        placeholder=_("Play on from here against …"),
        options=[
            discord.SelectOption(label=truncate(words, ENTRY_LIMIT), value=value)
            for value, words in entries.items()
        ],
    )
    return [ui.ActionRow(select)]


def window(match: Match, action_count: int, user_id: UserId, *, computers: bool) -> ui.Modal:
    """Return a window for a match from a position: the side and the opponents.

    Args:
        match: the finished match, or the match of a record.
        action_count: number of its actions before the new match.
        user_id: user ID of the reader; a player of the match keeps the side.
        computers: whether the computer can play.
    """
    title, custom_id = _(PLAY_ON)[:MODAL_TITLE_LIMIT], PlayOnTypedId(action_count, match.id)
    window = ui.Modal(title=title, custom_id=str(custom_id), timeout=None)
    if not match.seat_of(user_id):
        titles = sides(match.game)
        entries = [
            discord.SelectOption(label=f"{titles[seat]} ({name})"[:ENTRY_LIMIT], value=seat)
            for seat, name in match.names.items()
        ]
        side = ui.Select(custom_id="side", options=entries)
        window.add_item(ui.Label(text=_("Your side"), component=side))
    most = len(match.players) - 1
    about = _("If you leave it empty, anyone here can join.")
    if len(match.players) == PAIR:
        most = MAX_OPPONENTS
        about = _("Up to {most}, in a match each; if you choose none, anyone here.")
        about = about.format(most=most)
    people = ui.UserSelect(custom_id="people", min_values=0, max_values=most, required=False)
    window.add_item(ui.Label(text=_("Against"), description=about, component=people))
    if computers:
        levels = [
            discord.SelectOption(label=_(words), value=level)
            for words, level in LEVEL_TITLES.items()
        ]
        level = ui.Select(custom_id="level", options=levels, min_values=0, required=False)
        about = _("At this level I take the seats that are free.")
        window.add_item(ui.Label(text=_("Computer"), description=about, component=level))
    return window


def sent_to_each(opponents: Sequence[Player], url: str) -> Message:
    """Confirm the challenges to several players from one position.

    Args:
        url: URL of the matches' place, if the window was opened elsewhere; else empty.
    """
    names = format_list([escape(player.name) for player in opponents])
    words = _("A challenge each is sent to {players}. Each match begins when its player accepts.")
    link = [ui.ActionRow(ui.Button(label=_("To the matches"), url=url))] if url else []
    return note(words.format(players=names), *link)
