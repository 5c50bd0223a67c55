"""Final checks: the matches, their boards, the announcements, the bot's own log."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from tests.verification.kills.announcements import AnnouncementAudit
from tests.verification.kills.boards import BoardAudit
from tests.verification.kills.daily import DailyAudit
from tests.verification.kills.deliveries import Deliveries
from tests.verification.kills.halls import HallAudit
from tests.verification.kills.ranks import wrong_roles
from tests.verification.kills.stored_matches import StoredMatchAudit

if TYPE_CHECKING:
    from tests.verification.kills.simulation import Simulation

PLACED = r"\bplace [SMCA][0-5]\b"
"""A coin with its value, as the notation has it."""

INTERACTION_TOKEN = r"\bt\d{5,}\b"
"""The token of an interaction with the number that follows the t."""


class Audit:
    """Compares the acknowledged actions with the database and the messages on Discord."""

    def __init__(self, simulation: Simulation) -> None:
        self._simulation = simulation
        self._fake, self._audit_log, self._report = (
            simulation.fake,
            simulation.audit_log,
            simulation.report,
        )
        deliveries, self._halls = Deliveries(simulation), HallAudit(simulation)
        self._matches = StoredMatchAudit(simulation)
        self._boards = BoardAudit(simulation, deliveries)
        self._announcements = AnnouncementAudit(simulation, deliveries, self._halls)

    def check(self) -> None:
        """Do all of it."""
        report, expected = self._report, self._simulation.expected
        report.matches = len(expected)
        report.acknowledged = sum(len(entry.lines) for entry in expected.values())
        for match, entry in expected.items():
            self._matches.check(match, entry)
            self._boards.check(match)
        self._matches.check_jobs()
        for fault in self._halls.wrong():
            report.blame("wrong_halls", fault)
        for fault in DailyAudit(self._simulation).wrong():
            report.blame("announced_twice", fault)
        for written in (self._simulation.notes, self._simulation.plans):
            for kind, details in written.wrong(self._audit_log):
                report.blame(kind, details)
        for fault in wrong_roles(self._simulation):
            report.blame("wrong_roles", fault)
        self._announcements.check()
        self._check_traces()
        self._check_log()

    def _check_traces(self) -> None:
        """No user whose data was deleted is named any more."""
        for name in self._fake.said_again:
            self._report.blame("traces", f"{name} was named after the deletion")
        stored = "SELECT name FROM seats UNION SELECT name FROM leaderboard_entries"
        for (name,) in self._audit_log.rows(stored):
            if name in self._simulation.forgotten:
                self._report.blame("traces", f"{name} is still stored")

    def _check_log(self) -> None:
        """Nothing was an error, and nothing that is secret was ever logged, chatty as it was."""
        log = self._audit_log.log.read_text(encoding="utf-8")
        report = self._report
        report.lines_logged = log.count("\n")
        for line in log.splitlines():
            if re.search('"level": "(ERROR|CRITICAL)"', line):
                report.blame("errors_logged", line)
        seeds = self._audit_log.rows("SELECT seed FROM matches")
        secrets = [form for (seed,) in seeds for form in (seed.hex(), repr(seed)[2:-1])]
        report.secrets_logged = sum(map(log.count, (*secrets, "canary")))
        report.secrets_logged += len(re.findall(rf"{PLACED}|{INTERACTION_TOKEN}", log))
