"""Work counted in steps, which are as many on a busy machine: calls of functions, and SQLite's."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from sqlalchemy.sql.base import Executable

from bot.storage.sqlite import SQLiteConnection

VM_STEPS = 100
"""Number of steps of SQLite's virtual machine that count as ten: they are quicker than calls."""

CALLBACK = asyncio.Handle._run.__code__
"""The code that the event loop runs for each callback."""


def calls_of(work: Callable[[], object]) -> int:
    """Return how many functions are called by some work, in Python and in C."""
    count = 0

    def note(_frame: FrameType, event: str, _arg: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    with _profiled(note):
        work()
    return count


class LoopSteps:
    """The longest work of the event loop in which no other task had a turn.

    Attributes:
        longest: its steps.
    """

    def __init__(self) -> None:
        self.longest = self._steps = 0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count in the block, from zero."""
        self.longest = self._steps = 0
        with _profiled(self._note), _statements(self._note_statement):
            yield
        self.longest = max(self.longest, self._steps)

    def _note(self, frame: FrameType, event: str, _arg: object) -> None:
        if event == "call" and frame.f_code is CALLBACK:
            self.longest = max(self.longest, self._steps)
            self._steps = 0
        elif event in ("call", "c_call"):
            self._steps += 1

    def _note_statement(self) -> None:
        self._steps += 10


@contextmanager
def _profiled(note: Callable[[FrameType, str, Any], None]) -> Iterator[None]:
    """Call a function for each call in the current thread."""
    before = sys.getprofile()
    sys.setprofile(note)
    try:
        yield
    finally:
        sys.setprofile(before)


@contextmanager
def _statements(note: Callable[[], None]) -> Iterator[None]:
    """Call a function for each 100 steps of SQLite."""
    execute = SQLiteConnection.execute

    def progress() -> int:
        note()
        return 0

    async def noted(self: SQLiteConnection, statement: Executable, *given: Any) -> Any:
        raw = self._connection.connection.driver_connection
        assert raw is not None
        raw.set_progress_handler(progress, VM_STEPS)
        return await execute(self, statement, *given)

    SQLiteConnection.execute = noted  # type: ignore[method-assign]
    try:
        yield
    finally:
        SQLiteConnection.execute = execute  # type: ignore[method-assign]
