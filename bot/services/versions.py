"""Matches that began by rules of a game that this program does not have any more.

Their log cannot be replayed and their position perhaps not be read, so nothing is done with them
but to end them without a result.
"""

from __future__ import annotations

from bot.services.stored import StoredMatch
from engine import games
from render.i18n import _


def is_outdated(row: StoredMatch) -> bool:
    """Return whether a match that has begun belongs to another version of its game."""
    return row.position is not None and row.engine_version != games.get(row.game).version


def outdated_sentence(row: StoredMatch) -> str:
    """Return why nothing can be done in such a match, for its players."""
    sentence = _(
        "My rules of {game} have changed since match {match} started, so it can't continue; "
        "`/resign` ends it without a result."
    )
    return sentence.format(game=games.get(row.game).title, match=row.id)
