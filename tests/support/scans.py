"""Statements of the bot that read the whole of a table that grows, by SQLite's plans for them."""

from __future__ import annotations

import re
import sqlite3
import sys
from collections.abc import Coroutine
from contextvars import ContextVar
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from sqlalchemy import create_mock_engine
from sqlalchemy.ext.asyncio import AsyncConnection

import bot
from bot.storage.aiosqlite_connection import OneTripCursor
from bot.storage.schema import METADATA

BOT = str(Path(bot.__file__).parent / "_").removesuffix("_")

WHOLE = "copy.py"
"""The file that copies whole tables into another database."""

READING = ("SELECT", "WITH", "UPDATE", "DELETE", "INSERT")
"""The first words of statements that have a plan."""

SCAN = re.compile(r"SCAN (\w+?)(?:_\d+)?\b")
"""A line of a plan that reads a whole table or index; an alias is the table's name and a number."""

FEW = frozenset(
    {
        *("facts", "leases", "halls", "guilds", "rank_roles", "cups"),
        *("timers", "outbox", "computer_jobs", "absences", "plans", "earlier_clocks"),
    }
)
"""Tables with a few rows for a server, or with rows of work in progress, deleted with it."""

ALLOWED = {
    "SELECT DISTINCT ": "users deleted since a backup are looked for when that is restored",
    "SELECT players.user_id, players.preferences FROM players WHERE (CAST(": "a user's data is "
    "deleted, from the lists of blocked users as well",
    "DELETE FROM vacations WHERE vacations.started_at": "once a day; a year of them is stored",
    "SELECT rated_results.match_id, rated_results.seat, rated_results.number": "a host has all "
    "ratings computed again",
}
"""The beginnings of statements that may scan a table, each with the reason."""


class Scans:
    """Explains the statements that the bot runs, each once, and notes scans.

    Attributes:
        unexpected: the statements that scan a table that grows, with the names of these.
    """

    def __init__(self) -> None:
        self.unexpected: dict[str, set[str]] = {}
        self._seen = set[str]()
        self._by_bot = ContextVar("by_bot", default=False)
        self._database = sqlite3.connect(":memory:", check_same_thread=False)
        engine: Any = create_mock_engine("sqlite://", self._create)
        METADATA.create_all(engine, checkfirst=False)

    def close(self) -> None:
        """Close the database in which statements are explained."""
        self._database.close()

    def _create(self, statement: Any, *_: Any) -> None:
        dialect = create_mock_engine("sqlite://", self._create).dialect
        self._database.execute(str(statement.compile(dialect=dialect)))

    def watch(self, patch: pytest.MonkeyPatch) -> None:
        """Look at all statements from now on that a file of the bot runs itself."""
        run, send = AsyncConnection.execute, OneTripCursor.execute

        def execute(*args: Any, **options: Any) -> Coroutine[Any, Any, Any]:
            by_bot = _is_of_bot(sys._getframe(1))

            async def marked() -> Any:
                token = self._by_bot.set(by_bot)
                try:
                    return await run(*args, **options)
                finally:
                    self._by_bot.reset(token)

            return marked()

        async def sent(cursor: OneTripCursor, sql: str, parameters: Any = ()) -> None:
            if self._by_bot.get() and sql not in self._seen:
                self._seen.add(sql)
                self._explain(sql)
            await send(cursor, sql, parameters)

        patch.setattr(AsyncConnection, "execute", execute)
        patch.setattr(OneTripCursor, "execute", sent)

    def _explain(self, sql: str) -> None:
        """Note which tables a statement scans."""
        if not sql.startswith(READING):
            return
        values = [None] * sql.count("?")
        plan = self._database.execute(f"EXPLAIN QUERY PLAN {sql}", values)
        tables = {match[1] for *_, line in plan if (match := SCAN.match(line))}
        statement = " ".join(sql.split())
        scanned = tables & METADATA.tables.keys() - FEW
        if scanned and not statement.startswith(tuple(ALLOWED)):
            self.unexpected[statement] = scanned


def _is_of_bot(frame: FrameType) -> bool:
    file = frame.f_code.co_filename
    return file.startswith(BOT) and not file.endswith(WHOLE)
