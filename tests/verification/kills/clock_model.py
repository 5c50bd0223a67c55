"""Bounds of each player's remaining time, computed independently of the bot.

The lower bound takes a clock to start before the click that started it, to stop when the answer to
a click came, and to run on while its player is away or has days off; the upper bound takes it to
start with the answer and to stop before the click. The upper bound of a player who was away or has
days off, or for whom a plan acted, is what the time control allows for so many turns.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from bot.domain.clocks import Clock
from bot.domain.steady_clock import OUTAGE_SECONDS
from bot.services.heartbeats import HEARTBEAT_CLOCK_SKEW_SECONDS
from bot.storage.heartbeats import HEARTBEAT
from engine import games
from engine.endings import ENDING_VERBS
from tests.verification.kills.audit_log import AuditLog
from tests.verification.kills.report import Report
from tests.verification.kills.wall_clock import WallClock

ROUNDING_SECONDS = 0.01

TOLERANCE_SECONDS = 30.0
"""Seconds that a clock may show more than the upper bound.

If the machine's clock is set and the process ends before its next heartbeat, a clock that has
started since the last one gains up to the interval between heartbeats.
"""

UNCERTAIN_SECONDS = 60.0
"""Seconds from a start, or from setting the clock, to the heartbeat that measures it, at most."""


class Time(NamedTuple):
    """Seconds that clocks have counted so far: at least, and at most."""

    least: float
    most: float


class Seat(NamedTuple):
    """A bound of a seat's clock: seconds left, and since when it runs; infinity: it stands."""

    left: float
    since: float = math.inf

    def remaining(self, now: float) -> float:
        """Return the seconds that are left."""
        return self.left - max(0.0, now - self.since)


class Bounds(NamedTuple):
    """The least and the most that a seat's clock may show."""

    least: Seat
    most: Seat

    def stopped(self, clock: Clock, earliest: Time, latest: Time) -> Bounds:
        """Return the clock after a turn that ended between two times."""
        least, most = self
        spent = (
            max(0.0, latest.most - least.since),
            max(0.0, earliest.least - most.since),
        )
        return Bounds(
            Seat(clock.after_turn(least.left, spent[0])),
            Seat(clock.after_turn(most.left, spent[1])),
        )

    def started(self, earliest: Time, latest: Time) -> Bounds:
        """Return the clock after the beginning of a turn between two times."""
        return Bounds(Seat(self.least.left, earliest.most), Seat(self.most.left, latest.least))


@dataclass
class Shard:
    """The time of a shard's matches: without the outages, which no clock counts.

    Attributes:
        outages: seconds of all outages that are over.
        uncertain: further seconds that may not have been counted.
        gap: seconds from the last heartbeat to the start of the next process, if it is an outage.
        beat: the last heartbeat before that start, as it is stored.
        ran: seconds from then to the end of its process; a turn that ended in them counts.
        seen: the last heartbeat of all, as it is stored, and its true time.
    """

    outages: float = 0.0
    uncertain: float = 0.0
    gap: float = 0.0
    beat: float = 0.0
    ran: float = 0.0
    seen: tuple[float, float] = (0.0, 0.0)

    def time(self, now: float) -> Time:
        """Return the time that clocks have counted until `now`."""
        most = now - self.outages
        return Time(most - self.uncertain, most)


@dataclass
class Model:
    """The clocks of a match.

    Attributes:
        clock: of the match, with short days.
        seats: seat → clock.
        asked: the seats that have to decide, each with the version since which it has to.
        turn: number of the turn.
        touched: a time before the next choice.
        before: the clocks as they were before each choice that can be taken back.
        automatic: number of actions that the bot made for people.
        unknown: seats whose clock may have stood, or have run in turns that are not known here.
    """

    clock: Clock
    shard: int
    seats: dict[str, Bounds] = field(default_factory=dict)
    version: int = -1
    asked: Mapping[str, int] = field(default_factory=dict)
    turn: int = 0
    touched: Time = Time(0.0, 0.0)  # noqa: RUF009 - it never changes
    before: list[dict[str, Bounds]] = field(default_factory=list)
    automatic: int = 0
    unknown: set[str] = field(default_factory=set)

    def allowed(self, turns: int) -> float:
        """Return the most that a clock may show after so many turns, whatever has happened."""
        return self.clock.budget + turns * self.clock.increment


