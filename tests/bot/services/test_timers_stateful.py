"""Timers and a clock that is set, compared with a model after each random step."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, rule
from sqlalchemy import delete, select, update
from sqlalchemy.exc import OperationalError

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import Version
from bot.domain.models import MatchStatus, TimerKind
from bot.domain.steady_clock import SteadyClock
from bot.services.clocks import schedule, unschedule
from bot.services.factory import services_on
from bot.services.match_repository import seat_row
from bot.services.match_store import load
from bot.services.preferences import Preferences
from bot.services.rows import MatchRow
from bot.services.timers import TimerHandler, Timers
from bot.storage.connection import Connection
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import absences, cups, facts, matches, seats, timers
from tests.support.cups import CupFixture
from tests.support.matches import ADA, BO, EVE, begun
from tests.support.tiers import sampled
from tests.verification.models.machine import ServiceMachine, check_machine
from tests.verification.models.timers import VACATION, Timer, TimerModel

KINDS = st.sampled_from([TimerKind.WARN, TimerKind.REMIND, TimerKind.SNOOZE, TimerKind.NUDGE])
SEATS = st.sampled_from("OD")
JUMPS = st.sampled_from([-7 * DAY, -8 * HOUR, -60.0, -10.0, 10.0, 100.0, 8 * HOUR, 7 * DAY])
BUDGET_SECONDS, AWAY_SECONDS = 90 * DAY, 20 * DAY
DATES = {"first day": 12 * DAY, "last day": 40 * DAY}
"""Dates of a cup, and how far ahead they are."""


class TimerMachine(ServiceMachine):
    """A match, a challenge, a player on vacation, a cup, and a process whose clock is set."""

    @initialize()
    def begin(self) -> None:
        self.wall, self.elapsed = self.env.now, 0.0
        self.fired, self.failed = list[Timer](), set[Timer]()
        self.will_fail = False
        for user in (ADA, BO):  # else each reminder sets the next one
            self.run(Preferences(self.env.database).set(user, "remind", "off"))
        self.match_id = self.run(begun(self.env, "90d"))
        self.run(self._delete_timers())
        self.challenge_id = self.run(self.env.ask())
        self.run(self.env.vacations.begin(EVE, self.wall + AWAY_SECONDS))
        starts, ends = (self.wall + seconds for seconds in DATES.values())
        self.run(CupFixture(self.env).create(0, starts_at=starts, ends_at=ends))
        self.model = TimerModel(
            self.wall,
            {(self.challenge_id, "", TimerKind.EXPIRE): DAY},
            {"clock": BUDGET_SECONDS, VACATION: AWAY_SECONDS, **DATES},
        )
        self.start()

    @rule(seat=SEATS, kind=KINDS, delay=st.integers(1, 400))
    def set_or_move(self, seat: str, kind: TimerKind, delay: int) -> None:
        self.run(self._delete(seat, kind))
        self.run(self._set(seat, kind, self.clock() + delay))
        self.model.left[self.match_id, seat, kind] = self.clock() + delay - self.model.beat_at

    @rule(seat=SEATS, kind=KINDS)
    def delete(self, seat: str, kind: TimerKind) -> None:
        self.run(self._delete(seat, kind))
        self.model.left.pop((self.match_id, seat, kind), None)

    @rule(seconds=st.integers(1, 40))
    def pass_time_without_a_heartbeat(self, seconds: float) -> None:
        self.wall, self.elapsed = self.wall + seconds, self.elapsed + seconds

    @rule(seconds=st.integers(1, 60))
    def pass_time(self, seconds: int) -> None:
        self.pass_time_without_a_heartbeat(seconds)
        self.beat()

    @rule(hours=st.integers(1, 30))
    def pass_hours(self, hours: int) -> None:
        """Let time pass with heartbeats that find nothing due until the last one."""
        self.beat()
        due = [seconds for seconds in self.model.left.values() if seconds > 0]
        self.pass_time_without_a_heartbeat(min([hours * HOUR, *due]))
        self.run(self._note_heartbeat())
        self.model.skip(self.wall)
        self.beat()

    @rule(seconds=JUMPS)
    def set_the_wall_clock(self, seconds: float) -> None:
        self.wall += seconds

    @rule(seconds=st.sampled_from([1, 100, 1000, 2 * DAY]))
    def die_and_start_again(self, seconds: float) -> None:
        self.wall, self.elapsed = self.wall + seconds, 0.0
        self.start()

    @rule()
    def let_the_database_fail(self) -> None:
        self.will_fail = True

    @invariant()
    def stored_times_are_those_of_the_model(self) -> None:
        rows = self.rows(select(timers))
        left = {(row.match_id, row.seat, row.kind): self.from_beat(row.due_at) for row in rows}
        assert left == {timer: max(0.0, seconds) for timer, seconds in self.model.left.items()}
        (absence,) = self.rows(select(absences))
        (seat,) = self.rows(select(seats).where(seats.c.clock_started_at.is_not(None)))
        (cup,) = self.rows(select(cups))
        dates = dict(zip(DATES, (cup.starts_at, cup.ends_at), strict=True))
        clock = seat.clock_started_at + seat.seconds_left
        ends = {"clock": clock, VACATION: absence.ends_at, **dates}
        other = {name: self.from_beat(end) for name, end in ends.items()}
        assert other == {name: max(0.0, seconds) for name, seconds in self.model.other.items()}
        (match,) = self.rows(select(matches).where(matches.c.id == self.challenge_id))
        if match.status == MatchStatus.CHALLENGE:
            assert self.from_beat(match.expires_at) == left[match.id, "", TimerKind.EXPIRE]

    def start(self) -> None:
        """Start a process, which begins with a heartbeat."""
        self.last = self.elapsed
        self.clock = SteadyClock(lambda: self.wall, lambda: self.elapsed)
        services = services_on(self.env.database, self.clock, lambda: bytes(32))
        parts = (services.challenges, services.deadlines, services.nudges, services.silence)
        self.timers = Timers(self.env.database, *parts, clock=self.clock)
        handlers = self.timers._handlers.items()
        self.timers._handlers = {kind: self._noting(kind, handler) for kind, handler in handlers}
        self.beat()

    def beat(self) -> None:
        """Let the process fire due timers."""
        self.model.beat(self.wall, self.elapsed - self.last)
        self.last = self.elapsed
        self.fired.clear()
        self.failed.clear()
        self.run(self.timers.fire())
        assert sorted(self.fired) == sorted(self.model.due() - self.failed)
        self.model.fire(self.fired)

    def from_beat(self, time: float) -> float:
        """Return the seconds from the last heartbeat to a time; 0 if it is earlier."""
        return max(0.0, time - self.model.beat_at)

    def _noting(self, kind: str, handler: TimerHandler) -> TimerHandler:
        """Return a handler that notes each timer, or fails, so that it is rolled back."""

        async def handle(connection: Connection, row: MatchRow, seat: str, version: int) -> None:
            await handler(connection, row, seat, Version(version))
            if self.will_fail:
                self.will_fail = False
                self.failed.add((row.id, seat, kind))
                raise OperationalError("", None, Exception("full"))
            self.fired.append((row.id, seat, kind))

        return handle

    async def _set(self, seat: str, kind: TimerKind, due: float) -> None:
        async with self.env.database.write() as connection:
            row = await load(connection, self.match_id)
            assert row
            player = await seat_row(connection, self.match_id, seat)
            await schedule(connection, player, row.decisions.get(seat, Version(0)), {kind: due})

    async def _delete(self, seat: str, kind: TimerKind) -> None:
        async with self.env.database.write() as connection:
            await unschedule(connection, await seat_row(connection, self.match_id, seat), [kind])

    async def _delete_timers(self) -> None:
        async with self.env.database.write() as connection:
            await connection.execute(delete(timers))

    async def _note_heartbeat(self) -> None:
        async with self.env.database.write() as connection:
            noted = update(facts).where(facts.c.name.like(f"{HEARTBEAT}%"))
            await connection.execute(noted.values(value=repr(self.wall)))


@sampled(1, 12, 2_500)
def test_timers_equal_their_model(template: Path, samples: int) -> None:
    check_machine(TimerMachine, template, samples, steps=30)
