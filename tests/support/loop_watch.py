"""Find what blocks an event loop, and why.

A block is split into what the loop's thread computed, how long it waited for a core, and the rest:
the interpreter's lock, which another thread held, or the disk. On a busy machine only the first
part says something about the program. It needs Linux.
"""

from __future__ import annotations

import asyncio
import json
import sys
import threading
import time
from collections.abc import Sequence
from operator import sub
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import bot

BLOCK_SECONDS = 0.02
"""Shortest block that is written down."""

TICK_SECONDS = 0.005
"""Interval of the timer whose lateness is measured."""

IN_ONE_CALL = "in one call, such as a garbage collection, that kept the interpreter's lock"
"""The place of a block during which this thread could not look."""

ROOT = Path(bot.__file__).parents[1]


class Block(NamedTuple):
    """A block of an event loop; durations in seconds.

    Attributes:
        at: its end in UTC seconds.
        seconds: the whole block.
        computing: the part that the loop's thread computed.
        queued: the part that it waited for a core.
        where: the innermost functions of this program when the block was noticed, or `IN_ONE_CALL`.
    """

    at: float
    seconds: float
    computing: float
    queued: float
    where: str

    def __str__(self) -> str:
        """Return the block with its causes."""
        parts = {
            "computing": self.computing,
            "without a core": self.queued,
            "for the interpreter's lock or the disk": self.seconds - self.computing - self.queued,
        }
        shares = (f"{max(0.0, 1000 * part):.0f} ms {name}" for name, part in parts.items())
        return f"{1000 * self.seconds:.0f} ms: {', '.join(shares)}; {self.where}"


class _Moment(NamedTuple):
    """A moment by the wall clock, the thread's CPU clock, and its waits for a core; in seconds."""

    wall: float
    computing: float
    queued: float


class LoopWatch:
    """Writes the blocks of the running event loop to a file, a line each.

    A timer of the loop measures them; a thread looks where the loop is when the timer is late.

    Args:
        loop: runs in the main thread.
        file: is appended to.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, file: Path) -> None:
        self._loop, self._file = loop, file
        self._main = threading.main_thread()
        self._clock = time.pthread_getcpuclockid(self._main.ident or 0)
        self._schedule = Path(f"/proc/self/task/{self._main.native_id}/schedstat")
        self._last, self._where = self._now(), ""

    def start(self) -> None:
        """Watch until the loop is closed."""
        self._loop.call_later(TICK_SECONDS, self._tick)
        threading.Thread(target=self._look, name="loop watch", daemon=True).start()

    def _tick(self) -> None:
        """Write down how late this call is, if it is too late."""
        now = self._now()
        wall, computing, queued = map(sub, now, self._last)
        if wall - TICK_SECONDS >= BLOCK_SECONDS:
            where = self._where or IN_ONE_CALL
            block = Block(time.time(), wall - TICK_SECONDS, computing, queued, where)
            with self._file.open("a") as file:
                file.write(f"{json.dumps(block)}\n")
        self._last, self._where = now, ""
        self._loop.call_later(TICK_SECONDS, self._tick)

    def _look(self) -> None:
        while not self._loop.is_closed():
            time.sleep(TICK_SECONDS)
            late = time.perf_counter() - self._last.wall - TICK_SECONDS
            if late >= BLOCK_SECONDS and not self._where:
                self._where = _place(sys._current_frames().get(self._main.ident or 0))

    def _now(self) -> _Moment:
        queued = int(self._schedule.read_text("ascii").split()[1]) / 1e9
        return _Moment(time.perf_counter(), time.clock_gettime(self._clock), queued)


def _place(frame: FrameType | None) -> str:
    """Return the innermost function, and the innermost ones of this program that called it."""
    places: list[str] = []
    while frame is not None and len(places) < 3:
        path = Path(frame.f_code.co_filename)
        is_program = path.is_relative_to(ROOT) and "site-packages" not in path.parts
        if is_program or not places:
            name = str(path.relative_to(ROOT)) if is_program else path.name
            places.append(f"{name}:{frame.f_lineno} {frame.f_code.co_name}")
        frame = frame.f_back
    return " < ".join(places)


def blocks_since(file: Path, since: float) -> Sequence[Block]:
    """Return the blocks that ended after a UTC time in seconds."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    blocks = [Block(*json.loads(line)) for line in lines]
    return [block for block in blocks if block.at > since]
