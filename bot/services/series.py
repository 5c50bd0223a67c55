"""Rated series: one result; a player who does not continue loses."""

from __future__ import annotations

from sqlalchemy import insert, update

from bot.domain.clocks import DAY
from bot.domain.ids import NO_MATCH, MatchId, UserId
from bot.domain.models import MatchStatus, Rated, TimerKind
from bot.domain.outbox import OutboxKind
from bot.services.match_repository import seats_of
from bot.services.match_store import MatchStore, load
from bot.services.rated_matches import record_stopped_series
from bot.services.rows import MatchRow
from bot.storage.connection import Connection
from bot.storage.schema import matches, timers

REMINDER_SECONDS = 3 * DAY
"""Seconds between the challenge to the next match and its reminders: the second is a day before
the challenge expires."""

REMINDERS = 2
"""Number of reminders."""

RESPITE_SECONDS = 2 * DAY
"""Seconds after a vacation during which its player can still accept."""


def is_rated_series(row: MatchRow) -> bool:
    """Return whether a match is the second or a later one of a rated series."""
    return row.rated == Rated.RATED and row.round > 1


def reminder_timer(match_id: MatchId, now: float, number: int = 1) -> dict[str, object]:
    """Return the timer for a reminder of the challenge to the next match.

    Args:
        match_id: number of the challenge.
        number: number of the reminder; the timer has it as its version.
    """
    due = {"due_at": now + REMINDER_SECONDS, "version": number}
    return {"match_id": match_id, "seat": "", "kind": TimerKind.SERIES, **due}


async def remind(
    match_store: MatchStore, connection: Connection, row: MatchRow, number: int
) -> None:
    """Remind the players who have not accepted the next match; set the next reminder."""
    if row.status != MatchStatus.CHALLENGE:
        return
    await match_store.queue(connection, row.id, OutboxKind.SERIES_REMINDER)
    if number < REMINDERS:
        timer = reminder_timer(row.id, match_store.clock(), number + 1)
        await connection.execute(insert(timers), timer)


async def postpone(match_store: MatchStore, connection: Connection, row: MatchRow) -> bool:
    """Postpone the expiry of a challenge if a player who has not accepted is on vacation."""
    people = await seats_of(connection, row.id)
    ends = [
        person.away_until for person in people if person.joined_at is None and person.away_until
    ]
    if not is_rated_series(row) or not ends:
        return False
    expires_at = max(ends) + RESPITE_SECONDS
    later = update(matches).where(matches.c.id == row.id)
    await connection.execute(later.values(expires_at=expires_at))
    timer = {"match_id": row.id, "seat": "", "kind": TimerKind.EXPIRE, "version": 0}
    await connection.execute(insert(timers).values(**timer, due_at=expires_at))
    await match_store.queue(connection, row.id, OutboxKind.UPDATE_CHALLENGE)
    return True


async def stop(
    match_store: MatchStore, connection: Connection, row: MatchRow, user_id: UserId | None
) -> None:
    """Store the result of a series whose next match does not begin; other matches have none.

    Args:
        match_store: the store of the service that closes the challenge.
        row: the challenge.
        user_id: the player who has declined or withdrawn it; None if it has expired.
    """
    before = await load(connection, row.parent_id or NO_MATCH) if is_rated_series(row) else None
    if before is None:
        return
    stoppers = [
        person.seat
        for person in await seats_of(connection, row.id)
        if (person.user_id == user_id if user_id else person.joined_at is None)
    ]
    kind = OutboxKind.EDIT_BOARD
    await match_store.queue_board(connection, before.id, before.version, kind)
    await record_stopped_series(connection, before, stoppers, match_store.clock())
