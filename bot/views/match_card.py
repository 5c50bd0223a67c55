"""The card of a match: what a user can do with it besides choosing."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType

from bot.domain.ids import OPEN_USER_ID, ChannelId, UserId
from bot.domain.models import Match, MatchStatus
from bot.domain.quiet_hours import ActiveHours
from bot.domain.waiting import NO_ONE_ABSENT, Absent
from bot.rulebook.lessons import steps
from bot.sanitize import escape
from bot.views import silence, ui
from bot.views.clocks import active_hours_line
from bot.views.computers import gives_hints, no_hints, play_computer
from bot.views.controls import board_button, button, hand_buttons, overlay_buttons, rows_of
from bot.views.custom_ids import (
    AbandonId,
    BlockId,
    HowtoId,
    LuckId,
    MoveHereId,
    NudgeId,
    ResignId,
    RulesId,
    TakeBackId,
    WithdrawId,
)
from bot.views.message import Message, note
from bot.views.names import escaped_names, title_of
from bot.views.private_boards import can_nudge
from bot.views.ratings import is_rated
from bot.views.verification import dice_button
from render import for_game
from render.i18n import _

RULES_START = "about"
"""Key of the first section of the rules of each game."""

NOT_SHOWN: Mapping[str, ActiveHours] = MappingProxyType({})
"""No opponent shows their active hours."""

CardButtons = Callable[[Match, str, bool], Sequence[ui.Button]]
"""Returns the buttons of a feature in the card, given the reader's seat and whether the computer
can play."""


def card(
    match: Match,
    user_id: UserId,
    published: str,
    actions: Sequence[ui.Button],
    where: ChannelId,
    *,
    hours: Mapping[str, ActiveHours] = NOT_SHOWN,
    obstacle: str = "",
) -> Message:
    """Return the card of a match, or of a challenge.

    Args:
        published: the dice commitment in the message of a challenge; empty if it has none.
        hours: seat → active hours, of opponents who show them to this reader.
        obstacle: why this reader can take nothing back, see `Takebacks.obstacle`.
    """
    about_it = [
        dice_button(match, published),
        *([button(_("How it works"), HowtoId(match.game))] if steps(match.game) else []),
        button(_("Rules"), RulesId(match.game, RULES_START)),
    ]
    text = f"**{title_of(match)}**"
    if match.status == MatchStatus.RUNNING:
        actions = [board_button(match.id), *actions]
        about_it += overlay_buttons(match)
        text += _explanations(match, match.seat_of(user_id), obstacle)
        if match.seat_of(user_id) and where == match.channel_id:
            words = _("To play it elsewhere, type `/board` there, then *Match…*, *Move here*.")
            text += f"\n-# {words}"
        text += silence.notice_lines(match)
        for seat, active in hours.items():
            text += f"\n-# {active_hours_line(escaped_names(match)[seat], active)}"
    return note(text, *rows_of(actions), *rows_of(about_it))


def _explanations(match: Match, seat: str, obstacle: str) -> str:
    """Return lines about what a player cannot do, or only by typing, and about buttons."""
    lines = [escape(obstacle)] if obstacle else []
    if seat and len(match.acting_people) > 1:
        lines.append(_("To offer a draw, type `/draw`."))
    if seat and not gives_hints(match):
        lines.append(no_hints(match))
    lines.append(_("*Dice*: how to check that they are fair."))
    renderer = for_game(match.game)
    if verb := renderer.overlay_verb:
        lines.append(f"*{_(renderer.overlay_label)}*: {_(verb.description)}.")
    return "".join(f"\n-# {line}" for line in lines)


def buttons(
    match: Match,
    user_id: UserId,
    where: ChannelId,
    absent: Absent = NO_ONE_ABSENT,
    *,
    computers: bool,
    takeback: bool = False,
) -> list[ui.Button]:
    """Return the buttons of a user in the card, without those of features.

    Args:
        absent: the players that the user waits for and who may no longer be there.
        computers: whether the computer may take open seats.
        takeback: whether the user can take back the last choice, or ask for it.
    """
    if match.status == MatchStatus.CHALLENGE:
        return _challenge_buttons(match, user_id, computers=computers)
    if match.status == MatchStatus.RUNNING:
        return _playing_buttons(match, user_id, where, absent, takeback=takeback)
    return []


def _playing_buttons(
    match: Match, user_id: UserId, where: ChannelId, absent: Absent, *, takeback: bool
) -> list[ui.Button]:
    seat = match.seat_of(user_id)
    if not seat:
        return []
    is_elsewhere = where != match.channel_id
    stop = [] if seat in match.decisions else silence.buttons(match, absent.endable)
    return [
        *hand_buttons(match),
        *([button(_("Take back my move"), TakeBackId(match.id))] if takeback else []),
        *([button(_("Nudge"), NudgeId(match.id))] if can_nudge(match, seat) else []),
        *([button(_("Move here"), MoveHereId(match.id))] if is_elsewhere else []),
        *stop,
        button(_("Resign…") if len(match.players) == 2 else _("Leave…"), ResignId(match.id)),
        *([] if stop else [button(_("End without a result…"), AbandonId(match.id))]),
    ]


def _challenge_buttons(match: Match, user_id: UserId, *, computers: bool) -> list[ui.Button]:
    """Return the rarer ways for a user to answer, withdraw or change an open challenge."""
    seats_open = any(player.user_id == OPEN_USER_ID for player in match.players.values())
    if user_id == match.challenger_id:
        starts = seats_open and computers and not is_rated(match)
        meanwhile = [play_computer(match.id)] if starts else []
        return [*meanwhile, button(_("Withdraw"), WithdrawId(match.id))]
    lucky = _("Accept, with my words for the dice…")
    is_invited = bool(match.seat_of(user_id))
    if not is_invited:
        lucky = _("Join, with my words for the dice…")
    can_accept = match.awaits(user_id) if is_invited else seats_open
    return [
        *([button(lucky, LuckId(match.id))] if can_accept else []),
        *([button(_("Decline and block"), BlockId(match.id))] if is_invited else []),
    ]
