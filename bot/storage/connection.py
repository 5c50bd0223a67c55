"""The connection of a transaction, the same for both database backends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Sequence
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import sqlalchemy
from sqlalchemy import CursorResult, Dialect
from sqlalchemy.sql.base import Executable

P = ParamSpec("P")
T = TypeVar("T")

ROWS_AT_ONCE = 200
"""Number of rows that are read before other tasks go on."""


class Connection(Protocol):
    """The connection of a transaction; SQLAlchemy's `AsyncConnection` is one."""

    @property
    def dialect(self) -> Dialect:
        """Return SQLAlchemy's dialect for this database."""

    async def execute(
        self, statement: Executable, parameters: Any = None, /
    ) -> CursorResult[*tuple[Any, ...]]:
        """Run a statement."""

    async def run_sync(
        self,
        fn: Callable[Concatenate[sqlalchemy.Connection, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Call a function with SQLAlchemy's blocking connection."""


async def slices(
    connection: Connection, chosen: Executable, parameters: Any = None
) -> AsyncIterator[Sequence[Any]]:
    """Yield the rows of a query, a few at a time; other tasks go on in between."""
    for rows in (await connection.execute(chosen, parameters)).partitions(ROWS_AT_ONCE):
        yield rows
        await asyncio.sleep(0)


async def all_rows(connection: Connection, chosen: Executable) -> list[Any]:
    """Return the rows of a query that may be thousands; see `slices`."""
    return [row async for rows in slices(connection, chosen) for row in rows]
