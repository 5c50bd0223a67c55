"""A gate before or amid a statement of SQLite."""

from __future__ import annotations

import threading

from sqlalchemy import AdaptedConnection, event

from bot.storage.sqlite import SQLite

HELD_SECONDS = 5
"""Seconds after which a held statement goes on, so that a test that fails comes to its end."""


class Gate:
    """Makes the thread of a database's writer wait before a statement, or amid it.

    Args:
        database: its writer is watched from its next transaction on.
        amid: instructions of SQLite after which the statement is held; before it if 0.

    Attributes:
        reached: whether the thread waits there.
    """

    def __init__(self, database: SQLite, statement: str, amid: int = 0) -> None:
        self.statement, self._amid = statement, amid
        self.reached, self._open = threading.Event(), threading.Event()
        self._is_begun = False
        event.listen(database._writer.sync_engine, "checkout", self._listen)

    def _listen(self, connection: AdaptedConnection, *_: object) -> None:
        if self.reached.is_set():
            return
        connection.run_async(lambda driver: driver.set_trace_callback(self._begin))
        if self._amid:
            wait = self._wait_amid
            connection.run_async(lambda driver: driver.set_progress_handler(wait, self._amid))

    def _begin(self, statement: str) -> None:
        if statement.startswith(self.statement):
            self._is_begun = True
            if not self._amid:
                self._wait()

    def _wait_amid(self) -> None:
        if self._is_begun:
            self._wait()

    def _wait(self) -> None:
        if not self.reached.is_set():
            self.reached.set()
            self._open.wait(HELD_SECONDS)

    def open(self) -> None:
        """Let the thread go on."""
        self._open.set()
