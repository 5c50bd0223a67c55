"""A challenge: its players, its terms and its outcome."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.i18n import sides
from bot.rulebook.lessons import steps
from bot.services.clocks import OFFERED_CLOCKS
from bot.services.luck import MAX_LUCK_CHARACTERS
from bot.services.models import DELETED_PLAYER, Match, MatchStatus
from bot.text import escape
from bot.views.boards import MODAL_TITLE_LIMIT
from bot.views.computers import play_computer
from bot.views.controls import button
from bot.views.custom_ids import (
    AcceptId,
    BlockId,
    DeclineId,
    HowtoId,
    LuckId,
    LuckTypedId,
    WithdrawId,
)
from bot.views.message import Message, layout_of, note
from bot.views.names import distinct_names, escaped_names
from bot.views.proofs import commitment_line
from engine import games
from render import for_game
from render.i18n import N_, _, format_list

HANDICAP_NAME_LIMIT = 30
"""Maximum length of a name on a button that offers a rematch with a handicap."""

_SETTLED = {
    MatchStatus.RUNNING: N_("**{game}** #{match}: the match has started."),
    MatchStatus.CLOSED: N_("**{game}** #{match}: the challenge expired."),
}
"""Outcomes of a challenge."""


def challenge(match: Match, closed_by: int = 0, *, computers: bool = False) -> Message:
    """Return a challenge with its buttons, or its outcome.

    Args:
        match: the challenge.
        closed_by: ID of the user that declined or withdrew it; 0 if neither happened.
        computers: whether the computer may take open seats.
    """
    if match.status != MatchStatus.CHALLENGE:
        return _outcome(match, closed_by)
    called = [match.players[seat] for seat in match.unaccepted]
    asked = ", ".join(f"<@{each.user_id}>" for each in called if each.user_id)
    call = _("{players}: **{name}** challenges you to **{game}** ({terms}).")
    call = call if asked else _("**{name}** is looking for players: **{game}** ({terms}).")
    challenger = escaped_names(match)[match.seat_of(match.challenger_id)]
    title = games.get(match.game).title
    lines = [
        call.format(players=asked, name=challenger, game=title, terms=_terms(match)),
        _seated(match),
    ]
    if match.standing:
        lines.append(series_line(match))
    if for_game(match.game).hand_name:
        lines.append(
            _("Hidden information goes to each player by DM (change this in `/settings`).")
        )
    if match.expires_at:
        lines.append(_("Open until {time}.").format(time=f"<t:{int(match.expires_at)}:f>"))
    lines.append(commitment_line(match))
    buttons = _buttons(match, open_to_all=not asked, computers=computers)
    layout = layout_of(ui.TextDisplay("\n".join(lines)), *buttons)
    return Message(layout, pings=tuple(each.user_id for each in called if each.user_id))


def _outcome(match: Match, closed_by: int) -> Message:
    """Return the outcome of a challenge; with *Join* while the computer keeps a seat."""
    end = _SETTLED.get(match.status, N_("**{game}** #{match}: the match is over."))
    if match.status == MatchStatus.CLOSED and closed_by:
        end = settlement(match, closed_by)
    closer = escaped_names(match).get(match.seat_of(closed_by), "")
    sentence = _(end).format(game=games.get(match.game).title, match=match.id, name=closer)
    lines = [sentence, _seated(match), commitment_line(match)]
    if match.status != MatchStatus.RUNNING or not match.joinable:
        return note("\n".join(lines))
    lines.insert(1, _("You can join and take over the computer's seat."))
    join = button(_("Join"), AcceptId(match.id), discord.ButtonStyle.success)
    return note("\n".join(lines), ui.ActionRow[Any](join))


def opened(match_id: int, *, computers: bool) -> Message:
    """Return the private reply to an open challenge.

    Args:
        match_id: number of the match.
        computers: whether the computer may take open seats.
    """
    sentence = _("Match {match} is open to anyone.").format(match=match_id)
    return note(sentence, *([ui.ActionRow[Any](play_computer(match_id))] if computers else []))


def _buttons(
    match: Match, *, open_to_all: bool, computers: bool
) -> tuple[ui.ActionRow[Any], ui.ActionRow[Any]]:
    """Return the buttons to accept a challenge, and those to close it."""
    join = ui.ActionRow[Any](
        button(
            _("Join") if open_to_all else _("Accept"),
            AcceptId(match.id),
            discord.ButtonStyle.success,
        ),
        button(
            _("Join with my luck") if open_to_all else _("Accept with my luck"), LuckId(match.id)
        ),
        *([button(_("How it works"), HowtoId(match.game))] if steps(match.game) else []),
    )
    close = ui.ActionRow[Any](
        *([] if open_to_all else [button(_("Decline"), DeclineId(match.id))]),
        *([play_computer(match.id)] if open_to_all and computers else []),
        button(_("Withdraw"), WithdrawId(match.id)),
        *([] if open_to_all else [button(_("Decline and block"), BlockId(match.id))]),
    )
    return join, close


def _seated(match: Match) -> str:
    """Return each player's side, and the players whose sides are still to be drawn."""
    names, all_sides = escaped_names(match), sides(match.game)
    if match.status == MatchStatus.CLOSED and match.seats_to_draw:
        return format_list(list(names.values()))
    fixed = ", ".join(
        f"{n}: {all_sides[s]}" for s, n in names.items() if s not in match.seats_to_draw
    )
    drawn = format_list([name for seat, name in names.items() if seat in match.seats_to_draw])
    words = _("{players}: sides are drawn at random when the last player joins.")
    return "\n".join(filter(None, (fixed, drawn and words.format(players=drawn))))


