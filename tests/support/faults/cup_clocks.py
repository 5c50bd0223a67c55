"""Whether matches of cups are lost on time only when the time for a claim is over."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from bot.services.time_controls import Clock
from tests.support.faults.audit_log import AuditLog
from tests.support.faults.report import Report

SET_SECONDS = 150.0
"""Seconds by which a loss may come early for each time the clock was set: no heartbeat has measured
those around it."""

RUNNING = """
SELECT match_id, version, clock FROM matches JOIN cup_pairings ON match_id = matches.id
WHERE matches.status = 'running'
"""
LOST = "SELECT 1 FROM actions WHERE match_id=? AND line LIKE '_ flag'"


class CupClocks:
    """The turns of all matches of cups, seen from outside.

    Args:
        audit_log: of the database.
        report: to which losses are added that come early.
        now: returns the true time.
        day: seconds of a day: so long a match waits for a claim.
    """

    def __init__(
        self, audit_log: AuditLog, report: Report, now: Callable[[], float], day: float
    ) -> None:
        self._audit_log, self._report, self._now, self._day = audit_log, report, now, day
        self._turns: dict[int, tuple[int, float, str]] = {}
        self._looked = now()
        self._sets: list[float] = []

    def was_set(self) -> None:
        """Note that the machine's clock is set."""
        self._sets.append(self._now())

    def compare(self) -> None:
        """Look at all matches; a turn began after the last look, and no later than it is seen."""
        running = {match: (version, clock) for match, version, clock in self._rows(RUNNING)}
        for match in [*self._turns]:
            if match not in running:
                _, since, clock = self._turns.pop(match)
                if self._rows(LOST, match):
                    self._check(match, since, clock)
        for match, (version, clock) in running.items():
            if self._turns.get(match, (-1,))[0] != version:
                self._turns[match] = version, self._looked, clock
        self._looked = self._now()

    def _check(self, match: int, since: float, clock: str) -> None:
        """A turn that began after `since` has taken its time, and a day more for a claim."""
        self._report.done["cups: matches lost on time"] += 1
        control = Clock.parse(clock)
        assert control
        sets = sum(at >= since for at in self._sets)
        taken, least = self._now() - since, control.budget + self._day - SET_SECONDS * sets
        if taken < least:
            told = f"match {match} of a cup is lost after {taken:.0f} s at most, not {least:.0f}"
            self._report.blame("short_clocks", told)

    def _rows(self, query: str, *values: object) -> list[Any]:
        return self._audit_log.rows(query, *values)
