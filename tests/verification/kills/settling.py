"""The work that a bot still has to do when play is over."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from bot.features.cups.due_posts import ANNOUNCEMENTS
from tests.verification.kills.daily import DailyAudit

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

WAITING = (
    "SELECT id, match_id, target, kind, attempts, next_attempt_at, lease_expires_at, worker_id,"
    " error FROM outbox WHERE status = 'waiting' ORDER BY id"
)
"""Messages that are not sent yet."""


def unsettled(simulation: Simulation) -> list[str]:
    """Return descriptions of the messages still to be sent or updated."""
    audit_log, now = simulation.audit_log, simulation.wall.now()
    left = [
        f"message {number} of match {match} to {target}, {kind}, after {attempts} attempts: due in"
        f" {due - now:.0f} s, leased for {(lease or now) - now:.0f} s by {worker}, error {error}"
        for number, match, target, kind, attempts, due, lease, worker, error in audit_log.rows(
            WAITING
        )
    ]
    late = audit_log.rows("SELECT id FROM cups WHERE shown_version < version")
    left += [f"the post of cup {cup_id}" for (cup_id,) in late]
    for status, number in ANNOUNCEMENTS.items():
        query = "SELECT id FROM cups WHERE status=? AND announced < ?"
        silent = audit_log.rows(query, status, number)
        left += [f"an announcement of cup {cup_id}, {status}" for (cup_id,) in silent]
    return left + list(DailyAudit(simulation).unsettled())


@contextmanager
def told_if_late(simulation: Simulation) -> Iterator[None]:
    """Report the outstanding work if a wait for it takes too long.

    Raises:
        AssertionError: the wait raised `TimeoutError`.
    """
    try:
        yield
    except TimeoutError as error:
        raise AssertionError("\n".join(["still to be done:", *unsettled(simulation)])) from error
