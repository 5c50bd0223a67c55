"""Names of players and matches, as messages show them."""

from __future__ import annotations

from bot.domain.models import Match
from bot.sanitize import escape
from engine import games
from render.i18n import _, with_side


def distinct_names(match: Match) -> dict[str, str]:
    """Return seat → name; the side is added to names that occur twice."""
    names, sides = escaped_names(match), games.get(match.game).sides
    return {
        seat: name if list(names.values()).count(name) == 1 else with_side(name, _(sides[seat]))
        for seat, name in names.items()
    }


def escaped_names(match: Match) -> dict[str, str]:
    """Return seat → name, with Markdown escaped."""
    return {seat: escape(name) for seat, name in match.names.items()}


def title_of(match: Match) -> str:
    """Return the game and the number of a match: `Warp 6 #3`."""
    return f"{games.get(match.game).title} #{match.id}"
