"""Clocks and takebacks: afterwards each clock is as if the choice had not been made."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, func, select

from bot.app.run import open_database
from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Player, SeatClock
from bot.domain.terms import Terms
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import earlier_clocks, facts
from tests.support.matches import (
    ADA,
    BO,
    ENOUGH_TURNS,
    EVE,
    PLAYERS,
    MatchFixture,
    alone,
    choose,
    opponent_of,
    scheduled,
    take_back,
    times,
    warp6,
)
from tests.support.tiers import examples


def remaining(env: MatchFixture, time: SeatClock) -> float:
    return time.seconds_left - (0.0 if time.started_at is None else env.now - time.started_at)


async def stored(env: MatchFixture) -> int:
    """How many earlier clocks are stored."""
    async with env.database.read() as connection:
        counted = select(func.count()).select_from(earlier_clocks)
        return int((await connection.execute(counted)).scalar_one())


async def test_takeback_restores_a_budget_less_the_time_since(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d+12h")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    for _ in range(10):
        env.now += HOUR
        assert (await choose(env, match_id, first)).kind == "done"
        env.now += HOUR
        assert (await take_back(env, match_id, first)).kind == "done"
    clocks = await times(env, match_id)
    assert remaining(env, clocks[first]) == 3 * DAY - 20 * HOUR
    assert other not in clocks
    assert (await scheduled(env, match_id))["flag"] == [env.now + 3 * DAY - 20 * HOUR]


async def test_takeback_gives_no_new_time_for_the_turn(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d")
    first = await env.on_turn(match_id)
    fire = env.timers()
    await choose(env, match_id, first)
    await take_back(env, match_id, first)
    env.now += DAY - 60
    await choose(env, match_id, first)
    await take_back(env, match_id, first)
    due = await scheduled(env, match_id)
    assert due["flag"] == [env.now + 60]
    assert due["warn"] == [env.now + 45], "the first warning was due before the takeback"
    env.now += 60
    await fire.fire()
    assert (await times(env, match_id))[first].over


async def test_takeback_restores_the_clock_of_the_other_player(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d+12h")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    await choose(env, match_id, first)
    env.now += DAY
    await choose(env, match_id, other)
    before = await times(env, match_id)
    await choose(env, match_id, first)
    env.now += 2 * DAY
    await take_back(env, match_id, first)
    after = await times(env, match_id)
    assert after[other] == before[other] == SeatClock(2 * DAY + 12 * HOUR, None)
    assert after[first] == before[first]


async def test_takebacks_in_a_row_restore_clock_after_clock(env: MatchFixture) -> None:
    match_id = await warp6(env, "7d+1d")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    start = env.now
    await choose(env, match_id, first)
    env.now += DAY
    await choose(env, match_id, other)
    env.now += HOUR
    await take_back(env, match_id, other)
    assert (await times(env, match_id))[other] == SeatClock(7 * DAY, start)
    await take_back(env, match_id, first)
    assert await times(env, match_id) == {first: SeatClock(7 * DAY, start)}
    assert await stored(env) == 0


async def test_takeback_is_refused_when_no_time_would_be_left(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d")
    first = await env.on_turn(match_id)
    env.now += 2 * HOUR
    await choose(env, match_id, first)
    env.now += 22 * HOUR
    refusal = await take_back(env, match_id, first)
    assert refusal.kind == "refused"
    assert "can't be taken back" in refusal.sentence
    assert await env.on_turn(match_id) != first
    env.now -= 1
    assert (await take_back(env, match_id, first)).kind == "done"


async def test_takeback_does_not_count_a_vacation_in_between(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d")
    away = env.vacations
    first = await env.on_turn(match_id)
    env.now += HOUR
    await choose(env, match_id, first)
    env.now += HOUR
    await away.begin(first, env.now + 10 * DAY)
    env.now += 5 * DAY
    await away.end(first)
    env.now += HOUR
    await take_back(env, match_id, first)
    assert remaining(env, (await times(env, match_id))[first]) == 3 * DAY - 3 * HOUR


async def test_vacation_stops_no_stored_clock_of_others(env: MatchFixture) -> None:
    """Neither that of the other player, nor that of the same seat in another match."""
    match_id = await warp6(env, "3d")
    terms = Terms(game="warp6", clock="3d", guild_id=None, channel_id=ChannelId(5))
    players = [Player(EVE, "Eve"), PLAYERS[1]]
    outcome = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    begins: dict[int, float] = {}
    for number, last in ((match_id, BO), (outcome.match_id, EVE)):
        while last not in begins:
            user, begin = await env.on_turn(number), env.now
            env.now += HOUR
            await choose(env, number, user)
            begins |= {user: begin} if user == last else {}
    await env.vacations.begin(ADA, env.now + 10 * DAY)
    env.now += DAY
    await env.vacations.end(ADA)
    for number, last in ((match_id, BO), (outcome.match_id, EVE)):
        assert (await take_back(env, number, last)).kind == "done"
        seconds_left = remaining(env, (await times(env, number))[last])
        assert seconds_left == 3 * DAY - (env.now - begins[last])


async def test_takeback_while_away_leaves_the_clock_standing(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d")
    away = env.vacations
    first = await env.on_turn(match_id)
    await choose(env, match_id, first)
    env.now += HOUR
    await away.begin(first, env.now + 10 * DAY)
    env.now += DAY
    await take_back(env, match_id, first)
    assert (await times(env, match_id))[first] == SeatClock(3 * DAY - HOUR, None)
    assert set(await scheduled(env, match_id)) == {"expire", "ping", "gone", "patience"}
    await away.end(first)
    assert (await scheduled(env, match_id))["flag"] == [env.now + 3 * DAY - HOUR]


async def test_takeback_does_not_count_an_outage_in_between(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d")
    first = await env.on_turn(match_id)
    fire = env.timers()
    await fire.fire()
    env.now += 60
    await choose(env, match_id, first)
    await fire.fire()
    env.now += 20 * DAY
    await fire.fire()
    await take_back(env, match_id, first)
    assert remaining(env, (await times(env, match_id))[first]) == 3 * DAY - 60


async def test_takeback_of_a_choice_without_stored_clocks(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d+12h")
    first = await env.on_turn(match_id)
    env.now += HOUR
    await choose(env, match_id, first)
    async with env.database.write() as connection:  # as an earlier version left it
        await connection.execute(earlier_clocks.delete())
    env.now += HOUR
    await take_back(env, match_id, first)
    clocks = await times(env, match_id)
    assert remaining(env, clocks[first]) == 3 * DAY - 2 * HOUR
    assert clocks[opponent_of(first)].started_at is None


async def test_takeback_leaves_the_pending_decision_of_others_alone(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d", setup="secret")
    before = await scheduled(env, match_id)
    decision = await env.decision(match_id, BO)
    env.now += HOUR
    assert (await choose(env, match_id, ADA)).kind == "done"
    assert (await take_back(env, match_id, ADA)).kind == "done"
    assert await env.decision(match_id, BO) == decision
    assert {seat: time.started_at for seat, time in (await times(env, match_id)).items()} == {
        ADA: env.now - HOUR,
        BO: env.now - HOUR,
    }
    after = await scheduled(env, match_id)
    assert after["flag"] == before["flag"]
    assert after["warn"] == before["warn"]


async def test_stored_clocks_go_with_the_end_of_a_match(env: MatchFixture) -> None:
    match_id = await warp6(env, "3d")
    await choose(env, match_id, await env.on_turn(match_id))
    assert await stored(env) == 2
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    assert await stored(env) == 0


STEP = st.one_of(
    st.just("choose"),
    st.just("back"),
    st.floats(60, 10 * HOUR),
    st.sampled_from(["choose", "back", "offer", "decline", "outage"]),
    st.tuples(st.sampled_from(["away", "home"]), st.sampled_from([ADA, BO])),
)
BEGINNINGS = {
    "rolled": lambda env, clock: warp6(env, clock, setup="rolled"),
    "secret": lambda env, clock: warp6(env, clock, setup="secret"),
    "alone": alone,
}
Step = str | tuple[str, UserId] | float


class Play:
    """A match and the steps of it that stayed."""

    def __init__(self, env: MatchFixture, match_id: MatchId) -> None:
        self.env = env
        self.match_id = match_id
        self.away = env.vacations
        self.stayed: list[Step] = []

    async def do(self, step: Step) -> None:
        """Do a step, and note it; a takeback strikes out the choice instead."""
        if isinstance(step, float):
            self.env.now += step
        elif isinstance(step, tuple):
            name, user = step
            await (self.away.end(user) if name == "home" else self._leave(user))
        elif step == "choose":
            assert (
                await choose(self.env, self.match_id, await self.env.on_turn(self.match_id))
            ).kind == "done"
        elif step == "back":
            await self._take_back()
            return
        elif step == "outage":
            await self._be_down()
        else:
            await self._draw(step)
        self.stayed.append(step)

    async def _be_down(self) -> None:
        """Let time pass while no bot runs, after a heartbeat and before the next one."""
        timers = self.env.timers()
        async with self.env.database.write() as connection:
            await connection.execute(delete(facts).where(facts.c.name.like(f"{HEARTBEAT}%")))
        await timers.fire()
        self.env.now += 3 * DAY
        await timers.fire()

    async def _leave(self, user: UserId) -> None:
        match = await self.env.queries.match(self.match_id)
        if match.seat_of(user) not in match.away_until:
            await self.away.begin(user, self.env.now + 2 * DAY)

    async def _draw(self, step: str) -> None:
        for user in (ADA, BO):
            await self.env.matches.act(next(self.env.ids), self.match_id, user, f"draw {step}")

    async def _take_back(self) -> None:
        if "choose" not in self.stayed:
            return
        for user in (ADA, BO):
            if (await take_back(self.env, self.match_id, user)).kind == "done":
                last = max(n for n, step in enumerate(self.stayed) if step == "choose")
                del self.stayed[last]
                return

    async def clocks(self) -> dict[int, tuple[float, bool]]:
        """User → seconds left, and whether the clock runs."""
        clocks = await times(self.env, self.match_id)
        return {
            user: (round(remaining(self.env, time), 3), time.started_at is not None)
            for user, time in clocks.items()
        }

    async def flags(self) -> list[float]:
        """When timers of lost time are due; none may be in the past."""
        return [round(due, 3) for due in (await scheduled(self.env, self.match_id)).get("flag", [])]


async def both(path: Path, steps: Sequence[Step], clock: str, beginning: str) -> None:
    """Play the steps, then only those that stayed, and compare the clocks."""
    ends = []
    for name in ("a", "b"):
        async with open_database(f"sqlite+aiosqlite:///{path / name}.db") as database:
            match_id = await BEGINNINGS[beginning](MatchFixture(database), clock)
            play = Play(env := MatchFixture(database), match_id)
            env.ids = iter(range(100, 10_000))  # type: ignore[assignment]
            for step in steps:
                await play.do(step)
            ends.append((await play.clocks(), sorted(await play.flags())))
            steps = play.stayed
    assert ends[0] == ends[1]


@pytest.mark.slow
@examples(1, 5, 250)
@given(
    st.lists(STEP, min_size=10, max_size=ENOUGH_TURNS),
    st.sampled_from(["30d", "30d+1d"]),
    st.sampled_from(list(BEGINNINGS)),
)
def test_clocks_are_as_if_undone_choices_were_never_made(
    steps: list[Step], clock: str, beginning: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(both(Path(folder), steps, clock, beginning))
