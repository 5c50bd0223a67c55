"""The connection of a transaction, the same for both database backends."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Concatenate, ParamSpec, Protocol, TypeVar

import sqlalchemy
from sqlalchemy import CursorResult, Dialect
from sqlalchemy.sql.base import Executable

P = ParamSpec("P")
T = TypeVar("T")


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
