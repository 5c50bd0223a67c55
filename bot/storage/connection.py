"""The connection of a transaction, and reading many rows from it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import aclosing, nullcontext
from typing import Any

from sqlalchemy import ColumnElement, CursorResult, Select
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine
from sqlalchemy.sql.base import Executable

from bot.storage.aiosqlite_connection import OneTripConnection

Connection = AsyncConnection
"""The connection of a transaction, for both database backends."""

RETURN_POLL_SECONDS = 0.01
"""Seconds between two looks for connections in use."""

ROWS_AT_ONCE = 200
"""Number of rows that are read before other tasks continue."""


async def send(connection: Connection, statement: Executable, parameters: Any = None) -> None:
    """Run a statement that has no result.

    On SQLite it is sent together with the next statement of the transaction, or its commit; that
    raises its error. A trip to the connection's thread costs more than most statements.
    """
    driver = _one_trip(connection)
    with driver.postponing() if driver else nullcontext():
        await connection.execute(statement, parameters)


async def read_once(
    connection: Connection, query: Executable, parameters: Any = None
) -> CursorResult[Any]:
    """Run the only query of a transaction that reads.

    On SQLite the transaction ends in the same trip to the connection's thread.
    """
    driver = _one_trip(connection)
    with driver.ending() if driver else nullcontext():
        return await connection.execute(query, parameters)


def _one_trip(connection: Connection) -> OneTripConnection | None:
    """Return the driver's connection if it is SQLite's, else None."""
    transaction = connection.sync_connection
    driver = transaction.connection.driver_connection if transaction else None
    return driver if isinstance(driver, OneTripConnection) else None


async def checked_out(engine: AsyncEngine) -> aclosing[AsyncConnection]:
    """Take a connection of an engine, which is returned after an `async with` block.

    The task that uses the connection returns it. `async with engine.connect()` starts a task for
    that, which returns nothing if it is cancelled before it runs, as all tasks are when an event
    loop ends: the connection is then left to the garbage collector.
    """
    return aclosing(await engine.connect())


async def dispose(engine: AsyncEngine, wait_seconds: float) -> None:
    """Close the connections of an engine, after those in use have been returned.

    If the event loop ends first, a connection in use is left to the garbage collector.

    Args:
        wait_seconds: maximum seconds to wait for connections in use.
    """
    pool: Any = engine.pool
    for _ in range(round(wait_seconds / RETURN_POLL_SECONDS)):
        if not pool.checkedout():
            break
        await asyncio.sleep(RETURN_POLL_SECONDS)
    await engine.dispose()


async def slices(connection: Connection, query: Executable) -> AsyncIterator[Sequence[Any]]:
    """Yield the rows of a query, a few at a time; other tasks continue in between."""
    for rows in (await connection.execute(query)).partitions(ROWS_AT_ONCE):
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
    """Return the rows of a query whose `column` has one of many IDs.

    A few IDs are looked up at a time, so no statement takes longer with their number; other tasks
    continue in between.
    """
    rows = list[Any]()
    for start in range(0, len(ids), ROWS_AT_ONCE):
        some = column.in_(ids[start : start + ROWS_AT_ONCE])
        rows += await all_rows(connection, query.where(some))
        await asyncio.sleep(0)  # there may be no rows
    return rows
