"""Database costs of some work."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any, cast

import aiosqlite
import pytest

from bot.services.positions import Positions
from bot.storage.connection import Connection
from bot.storage.database import Database, Transaction
from engine.record import Record


@dataclass
class Tally:
    """Counts of transactions of both kinds, statements, trips to threads, and replays."""

    writes: int = 0
    reads: int = 0
    replays: int = 0
    trips: int = 0
    statements: list[str] = field(default_factory=list)

    def watch(self, database: Database, patch: pytest.MonkeyPatch) -> None:
        """Count from now on."""
        patch.setattr(database, "write", self._counting(database.write, "writes"))
        patch.setattr(database, "read", self._counting(database.read, "reads"))
        patch.setattr(aiosqlite.Connection, "_execute", self._counting_trips())
        for owner, name in ((Record, "positions"), (Positions, "run_in_thread")):
            patch.setattr(owner, name, self._replaying(getattr(owner, name)))

    def _counting(self, begin: Callable[..., Transaction], kind: str) -> Callable[..., Transaction]:
        @asynccontextmanager
        async def transaction(**options: Any) -> AsyncIterator[Connection]:
            setattr(self, kind, getattr(self, kind) + 1)
            async with begin(**options) as connection:
                yield cast("Connection", _Counted(connection, self))

        return transaction

    def _counting_trips(self) -> Callable[..., Any]:
        execute: Any = aiosqlite.Connection._execute

        def counted(connection: aiosqlite.Connection, *given: Any, **named: Any) -> Any:
            self.trips += 1
            return execute(connection, *given, **named)

        return counted

    def _replaying(self, replay: Callable[..., Any]) -> Callable[..., Any]:
        def counted(*args: Any, **kwargs: Any) -> Any:
            self.replays += 1
            return replay(*args, **kwargs)

        return counted

    def __str__(self) -> str:
        counts = f"{self.writes} write, {self.reads} read, {self.replays} replays"
        counts += f", {self.trips} trips"
        return "\n".join((counts, *self.statements))


class _Counted:
    """A connection whose statements are counted."""

    def __init__(self, connection: Connection, tally: Tally) -> None:
        self._connection, self._tally = connection, tally

    def __getattr__(self, name: str) -> Any:
        return getattr(self._connection, name)

    async def execute(self, statement: Any, *args: Any) -> Any:
        """Run a statement and note it."""
        self._tally.statements.append(" ".join(str(statement).split())[:300])
        return await self._connection.execute(statement, *args)
