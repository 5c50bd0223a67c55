"""Matches that began under an earlier version of their game's rules.

Their records cannot be replayed and their positions may be unreadable: running matches can only be
ended without a result, and finished ones are not shown.
"""

from __future__ import annotations

from bot.domain.models import MatchStatus
from bot.services.rows import MatchRow
from engine import games
from render.i18n import _


def is_outdated(row: MatchRow) -> bool:
    """Return whether a match that has begun belongs to another version of its game."""
    return row.position is not None and row.engine_version != games.get(row.game).version


def outdated_sentence(row: MatchRow) -> str:
    """Return a sentence for players that says why such a match cannot be continued or replayed."""
    sentence = _("My rules of {game} have changed since match {match}, so I can't replay it.")
    if row.status == MatchStatus.RUNNING:
        sentence = _(
            "My rules of {game} have changed since match {match} started, so it can't continue; "
            "/resign ends it without a result."
        )
    return sentence.format(game=games.get(row.game).title, match=row.id)
