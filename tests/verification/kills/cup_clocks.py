"""Check that matches of cups are lost, and cups end, only after their time."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from bot.domain.clocks import Clock
from tests.verification.kills.audit_log import AuditLog
from tests.verification.kills.report import Report

SET_SECONDS = 150.0
"""Seconds that a loss may come early for each change of the clock: no heartbeat has measured those
around it."""

RUNNING = """
SELECT match_id, matches.decisions, matches.clock, cups.status = 'cancelled' FROM matches
JOIN cup_pairings ON match_id = matches.id JOIN cups ON cups.id = cup_id
WHERE matches.status = 'running'
"""
ENDED = "SELECT 1 FROM cup_pairings WHERE cup_id=? AND reason='late'"
"""Whether the last day of a cup has decided one of its pairings."""

UNCERTAIN_SECONDS = 300.0
"""Seconds after the clock was set in which the bot's clock may not have followed it."""

LOST = "SELECT substr(line, 1, 1) FROM actions WHERE match_id=? AND line LIKE '_ flag'"


class Turn(NamedTuple):
    """A decision of a seat.

    Attributes:
        version: of the match when it became pending.
        since: the earliest time at which it can have begun.
        is_cancelled: whether the cup of the match was cancelled at the last look.
    """

    version: int
    since: float
    clock: str
    is_cancelled: bool


class LastDay(NamedTuple):
    """The last day of a cup as its organiser has typed it.

    Attributes:
        typed_at: the true time at which it was typed.
        seconds: from then until its end.
    """

    typed_at: float
    seconds: float


class CupClocks:
    """The turns of all matches of cups, seen from outside.

    Args:
        report: to which losses are added that come early.
        now: returns the true time.
        day: seconds of a day: so long a match waits for a claim.
    """

    def __init__(
        self, audit_log: AuditLog, report: Report, now: Callable[[], float], day: float
    ) -> None:
        self._audit_log, self._report, self._now, self._day = audit_log, report, now, day
        self._turns: dict[tuple[int, str], Turn] = {}
        self._looked = now()
        self._sets: list[float] = []
        self._last_days: dict[int, LastDay] = {}

    def was_set(self) -> None:
        """Note that the machine's clock is set."""
        self._sets.append(self._now())

    def typed(self, cup_id: int, day: LastDay) -> None:
        """Note the last day of a cup, unless the clock was set when it was typed."""
        if not any(at >= day.typed_at - UNCERTAIN_SECONDS for at in self._sets):
            self._last_days[cup_id] = day

    def _compare_last_days(self) -> None:
        """A last day ends the cup no earlier than its organiser has said."""
        for cup_id, (typed_at, seconds) in list(self._last_days.items()):
            if not self._rows(ENDED, cup_id):
                continue
            del self._last_days[cup_id]
            self._report.done["cups: last days compared"] += 1
            sets = sum(at >= typed_at for at in self._sets)
            taken, least = self._now() - typed_at, seconds - SET_SECONDS * sets
            if taken < least:
                detail = f"cup {cup_id} has ended after {taken:.0f} s at most, not {least:.0f}"
                self._report.blame("short_clocks", detail)

    def compare(self) -> None:
        """Look at all cups and their matches.

        A turn began after the last look, and no later than it is seen.

        A match of a cancelled cup is lost only by a claim, and here none is made.
        """
        self._compare_last_days()
        running = dict[tuple[int, str], tuple[int, str, bool]]()
        for match, decisions, clock, is_cancelled in self._rows(RUNNING):
            for seat, version in json.loads(decisions).items():
                running[match, seat] = version, clock, bool(is_cancelled)
        for match, seat in self._turns.keys() - running.keys():
            turn = self._turns.pop((match, seat))
            if (seat,) in self._rows(LOST, match):
                self._check(match, turn)
        for key, (version, clock, is_cancelled) in running.items():
            previous = self._turns.get(key)
            since = previous.since if previous and previous.version == version else self._looked
            self._turns[key] = Turn(version, since, clock, is_cancelled)
        self._looked = self._now()

    def _check(self, match: int, turn: Turn) -> None:
        """A turn that was lost has taken its time, and a day more for a claim."""
        self._report.done["cups: matches lost on time"] += 1
        if turn.is_cancelled:
            detail = f"match {match} of a cancelled cup is lost on time"
            self._report.blame("short_clocks", detail)
        control = Clock.parse(turn.clock)
        assert control
        sets = sum(at >= turn.since for at in self._sets)
        taken = self._now() - turn.since
        least = control.budget + self._day - SET_SECONDS * sets
        if taken < least:
            detail = f"match {match} of a cup is lost after {taken:.0f} s at most, not {least:.0f}"
            self._report.blame("short_clocks", detail)

    def _rows(self, query: str, *values: object) -> list[Any]:
        return self._audit_log.rows(query, *values)
