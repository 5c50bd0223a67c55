"""A gate before a statement of SQLite."""

from __future__ import annotations

import threading

from sqlalchemy import AdaptedConnection, event

from bot.storage.sqlite import SQLite

HELD_SECONDS = 5
"""Seconds after which a held statement goes on, so that a test that fails comes to its end."""


class Gate:
    """Makes the thread of a database's writer wait before a statement.

    Attributes:
        reached: whether the thread waits there.
    """

    def __init__(self, database: SQLite, statement: str) -> None:
        self.statement = statement
        self.reached, self._open = threading.Event(), threading.Event()
        event.listen(database._writer.sync_engine, "checkout", self._listen)

    def _listen(self, connection: AdaptedConnection, *_: object) -> None:
        if not self.reached.is_set():
            connection.run_async(lambda driver: driver.set_trace_callback(self._wait))

    def _wait(self, statement: str) -> None:
        if statement.startswith(self.statement) and not self.reached.is_set():
            self.reached.set()
            self._open.wait(HELD_SECONDS)

    def open(self) -> None:
        """Let the thread go on."""
        self._open.set()
