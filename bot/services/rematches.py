"""What a rematch takes over from the match before it."""

from __future__ import annotations

from collections.abc import Mapping

from bot.services.stored import StoredMatch
from bot.services.terms import Terms
from engine import games


def rematch_options(
    row: StoredMatch, moved: Mapping[str, str], handicap: int | None
) -> dict[str, str]:
    """Return the options of a rematch: those that name a seat go with its player."""
    game = games.get(row.game)
    options = dict(row.options)
    if handicap is not None:
        offers = game.handicaps(options, game.result(row.state()))
        options = dict(enumerate(offers)).get(handicap, options)
    return game.move_options(options, moved)


def terms_after(row: StoredMatch, options: Mapping[str, str] | None = None, **fields: int) -> Terms:
    """Return the terms of a match, for another one after it."""
    return Terms(
        game=row.game,
        rules=row.rules,
        options=row.options if options is None else options,
        clock=row.clock,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        parent_channel_id=row.parent_channel_id,
        parent_id=row.id,
        **fields,
    )
