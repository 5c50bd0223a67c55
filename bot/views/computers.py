"""Buttons to matches against the computer."""

from __future__ import annotations

from typing import Any

import discord
from discord import ui

from bot.services.models import Match
from bot.views.controls import button
from bot.views.custom_ids import HintId, PlayComputerId, PlayNowId
from engine import games
from render.i18n import _


def play_computer(match_id: int) -> ui.Button[Any]:
    """Return the button that gives the open seats of a challenge to the computer."""
    return button(_("Play the computer meanwhile"), PlayComputerId(match_id))


def play_now() -> ui.ActionRow[Any]:
    """Return a button for each game that begins a match against the computer."""
    style = discord.ButtonStyle.success
    return ui.ActionRow[Any](
        *(
            button(_("Play {game} now").format(game=games.get(name).title), PlayNowId(name), style)
            for name in games.names()
        )
    )


def hint_button(match: Match) -> list[ui.Button[Any]]:
    """Return the button to a hint, where all opponents are computers."""
    return [button(_("Hint"), HintId(match.id))] if gives_hints(match) else []


def gives_hints(match: Match) -> bool:
    """Return whether a match has one person, who plays against the computer."""
    return len(match.people) == 1 and any(player.level for player in match.players.values())