def settlement(match: Match, closed_by: int) -> str:
    """Return the text for a declined or withdrawn challenge."""
    if closed_by == DELETED_PLAYER.user_id or not match.seat_of(closed_by):
        return N_("**{game}** #{match}: the challenge was withdrawn.")
    if closed_by == match.challenger_id:
        return N_("**{game}** #{match}: {name} withdrew the challenge.")
    return N_("**{game}** #{match}: {name} declined the challenge.")


def thread_name(match: Match) -> str:
    """Return the name of a match's thread (≤ 100 characters)."""
    return f"{games.get(match.game).title} #{match.id}: {' – '.join(match.names.values())}"[:100]


def _terms(match: Match) -> str:
    """Return the rules, options, clock and series in a few words."""
    parts = [_("rules {rules}").format(rules=_(match.rules))]
    parts += [f"{_(name)} {_(value)}" for name, value in match.options.items()]
    if match.clock:
        parts.append(
            next((_(w) for w, c in OFFERED_CLOCKS.items() if c == match.clock), match.clock)
        )
    if match.rounds > 1:
        place = _("match {number} of {total}")
        parts.append(place.format(number=match.round, total=match.rounds))
    return ", ".join(parts)


def series_line(match: Match) -> str:
    """Return the standing of a series; the lowest total wins it."""
    names = distinct_names(match)
    table = ", ".join(f"{names[seat]} {total}" for seat, total in match.standing.items())
    if match.status != MatchStatus.FINISHED or match.round < match.rounds:
        stands = _("Penalty points in this series of {total}: {table}.")
        return stands.format(total=match.rounds, table=table)
    least = min(match.standing.values())
    best = [names[seat] for seat, total in match.standing.items() if total == least]
    over = _("The series is over. Penalty points: {table}. **{winner}** wins with the fewest.")
    return over.format(table=table, winner=format_list(best))


def luck(match: Match, number: int) -> ui.Modal:
    """Return a window for a player's own words, which shows the salt that they complete.

    Args:
        match: a challenge.
        number: placed before the words.
    """
    salt = escape(f"{match.salt},{number}:…")
    about = _(
        "Your words become part of the salt that all dice of this match are computed from, and "
        "stay in its record.\n-# The salt with your words: {salt}\n-# Dice commitment: {commitment}"
    )
    title = f"{games.get(match.game).title} #{match.id}"[:MODAL_TITLE_LIMIT]
    custom_id = LuckTypedId(match.id, match.version, number)
    window = ui.Modal(title=title, custom_id=str(custom_id), timeout=None)
    window.add_item(ui.TextDisplay[Any](about.format(salt=salt, commitment=match.commitment)))
    words = ui.TextInput[Any](custom_id="words", max_length=MAX_LUCK_CHARACTERS)
    return window.add_item(ui.Label[Any](text=_("Any words you like"), component=words))
