"""The end of a match: its consequences, in the transaction of the last choice.

The final board is queued, and clocks and timers are stopped, with each other change of a match
(`MatchStore.save`). A match whose rules have changed ends without all that
(`MatchStore.end_outdated`).
"""

from __future__ import annotations

from bot.domain.models import Rated
from bot.domain.outbox import OutboxKind
from bot.services.events import MatchEnded, MatchEnding
from bot.services.match_changes import MatchChange
from bot.services.match_repository import seats_of
from bot.services.match_store import MatchStore
from bot.services.rated_matches import record_rated_result
from bot.services.rematches import Rematches
from bot.storage.connection import Connection
from bot.storage.hooks import publish


async def after_end(
    match_store: MatchStore, rematches: Rematches, connection: Connection, change: MatchChange
) -> None:
    """Close the challenge, rate the result, inform features, and continue a series.

    Args:
        rematches: creates the next match of a series, unless a feature does.
        connection: the transaction in which the change was stored.
        change: the last change of the match.
    """
    row = change.row
    if any(person.joinable for person in await seats_of(connection, row.id)):
        await match_store.queue(connection, row.id, OutboxKind.UPDATE_CHALLENGE)
    if row.rated == Rated.RATED:
        await publish(connection, MatchEnding(row.id))  # the order of results is the last lock
        await record_rated_result(connection, row.id, now=match_store.clock())
    if not await publish(connection, MatchEnded(row.id)):
        rolled = change.progress.rolled
        await rematches.next_of_series(connection, row, change.game, rolled)
