"""Clocks of a match, compared with a model after each random step."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from hypothesis import assume
from hypothesis import strategies as st
from hypothesis.stateful import initialize, invariant, precondition, rule
from sqlalchemy import delete, select

from bot.domain.clocks import DAY, HOUR, Clock, days_off_rule
from bot.domain.days_off import NO_DAYS_OFF, DaysOffRule
from bot.domain.ids import MatchId, UserId
from bot.domain.models import TimerKind
from bot.services.abuse_limits import TakebackRequests
from bot.services.match_store import load
from bot.services.preferences import Preferences
from bot.services.vacation import TooLongError
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import facts, timers
from engine import games
from tests.support.matches import (
    ADA,
    BO,
    MatchFixture,
    alone,
    choose,
    opponent_of,
    plan,
    take_back,
    warp6,
)
from tests.support.tiers import sampled
from tests.verification.models.clocks import ClockModel, Week
from tests.verification.models.machine import ServiceMachine, check_machine

USERS = st.sampled_from([ADA, BO])
JUMP = st.integers(-20, 20)
"""Days of an outage, or of a clock that is set forward or back."""

PAUSE = st.integers(1, 40).map(lambda quarters: quarters * HOUR / 4)

SETTINGS = st.builds(
    Week,
    st.sampled_from(["", "56", "45", "06", "2"]),
    st.sampled_from(["UTC", "Europe/Berlin", "America/Havana", "Asia/Kathmandu"]),
)
STARTS = st.sampled_from(
    [
        datetime(2026, month, day, 6, tzinfo=UTC).timestamp()
        for month, day in ((3, 5), (3, 26), (6, 13), (10, 23), (10, 29))
    ]
)
"""Clocks are put forward or back a few days after the most of them."""

MAX_CHOICES = 15
"""Number of choices while dice are placed; with the next one, the last dice place themselves."""


class ClockMachine(ServiceMachine):
    """A match with a clock in which each choice is a turn.

    Players place their dice of Warp 6 in turn, or one is home in Tom Tube and the other plays on.
    """

    @initialize(
        clock=st.sampled_from(["1d", "3d", "2d+12h", "1dw", "3do", "2d+12ho"]),
        start=STARTS,
        settings=st.tuples(SETTINGS, SETTINGS),
        begin=st.sampled_from([warp6, alone]),
    )
    def begin(
        self,
        clock: str,
        start: float,
        settings: tuple[Week, Week],
        begin: Callable[[MatchFixture, str], Coroutine[Any, Any, MatchId]],
    ) -> None:
        self.env.now = start
        for user, week in zip((ADA, BO), settings, strict=True):
            self.change_settings(user, week)
        rule = days_off_rule(clock)
        weeks = {
            user: week if rule == DaysOffRule.OWN else week._replace(days="56" if rule else "")
            for user, week in zip((ADA, BO), settings, strict=True)
        }
        self.match_id, self.is_alone = self.run(begin(self.env, clock)), begin is alone
        match = self.run(self.env.queries.match(self.match_id))
        self.user_of = {seat: player.user_id for seat, player in match.players.items()}
        self.model = ClockModel(
            Clock.parse(clock) or Clock(0), (ADA, BO), self.deciding(), weeks, start
        )
        self.model.now.left = self.run(self._seconds_left())  # with an increment if one is home
        self.model.now.start(self.deciding())

    @rule(user=USERS, week=SETTINGS)
    def change_settings(self, user: UserId, week: Week) -> None:
        """It concerns the next match only."""
        preferences = Preferences(self.env.database)
        self.run(preferences.set_time_zone(user, week.zone))
        self.run(preferences.set(user, "days_off", week.days or "off"))

    @precondition(lambda self: len(self.model.worlds) <= MAX_CHOICES)
    @rule()
    def choose(self) -> None:
        (user,) = self.deciding()
        assert self.run(choose(self.env, self.match_id, user)).kind == "done"
        self.model.choose(user, self.deciding())

    @precondition(lambda self: self.model.now.chooser)
    @rule(later=PAUSE, jump=JUMP)
    def take_back(self, later: float, jump: int) -> None:
        self.pass_time(later)
        self.be_down(jump)
        user = self.model.now.chooser
        kind = self.run(take_back(self.env, self.match_id, user)).kind
        assert kind == ("done" if self.model.take_back(user) else "refused")

    @precondition(lambda self: len(self.model.worlds) < MAX_CHOICES and not self.is_alone)
    @rule()
    def choose_and_be_answered(self) -> None:
        """The other player's plan answers at once."""
        (user,) = self.deciding()
        other = opponent_of(user)
        assert self.run(plan(self.env, self.match_id, other, self.run(self._any_die(other))))
        assert self.run(choose(self.env, self.match_id, user)).kind == "done"
        assert self.deciding() == {user}
        self.model.choose(user, {other})
        self.model.choose(other, {user}, is_answer=True)

    @precondition(lambda self: self.model.now.is_answer)
    @rule(asked_after=PAUSE, agreed_after=PAUSE, jump=JUMP)
    def take_back_across_the_answer(
        self, asked_after: float, agreed_after: float, jump: int
    ) -> None:
        self.pass_time(asked_after)
        self.be_down(jump)
        other = self.model.now.chooser
        user = opponent_of(other)
        self.env.takebacks._requests = TakebackRequests()  # which a restart resets
        assert self.run(take_back(self.env, self.match_id, user)).kind == "ask"
        match = self.run(self.env.queries.match(self.match_id))
        self.pass_time(agreed_after)
        agreement = self.env.takebacks.take_back(
            next(self.env.ids),
            self.match_id,
            other,
            requested_version=match.version,
            asking=match.seat_of(user),
        )
        is_done = self.model.take_back(user, answer=True)
        assert self.run(agreement).kind == ("done" if is_done else "refused")

    @precondition(lambda self: self.model.now.chooser)
    @rule()
    def try_to_take_back_a_choice_of_the_other(self) -> None:
        assume(not self.model.now.is_answer)
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

    @rule(days=JUMP)
    def be_down(self, days: int) -> None:
        """The bot was down, or the clock was set forward or back."""
        timers = self.env.timers()
        self.run(timers.heartbeats.record())
        self.env.now += days * DAY
        self.model.skip(days * DAY)
        assert self.run(timers.fire()) == 0

    @precondition(lambda self: self.next_warnings())
    @rule(days=JUMP)
    def be_down_when_a_warning_is_due(self, days: int) -> None:
        """It was not sent before the outage, or before the clock was set, so it is sent now."""
        seconds = min(self.next_warnings())
        self.run(self._live(seconds, fires=False))
        self.model.pass_time(seconds)
        timers = self.env.timers()
        self.run(timers.heartbeats.record())
        self.env.now += days * DAY
        self.model.skip(days * DAY)
        assert self.run(timers.fire())

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
        world = self.model.now
        assert self.model.at == self.env.now
        assert self.run(self._seconds_left()) == world.left
        expected = []
        for user in self.model.running(world):
            if left := world.left[user]:
                expected.append((TimerKind.FLAG, user, self.model.end(user, left)))
            if left > world.warn_at[user]:
                warn_at = self.model.end(user, left - world.warn_at[user])
                expected.append((TimerKind.WARN, user, warn_at))
        assert sorted(self.run(self._timers())) == sorted(expected)

    async def _any_die(self, user: UserId) -> str:
        """Return the order to place any die of a player who has to wait."""
        async with self.env.database.write() as connection:  # `load` locks the match
            row = await load(connection, self.match_id)
        assert row
        game = games.get(row.game)
        (seat,) = (seat for seat, player in self.user_of.items() if player == user)
        return next(iter(game.plannable(row.state(), seat))).notation

    def deciding(self) -> set[UserId]:
        match = self.run(self.env.queries.match(self.match_id))
        return {self.user_of[seat] for seat in match.decisions}

    def next_warnings(self) -> list[float]:
        """Return in how many seconds players are warned."""
        world = self.model.now
        waits = {user: world.left[user] - world.warn_at[user] for user in self.model.running(world)}
        return [
            self.model.end(user, wait) - self.env.now for user, wait in waits.items() if wait > 0
        ]

    async def _live(self, seconds: float, *, fires: bool = True) -> None:
        """Let time pass while the bot runs: no heartbeat is missing.

        Args:
            fires: whether the timers that are due in the end fire.
        """
        self.env.now += seconds
        async with self.env.database.write() as connection:
            await connection.execute(delete(facts).where(facts.c.name.like(f"{HEARTBEAT}%")))
        if fires:
            await self.env.timers().fire()
        await self.env.vacations.end_due()

    async def _seconds_left(self) -> dict[UserId, float]:
        """Return user → remaining seconds; a full clock before a player's first turn."""
        left: dict[UserId, float] = dict.fromkeys((ADA, BO), self.model.clock.budget)
        match = await self.env.queries.match(self.match_id)
        for seat, clock in match.times.items():
            user, start = self.user_of[seat], clock.started_at
            days_off = match.days_off.get(seat, NO_DAYS_OFF)
            spent = 0.0 if start is None else days_off.spent(start, self.env.now)
            left[user] = max(0.0, clock.seconds_left - spent)
        return left

    async def _timers(self) -> list[tuple[str, int, float]]:
        kinds = timers.c.kind.in_([TimerKind.FLAG, TimerKind.WARN])
        async with self.env.database.read() as connection:
            rows = await connection.execute(select(timers).where(kinds))
            return [(row.kind, self.user_of[row.seat], row.due_at) for row in rows]


@sampled(1, 12, 2_000)
def test_clocks_equal_their_model(template: Path, samples: int) -> None:
    check_machine(ClockMachine, template, samples, steps=25)
