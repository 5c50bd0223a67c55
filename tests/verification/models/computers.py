"""A model of the queue of the computer's turns.

Each change of a match replaces its jobs, so a turn that was chosen before a change is discarded. A
lease belongs to one attempt.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

LEASE_SECONDS = 120.0
RETRY_SECONDS = (15.0, 60.0, 300.0, 3600.0)


@dataclass
class Job:
    """A turn that a seat has to play at this version of the match.

    Attributes:
        worker: the worker that claimed it last.
        free_at: the time after which it can be claimed; None for at once.
    """

    seat: str
    version: int
    attempts: int = 0
    worker: str = ""
    free_at: float | None = None


@dataclass
class QueueModel:
    """The version of a match, and seat → job."""

    version: int
    jobs: dict[str, Job] = field(default_factory=dict)

    def change(self, seats: Iterable[str]) -> None:
        """A change of the match: afterwards the computer has to act in these seats."""
        self.version += 1
        self.jobs = {seat: Job(seat, self.version) for seat in seats}

    def claim(self, worker: str, now: float) -> list[tuple[str, int, int]]:
        """Claim all free jobs; return the seat, version and attempt of each."""
        free = [job for job in self.jobs.values() if job.free_at is None or job.free_at < now]
        for job in free:
            job.attempts, job.free_at = job.attempts + 1, now + LEASE_SECONDS
            job.worker = worker
        return [(job.seat, job.version, job.attempts) for job in free]

    def renew(self, seat: str, version: int, attempt: int, now: float) -> None:
        """A worker keeps a turn in progress, if the lease is still its own."""
        job = self.jobs.get(seat)
        if job and (job.version, job.attempts) == (version, attempt):
            job.free_at = now + LEASE_SECONDS

    def is_current(self, version: int) -> bool:
        """Return whether a turn that was chosen at a version is stored, not discarded."""
        return version == self.version

    def release(self, worker: str) -> None:
        """End the leases of a worker whose process has died."""
        for job in self.jobs.values():
            if job.worker == worker:
                job.free_at = None

    def postpone(self, seat: str, version: int, attempt: int, now: float) -> None:
        """A worker gives a turn up for a while, if the lease is still its own."""
        job = self.jobs.get(seat)
        if job and (job.version, job.attempts) == (version, attempt):
            job.free_at = now + RETRY_SECONDS[min(attempt, len(RETRY_SECONDS)) - 1]
