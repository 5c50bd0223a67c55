"""Matches that begin from a position: the buttons that begin one, and where one came from."""

from __future__ import annotations

import discord

from bot.domain.ids import MatchId
from bot.domain.models import Match
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import PlayOnId
from engine import games
from engine.game import View
from render.i18n import N_, _

TRY = "try"
"""Label of the button of an analysed decision in its custom_id."""

PLAY_ON, TRY_IT = N_("Play on from here"), N_("Try it")


def can_play_on(view: View) -> bool:
    """Return whether a match can begin from a position."""
    return not (view.result or view.departed)


def play_on_button(match_id: MatchId, action_count: int) -> ui.Button:
    """Return the button that begins a match from a position.

    For a player of the finished match, the new match begins at once against the computer; other
    users are asked for their side and their opponents.

    Args:
        match_id: number of the finished match; 0 for the record attached to the message.
        action_count: number of its actions before the position.
    """
    return button(_(PLAY_ON), PlayOnId(action_count, match_id), discord.ButtonStyle.primary)


def try_button(match_id: MatchId, action_count: int) -> ui.Button:
    """Return the button that tries an analysed decision in private, with the better choice."""
    return button(_(TRY_IT), PlayOnId(action_count, match_id, TRY), discord.ButtonStyle.primary)


def origin_lines(match: Match) -> list[str]:
    """Return the line with the origin of a match that began from a position."""
    if not match.lines_taken_over:
        return []
    if not match.origin_id:
        return [_("-# Played on from a record.")]
    return [
        _("-# Played on from {game} #{match}.").format(
            game=games.get(match.game).title, match=match.origin_id
        )
    ]
