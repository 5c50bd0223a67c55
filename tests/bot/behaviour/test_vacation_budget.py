"""A player can be away for 30 days in 365, and no longer by renewing it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import delete, func, select

from bot.app.registry import personal_data
from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId, UserId
from bot.features.privacy.service import Privacy
from bot.services.clocks import SILENCE
from bot.services.match_repository import seats_of
from bot.services.rows import SeatRow
from bot.services.vacation import MAX_REDRAWN, TooLongError, VacationBalance, Vacations
from bot.storage.connection import Connection
from bot.storage.leases import Leases
from bot.storage.schema import outbox, timers, vacations
from tests.support.harness import Stage, words
from tests.support.matches import ADA, BO, MatchFixture, act, begun, time_of
from tests.support.privacy import export_of


async def test_vacation_is_30_days_in_365(env: MatchFixture, away: Vacations) -> None:
    for _ in range(3):
        await away.begin(ADA, env.now + 10 * DAY)
        env.now += 10 * DAY
        await away.end_due()
    with pytest.raises(TooLongError) as caught:
        await away.begin(ADA, env.now + DAY)
    assert caught.value.days == 0
    assert await away.balance(ADA) == VacationBalance(None, 0.0)
    env.now += 345 * DAY
    assert (await away.begin(ADA, env.now + 10 * DAY)).days == 10


async def test_vacation_cannot_be_renewed_while_away(env: MatchFixture, away: Vacations) -> None:
    assert (await away.begin(ADA, env.now + 30 * DAY)).seconds_left == 0
    assert await away.balance(ADA) == VacationBalance(env.now + 30 * DAY, 0.0)
    env.now += 20 * DAY
    with pytest.raises(TooLongError) as caught:
        await away.begin(ADA, env.now + 30 * DAY)
    assert caught.value.days == 10
    assert (await away.balance(ADA)).ends_at == env.now + 10 * DAY
    await away.begin(ADA, env.now + 5 * DAY)
    assert await away.balance(ADA) == VacationBalance(env.now + 5 * DAY, 5 * DAY)


async def test_vacation_that_ends_early_costs_what_was_used(
    env: MatchFixture, away: Vacations
) -> None:
    await away.begin(ADA, env.now + 30 * DAY)
    env.now += 2 * DAY
    await away.end(ADA)
    assert await away.balance(ADA) == VacationBalance(None, 28 * DAY)


async def test_vacation_that_exceeds_by_minutes_is_shortened(
    env: MatchFixture, away: Vacations
) -> None:
    await away.begin(ADA, env.now + 30 * DAY)
    vacation = await away.begin(ADA, env.now + 30 * DAY + HOUR)
    assert vacation.ends_at == env.now + 30 * DAY
    with pytest.raises(TooLongError):
        await away.begin(ADA, env.now + 30 * DAY + HOUR + 1)
    env.now += 60
    assert (await away.begin(ADA, env.now + 30 * DAY)).ends_at == env.now + 30 * DAY - 60


async def used(env: MatchFixture) -> list[tuple[int, float, float]]:
    """The stored vacations: user, start and seconds."""
    async with env.database.read() as connection:
        return sorted(map(tuple, await connection.execute(select(vacations))))


async def test_vacations_of_one_day_are_stored_in_one_row(
    env: MatchFixture, away: Vacations
) -> None:
    start = env.now
    for user in (ADA, BO):
        await away.begin(user, env.now + DAY)
    env.now += HOUR
    for user in (ADA, BO):
        await away.end(user)
    for begin in (2 * HOUR, DAY, DAY + 2 * HOUR):
        env.now = start + begin
        await away.begin(ADA, env.now + DAY)
        env.now += HOUR
        await away.end(ADA)
    assert await used(env) == [
        (ADA, start, 2 * HOUR),
        (ADA, start + DAY, 2 * HOUR),
        (BO, start, HOUR),
    ]


async def test_vacation_that_ends_at_once_costs_nothing(env: MatchFixture, away: Vacations) -> None:
    await away.begin(ADA, env.now + DAY)
    assert await away.end(ADA)
    assert await used(env) == []


async def test_vacation_that_is_over_costs_what_was_asked_for(
    env: MatchFixture, away: Vacations
) -> None:
    await away.begin(ADA, env.now + 2 * DAY)
    env.now += 2 * DAY
    assert await away.balance(ADA) == VacationBalance(env.now, 28 * DAY)


async def test_vacations_are_forgotten_after_a_year(env: MatchFixture, away: Vacations) -> None:
    start = env.now
    for day in (0, 1, 364):
        env.now = start + day * DAY
        await away.begin(ADA, env.now + DAY)
        env.now += DAY
        await away.end_due()
    assert await used(env) == [(ADA, start + day * DAY, DAY) for day in (1, 364)]


async def test_vacation_after_an_outage_costs_the_days_asked_for(
    env: MatchFixture, away: Vacations
) -> None:
    fire = env.timers()
    await fire.fire()
    await away.begin(ADA, env.now + 2 * DAY)
    env.now += 100 * DAY
    await fire.fire()
    leave = await away.balance(ADA)
    assert leave.ends_at == pytest.approx(env.now + 2 * DAY)
    assert leave.seconds_left == pytest.approx(28 * DAY)


async def test_export_shows_vacations_and_erasure_deletes_them(
    env: MatchFixture, away: Vacations
) -> None:
    await away.begin(ADA, env.now + 2 * DAY)
    start = env.now
    env.now += 2 * DAY
    await away.end_due()
    privacy = Privacy(env.database, env.matches, Leases(env.database, "test"), personal_data())
    exported = await export_of(env.database, ADA)
    assert exported["vacations"] == [{"user_id": ADA, "started_at": start, "seconds": 2 * DAY}]
    await privacy.erase(ADA)
    assert (await export_of(env.database, ADA))["vacations"] == []


async def test_vacation_extended_while_it_ends_is_kept(
    env: MatchFixture, away: Vacations, monkeypatch: pytest.MonkeyPatch
) -> None:
    await away.begin(ADA, env.now + DAY)
    env.now += DAY
    read = env.database.read

    @asynccontextmanager
    async def extend_after_reading() -> AsyncIterator[Any]:
        async with read() as connection:
            yield connection
        monkeypatch.undo()
        await away.begin(ADA, env.now + DAY)

    monkeypatch.setattr(env.database, "read", extend_after_reading)
    await away.end_due()
    assert (await away.balance(ADA)).ends_at == env.now + DAY


@pytest.mark.parametrize("seconds", [0, 1, 59])
async def test_lost_time_survives_going_away_and_a_draw_offer(
    env: MatchFixture, away: Vacations, seconds: int
) -> None:
    match_id = await begun(env, "1d")
    user, end = await env.on_turn(match_id), env.now + DAY
    env.now = end + seconds
    await away.begin(user, env.now + DAY)
    await env.matches.act(next(env.ids), match_id, user, "draw offer")
    assert await kinds(env) == [("flag", end)]
    await env.timers().fire()
    assert await time_of(env, match_id, user) == (0.0, end)
    await away.end(user)
    assert await time_of(env, match_id, user) == (0.0, end)


@pytest.mark.parametrize("is_noted", [False, True])
async def test_lost_time_does_not_come_back_with_its_player(
    env: MatchFixture, away: Vacations, is_noted: bool
) -> None:
    match_id = await begun(env, "1d")
    user = await env.on_turn(match_id)
    env.now += DAY
    if is_noted:
        await env.timers().fire()
    await away.begin(user, env.now + DAY)
    await away.end(user)
    await env.timers().fire()
    assert await time_of(env, match_id, user) == (0.0, env.now)


async def test_time_left_when_going_away_is_kept_to_the_second(
    env: MatchFixture, away: Vacations
) -> None:
    match_id = await begun(env, "1d")
    user = await env.on_turn(match_id)
    env.now += DAY - 1
    await away.begin(user, env.now + DAY)
    env.now += HOUR
    await env.timers().fire()
    assert await time_of(env, match_id, user) == (1.0, None)


async def kinds(env: MatchFixture) -> list[tuple[str, float]]:
    """The timers of clocks and reminders."""
    condition = (timers.c.seat != "") & timers.c.kind.not_in(SILENCE)
    async with env.database.read() as connection:
        rows = await connection.execute(select(timers).where(condition))
        return sorted((row.kind, row.due_at) for row in rows)


@pytest.mark.parametrize("clock", ["", "3d"])
async def test_turn_of_a_player_who_is_away_sets_no_reminder(
    env: MatchFixture, away: Vacations, clock: str
) -> None:
    match_id = await begun(env, clock)
    first = await env.on_turn(match_id)
    for user in (first, 33 - first):
        await away.begin(UserId(user), env.now + 5 * DAY)
    while await env.on_turn(match_id) == first:
        await act(env, match_id)
        assert [kind for kind, _ in await kinds(env) if kind != "ping"] == []


async def test_late_player_who_goes_away_is_not_reminded(
    env: MatchFixture, away: Vacations
) -> None:
    match_id = await begun(env, "1d")
    user = await env.on_turn(match_id)
    end = env.now + DAY
    env.now = end + 1
    await away.begin(user, env.now + 5 * DAY)
    assert await kinds(env) == [("flag", end)]


async def test_vacation_command_shows_what_is_left(stage: Stage) -> None:
    answer = await stage.ada.slash(stage.channel, "vacation")
    assert "30 of 30 vacation days" in words(answer.response)
    reply = await stage.ada.slash(stage.channel, "vacation", days=20)
    assert "10 of 30 vacation days" in words(reply.response)
    while_away = await stage.ada.slash(stage.channel, "vacation")
    assert "10 of 30 vacation days" in words(while_away.response)
    assert f"<t:{int(stage.clock.now + 20 * DAY)}:D>" in words(while_away.response)
    stage.clock.now += 15 * DAY
    async with stage.database.write() as connection:  # the bot has been running meanwhile
        await stage.client.runtime.timers.heartbeats._note(connection, stage.clock.now)
    refusal = await stage.ada.slash(stage.channel, "vacation", days=30)
    assert refusal.ephemeral
    assert "at most 15 now;" in words(refusal.response)


@pytest.mark.slow
async def test_vacation_with_many_matches_lets_other_tasks_run(
    env: MatchFixture, away: Vacations, monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(60):
        await begun(env, "3d")
    async with env.database.write() as connection:
        await connection.execute(delete(outbox))
    turns, reached = 0, []

    async def count_turns() -> None:
        nonlocal turns
        while True:
            await asyncio.sleep(0)
            turns += 1

    async def noted(connection: Connection, match_id: MatchId) -> Sequence[SeatRow]:
        reached.append(turns)
        return await seats_of(connection, match_id)

    monkeypatch.setattr("bot.services.vacation.seats_of", noted)
    counting = asyncio.create_task(count_turns())
    await asyncio.sleep(0)  # it has begun
    await away.begin(ADA, env.now + DAY)
    counting.cancel()
    assert len(reached) == 60
    assert len(set(reached)) == 60, "two matches in one turn of the event loop"
    async with env.database.read() as connection:
        count = select(func.count()).select_from(outbox)
        assert (await connection.execute(count)).scalar_one() == MAX_REDRAWN
