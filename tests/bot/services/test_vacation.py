"""Vacations: clocks are paused, the other players see it, and playing stays possible."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import delete, func, select, update

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Player, SeatClock
from bot.services.challenges import OPEN_SEAT
from bot.services.clocks import SEAT_TIMERS, SILENCE
from bot.services.vacation import TooLongError, VacationBalance, Vacations
from bot.storage.schema import matches, outbox, timers
from bot.views.vacation import vacation
from tests.support.harness import Stage, words
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    MatchFixture,
    act,
    begun,
    opponent_of,
    terms,
    time_of,
)
from tests.support.stand_ins import replaced


async def scheduled(env: MatchFixture) -> int:
    """Return the number of timers of clocks and reminders."""
    async with env.database.read() as connection:
        kinds = set(SEAT_TIMERS) - set(SILENCE)
        counted = select(func.count()).where(timers.c.kind.in_(kinds))
        return int((await connection.execute(counted)).scalar_one())


async def scheduled_in(env: MatchFixture, match_id: MatchId) -> list[tuple[str, float]]:
    """Return the timers of a match with their times."""
    query = select(timers.c.kind, timers.c.due_at).where(timers.c.match_id == match_id)
    async with env.database.read() as connection:
        return sorted((row.kind, row.due_at) for row in await connection.execute(query))


async def test_a_clock_stands_still_and_goes_on_with_what_was_left(
    env: MatchFixture, away: Vacations
) -> None:
    match_id = await begun(env, "3d")
    user = await env.on_turn(match_id)
    env.now += DAY
    await away.begin(user, env.now + 10 * DAY)
    assert await scheduled(env) == 0
    env.now += 9 * DAY
    await away.begin(user, env.now + 2 * DAY)
    assert await time_of(env, match_id, user) == SeatClock(2 * DAY, None)
    await away.end_due()
    assert (await time_of(env, match_id, user)).started_at is None
    env.now += 2 * DAY
    await away.end_due()
    assert await time_of(env, match_id, user) == SeatClock(2 * DAY, env.now)
    assert await scheduled(env) == 3
    assert not (await env.queries.match(match_id)).away_until


async def test_a_turn_that_begins_meanwhile_costs_nothing(
    env: MatchFixture, away: Vacations
) -> None:
    match_id = await begun(env, "3d")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    await away.begin(other, env.now + 5 * DAY)
    while await env.on_turn(match_id) == first:
        await act(env, match_id)
    assert await time_of(env, match_id, other) == SeatClock(3 * DAY, None)
    env.now += 4 * DAY
    assert await away.end(other)
    assert await time_of(env, match_id, other) == SeatClock(3 * DAY, env.now)
    assert not await away.end(other)


async def test_who_is_away_may_play_and_stays_away(env: MatchFixture, away: Vacations) -> None:
    match_id = await begun(env, "7d+12h")
    user = await env.on_turn(match_id)
    env.now += DAY
    await away.begin(user, env.now + 5 * DAY)
    env.now += DAY
    while await env.on_turn(match_id) == user:
        await act(env, match_id)
    match = await env.queries.match(match_id)
    assert (await time_of(env, match_id, user)).seconds_left == pytest.approx(6 * DAY + 12 * HOUR)
    assert list(match.away_until) == [match.seat_of(user)]


@pytest.mark.parametrize("late", [0, 1, 3600])
async def test_a_time_that_is_over_cannot_be_saved_by_going_away(
    env: MatchFixture, away: Vacations, late: UserId
) -> None:
    match_id = await begun(env, "1d")
    user = await env.on_turn(match_id)
    env.now += DAY + late
    await away.begin(user, env.now + DAY)
    await env.timers().fire()
    assert (await time_of(env, match_id, user)).over
    await away.end(user)
    assert (await time_of(env, match_id, user)).over


async def test_a_timer_that_was_about_to_fire_takes_nothing(
    env: MatchFixture, away: Vacations
) -> None:
    match_id = await begun(env, "1d")
    user = await env.on_turn(match_id)
    decision = await env.decision(match_id, user)
    await away.begin(user, env.now + DAY)
    seat = (await env.queries.match(match_id)).seat_of(user)
    await env.strike("flag", match_id, seat, decision)
    assert await time_of(env, match_id, user) == SeatClock(DAY, None)


async def test_clock_without_vacations_runs_on(env: MatchFixture, away: Vacations) -> None:
    """Its timers and reminders stay, before, during and after a vacation; its player is there."""
    match_id, common = await begun(env, "3d!"), await begun(env, "3d")
    user = await env.on_turn(match_id)
    before, timers_before = await time_of(env, match_id, user), await scheduled_in(env, match_id)
    assert before == SeatClock(3 * DAY, env.now)
    env.now += DAY
    leave = await away.begin(user, env.now + 10 * DAY, "ensign")
    assert leave.unaffected == 1
    assert (await away.balance(user)).unaffected == 1
    for ends in (False, True):
        match = await env.queries.match(match_id)
        assert (await time_of(env, match_id, user), match.away_until) == (before, {})
        assert not match.stand_ins
        assert await scheduled_in(env, match_id) == timers_before
        if not ends:
            assert (await env.queries.match(common)).away_until == {
                (await env.queries.match(common)).seat_of(user): env.now + 10 * DAY
            }
            assert await away.end(user)
    assert (await away.balance(user)).unaffected == 0, "no vacation, nothing to say"


async def test_turn_in_a_match_without_vacations_costs_time(
    env: MatchFixture, away: Vacations
) -> None:
    match_id = await begun(env, "3d!")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    await away.begin(other, env.now + 5 * DAY)
    while await env.on_turn(match_id) == first:
        await act(env, match_id)
    assert await time_of(env, match_id, other) == SeatClock(3 * DAY, env.now)


@pytest.mark.parametrize(("count", "line"), [(0, ""), (1, "clock goes on in 1 match"), (2, "in 2")])
def test_vacation_says_which_clocks_go_on(count: int, line: str) -> None:
    layout: Any = vacation(VacationBalance(DAY, DAY, unaffected=count)).layout
    content = str(layout.to_components())
    assert ("without vacations" in content) is bool(count)
    assert line in content


async def test_without_a_clock_only_reminders_rest(env: MatchFixture, away: Vacations) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    assert await scheduled(env) == 1
    await away.begin(user, env.now + DAY)
    assert await scheduled(env) == 0
    await away.end(user)
    assert await scheduled(env) == 1


@pytest.mark.slow
async def test_the_others_see_it_until_it_ends_by_itself(stage: Stage) -> None:
    match_id = await stage.begin(clock="3 days per turn")
    answer = await stage.ada.slash(stage.channel, "vacation", days=2)
    assert answer.ephemeral
    until = int(stage.clock.now + 2 * DAY)
    assert f"on vacation until <t:{until}:D>" in words(answer.response)
    assert f"Ada is on vacation until <t:{until}:D>; their clock is paused." in words(stage.last())
    await stage.spend(2 * DAY)
    await stage.env.advance_time(30)
    assert "is on vacation" not in words(stage.last())
    assert (await stage.client.context.queries.match(match_id)).status == "running"


@pytest.mark.slow
async def test_coming_back_early(stage: Stage) -> None:
    await stage.begin(clock="3 days per turn")
    early = await stage.ada.slash(stage.channel, "vacation", days=0)
    assert "not on vacation" in words(early.response)
    await stage.ada.slash(stage.channel, "vacation", days=30)
    back = await stage.ada.slash(stage.channel, "vacation", days=0)
    assert "Welcome back" in words(back.response)
    assert "is on vacation" not in words(stage.last())


async def test_who_goes_away_while_a_match_begins_loses_no_time(
    env: MatchFixture, away: Vacations
) -> None:
    for number in range(5):
        challenge = await env.challenges.challenge(
            next(env.ids), terms(clock="3d"), [Player(ADA, "Ada"), OPEN_SEAT], side="O"
        )
        user = BO + number  # takes the open seat
        await asyncio.gather(
            env.challenges.accept(next(env.ids), challenge.match_id, UserId(user), "Bo"),
            away.begin(UserId(user), env.now + DAY),
            away.begin(ADA, env.now + DAY),
        )
        match = await env.queries.match(challenge.match_id)
        assert len(match.away_until) == 2
        assert [time.started_at for time in match.times.values()] == [None] * len(match.times)
        await away.end(ADA)


async def test_return_changes_only_matches_with_a_stand_in(
    env: MatchFixture, away: Vacations
) -> None:
    other, match_id = await begun(env, ""), await replaced(env)
    versions = [(await env.queries.match(number)).version for number in (other, match_id)]
    assert await away.end(BO)
    after = [(await env.queries.match(number)).version for number in (other, match_id)]
    assert after == [versions[0], versions[1] + 1]


async def test_boards_of_the_last_changed_matches_show_a_vacation(
    env: MatchFixture, away: Vacations, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.vacation.MAX_REDRAWN", 2)
    numbers = []
    for _ in range(3):
        numbers.append(await begun(env, ""))
        env.now += HOUR
    await act(env, numbers[0])
    async with env.database.write() as connection:
        await connection.execute(delete(outbox))
    await away.begin(ADA, env.now + DAY)
    async with env.database.read() as connection:
        edited = (await connection.execute(select(outbox.c.match_id))).scalars().all()
    assert sorted(edited) == [numbers[0], numbers[2]]


async def test_days_of_others_do_not_count(env: MatchFixture) -> None:
    for user in (ADA, BO):
        await env.vacations.begin(user, env.now + 20 * DAY)
    env.now += 20 * DAY
    await env.vacations.end(BO)
    await env.vacations.end(ADA)
    assert [(await env.vacations.balance(user)).days for user in (ADA, BO, EVE)] == [10, 10, 30]
    begin = env.now
    for _ in range(2):  # the second absence of a day is added to the first
        env.now = begin
        await env.vacations.begin(ADA, env.now + 2 * DAY)
        await env.vacations.begin(BO, env.now + 2 * DAY)
        env.now += DAY
        await env.vacations.end(BO)
        await env.vacations.end(ADA)
    assert [(await env.vacations.balance(user)).days for user in (ADA, BO, EVE)] == [8, 8, 30]


@pytest.mark.parametrize(("more", "is_refused"), [(HOUR, False), (HOUR + 1, True)])
async def test_vacation_a_little_too_long_is_shortened(
    env: MatchFixture, more: float, *, is_refused: bool
) -> None:
    if is_refused:
        with pytest.raises(TooLongError) as raised:
            await env.vacations.begin(ADA, env.now + 30 * DAY + more)
        assert raised.value.days == 30
    else:
        balance = await env.vacations.begin(ADA, env.now + 30 * DAY + more)
        assert (balance.ends_at, balance.seconds_left) == (env.now + 30 * DAY, 0.0)


async def test_days_already_away_count_when_a_vacation_is_prolonged(env: MatchFixture) -> None:
    await env.vacations.begin(ADA, env.now + 10 * DAY)
    env.now += 5 * DAY
    with pytest.raises(TooLongError) as raised:
        await env.vacations.begin(ADA, env.now + 26 * DAY)
    assert raised.value.days == 25
    balance = await env.vacations.begin(ADA, env.now + 25 * DAY)
    assert (balance.ends_at, balance.days) == (env.now + 25 * DAY, 0)


async def test_vacation_that_ended_during_an_outage_costs_its_own_days(env: MatchFixture) -> None:
    await env.vacations.begin(ADA, env.now + 2 * DAY)
    env.now += 5 * DAY
    await env.vacations.end_due()
    assert (await env.vacations.balance(ADA)).days == 28


async def test_return_leaves_a_match_of_earlier_rules_as_it_is(
    env: MatchFixture, away: Vacations
) -> None:
    match_id = await replaced(env)
    async with env.database.write() as connection:
        await connection.execute(update(matches).values(engine_version=0))
    version = (await env.queries.match(match_id)).version
    assert await away.end(BO)
    match = await env.queries.match(match_id)
    assert match.version == version
    assert match.players[match.seat_of(BO)].decides_itself
