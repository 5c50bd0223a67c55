"""Check that vacations last as long as promised."""

from __future__ import annotations

from collections.abc import Callable

from tests.verification.kills.audit_log import AuditLog
from tests.verification.kills.report import Report

ROUNDING_SECONDS = 0.01


class Absences:
    """The vacations of all users, by the true time.

    Args:
        report: to which vacations are added that ended early.
        now: returns the true time in UTC seconds.
        day: seconds of a day.
    """

    def __init__(
        self, audit_log: AuditLog, report: Report, now: Callable[[], float], day: float
    ) -> None:
        self._audit_log = audit_log
        self._report = report
        self._now = now
        self._day = day
        self._ends: dict[int, float] = {}

    def gone(self, user: int, since: float, days: int) -> None:
        """Note that a user went away, or came back, by a command sent at a time."""
        self.forget(user)
        if user in self._away():
            self._ends[user] = since + days * self._day

    def forget(self, user: int) -> None:
        """Note that a user has come back, or was deleted."""
        self._ends.pop(user, None)

    def compare(self) -> None:
        """Compare with the database."""
        away = self._away()
        for user, end in list(self._ends.items()):
            if end < self._now():
                self.forget(user)
            elif user not in away:
                self.forget(user)
                detail = f"user {user}, {end - self._now():.0f} s too early"
                self._report.blame("short_vacations", detail)

    def _away(self) -> set[int]:
        return {user for (user,) in self._audit_log.rows("SELECT user_id FROM absences")}
