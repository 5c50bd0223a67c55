"""The threads of aiosqlite's connections in virtual time."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Any

import aiosqlite.core

STATEMENT_SECONDS = 0.00002, 0.0005
"""Least and most that a statement takes; a commit takes as long as other work of a thread."""

Item = tuple[asyncio.Future[Any] | None, Callable[[], object]]
"""An item of aiosqlite's queue: the future of the result, and the function to call."""


def install() -> None:
    """Have connections of aiosqlite work in the simulated loop."""
    vars(aiosqlite.core).update(SimpleQueue=SimulatedQueue, Thread=SimulatedThread)


class SimulatedThread:
    """Takes the place of `Thread`; the queue does its work."""

    def __init__(self, **_: object) -> None:
        """Need nothing."""

    def start(self) -> None:
        """Start nothing."""


class SimulatedQueue:
    """Takes the place of `SimpleQueue`, and calls the functions one after another.

    So a process can crash before a statement, and between it and the news of it.
    """

    def __init__(self) -> None:
        self._waiting = deque[Item]()
        self._is_busy = False

    def put_nowait(self, item: Item) -> None:
        """Call a function after those before it."""
        self._waiting.append(item)
        if not self._is_busy:
            self._begin()

    def _begin(self) -> None:
        future, function = self._waiting.popleft()
        self._is_busy = True
        loop: Any = asyncio.get_running_loop()
        is_commit = getattr(function, "args", ())[:1] == ("COMMIT",)
        span = () if is_commit else (STATEMENT_SECONDS,)
        loop.call_in_thread(function, *span).add_done_callback(partial(self._end, future))

    def _end(self, future: asyncio.Future[Any] | None, work: asyncio.Future[Any]) -> None:
        error = work.exception()
        if future and not future.done():
            if error:
                future.set_exception(error)
            else:
                future.set_result(work.result())
        self._is_busy = False
        if self._waiting:
            self._begin()
