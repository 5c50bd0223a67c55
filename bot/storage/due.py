"""Conditions for periodic jobs to have work, so that one statement asks for all of them.

Nothing is remembered between two heartbeats: other processes may change the database, and the clock
may be set.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from sqlalchemy import BindParameter, ColumnElement, Float, Select, bindparam, or_, select

from bot.storage.database import Database

NOW: BindParameter[float] = bindparam("now", type_=Float)
"""The time in UTC seconds: a parameter of conditions, and of the statements of jobs."""


def has_come(
    time: ColumnElement[float], most: float, now: ColumnElement[float] = NOW
) -> ColumnElement[bool]:
    """Return the condition that a time has come, or was stored while the clock was ahead.

    Args:
        time: a column, so that its index is used.
        most: maximum seconds that it is in the future when it is stored.
        now: the time to compare it with.
    """
    return or_(time <= now, time > now + most)


def finds_any(*statements: Select[*tuple[Any, ...]]) -> ColumnElement[bool]:
    """Return the condition that at least one of these statements finds a row."""
    return or_(*(statement.exists() for statement in statements))


class Conditions:
    """Asks for several conditions at once.

    Args:
        conditions: `NOW` is the only parameter without a value.
    """

    def __init__(self, database: Database, conditions: Sequence[ColumnElement[bool]]) -> None:
        self._database = database
        self._statement = select(*(condition.label(None) for condition in conditions))

    async def read(self, now: float) -> list[bool]:
        """Return which of the conditions are true."""
        async with self._database.read() as connection:
            row = (await connection.execute(self._statement, {"now": now})).one()
        return list(map(bool, row))
