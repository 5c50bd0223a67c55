"""How much time each player must still have, computed from outside, by what people were told.

Each value is a lower bound: a clock is taken to start before the click that started it, to stop
when the answer to a click came, and to run on while its player is away.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.services.time_controls import DAY, Clock
from bot.services.timers import OUTAGE_SECONDS
from bot.storage.heartbeats import HEARTBEAT
from engine.endings import ENDING_VERBS
from tests.support.faults.audit_log import AuditLog
from tests.support.faults.report import Report

ROUNDING_SECONDS = 0.01


class Seat(NamedTuple):
    """A seat's clock: seconds left, and since when it runs; infinity: it stands."""

    left: float
    since: float = math.inf

    def remaining(self, now: float) -> float:
        """Return the seconds that are left."""
        return self.left - max(0.0, now - self.since)


@dataclass
class Shard:
    """The time of a shard's matches: without the outages, which no clock counts.

    Attributes:
        outages: seconds of all outages that are over.
        gap: seconds from the last heartbeat to the start of the next process, if it is an outage.
        beat: the last heartbeat before that start.
    """

    outages: float = 0.0
    gap: float = 0.0
    beat: float = 0.0


@dataclass
class Model:
    """The clocks of a match.

    Attributes:
        clock: of the match, with short days.
        shard: that serves it.
        seats: seat → clock.
        version: of the match to which this applies.
        asked: the seats that have to decide.
        touched: a time before the next choice.
        before: the clocks as they were before each choice that can be taken back.
    """

    clock: Clock
    shard: int
    seats: dict[str, Seat] = field(default_factory=dict)
    version: int = -1
    asked: frozenset[str] = frozenset()
    touched: float = 0.0
    before: list[dict[str, Seat]] = field(default_factory=list)


class Clocks:
    """The clocks of all matches.

    Args:
        audit_log: of the database.
        report: to which clocks are added that are short.
        now: returns the time in UTC seconds.
        shards: how many there are.
        day: seconds of a day.
    """

    def __init__(
        self,
        audit_log: AuditLog,
        report: Report,
        now: Callable[[], float],
        shards: int,
        day: float,
    ) -> None:
        self._audit_log = audit_log
        self._report = report
        self._now = now
        self._day = day
        self._shards = [Shard() for _ in range(shards)]
        self._models: dict[int, Model] = {}

    def started(self, shard: int) -> None:
        """Note that a process starts: if the last heartbeat is long ago, there was an outage."""
        known, beat = self._shards[shard], self._count_outage(shard)
        gap = self._now() - beat if beat else 0.0
        known.gap, known.beat = gap if gap > OUTAGE_SECONDS else 0.0, beat

    def begun(self, match: int) -> None:
        """Note that a match is about to begin."""
        query = "SELECT clock, guild_id FROM matches WHERE id=?"
        ((text, guild_id),) = self._audit_log.rows(query, match)
        if clock := Clock.parse(text):
            scale = self._day / DAY
            short = Clock(clock.budget * scale, clock.increment * scale)
            self._models[match] = Model(short, (guild_id >> 22) % len(self._shards))
            self.touched(match)

    def touched(self, match: int) -> None:
        """Note that something is about to happen in a match."""
        if model := self._models.get(match):
            model.touched = self._count_outage(model.shard) - self._shards[model.shard].outages

    def chosen(self, match: int, line: str) -> None:
        """Note a choice that was acknowledged; the beginning of a match is one without a line."""
        model = self._models.get(match)
        if model is None:
            return
        if line and line.partition(" ")[0] not in ENDING_VERBS:
            model.before.append(dict(model.seats))
        was = model.asked
        now = self._follow(match, model)
        for seat in was - model.asked:
            clock = model.seats[seat]
            left = model.clock.after_turn(clock.left, max(0.0, now - clock.since))
            model.seats[seat] = Seat(left)
        for seat in model.asked - was:
            left = model.seats.get(seat, Seat(model.clock.budget)).left
            model.seats[seat] = Seat(left, model.touched)

    def taken_back(self, match: int) -> None:
        """Note that the last choice was taken back: each clock is as if it had not been made."""
        if model := self._models.get(match):
            model.seats = model.before.pop()
            self._follow(match, model)

    def forget(self, match: int) -> None:
        """Compare the clocks of a match no more: an action of a plan was taken back."""
        self._models.pop(match, None)

    def _follow(self, match: int, model: Model) -> float:
        """Read who has to decide now; return the time."""
        query = "SELECT version, decisions FROM matches WHERE id=?"
        ((model.version, decisions),) = self._audit_log.rows(query, match)
        model.asked = frozenset(json.loads(decisions))
        self._count_outage(model.shard)
        return self._now() - self._shards[model.shard].outages

    def compare(self) -> None:
        """Compare all clocks with those in the database, at the last heartbeat.

        A clock that stands is compared at the present: it may have been stopped by a vacation
        after that heartbeat.
        """
        query = (
            "SELECT match_id, version, seat, seconds_left, clock_started_at FROM matches"
            " JOIN seats ON match_id = matches.id WHERE status='running' AND clock<>''"
        )
        beats = [self._count_outage(shard) for shard in range(len(self._shards))]
        for match, version, seat, left, since in self._audit_log.rows(query):
            model = self._models.get(match)
            if model is None or model.version != version or seat not in model.seats:
                continue
            runs = since is not None and left
            at = beats[model.shard] if runs else self._now()
            stored = Seat(left, since if runs else math.inf).remaining(at)
            least = model.seats[seat].remaining(at - self._shards[model.shard].outages)
            self._report.clocks_compared += 1
            if max(0.0, stored) < max(0.0, least) - ROUNDING_SECONDS:
                told = f"match {match}, seat {seat}: {stored:.2f} s left, not {least:.2f}"
                self._report.blame("short_clocks", told)

    def _count_outage(self, shard: int) -> float:
        """Count an outage once the process after it has noted a heartbeat; return the last one."""
        known, beat = self._shards[shard], self._beat(shard)
        if known.gap and beat != known.beat:
            known.outages, known.gap = known.outages + known.gap, 0.0
        return beat

    def _beat(self, shard: int) -> float:
        """Return the time of a shard's last heartbeat, 0 if there was none."""
        query = "SELECT value FROM facts WHERE name=?"
        found = self._audit_log.rows(query, f"{HEARTBEAT}:{len(self._shards)}:{shard}")
        return float(found[0][0]) if found else 0.0
