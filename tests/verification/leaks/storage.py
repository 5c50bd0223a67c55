"""Connections to databases whose statements take their turns in the event loop.

With threads of their own, the order of what two tasks send would depend on how long each of their
statements takes, and two worlds would differ by chance.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import aiosqlite.core
import pytest

Item = tuple[asyncio.Future[Any] | None, Callable[[], object]]
"""An item of aiosqlite's queue: the future of the result, and the function to call."""


class NoThread:
    """Takes the place of `Thread`; the queue does its work."""

    def __init__(self, **_: object) -> None:
        """Need nothing."""

    def start(self) -> None:
        """Start nothing."""


class LoopQueue:
    """Takes the place of `SimpleQueue`, and calls the functions in the event loop."""

    def put_nowait(self, item: Item) -> None:
        """Call a function after those before it."""
        asyncio.get_running_loop().call_soon(self._call, *item)

    @staticmethod
    def _call(future: asyncio.Future[Any] | None, function: Callable[[], object]) -> None:
        try:
            result = function()
        except Exception as error:  # noqa: BLE001 - the caller raises it
            if future and not future.done():
                future.set_exception(error)
        else:
            if future and not future.done():
                future.set_result(result)


def use_event_loop(patch: pytest.MonkeyPatch) -> None:
    """Have connections of aiosqlite work in the event loop."""
    patch.setattr(aiosqlite.core, "SimpleQueue", LoopQueue)
    patch.setattr(aiosqlite.core, "Thread", NoThread)
