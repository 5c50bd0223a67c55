"""Clocks of a match, compared with a model after each random step."""

from __future__ import annotations

from pathlib import Path

from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from sqlalchemy import delete, select

from bot.domain.ids import UserId
from bot.domain.models import TimerKind
from bot.domain.time_controls import DAY, HOUR, Clock
from bot.services.vacation import TooLongError
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import facts, timers
from tests.support.matches import ADA, BO, choose, opponent_of, take_back, times, warp6
from tests.support.tiers import sampled
from tests.verification.models.clocks import ClockModel
from tests.verification.models.machine import ServiceMachine, check_machine

USERS = st.sampled_from([ADA, BO])
PAUSE = st.integers(1, 40).map(lambda quarters: quarters * HOUR / 4)

MAX_CHOICES = 15
"""Number of choices while dice are placed; with the next one, the last dice place themselves."""


class ClockMachine(ServiceMachine):
    """A match of Warp 6 with a clock, in the phase in which players place their dice in turn."""

    @initialize(clock=st.sampled_from(["1d", "3d", "2d+12h"]))
    def begin(self, clock: str) -> None:
        self.match_id = self.run(warp6(self.env, clock))
        match = self.run(self.env.queries.match(self.match_id))
        self.user_of = {seat: player.user_id for seat, player in match.players.items()}
        self.model = ClockModel(Clock.parse(clock) or Clock(0), (ADA, BO), self.deciding())

    @precondition(lambda self: len(self.model.worlds) <= MAX_CHOICES)
    @rule()
    def choose(self) -> None:
        (user,) = self.deciding()
        assert self.run(choose(self.env, self.match_id, user)).kind == "done"
        self.model.choose(user, self.deciding())

    @precondition(lambda self: self.model.now.chooser)
    @rule(later=PAUSE)
    def take_back(self, later: float) -> None:
        self.pass_time(later)
        user = self.model.now.chooser
        kind = self.run(take_back(self.env, self.match_id, user)).kind
        assert kind == ("done" if self.model.take_back(user) else "refused")

    @precondition(lambda self: self.model.now.chooser)
    @rule()
    def try_to_take_back_a_choice_of_the_other(self) -> None:
        user = opponent_of(self.model.now.chooser)
        assert self.run(take_back(self.env, self.match_id, user)).kind == "refused"

    @rule(seconds=PAUSE)
    def pass_time(self, seconds: float) -> None:
        self.run(self._live(seconds))
        self.model.pass_time(seconds)

    @precondition(lambda self: self.next_warnings())
    @rule()
    def pass_time_until_a_warning(self) -> None:
        self.pass_time(min(self.next_warnings()))

    @rule(days=st.integers(1, 20))
    def be_down(self, days: int) -> None:
        timers = self.env.timers()
        self.run(timers.heartbeats.record())
        self.env.now += days * DAY
        assert self.run(timers.fire()) == 0

    @rule(user=USERS, later=PAUSE, days=st.sampled_from([1, 2, 12, 30]))
    def go_on_vacation(self, user: UserId, later: float, days: int) -> None:
        self.pass_time(later)
        try:
            self.run(self.env.vacations.begin(user, self.env.now + days * DAY))
        except TooLongError:
            assert not self.model.go_away(user, days * DAY)
        else:
            assert self.model.go_away(user, days * DAY)

    @rule(user=USERS, later=PAUSE)
    def come_back(self, user: UserId, later: float) -> None:
        self.pass_time(later)
        assert self.run(self.env.vacations.end(user)) == (user in self.model.back_in)
        self.model.come_back(user)

    @rule(user=USERS)
    def try_to_claim(self, user: UserId) -> None:
        other = opponent_of(user)
        (seat,) = (seat for seat, player in self.user_of.items() if player == other)
        claim = self.env.deadlines.claim_win
        answer = self.run(claim(next(self.env.ids), self.match_id, user, seat, confirms=True))
        is_late = other in self.model.now.pending and self.model.now.left[other] == 0
        assert answer.kind == ("confirm" if is_late else "stale")

    @invariant()
    def clocks_and_timers_are_those_of_the_model(self) -> None:
        world, now = self.model.now, self.env.now
        assert self.run(self._seconds_left()) == world.left
        expected = []
        for user in self.model.running(world):
            if left := world.left[user]:
                expected.append((TimerKind.FLAG, user, now + left))
            if left > world.warn_at[user]:
                expected.append((TimerKind.WARN, user, now + left - world.warn_at[user]))
        assert sorted(self.run(self._timers())) == sorted(expected)

    def deciding(self) -> set[UserId]:
        match = self.run(self.env.queries.match(self.match_id))
        return {self.user_of[seat] for seat in match.decisions}

    def next_warnings(self) -> list[float]:
        """Return in how many seconds players are warned."""
        world = self.model.now
        waits = [world.left[user] - world.warn_at[user] for user in self.model.running(world)]
        return [wait for wait in waits if wait > 0]

    async def _live(self, seconds: float) -> None:
        """Let time pass while the bot runs: no heartbeat is missing."""
        self.env.now += seconds
        async with self.env.database.write() as connection:
            await connection.execute(delete(facts).where(facts.c.name.like(f"{HEARTBEAT}%")))
        await self.env.timers().fire()
        await self.env.vacations.end_due()

    async def _seconds_left(self) -> dict[UserId, float]:
        """Return user → remaining seconds; a full clock before a player's first turn."""
        left: dict[UserId, float] = dict.fromkeys((ADA, BO), self.model.clock.budget)
        for user, clock in (await times(self.env, self.match_id)).items():
            spent = 0.0 if clock.started_at is None else self.env.now - clock.started_at
            left[user] = max(0.0, clock.seconds_left - spent)
        return left

    async def _timers(self) -> list[tuple[str, int, float]]:
        kinds = timers.c.kind.in_([TimerKind.FLAG, TimerKind.WARN])
        async with self.env.database.read() as connection:
            rows = await connection.execute(select(timers).where(kinds))
            return [(row.kind, self.user_of[row.seat], row.due_at) for row in rows]


@sampled(1, 100, 2_000)
def test_clocks_equal_their_model(template: Path, samples: int) -> None:
    check_machine(ClockMachine, template, samples, steps=25)
