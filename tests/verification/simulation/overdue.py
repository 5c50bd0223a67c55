"""Overdue events: they should have happened by a time, and have not."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from tests.verification.kills.audit_log import AuditLog

TIMERS = """
SELECT 'timer ' || kind, due_at FROM timers JOIN matches ON match_id = matches.id
WHERE due_at < ? AND (guild_id >> 22) % ? = ?
"""

CLOCKS = """
SELECT 'the end of a time', clock_started_at + seconds_left FROM seats
JOIN matches ON match_id = matches.id WHERE status = 'running' AND seconds_left > 0
AND days_off IS NULL AND clock_started_at + seconds_left < ? AND (guild_id >> 22) % ? = ?
"""
"""Clocks without days off that have run out, whose end was not noted."""

PINGS = """
SELECT 'the ping of ' || seat || ' in match ' || match_id, due_at
FROM past_timers AS past JOIN matches ON match_id = matches.id
WHERE due_at < ? AND (guild_id >> 22) % ? = ? AND kind = 'ping' AND status = 'running'
AND json_extract(decisions, '$.' || seat) = past.version
AND NOT EXISTS (
    SELECT 1 FROM audit WHERE audit.match_id = past.match_id
    AND json_extract(payload, '$."ping:' || past.seat || '"') = past.version
)
AND NOT EXISTS (
    SELECT 1 FROM (
        SELECT kind, match_id, seat, version FROM timers WHERE kind IN ('ping', 'snooze')
        UNION ALL SELECT kind, match_id, seat, version FROM past_timers WHERE kind = 'snooze'
    ) AS other
    WHERE other.match_id = past.match_id AND other.seat = past.seat
    AND other.version = past.version
)
"""
"""Timers of pings that are gone without a ping: the decision is still due, and was not snoozed."""


CUPS = """
SELECT 'the start of cup ' || id, starts_at FROM cups
WHERE status = 'sign_up' AND starts_at < ? AND (guild_id >> 22) % ? = ?
"""
"""Cups that should have begun by themselves."""

LAST_DAYS = """
SELECT 'the end of cup ' || id, ends_at FROM cups
WHERE status = 'running' AND ends_at < ? AND (guild_id >> 22) % ? = ?
"""
"""Cups that go on after their last day."""


class Overdue(NamedTuple):
    """Something that has not happened, and the time at which it was due."""

    what: str
    due_at: float


def overdue(log: AuditLog, until: float, shards: int, shard: int) -> Iterator[Overdue]:
    """Yield the events that were due in the matches of a shard by a time, in UTC seconds."""
    for query in (TIMERS, CLOCKS, PINGS, CUPS, LAST_DAYS):
        yield from (Overdue(*row) for row in log.rows(query, until, shards, shard))
