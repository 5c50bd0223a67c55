"""The connection of a transaction, and how it reads many rows."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from typing import Any

from sqlalchemy import ColumnElement, Select
from sqlalchemy.ext.asyncio import AsyncConnection
from sqlalchemy.sql.base import Executable

Connection = AsyncConnection
"""The connection of a transaction, for both database backends."""

ROWS_AT_ONCE = 200
"""Number of rows that are read before other tasks go on."""


async def slices(
    connection: Connection, query: Executable, parameters: Any = None
) -> AsyncIterator[Sequence[Any]]:
    """Yield the rows of a query, a few at a time; other tasks go on in between."""
    for rows in (await connection.execute(query, parameters)).partitions(ROWS_AT_ONCE):
        yield rows
        await asyncio.sleep(0)


async def all_rows(connection: Connection, query: Executable) -> list[Any]:
    """Return the rows of a query that may be thousands; see `slices`."""
    return [row async for rows in slices(connection, query) for row in rows]


async def rows_among(
    connection: Connection,
    query: Select[*tuple[Any, ...]],
    column: ColumnElement[int],
    ids: Sequence[int],
) -> list[Any]:
    """Return the rows of a query of which `column` has one of many ids.

    A few ids are looked up at a time, so no statement takes longer with the number of ids; other
    tasks go on in between.
    """
    rows = list[Any]()
    for start in range(0, len(ids), ROWS_AT_ONCE):
        some = column.in_(ids[start : start + ROWS_AT_ONCE])
        rows += await all_rows(connection, query.where(some))
        await asyncio.sleep(0)  # there may be no rows
    return rows
