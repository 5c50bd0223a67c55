"""Quiet hours, and reminders that are put off."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId
from bot.domain.quiet_hours import active_hours, quiet_until
from bot.domain.time_zones import zones
from bot.services.preferences import Preferences
from tests.support.harness import Stage, ids, words
from tests.support.matches import MatchFixture, scheduled


def at(text: str) -> float:
    """UTC seconds of a moment."""
    return datetime.fromisoformat(text).replace(tzinfo=UTC).timestamp()


@pytest.mark.parametrize(
    ("zone", "now", "end"),
    [
        ("UTC", "2026-01-01T21:59", None),
        ("UTC", "2026-01-01T22:00", "2026-01-02T08:00"),
        ("UTC", "2026-01-02T07:59", "2026-01-02T08:00"),
        ("UTC", "2026-01-02T08:00", None),
        ("Europe/Berlin", "2026-03-28T21:00", "2026-03-29T06:00"),  # summer time begins that night
        ("America/New_York", "2026-01-02T02:00", None),
        ("Gone/Zone", "2026-01-01T22:00", "2026-01-02T08:00"),
    ],
)
def test_quiet_hours_go_by_the_players_own_clock(zone: str, now: str, end: str | None) -> None:
    assert quiet_until("22-8", zone, at(now)) == (end and at(end))


@pytest.mark.parametrize(
    ("zone", "now", "start", "end"),
    [
        ("UTC", "2026-01-01T07:59", "2026-01-01T08:00", "2026-01-01T22:00"),
        ("UTC", "2026-01-01T08:00", "2026-01-01T08:00", "2026-01-01T22:00"),
        ("UTC", "2026-01-01T21:59", "2026-01-01T08:00", "2026-01-01T22:00"),
        ("UTC", "2026-01-01T22:00", "2026-01-02T08:00", "2026-01-02T22:00"),
        ("Asia/Tokyo", "2026-01-01T12:59", "2025-12-31T23:00", "2026-01-01T13:00"),
        ("Asia/Tokyo", "2026-01-01T13:00", "2026-01-01T23:00", "2026-01-02T13:00"),
        ("Europe/Berlin", "2026-03-28T22:00", "2026-03-29T06:00", "2026-03-29T20:00"),
    ],
)
def test_active_hours_are_those_of_the_day(zone: str, now: str, start: str, end: str) -> None:
    assert active_hours("22-8", zone, at(now)) == (at(start), at(end))
    assert active_hours("off", zone, at(now)) is None


@given(st.sampled_from(["22-8", "23-7"]), st.sampled_from(zones()), st.floats(1e9, 2e9))
def test_the_end_of_quiet_hours_is_near_and_not_quiet(hours: str, zone: str, now: float) -> None:
    end = quiet_until(hours, zone, now)
    if end is not None:
        assert now <= end <= now + 13 * HOUR
        assert quiet_until(hours, zone, end) is None


@pytest.mark.slow
async def test_a_reminder_in_quiet_hours_comes_at_their_end(stage: Stage) -> None:
    stage.clock.now = at("2026-06-01T20:30")
    for actor in (stage.ada, stage.bo):
        panel = await actor.slash(stage.channel, "settings", zone="Europe/Berlin")
        assert "Europe/Berlin" in words(panel.response)
        await stage.prefer(actor, quiet="22-8")
    await stage.spend(0)
    await stage.begin()
    before = stage.last().id
    await stage.spend(DAY)
    await stage.env.advance_time(30)
    assert stage.last().id == before
    await stage.spend(9 * HOUR + 29 * 60)
    await stage.env.advance_time(30)
    assert stage.last().id == before
    await stage.spend(60)
    await stage.env.advance_time(30)
    assert stage.last().id != before


async def test_a_warning_of_the_clock_does_not_wait(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    preferences = Preferences(env.database)
    await preferences.set(user, "quiet", "22-8")
    env.now = at("2026-06-01T23:00")
    decision, seat = await env.decision(match_id, user), "O"
    seat = (await env.queries.match(match_id)).seat_of(user)
    before = await waiting(env)
    await env.strike("remind", match_id, seat, decision)
    assert await waiting(env) == before
    await env.strike("warn", match_id, seat, decision)
    assert await waiting(env) == before + 1


async def test_reminder_of_a_player_who_wants_none_is_dropped(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    seat = (await env.queries.match(match_id)).seat_of(user)
    assert "remind" in await scheduled(env, match_id)
    await Preferences(env.database).set(user, "remind", "off")
    before = await waiting(env)
    await env.strike("remind", match_id, seat, await env.decision(match_id, user))
    assert await waiting(env) == before


async def test_snoozed_reminder_of_a_player_who_wants_none_comes(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    seat = (await env.queries.match(match_id)).seat_of(user)
    for _ in range(2):
        await env.deadlines.snooze(next(env.ids), match_id, user)
    due = await scheduled(env, match_id)
    assert due["snooze"] == [env.now + DAY]
    assert "remind" not in due
    await Preferences(env.database).set(user, "remind", "off")
    before = await waiting(env)
    await env.strike("snooze", match_id, seat, await env.decision(match_id, user))
    assert await waiting(env) == before + 1


async def test_snoozed_reminder_in_quiet_hours_stays_snoozed(env: MatchFixture) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    seat = (await env.queries.match(match_id)).seat_of(user)
    await Preferences(env.database).set(user, "quiet", "22-8")
    env.now = at("2026-06-01T23:00")
    await env.strike("snooze", match_id, seat, await env.decision(match_id, user))
    assert (await scheduled(env, match_id))["snooze"] == [at("2026-06-02T08:00")]


async def waiting(env: MatchFixture) -> int:
    """How many messages are to be sent."""
    async with env.database.read() as connection:
        result = await connection.execute(text("SELECT count(*) FROM outbox"))
        return int(result.scalar_one())


async def test_an_unknown_zone_is_refused_and_zones_are_proposed(stage: Stage) -> None:
    answer = await stage.ada.slash(stage.channel, "settings", zone="Mars/Olympus")
    assert "don't know this time zone" in words(answer.response)
    proposed = await stage.ada.autocomplete(stage.channel, "settings", "zone", "new yo")
    assert [choice["value"] for choice in proposed] == ["America/New_York"]
    many = await stage.ada.autocomplete(stage.channel, "settings", "zone", "")
    assert len(many) == 25


async def reminded(stage: Stage) -> tuple[MatchId, Any]:
    """Start a match, remind its slow player, and return its id and the board."""
    match_id = await stage.begin()
    assert not any(custom_id.startswith("snooze:") for custom_id in ids(stage.last()))
    await stage.spend(25 * HOUR)
    await stage.env.advance_time(30)
    return match_id, stage.last()


@pytest.mark.slow
async def test_a_reminder_can_be_put_off_by_a_day(stage: Stage) -> None:
    match_id, board = await reminded(stage)
    slow = await stage.deciding(match_id)
    answer = await stage.click(slow, board, "snooze:")
    assert answer.ephemeral
    await stage.click(slow, board, "snooze:")
    await stage.spend(23 * HOUR)
    await stage.env.advance_time(30)
    assert stage.last().id == board.id
    await stage.spend(HOUR)
    await stage.env.advance_time(30)
    assert stage.last().id != board.id
    last_id = stage.last().id
    await stage.spend(3 * DAY)
    await stage.env.advance_time(30)
    assert stage.last().id == last_id


@pytest.mark.slow
async def test_who_has_nothing_to_decide_has_nothing_to_put_off(stage: Stage) -> None:
    match_id, board = await reminded(stage)
    slow = await stage.deciding(match_id)
    other = stage.bo if slow is stage.ada else stage.ada
    answer = await stage.click(other, board, "snooze:")
    assert "not your turn" in words(answer.response)
    stranger = await stage.click(stage.eve, board, "snooze:")
    assert "not playing" in words(stranger.response)


async def test_postponed_reminder_stays_when_others_fire(
    env: MatchFixture,
) -> None:
    match_id = await env.begin()
    user = await env.on_turn(match_id)
    await env.deadlines.snooze(next(env.ids), match_id, user)
    timers = env.timers()
    await timers.fire()
    count = await waiting(env)
    env.now += 60
    await timers.fire()
    assert await waiting(env) == count
