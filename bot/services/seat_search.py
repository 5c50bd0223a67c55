"""Open seats for a player who looks for any opponent of about the same strength."""

from __future__ import annotations

from sqlalchemy import select

from bot.domain.ids import GuildId, UserId
from bot.domain.models import Match
from bot.domain.pools import pool_of
from bot.services.match_repository import first_matches
from bot.services.match_summaries import ACTIVE, OPEN, SUMMARIES, MatchSummary, summaries_of
from bot.services.rated_results import rating_of
from bot.storage.connection import Connection
from bot.storage.schema import matches, seats
from engine import games

LEVEL_POINTS = 400.0
"""Maximum difference of two strengths: the stronger player wins at most ten times as often."""


async def seats_for(
    connection: Connection, guild_id: GuildId, user_id: UserId, limit: int
) -> tuple[MatchSummary, ...]:
    """Return matches on a server with a seat that a user can take, the oldest first.

    All people in them have about the user's strength in this game.

    Args:
        limit: maximum number of open seats that are looked at.
    """
    taken = select(seats.c.match_id).where(
        seats.c.match_id == matches.c.id, seats.c.user_id == user_id
    )
    conditions = (matches.c.guild_id == guild_id, ACTIVE, OPEN, ~taken.exists())
    query = first_matches(SUMMARIES, matches.c.created_at, limit, *conditions)
    summaries = await summaries_of(connection, query)
    return tuple([row for row in summaries if await _is_of_level(connection, row.match, user_id)])


async def _is_of_level(connection: Connection, match: Match, user_id: UserId) -> bool:
    """Return whether a user is about as strong as all people in a match."""
    pool = pool_of(games.get(match.game), match.options)
    strength = (await rating_of(connection, pool, user_id)).mu
    for player in match.people.values():
        other = (await rating_of(connection, pool, player.user_id)).mu
        if abs(other - strength) > LEVEL_POINTS:
            return False
    return True
