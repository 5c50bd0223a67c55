"""Work counted in steps, which are as many on a busy machine: calls of functions, and SQLite's."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from sqlalchemy import AdaptedConnection, event
from sqlalchemy.pool import Pool

VM_STEPS = 100
"""Number of steps of SQLite's virtual machine that count as ten: they are quicker than calls."""

CALLBACK = asyncio.Handle._run.__code__
"""The code that the event loop runs for each callback."""


def calls_of(work: Callable[[], object]) -> int:
    """Return the number of function calls of `work`, in Python and in C."""
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
        in_threads: SQLite's steps, which do not hold the loop.
    """

    def __init__(self) -> None:
        self.longest = self._steps = self.in_threads = 0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count in the block, from zero."""
        self.longest = self._steps = self.in_threads = 0
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
        self.in_threads += 10


class SqliteSteps:
    """Steps of SQLite's virtual machine: a few for each row that is read or written.

    Attributes:
        count: in the last block.
    """

    def __init__(self) -> None:
        self.count = 0

    @contextmanager
    def counted(self) -> Iterator[None]:
        """Count in the block, from zero; connections that were in use before it do not count."""
        self.count = 0
        with _statements(self._note, 1):
            yield

    def _note(self) -> None:
        self.count += 1


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
def _statements(note: Callable[[], None], steps: int = VM_STEPS) -> Iterator[None]:
    """Call a function after each `steps` steps of SQLite, in the thread of a connection."""

    def progress() -> int:
        note()
        return 0

    def listen(connection: AdaptedConnection, *_: object) -> None:
        connection.run_async(lambda driver: driver.set_progress_handler(progress, steps))

    event.listen(Pool, "checkout", listen)
    try:
        yield
    finally:
        event.remove(Pool, "checkout", listen)
