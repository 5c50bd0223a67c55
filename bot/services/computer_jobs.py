"""The queue of turns that the computer has to play: rows with a lease.

A change of a match replaces its jobs, so a job always belongs to the latest version of its match.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from sqlalchemy import ColumnElement, and_, bindparam, delete, insert, or_, select, update

from bot.domain.ids import MatchId, Version
from bot.services.rows import SeatRow
from bot.storage.connection import Connection
from bot.storage.due import finds_any
from bot.storage.schema import computer_jobs
from engine.game import View

TOPIC = "computer_jobs"
"""Notified when a job is queued."""

LEASE_SECONDS = 120.0
"""Lease duration of a job; it is renewed while its turn waits for a worker."""

RETRY_SECONDS = (15.0, 60.0, 300.0, 3600.0)
"""Seconds until the next attempt after a failure; the last value is repeated."""

_FREE = or_(
    computer_jobs.c.lease_expires_at.is_(None),
    computer_jobs.c.lease_expires_at < bindparam("now"),
    computer_jobs.c.lease_expires_at > bindparam("latest_lease_end"),
)
"""Jobs without a lease or pause. A lease with an impossibly late end predates a clock set back."""

PAUSED = "paused"
"""In place of a worker's name in jobs whose players were informed that the computer is off."""

_UNANNOUNCED = computer_jobs.c.worker_id.is_distinct_from(PAUSED)

COMPUTERS_DUE = finds_any(select(computer_jobs.c.id))

_CLAIM = (
    update(computer_jobs)
    .where(
        computer_jobs.c.id.in_(
            select(computer_jobs.c.id)
            .where(_FREE)
            .order_by(computer_jobs.c.queued_at)
            .limit(bindparam("count"))
            .with_for_update(skip_locked=True)
        )
    )
    .values(
        worker_id=bindparam("worker"),
        lease_expires_at=bindparam("until"),
        attempts=computer_jobs.c.attempts + 1,
    )
    .returning(computer_jobs)
)

_OURS = and_(
    computer_jobs.c.id == bindparam("this"),
    computer_jobs.c.match_id == bindparam("match"),
    computer_jobs.c.version == bindparam("at_version"),
    computer_jobs.c.attempts == bindparam("attempt"),
)
"""Whether a worker still holds the lease: each lease counts as an attempt."""

_REMOVE = delete(computer_jobs).where(_OURS)
_LEASE_UNTIL = update(computer_jobs).where(_OURS).values(lease_expires_at=bindparam("until"))
_CLEAR = delete(computer_jobs).where(computer_jobs.c.match_id == bindparam("match"))
_INSERT = insert(computer_jobs)


def unannounced_before(time: float) -> ColumnElement[bool]:
    """Return the condition that such jobs are to be announced, see `mark_paused`.

    Args:
        time: jobs that were queued later are shown as paused by the board that was posted then.
    """
    return finds_any(
        select(computer_jobs.c.id).where(_UNANNOUNCED, computer_jobs.c.queued_at < time)
    )


class ComputerJob(NamedTuple):
    """A turn to play, as claimed.

    Attributes:
        version: version of the match when it was queued.
        queued_at: time of queueing, in UTC seconds.
        attempts: number of attempts, including the current one; also identifies the lease.
    """

    id: int
    match_id: MatchId
    seat: str
    version: Version
    queued_at: float
    attempts: int

    @property
    def _lease(self) -> dict[str, int]:
        return {
            "this": self.id,
            "match": self.match_id,
            "at_version": self.version,
            "attempt": self.attempts,
        }

    async def remove(self, connection: Connection) -> None:
        """Remove the job, unless another worker has it."""
        await connection.execute(_REMOVE, self._lease)

    async def postpone(self, connection: Connection, now: float, *, growing: bool = True) -> None:
        """Release the job after a pause, unless another worker has it.

        Args:
            growing: whether the pause grows by attempts. Starts of the bot count as attempts too.
        """
        attempts = self.attempts if growing else 1
        pause = RETRY_SECONDS[min(attempts, len(RETRY_SECONDS)) - 1]
        await connection.execute(_LEASE_UNTIL, {**self._lease, "until": now + pause})

    async def renew(self, connection: Connection, now: float) -> None:
        """Begin the lease again, unless another worker has the job."""
        await connection.execute(_LEASE_UNTIL, {**self._lease, "until": now + LEASE_SECONDS})


async def queue_jobs(
    connection: Connection, people: Sequence[SeatRow], view: View, version: Version, now: float
) -> None:
    """Replace the jobs of a match.

    Args:
        view: the public view of its new position.
        version: its new version.
    """
    await clear_jobs(connection, people[0].match_id)
    computers = [person for person in people if not person.decides_itself]
    deciding = [
        computer for computer in computers if computer.seat in view.pending + view.answering
    ]
    common = {"version": version, "queued_at": now, "attempts": 0}
    rows = [
        {"match_id": computer.match_id, "seat": computer.seat, **common} for computer in deciding
    ]
    if rows:
        await connection.execute(_INSERT, rows)


async def clear_jobs(connection: Connection, match_id: MatchId) -> None:
    """Remove the jobs of a match."""
    await connection.execute(_CLEAR, {"match": match_id})


async def claim_jobs(
    connection: Connection, worker_id: str, now: float, count: int
) -> list[ComputerJob]:
    """Claim jobs, the longest waiting first.

    Args:
        worker_id: identifies this process, even after a restart.
        count: maximum number of jobs.
    """
    latest = now + LEASE_SECONDS + RETRY_SECONDS[-1]
    terms = {"now": now, "until": now + LEASE_SECONDS, "latest_lease_end": latest}
    rows = await connection.execute(_CLAIM, {"worker": worker_id, "count": count, **terms})
    jobs = [
        ComputerJob(row.id, row.match_id, row.seat, row.version, row.queued_at, row.attempts)
        for row in rows
    ]
    return sorted(jobs, key=lambda job: job.queued_at)


async def waiting_matches(connection: Connection) -> list[MatchId]:
    """Return the matches where the computer has to play."""
    query = select(computer_jobs.c.match_id).distinct().order_by(computer_jobs.c.match_id)
    return list((await connection.execute(query)).scalars())


async def mark_paused(connection: Connection, match_id: MatchId) -> bool:
    """Store that the players of a match are informed that the computer is turned off.

    Returns:
        Whether they were not informed before.
    """
    unknown = update(computer_jobs).where(computer_jobs.c.match_id == match_id, _UNANNOUNCED)
    return bool(
        (await connection.execute(unknown.values(worker_id=PAUSED, lease_expires_at=None))).rowcount
    )


async def release_jobs(connection: Connection, worker_id: str) -> None:
    """Release the leases of a worker's previous process."""
    release = update(computer_jobs).where(computer_jobs.c.worker_id == worker_id)
    await connection.execute(release.values(lease_expires_at=None))