class Clocks:
    """The clocks of all matches.

    Args:
        report: to which clocks are added that are short or long.
        wall: the clock of the bot's machine.
        day: seconds of a day.
    """

    def __init__(
        self,
        audit_log: AuditLog,
        report: Report,
        wall: WallClock,
        shards: int,
        day: float,
    ) -> None:
        self._audit_log = audit_log
        self._report = report
        self._wall = wall
        self._day = day
        self._shards = [Shard() for _ in range(shards)]
        self._models: dict[int, Model] = {}

    def started(self, shard: int) -> None:
        """Note that a process starts: if the last heartbeat is long ago, there was an outage.

        The bot measures by the clock of its machine, which may have been set meanwhile.
        """
        shard_state, beat = self._shards[shard], self._count_outage(shard)
        seen = self._wall.now() - beat if beat else 0.0
        gap = self._wall.true_now() - self._true(shard, beat) if beat else 0.0
        is_outage = not -HEARTBEAT_CLOCK_SKEW_SECONDS <= seen <= OUTAGE_SECONDS
        shard_state.gap, shard_state.beat = gap if is_outage else 0.0, beat
        shard_state.uncertain += UNCERTAIN_SECONDS if is_outage else max(0.0, gap - seen)

    def ended(self, shard: int) -> None:
        """Note that a process has ended; one without a heartbeat has stored nothing else."""
        shard_state, beat = self._shards[shard], self._count_outage(shard)
        if beat != shard_state.beat:
            shard_state.ran = max(0.0, self._wall.true_now() - self._true(shard, beat))

    def was_set(self) -> None:
        """Note that the clock is about to be set: the time since the last heartbeat may not count.

        A process that is starting has yet to measure it.
        """
        for shard, shard_state in enumerate(self._shards):
            beat = self._count_outage(shard)
            since = self._wall.true_now() - self._true(shard, beat) if beat else 0.0
            shard_state.uncertain += since + UNCERTAIN_SECONDS

    def begun(self, match: int) -> None:
        """Note that a match is about to begin."""
        query = "SELECT clock, guild_id FROM matches WHERE id=?"
        ((text, guild_id),) = self._audit_log.rows(query, match)
        if clock := Clock.parse(text):
            day = Clock.parse("1d")
            assert day is not None
            scale = self._day / day.budget  # 1 where the bot in this process has short days
            short = Clock(clock.budget * scale, clock.increment * scale)
            self._models[match] = Model(short, (guild_id >> 22) % len(self._shards))
            self.touched(match)

    def touched(self, match: int) -> None:
        """Note that something is about to happen in a match."""
        if model := self._models.get(match):
            beat = self._true(model.shard, self._count_outage(model.shard))
            model.touched = self._shards[model.shard].time(beat)

    def chosen(self, match: int, line: str) -> None:
        """Note a choice that was acknowledged; the beginning of a match is one without a line."""
        model = self._models.get(match)
        if model is None:
            return
        if line and line.partition(" ")[0] not in ENDING_VERBS:
            model.before.append(dict(model.seats))
        was, turn = model.asked, model.turn
        now = self._follow(match, model)
        still = {
            seat
            for seat in was.keys() & model.asked.keys()
            if was[seat] == model.asked[seat] or turn == model.turn
        }
        for seat in was.keys() - still:
            model.seats[seat] = model.seats[seat].stopped(model.clock, model.touched, now)
        full = Seat(model.clock.budget)
        for seat in model.asked.keys() - still:
            clock = model.seats.get(seat, Bounds(full, full))
            model.seats[seat] = clock.started(model.touched, now)

    def taken_back(self, match: int) -> None:
        """Note that the last choice was taken back: each clock is as if it had not been made."""
        if model := self._models.get(match):
            model.seats = model.before.pop()
            self._follow(match, model)

    def forget(self, match: int) -> None:
        """Compare the clocks of a match no more: an action of a plan was taken back."""
        self._models.pop(match, None)

    def away(self, user: int) -> None:
        """Note that a user goes away, or comes back: their clocks may stand meanwhile."""
        query = "SELECT match_id, seat FROM seats WHERE user_id=?"
        for match, seat in self._audit_log.rows(query, user):
            if model := self._models.get(match):
                model.unknown.add(seat)

    def _follow(self, match: int, model: Model) -> Time:
        """Read who has to decide now; return the time."""
        query = "SELECT version, decisions, game, position FROM matches WHERE id=?"
        ((model.version, decisions, name, position),) = self._audit_log.rows(query, match)
        model.asked, game = json.loads(decisions), games.get(name)
        model.turn = game.view(game.load(position)).turn
        query = "SELECT count(*) FROM actions WHERE match_id=? AND automatic IS NOT NULL"
        ((automatic,),) = self._audit_log.rows(query, match)
        if automatic != model.automatic:  # turns in between are not known here
            model.automatic = automatic
            seats = self._audit_log.rows("SELECT seat FROM seats WHERE match_id=?", match)
            model.unknown |= {seat for (seat,) in seats}
        away = "SELECT seat FROM seats JOIN absences USING (user_id) WHERE match_id=?"
        resting = "SELECT seat FROM seats WHERE match_id=? AND days_off IS NOT NULL"
        for stands in (away, resting):
            model.unknown |= {seat for (seat,) in self._audit_log.rows(stands, match)}
        self._count_outage(model.shard)
        return self._shards[model.shard].time(self._wall.true_now())

    def compare(self) -> None:
        """Compare all clocks with those in the database, at the last heartbeat.

        A clock that stands is compared at the present: it may have been stopped by a vacation
        after that heartbeat.
        """
        query = (
            "SELECT match_id, version, seat, seconds_left, clock_started_at FROM matches"
            " JOIN seats ON match_id = matches.id WHERE status='running' AND clock<>''"
        )
        away = "SELECT match_id, seat FROM seats JOIN absences USING (user_id)"
        for match, seat in self._audit_log.rows(away):  # also by a command that came twice
            if model := self._models.get(match):
                model.unknown.add(seat)
        beats = [self._count_outage(shard) for shard in range(len(self._shards))]
        for match, version, seat, left, since in self._audit_log.rows(query):
            model = self._models.get(match)
            if model is None or model.version != version or seat not in model.seats:
                continue
            runs, shard = since is not None and left, self._shards[model.shard]
            beat = beats[model.shard] if runs else self._wall.now()
            stored = max(0.0, Seat(left, since if runs else math.inf).remaining(beat))
            now = shard.time(self._true(model.shard, beat) if runs else self._wall.true_now())
            bounds = model.seats[seat]
            least, most = bounds.least.remaining(now.most), bounds.most.remaining(now.least)
            if seat in model.unknown:
                most = model.allowed(self._turns(match, seat))
            self._report.clocks_compared += 1
            if stored < max(0.0, least) - ROUNDING_SECONDS:
                detail = f"match {match}, seat {seat}: {stored:.2f} s left, not {least:.2f}"
                self._report.blame("short_clocks", detail)
            if not shard.gap and stored > max(0.0, most) + TOLERANCE_SECONDS:
                detail = f"match {match}, seat {seat}: {stored:.2f} s left, at most {most:.2f}"
                self._report.blame("long_clocks", detail)

    def _turns(self, match: int, seat: str) -> int:
        """Return the number of a seat's actions that count."""
        query = "SELECT line FROM actions WHERE match_id=? AND undone_at IS NULL"
        return sum(line.partition(" ")[0] == seat for (line,) in self._audit_log.rows(query, match))

    def _count_outage(self, shard: int) -> float:
        """Count an outage once the process after it has noted a heartbeat; return the last one."""
        shard_state, beat = self._shards[shard], self.beat(shard)
        if shard_state.gap and beat != shard_state.beat:
            ran = min(shard_state.ran, shard_state.gap)
            shard_state.outages, shard_state.uncertain = (
                shard_state.outages + shard_state.gap - ran,
                shard_state.uncertain + ran,
            )
            shard_state.gap = 0.0
        return beat

    def _true(self, shard: int, beat: float) -> float:
        """Return the true time of the last heartbeat, found when it was new.

        A clock that was set back shows the same time again.
        """
        shard_state = self._shards[shard]
        if beat != shard_state.seen[0]:
            shard_state.seen = beat, self._wall.true(beat)
        return shard_state.seen[1]

    def beat(self, shard: int) -> float:
        """Return a shard's last heartbeat as it is stored, 0 if there was none."""
        query = "SELECT value FROM facts WHERE name=?"
        rows = self._audit_log.rows(query, f"{HEARTBEAT}:{len(self._shards)}:{shard}")
        return float(rows[0][0]) if rows else 0.0
