"""Facts for a message about a challenge, beside the public facts of its match."""

from __future__ import annotations

from typing import NamedTuple

from bot.domain.models import Match, MatchStatus, Rated
from bot.domain.origin import record_taken_over
from bot.services.match_repository import actions_of
from bot.services.rated_results import pair_is_spent
from bot.storage.connection import Connection
from engine.record import Record


class ChallengeFacts(NamedTuple):
    """Facts about an open challenge.

    Attributes:
        taken_over: the record that its match continues; None if it begins at the start.
        pair_is_spent: for a rated challenge, whether two of its players have reached the limit of
            results that count.
    """

    taken_over: Record | None = None
    pair_is_spent: bool = False


NO_FACTS = ChallengeFacts()


async def challenge_facts(connection: Connection, match: Match, now: float) -> ChallengeFacts:
    """Return the facts about a challenge; the defaults if it is none, or no longer open."""
    if match.status != MatchStatus.CHALLENGE:
        return NO_FACTS
    taken_over, is_spent = None, False
    if match.lines_taken_over:
        taken_over = record_taken_over(match, await actions_of(connection, match.id))
    if match.rated == Rated.RATED:
        users = [player.user_id for player in match.people.values()]
        is_spent = await pair_is_spent(connection, users, now)
    return ChallengeFacts(taken_over, is_spent)
