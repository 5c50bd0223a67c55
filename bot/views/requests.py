"""Requests to a player in a match, beside choices: a challenge, or other players' requests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import discord

from bot.domain.ids import UserId
from bot.domain.models import Match, MatchStatus, Perspective
from bot.services.requests import Requests
from bot.services.stand_ins import voters
from bot.views import ui
from bot.views.controls import button, draw_buttons
from bot.views.custom_ids import (
    AbandonId,
    AcceptId,
    AgreeId,
    ClaimId,
    DeclineId,
    WithdrawId,
)
from bot.views.names import escaped_names
from bot.views.stand_ins import offers, stand_in_buttons
from render.i18n import _, format_list


class Asked(NamedTuple):
    """Requests to a player in a match: lines of text, and the buttons that answer."""

    lines: Sequence[str]
    buttons: Sequence[ui.Button]


NOTHING_ASKED = Asked((), ())


def unlike(buttons: Sequence[ui.Button], answers: Asked) -> list[ui.Button]:
    """Return buttons without those that answer already: a custom_id is unique in a message."""
    ids = {answer.custom_id for answer in answers.buttons}
    return [item for item in buttons if item.custom_id not in ids]


def challenge_answers(match: Match, user_id: UserId) -> list[ui.Button]:
    """Return the buttons for a player to answer or withdraw a challenge."""
    if match.status != MatchStatus.CHALLENGE or not match.seat_of(user_id):
        return []
    if match.challenger_id == user_id:
        return [button(_("Withdraw"), WithdrawId(match.id))]
    decline = button(_("Decline"), DeclineId(match.id))
    if not match.awaits(user_id):
        return [decline]
    return [button(_("Accept"), AcceptId(match.id), discord.ButtonStyle.success), decline]


def asked(perspective: Perspective, requests: Requests, *, computers: bool) -> Asked:
    """Return the other players' requests to the reader of a match in progress.

    The messages that asked may have been deleted, or refused by Discord.

    Args:
        perspective: the match as the reader sees it.
        requests: the requests that have not been answered.
        computers: whether the computer can play.
    """
    match, seat, view = perspective[:3]
    if match.status != MatchStatus.RUNNING or not seat or seat not in view.playing:
        return NOTHING_ASKED
    answers = (
        _takeback(match, seat, requests),
        _ending(match, seat, requests),
        _draw(perspective),
        _claims(match, seat),
        _stand_ins(perspective) if computers else NOTHING_ASKED,
    )
    lines = tuple(line for answer in answers for line in answer.lines)
    return Asked(lines, tuple(item for answer in answers for item in answer.buttons))


def closed(message: discord.Message) -> ui.LayoutView:
    """Return the content of a public question without its buttons."""
    layout = ui.LayoutView.from_message(message, timeout=None)
    rows = [item for item in layout.children if isinstance(item, discord.ui.ActionRow)]
    for row in rows:
        layout.remove_item(row)
    if rows:
        layout.add_item(ui.TextDisplay(f"-# {_('No longer open.')}"))
    layout.stop()
    return layout


def _takeback(match: Match, seat: str, requests: Requests) -> Asked:
    if not requests.takeback:
        return NOTHING_ASKED
    if requests.takeback == seat:
        return Asked([_("You've asked to take back your last move.")], [])
    text = _("**{name}** asks to take back the last move.")
    line = text.format(name=escaped_names(match)[requests.takeback])
    return Asked([line], [button(_("Agree"), AgreeId(match.id, match.version))])


def _ending(match: Match, seat: str, requests: Requests) -> Asked:
    if not requests.ending:
        return NOTHING_ASKED
    if seat in requests.ending:
        return Asked([_("You've asked to end the match without a result.")], [])
    names = escaped_names(match)
    text = _("**{names}** asked to end the match without a result.")
    line = text.format(names=format_list([names[other] for other in requests.ending]))
    return Asked([line], [button(_("End without a result"), AbandonId(match.id))])


def _draw(perspective: Perspective) -> Asked:
    match, seat, view = perspective[:3]
    if seat not in view.answering:
        return NOTHING_ASKED
    line = _("{name} offers a draw.").format(name=escaped_names(match)[view.offer[0]])
    return Asked([line], draw_buttons(match))


def _claims(match: Match, seat: str) -> Asked:
    out_of_time = [
        other
        for other, clock in match.times.items()
        if clock.over
        and other != seat
        and other in match.decisions
        and other in match.acting_people
    ]
    names, claim = match.names, _("Claim on time: {name}")
    buttons = [
        button(claim.format(name=names[other]), ClaimId(match.id, other)) for other in out_of_time
    ]
    text = _("{name} is out of time.")
    return Asked([text.format(name=escaped_names(match)[other]) for other in out_of_time], buttons)


def _stand_ins(perspective: Perspective) -> Asked:
    """Return the stand-ins that a player can agree to; proposed ones are checked on the click."""
    match, seat, view = perspective[:3]
    offered = {
        absent: level
        for absent, level in offers(match, view.playing, "".join(match.agreed_by)).items()
        if seat in voters(match.players, view.playing, absent)
        and seat not in match.agreed_by.get(absent, "")
    }
    text = _("The computer can play for {name} if all other players agree.")
    lines = [text.format(name=escaped_names(match)[absent]) for absent in offered]
    return Asked(lines, stand_in_buttons(match, offered))
