"""A model of the outbox: rows in the order in which they were queued, and arrived messages.

A lease belongs to one attempt. Only the last attempt of a message may write its result.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from bot.domain.ids import MatchId

CHANNEL, POST = "channel", "post"

LEASE_SECONDS = 60.0
BACK_OFF_SECONDS = (1.0, 2.0, 5.0, 15.0, 60.0)


@dataclass
class Row:
    """A message that was not delivered yet.

    Attributes:
        number: numbers all messages in the order in which they were queued.
        due: when it may be sent next.
        attempts: how often it was claimed.
        worker: the process that claimed it last.
        leased_until: the end of the lease of its last attempt; None without one.
        failed: whether it can never arrive.
    """

    number: int
    match_id: MatchId
    target: str
    due: float
    attempts: int = 0
    worker: int | None = None
    leased_until: float | None = None
    failed: bool = False


@dataclass
class OutboxModel:
    """The rows, and for each match the number of the message that is kept up to date."""

    rows: list[Row] = field(default_factory=list)
    kept: dict[int, int] = field(default_factory=dict)
    queued: int = 0

    def queue(self, match_id: MatchId, target: str, due: float) -> int:
        """Append a row and return its number."""
        self.queued += 1
        self.rows.append(Row(self.queued, match_id, target, due))
        return self.queued

    def waits_for(self, row: Row) -> list[Row]:
        """Return the earlier messages of the match to the same target, or to its channel."""
        return [
            other
            for other in self.rows
            if not other.failed
            and other.number < row.number
            and other.match_id == row.match_id
            and other.target in (row.target, CHANNEL)
        ]

    def free(self, now: float) -> dict[int, Row]:
        """Return number → message to send now: due, under no lease, and the first in its order."""
        return {
            row.number: row
            for row in self.rows
            if not row.failed
            and row.due <= now
            and (row.leased_until is None or row.leased_until < now)
            and not self.waits_for(row)
        }

    def claim(self, row: Row, worker: int, now: float) -> int:
        """Give a worker a lease, and return the number of its attempt."""
        row.attempts, row.worker, row.leased_until = row.attempts + 1, worker, now + LEASE_SECONDS
        return row.attempts

    def last_attempt(self, number: int, attempt: int) -> Row | None:
        """Return a message if this is its last attempt, and its result is still unknown."""
        return next((r for r in self.rows if (r.number, r.attempts) == (number, attempt)), None)

    def deliver(self, row: Row) -> None:
        """A message has arrived."""
        self.rows.remove(row)
        if row.target == CHANNEL:
            self.kept[row.match_id] = row.number

    def retry(self, row: Row, ended: float) -> None:
        """A message did not arrive, or the reply was lost: it is due again after a pause."""
        row.due = ended + BACK_OFF_SECONDS[min(row.attempts, len(BACK_OFF_SECONDS)) - 1]
        row.leased_until = None

    def give_up(self, row: Row) -> None:
        """A message can never arrive: those after it are sent."""
        row.failed, row.leased_until = True, None

    def release(self, worker: int) -> None:
        """End the leases of a process that has died."""
        for row in self.rows:
            if row.worker == worker:
                row.leased_until = None

    def collect(self, row: Row, due: float) -> bool:
        """Return whether a message replaces those of its target; else it is queued once more."""
        others = [r for r in self.rows if not r.failed and r is not row and r.target == row.target]
        others = [r for r in others if r.match_id == row.match_id]
        if any(other.attempts for other in others):
            self.queue(row.match_id, row.target, due)
            return False
        self.rows = [queued for queued in self.rows if queued not in others]
        return True
