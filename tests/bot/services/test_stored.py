"""Rows as values: their fields are the columns of the tables, in the same order."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

import pytest
from sqlalchemy import Table

from bot.services.stored import (
    StoredAbsence,
    StoredAction,
    StoredMatch,
    StoredPlan,
    StoredSeat,
    StoredTimer,
)
from bot.services.transactions import load
from bot.storage.schema import absences, actions, matches, plans, players, seats, timers
from tests.support.matches import BO, MatchFixture

AWAY = [absences.c.ends_at.label("away_until"), absences.c.stand_in, players.c.preferences]


@pytest.mark.parametrize(
    ("kind", "table", "further"),
    [
        (StoredMatch, matches, []),
        (StoredSeat, seats, AWAY),
        (StoredAction, actions, []),
        (StoredPlan, plans, []),
        (StoredTimer, timers, []),
        (StoredAbsence, absences, []),
    ],
)
def test_fields_of_a_stored_row_are_its_columns(kind: Any, table: Table, further: Any) -> None:
    columns = [column.name for column in (*table.columns, *further)]
    assert [field.name for field in fields(kind)] == columns


async def test_only_a_match_that_has_begun_has_a_position(env: MatchFixture) -> None:
    match_id = await env.ask()
    async with env.database.write() as connection:
        asked = await load(connection, match_id)
    assert asked
    with pytest.raises(ValueError, match="has not begun"):
        asked.state()
    await env.challenges.accept(next(env.ids), match_id, BO)
    async with env.database.write() as connection:
        begun = await load(connection, match_id)
    assert begun
    assert begun.state()
