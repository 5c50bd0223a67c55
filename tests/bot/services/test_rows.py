"""Rows as values: their fields are the columns of the tables, in the same order."""

from __future__ import annotations

from dataclasses import MISSING, fields, replace
from typing import Any

import pytest
from sqlalchemy import DefaultClause, Table

from bot.domain.ids import COMPUTER_USER_ID, DELETED_USER_ID, UserId
from bot.domain.models import MatchStatus, Rated
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.services.rows import (
    AbsenceRow,
    LoggedAction,
    MatchRow,
    PlanRow,
    SeatRow,
    TimerRow,
)
from bot.storage.schema import absences, actions, matches, plans, players, seats, timers
from tests.support.matches import ADA, BO, MatchFixture

AWAY = [absences.c.ends_at.label("away_until"), absences.c.stand_in, players.c.preferences]

PLAN = plans.c.seat.label("has_plan")

TIMERS = [timers.c.due_at.label(name) for name in ("waits_since", "patience", "notice_at")]


@pytest.mark.parametrize(
    ("kind", "table", "further"),
    [
        (MatchRow, matches, []),
        (SeatRow, seats, [*AWAY, *TIMERS, PLAN]),
        (LoggedAction, actions, []),
        (PlanRow, plans, []),
        (TimerRow, timers, []),
        (AbsenceRow, absences, []),
    ],
)
def test_fields_of_a_stored_row_are_its_columns(kind: Any, table: Table, further: Any) -> None:
    columns = [column.name for column in (*table.columns, *further)]
    assert [field.name for field in fields(kind)] == columns


def test_defaults_of_a_stored_match_are_those_of_its_columns() -> None:
    defaults = {
        field.name: str(field.default) for field in fields(MatchRow) if field.default != MISSING
    }
    assert defaults == {
        column.name: column.server_default.arg
        for column in matches.columns
        if isinstance(column.server_default, DefaultClause)
    }


async def test_only_a_match_that_has_begun_has_a_position(env: MatchFixture) -> None:
    match_id = await env.ask()
    async with env.database.write() as connection:
        asked = await load(connection, match_id)
    assert asked
    assert isinstance(asked.status, MatchStatus)
    assert isinstance(asked.rated, Rated)
    with pytest.raises(ValueError, match="has not begun"):
        asked.state()
    await env.challenges.accept(next(env.ids), match_id, BO)
    async with env.database.write() as connection:
        begun = await load(connection, match_id)
    assert begun
    assert begun.state()


async def seat_of_ada(env: MatchFixture) -> SeatRow:
    match_id = await env.ask()
    async with env.database.read() as connection:
        people = await seats_of(connection, match_id)
    return next(person for person in people if person.user_id == ADA)


async def test_open_seats_and_the_computer_are_no_people(env: MatchFixture) -> None:
    seat = await seat_of_ada(env)
    users = [1, ADA, 0, DELETED_USER_ID, COMPUTER_USER_ID]
    rows = [replace(seat, user_id=UserId(user)) for user in users]
    assert [row.is_person for row in rows] == [True, True, False, False, False]
    assert [row.is_open for row in rows] == [False, False, True, False, False]


async def test_clock_is_paused_on_vacation_and_for_a_stand_in(env: MatchFixture) -> None:
    seat = await seat_of_ada(env)
    assert seat.clock_is_paused is False
    assert replace(seat, away_until=0.0).clock_is_paused is True
    assert replace(seat, level="cadet").clock_is_paused is True
    assert replace(seat, away_until=0.0, level="cadet").clock_is_paused is True
