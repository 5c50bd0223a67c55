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
from bot.storage.schema import absences, actions, matches, plans, players, seats, timers

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
