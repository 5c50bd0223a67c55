"""Being away: clocks stand still, the others see it, and playing all the same is allowed."""

from __future__ import annotations

import asyncio

import pytest
from sqlalchemy import func, select

from bot.services.challenges import OPEN_SEAT
from bot.services.clocks import DAY, HOUR
from bot.services.models import Player, Time
from bot.services.seat_clocks import BY_SEAT
from bot.services.timers import Timers
from bot.services.vacation import Vacations
from bot.storage.schema import timers
from tests.support.harness import Stage, words
from tests.support.matches import ADA, BO, Club, act, begun, terms, time_of


async def armed(club: Club) -> int:
    """How many timers wait for somebody's decision."""
    async with club.database.read() as connection:
        counted = select(func.count()).where(timers.c.kind.in_(BY_SEAT))
        return int((await connection.execute(counted)).scalar_one())


async def test_a_clock_stands_still_and_goes_on_with_what_was_left(
    club: Club, away: Vacations
) -> None:
    match_id = await begun(club, "3d")
    user = await club.on_turn(match_id)
    club.now += DAY
    await away.begin(user, club.now + 10 * DAY)
    assert await armed(club) == 0
    club.now += 9 * DAY
    await away.begin(user, club.now + 2 * DAY)
    assert await time_of(club, match_id, user) == Time(2 * DAY, None)
    await away.end_due()
    assert (await time_of(club, match_id, user)).since is None
    club.now += 2 * DAY
    await away.end_due()
    assert await time_of(club, match_id, user) == Time(2 * DAY, club.now)
    assert await armed(club) == 3
    assert not (await club.queries.match(match_id)).away


async def test_a_turn_that_begins_meanwhile_costs_nothing(club: Club, away: Vacations) -> None:
    match_id = await begun(club, "3d")
    first = await club.on_turn(match_id)
    other = ADA + BO - first
    await away.begin(other, club.now + 5 * DAY)
    while await club.on_turn(match_id) == first:
        await act(club, match_id)
    assert await time_of(club, match_id, other) == Time(3 * DAY, None)
    club.now += 4 * DAY
    assert await away.end(other)
    assert await time_of(club, match_id, other) == Time(3 * DAY, club.now)
    assert not await away.end(other)


async def test_who_is_away_may_play_and_stays_away(club: Club, away: Vacations) -> None:
    match_id = await begun(club, "7d+12h")
    user = await club.on_turn(match_id)
    club.now += DAY
    await away.begin(user, club.now + 5 * DAY)
    club.now += DAY
    while await club.on_turn(match_id) == user:
        await act(club, match_id)
    match = await club.queries.match(match_id)
    assert (await time_of(club, match_id, user)).left == pytest.approx(6 * DAY + 12 * HOUR)
    assert list(match.away) == [match.seat_of(user)]


@pytest.mark.parametrize("late", [0, 1, 3600])
async def test_a_time_that_is_over_cannot_be_saved_by_going_away(
    club: Club, away: Vacations, late: int
) -> None:
    match_id = await begun(club, "1d")
    user = await club.on_turn(match_id)
    club.now += DAY + late
    await away.begin(user, club.now + DAY)
    await Timers(club.database, club.matches, lambda: club.now).fire()
    assert (await time_of(club, match_id, user)).over
    await away.end(user)
    assert (await time_of(club, match_id, user)).over


async def test_a_timer_that_was_about_to_fire_takes_nothing(club: Club, away: Vacations) -> None:
    match_id = await begun(club, "1d")
    user = await club.on_turn(match_id)
    decision = await club.decision(match_id, user)
    await away.begin(user, club.now + DAY)
    seat = (await club.queries.match(match_id)).seat_of(user)
    await club.strike("flag", match_id, seat, decision)
    assert await time_of(club, match_id, user) == Time(DAY, None)


async def test_without_a_clock_only_reminders_rest(club: Club, away: Vacations) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    assert await armed(club) == 1
    await away.begin(user, club.now + DAY)
    assert await armed(club) == 0
    await away.end(user)
    assert await armed(club) == 1


async def test_the_others_see_it_until_it_ends_by_itself(stage: Stage) -> None:
    match_id = await stage.begin(clock="3 days a turn")
    answer = await stage.ada.slash(stage.channel, "vacation", days=2)
    assert answer.ephemeral
    until = int(stage.clock.now + 2 * DAY)
    assert f"away until <t:{until}:D>" in words(answer.response)
    assert f"Ada is away until <t:{until}:D>; their clock stands still." in words(stage.last())
    await stage.spend(2 * DAY)
    await stage.env.advance_time(30)
    assert "is away" not in words(stage.last())
    assert (await stage.client.context.queries.match(match_id)).status == "running"


async def test_coming_back_early(stage: Stage) -> None:
    await stage.begin(clock="3 days a turn")
    early = await stage.ada.slash(stage.channel, "vacation", days=0)
    assert "not away" in words(early.response)
    await stage.ada.slash(stage.channel, "vacation", days=30)
    back = await stage.ada.slash(stage.channel, "vacation", days=0)
    assert "Welcome back" in words(back.response)
    assert "is away" not in words(stage.last())


async def test_who_goes_away_while_a_match_begins_loses_no_time(
    club: Club, away: Vacations
) -> None:
    for number in range(5):
        asked = await club.matches.challenge(
            next(club.ids), terms(clock="3d"), [Player(ADA, "Ada"), OPEN_SEAT], side="O"
        )
        user = BO + number  # takes the open seat
        await asyncio.gather(
            club.matches.accept(next(club.ids), asked.match_id, user, "Bo"),
            away.begin(user, club.now + DAY),
            away.begin(ADA, club.now + DAY),
        )
        match = await club.queries.match(asked.match_id)
        assert len(match.away) == 2
        assert [time.since for time in match.times.values()] == [None] * len(match.times)
        await away.end(ADA)
