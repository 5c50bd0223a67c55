"""Clocks with days off: outages, takebacks and vacations gain no time beyond these days."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from sqlalchemy import select

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId, UserId
from bot.domain.models import MatchStatus
from bot.services.match_repository import seats_of
from bot.services.preferences import Preferences
from bot.services.rows import SeatRow
from bot.storage.schema import seats
from tests.support.matches import (
    ADA,
    BO,
    MatchFixture,
    choose,
    opponent_of,
    scheduled,
    take_back,
    warp6,
)
from tests.support.privacy import privacy_of

pytestmark = pytest.mark.slow

FRIDAY_NOON = datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp()
MONDAY = FRIDAY_NOON + 2.5 * DAY


async def weekend_match(env: MatchFixture, clock: str = "1dw") -> tuple[MatchId, UserId, str]:
    """A match that begins on a Friday at noon: its number, and the user and seat who decide."""
    env.now = FRIDAY_NOON
    await env.timers().heartbeats.record()
    match_id = await warp6(env, clock)
    user = await env.on_turn(match_id)
    return match_id, user, (await env.queries.match(match_id)).seat_of(user)


async def deadline(env: MatchFixture, match_id: MatchId) -> float | None:
    """When the only running clock ends; its timer is set for then."""
    match = await env.queries.match(match_id)
    end = match.deadline(match.decisions)
    assert (await scheduled(env, match_id))["flag"] == [end]
    return end


async def pass_time(env: MatchFixture, seconds: float) -> None:
    """Let time pass with a heartbeat each minute, and fire the due timers."""
    env.now += seconds
    async with env.database.write() as connection:
        await env.timers().heartbeats._note(connection, env.now)
    await env.timers().fire()


async def test_clock_and_warning_stand_still_on_the_weekend(env: MatchFixture) -> None:
    match_id, _, _ = await weekend_match(env)
    assert await deadline(env, match_id) == MONDAY + 12 * HOUR
    assert (await scheduled(env, match_id))["warn"] == [MONDAY + 6 * HOUR]
    other_id, _, _ = await weekend_match(env, "1d")
    assert await deadline(env, other_id) == FRIDAY_NOON + DAY


async def test_player_out_of_time_can_be_claimed_from_monday_on(env: MatchFixture) -> None:
    match_id, late, seat = await weekend_match(env)
    claim = env.deadlines.claim_win
    await pass_time(env, 2.5 * DAY + 12 * HOUR - 1)
    early = await claim(next(env.ids), match_id, opponent_of(late), seat)
    assert early.kind == "stale"
    await pass_time(env, 1)
    (row,) = [row for row in await stored_seats(env, match_id) if row.seat == seat]
    assert (row.seconds_left, row.clock_started_at) == (0, MONDAY + 12 * HOUR)
    assert (await claim(next(env.ids), match_id, opponent_of(late), seat)).kind == "done"
    assert not any(row.days_off for row in await stored_seats(env, match_id)), "it is over"


async def test_move_is_charged_without_the_weekend(env: MatchFixture) -> None:
    match_id, user, _ = await weekend_match(env, "3d+12hw")
    await pass_time(env, 3 * DAY)  # Monday noon
    await choose(env, match_id, user)
    match = await env.queries.match(match_id)
    assert match.times[match.seat_of(user)].seconds_left == 3 * DAY - DAY + 12 * HOUR


@pytest.mark.parametrize("outage", [2 * DAY, 2.25 * DAY, 5 * DAY, 7 * DAY, -7 * DAY, -3 * DAY])
async def test_outage_gains_and_costs_no_time(env: MatchFixture, outage: float) -> None:
    match_id, user, _ = await weekend_match(env, "3d+12hw")
    await pass_time(env, 6 * HOUR)
    env.now += outage
    await env.timers().fire()
    await choose(env, match_id, user)
    match = await env.queries.match(match_id)
    assert match.times[match.seat_of(user)].seconds_left == 3 * DAY - 6 * HOUR + 12 * HOUR


@pytest.mark.parametrize("outage", [2 * DAY, 5 * DAY, -7 * DAY])
async def test_outage_before_a_takeback_gains_no_time(env: MatchFixture, outage: float) -> None:
    match_id, first, seat = await weekend_match(env, "3dw")
    await pass_time(env, 6 * HOUR)
    assert (await choose(env, match_id, first)).kind == "done"
    await pass_time(env, HOUR)
    env.now += outage
    await env.timers().fire()
    assert (await take_back(env, match_id, first)).kind == "done"
    match = await env.queries.match(match_id)
    spent = match.days_off[seat].spent(match.times[seat].started_at or 0.0, env.now)
    assert match.times[seat].seconds_left - spent == 3 * DAY - 7 * HOUR
    end = await deadline(env, match_id)
    assert match.days_off[seat].spent(env.now, end or 0.0) == 3 * DAY - 7 * HOUR


@pytest.mark.parametrize("outage", [DAY, 2 * DAY, 5 * DAY, -7 * DAY])
async def test_takeback_after_an_outage_keeps_the_warning(env: MatchFixture, outage: float) -> None:
    """As without days off, a warning comes in the last quarter of the time, not of its rest."""
    match_id, first, seat = await weekend_match(env, "2dw")
    await pass_time(env, 6 * HOUR)
    await choose(env, match_id, first)
    env.now += outage
    await env.timers().fire()
    await take_back(env, match_id, first)
    days_off = (await env.queries.match(match_id)).days_off[seat]
    (warn_at,) = (await scheduled(env, match_id))["warn"]
    assert days_off.spent(env.now, warn_at) == 2 * DAY - 6 * HOUR - 12 * HOUR


async def test_clock_taken_back_to_is_out_after_an_outage(env: MatchFixture) -> None:
    match_id, first, _ = await weekend_match(env, "1hw")
    await pass_time(env, HOUR / 2)
    await choose(env, match_id, first)
    await pass_time(env, HOUR / 2)
    env.now += DAY
    await env.timers().fire()
    assert (await take_back(env, match_id, first)).kind == "refused", "though days off have come"


async def test_player_who_ran_out_before_an_outage_stays_out(env: MatchFixture) -> None:
    match_id, late, seat = await weekend_match(env, "1hw")
    await pass_time(env, HOUR - 1)
    env.now += 100
    async with env.database.write() as connection:
        await env.timers().heartbeats._note(connection, env.now)
    env.now += DAY
    await env.timers().fire()
    clock = (await env.queries.match(match_id)).times[seat]
    assert clock.over
    assert (clock.started_at or 0.0) <= env.now, "though days off have followed"
    claim = await env.deadlines.claim_win(next(env.ids), match_id, opponent_of(late), seat)
    assert claim.kind == "done"


async def test_vacation_over_a_weekend_is_charged_once(env: MatchFixture) -> None:
    match_id, user, seat = await weekend_match(env, "3dw")
    await pass_time(env, 6 * HOUR)
    await env.vacations.begin(user, env.now + 7 * DAY)
    await pass_time(env, 5 * DAY)
    await env.vacations.end(user)
    match = await env.queries.match(match_id)
    assert match.times[seat].seconds_left == 3 * DAY - 6 * HOUR
    assert match.clock_end(seat) == env.now + 5 * DAY - 6 * HOUR, "over another weekend"


async def test_own_days_are_those_of_the_settings_at_the_beginning(env: MatchFixture) -> None:
    preferences = Preferences(env.database)
    for user, days, zone in ((ADA, "45", "Asia/Tokyo"), (BO, "off", "Europe/Berlin")):
        await preferences.set(user, "days_off", days)
        await preferences.set_time_zone(user, zone)
    match_id, *_ = await weekend_match(env, "3do")
    days_off = {row.user_id: row.days_off for row in await stored_seats(env, match_id)}
    assert days_off == {ADA: "45 Asia/Tokyo", BO: None}
    await preferences.set(BO, "days_off", "56")
    await preferences.set_time_zone(ADA, "UTC")
    await choose(env, match_id, await env.on_turn(match_id))
    assert days_off == {row.user_id: row.days_off for row in await stored_seats(env, match_id)}
    weekend_id, *_ = await weekend_match(env)
    assert {row.user_id: row.days_off for row in await stored_seats(env, weekend_id)} == {
        ADA: "56 UTC",
        BO: "56 Europe/Berlin",
    }
    plain_id, *_ = await weekend_match(env, "3d")
    assert not any(row.days_off for row in await stored_seats(env, plain_id))


async def test_rematch_begins_with_the_same_rule(env: MatchFixture) -> None:
    match_id, user, _ = await weekend_match(env, "3dw!")
    await env.matches.act(next(env.ids), match_id, user, "resign")
    again = await env.rematches.rematch(next(env.ids), match_id, user)
    match = await env.queries.match(again.match_id)
    assert (match.status, match.clock) == (MatchStatus.CHALLENGE, "3dw")


async def test_deletion_forgets_days_off(env: MatchFixture) -> None:
    match_id, _, _ = await weekend_match(env)
    await privacy_of(env).erase(ADA)
    async with env.database.read() as connection:
        rows = (await connection.execute(select(seats.c.user_id, seats.c.days_off))).all()
    assert all(row.days_off is None for row in rows)
    assert (await env.queries.match(match_id)).status == MatchStatus.FINISHED


async def stored_seats(env: MatchFixture, match_id: MatchId) -> list[SeatRow]:
    async with env.database.read() as connection:
        return list(await seats_of(connection, match_id))
