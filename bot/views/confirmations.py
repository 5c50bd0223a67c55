"""Confirmations of choices that cannot be undone: a red button to confirm, and *Cancel*.

The button carries the version of the match that its player saw, so it has no effect once the match
has changed.
"""

from __future__ import annotations

from collections.abc import Sequence

import discord

from bot.domain.clocks import DAY
from bot.domain.ids import UserId
from bot.domain.models import Match, Perspective
from bot.sanitize import escape
from bot.services.rated_matches import EARLY_LIMIT, EARLY_SECONDS, MIN_PLIES
from bot.views import ui
from bot.views.controls import button, draw_answers
from bot.views.custom_id_codec import CustomId
from bot.views.custom_ids import AbandonId, CancelId, ClaimId, DrawId, ResignId
from bot.views.message import Message, note
from bot.views.names import escaped_names, title_of
from bot.views.ratings import is_rated_solo
from engine import games
from engine.game import View
from render.i18n import _, format_list, ngettext


def question(match: Match, user_id: UserId, line: str) -> Message:
    """Return a confirmation for a choice that cannot be undone; see `engine.endings.is_final`."""
    return draw(match) if line.lower().startswith("draw") else departure(match, user_id)


def departure(match: Match, user_id: UserId) -> Message:
    """Return the confirmation for resigning, or for leaving a match of more than two."""
    user_seat = match.seat_of(user_id)
    others = format_list([escape(name) for seat, name in match.names.items() if seat != user_seat])
    text, label = _("Resign {match} against {players}? This can't be undone."), _("Resign")
    if len(match.players) > 2:
        text = _("Leave {match}? {players} play on without you. This can't be undone.")
        label = _("Leave")
    return confirmation(
        text.format(match=title_of(match), players=others), label, ResignId(match.id, match.version)
    )


def draw(match: Match) -> Message:
    """Return the confirmation for accepting a draw."""
    text = _("End {match} in a draw? This can't be undone.")
    confirm = DrawId(match.id, match.version)
    return confirmation(text.format(match=title_of(match)), _("Accept the draw"), confirm)


def offered(match: Match, view: View) -> Message:
    """Return the buttons for answering a draw offer to a player who wanted to offer one."""
    player = escaped_names(match)[view.offer[0]]
    text = _("{player} offers a draw in {match}.").format(player=player, match=title_of(match))
    return note(text, *draw_answers(match, view))


def draw_done(after: Perspective, line: str) -> str:
    """Return a sentence confirming a choice about a draw; empty for any other choice.

    Args:
        after: the match after the choice.
        line: the choice in notation.
    """
    if line.lower() == "draw decline":
        return _("You've declined the draw.")
    if line.lower() != "draw offer":
        return ""
    names = escaped_names(after.match)
    players = format_list([names[seat] for seat in after.view.answering])
    if not players:
        return _("You've offered a draw.")
    return _("You've offered a draw to {players}.").format(players=players)


def end(match: Match, user_id: UserId, *, computers: bool = True) -> Message:
    """Return the confirmation for ending a match without a result, or for proposing it.

    Args:
        computers: whether the computer can play; else a match against it counts for nothing.
    """
    others = [person for person in match.people.values() if person.user_id != user_id]
    text = _("End {match} without a result? It then counts for no one. This can't be undone.")
    if others:
        text = ngettext(
            "End {match} without a result, if {players} agrees? It counts for no player. "
            "This can't be undone.",
            "End {match} without a result, if {players} agree? It counts for no player. "
            "This can't be undone.",
            len(others),
        )
    if computers and is_rated_solo(match):
        text = _(
            "End {match} without a result? It is rated: from move {plies} on, this is a "
            "loss; before that, only after {limit} such matches in {days} days. This can't "
            "be undone."
        )
    players = format_list([escape(person.name) for person in others])
    confirm = AbandonId(match.id, match.version)
    limits = {"plies": MIN_PLIES, "limit": EARLY_LIMIT, "days": round(EARLY_SECONDS / DAY)}
    text = text.format(match=title_of(match), players=players, **limits)
    return confirmation(text, _("End without a result"), confirm)


def request_end(match: Match, agreed: Sequence[str], asked: Sequence[str]) -> Message:
    """Ask players to agree that a match ends without a result."""
    text = _(
        "**{names}** asked to end {game} #{match} without a result, so it won't count. "
        "{players}: do you agree? To decline, just move."
    )
    text = text.format(
        names=format_list([escape(match.names[seat]) for seat in agreed]),
        game=games.get(match.game).title,
        match=match.id,
        players=format_list([f"<@{match.people[seat].user_id}>" for seat in asked]),
    )
    row = ui.ActionRow(button(_("End without a result"), AbandonId(match.id)))
    users = tuple(match.people[seat].user_id for seat in asked)
    return note(text, row)._replace(pings=users)


def claim(match: Match, seat: str) -> Message:
    """Return the confirmation for claiming a match from a player out of time."""
    name = escape(match.names.get(seat, ""))
    text = _("Claim {match}? {name} loses on time. This can't be undone.")
    confirm = ClaimId(match.id, seat, match.version)
    return confirmation(text.format(match=title_of(match), name=name), _("Claim on time"), confirm)


def cancel_button() -> ui.Button:
    """Return the button that cancels a confirmation."""
    return button(_("Cancel"), CancelId())


def confirmation(text: str, label: str, custom_id: CustomId) -> Message:
    """Return a question with a button that confirms, and *Cancel*."""
    confirm = button(label, custom_id, discord.ButtonStyle.danger)
    return note(text, ui.ActionRow(confirm, cancel_button()))
