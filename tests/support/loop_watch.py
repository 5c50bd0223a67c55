"""Find what blocks an event loop, and why.

A block is split into what the loop's thread computed, how long it waited for a core, and the rest:
the interpreter's lock, which another thread held, or the disk. On a busy machine only the first
part says something about the program; garbage collections are a share of it. It needs Linux.
"""

from __future__ import annotations

import asyncio
import gc
import json
import sys
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from operator import sub
from pathlib import Path
from types import FrameType
from typing import NamedTuple

import greenlet

import bot

BLOCK_SECONDS = 0.02
"""Shortest block that is written down."""

TICK_SECONDS = 0.005
"""Interval of the timer whose lateness is measured."""

PLACES = 4
"""Number of functions that are named for a block."""

IN_ONE_CALL = "in one call that kept the interpreter's lock"
"""The place of a block during which this thread could not look."""

ROOT = Path(bot.__file__).parents[1]


class Block(NamedTuple):
    """A block of an event loop; durations in seconds.

    Attributes:
        at: its end in UTC seconds.
        computing: the part that the loop's thread computed.
        queued: the part that it waited for a core.
        where: the innermost function when the block was noticed, and the innermost ones of this
            program that called it, or `IN_ONE_CALL`. After a collection it is where that happened.
        collecting: the longest garbage collection of the loop's thread in it.
        generation: the oldest generation of objects that this collection looked at.
    """

    at: float
    seconds: float
    computing: float
    queued: float
    where: str
    collecting: float = 0.0
    generation: int = 0

    def __str__(self) -> str:
        """Return the block with its causes."""
        parts = {
            "computing": self.computing,
            "without a core": self.queued,
            "for the interpreter's lock or the disk": self.seconds - self.computing - self.queued,
        }
        shares = [f"{max(0.0, 1000 * part):.0f} ms {name}" for name, part in parts.items()]
        if self.collecting:
            shares.append(
                f"{1000 * self.collecting:.0f} ms in a garbage collection"
                f" (generation {self.generation})"
            )
        return f"{1000 * self.seconds:.0f} ms: {', '.join(shares)}; {self.where}"


class _Moment(NamedTuple):
    """A moment by the wall clock, the thread's CPU clock, and its waits for a core; in seconds."""

    wall: float
    computing: float
    queued: float


class _Collection(NamedTuple):
    """A garbage collection: seconds of CPU time, and the generation it looked at."""

    seconds: float = 0.0
    generation: int = 0


class LoopWatch:
    """Writes the blocks of the running event loop to a file, a line each.

    A timer of the loop measures them; a thread looks where the loop is when the timer is late.

    Args:
        loop: runs in the main thread.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop, file: Path) -> None:
        self._loop, self._file = loop, file
        self._main = threading.main_thread()
        self._clock = time.pthread_getcpuclockid(self._main.ident or 0)
        self._schedule = Path(f"/proc/self/task/{self._main.native_id}/schedstat")
        self._last, self._where = self._now(), ""
        self._collection = _Collection()
        self._collection_began = 0.0
        self._caller: greenlet.greenlet | None = None
        self._is_over = False

    @contextmanager
    def watching(self) -> Iterator[None]:
        """Watch until the end of the block."""
        gc.callbacks.append(self._collect)
        greenlet.settrace(self._switch)
        self._loop.call_later(TICK_SECONDS, self._tick)
        threading.Thread(target=self._look, name="loop watch", daemon=True).start()
        try:
            yield
        finally:
            self._is_over = True
            greenlet.settrace(None)
            gc.callbacks.remove(self._collect)

    def _tick(self) -> None:
        """Write down how late this call is, if it is too late."""
        now = self._now()
        wall, computing, queued = map(sub, now, self._last)
        if wall - TICK_SECONDS >= BLOCK_SECONDS:
            where = self._where or IN_ONE_CALL
            late = wall - TICK_SECONDS
            block = Block(time.time(), late, computing, queued, where, *self._collection)
            with self._file.open("a") as file:
                file.write(f"{json.dumps(block)}\n")
        self._last, self._where, self._collection = now, "", _Collection()
        if not self._is_over:
            self._loop.call_later(TICK_SECONDS, self._tick)

    def _look(self) -> None:
        while not self._is_over:
            time.sleep(TICK_SECONDS)
            late = time.perf_counter() - self._last.wall - TICK_SECONDS
            if late >= BLOCK_SECONDS and not self._where:
                self._where = self._place(sys._current_frames().get(self._main.ident or 0))

    def _collect(self, phase: str, details: dict[str, int]) -> None:
        """Measure a garbage collection of the loop's thread."""
        if threading.current_thread() is not self._main:
            return
        now = time.clock_gettime(self._clock)
        if phase == "start":
            self._collection_began = now
        else:
            collection = _Collection(now - self._collection_began, details["generation"])
            self._collection = max(self._collection, collection)

    def _switch(self, _: str, greenlets: Sequence[greenlet.greenlet]) -> None:
        """Remember who called the greenlet that begins: SQLAlchemy runs statements in them."""
        self._caller = greenlets[1].parent

    def _place(self, frame: FrameType | None) -> str:
        """Return the innermost function, and the innermost ones of this program that called it."""
        places: list[str] = []
        caller = self._caller
        while frame is not None and len(places) < PLACES:
            path = Path(frame.f_code.co_filename)
            is_program = path.is_relative_to(ROOT) and "site-packages" not in path.parts
            if is_program or not places:
                name = str(path.relative_to(ROOT)) if is_program else path.name
                places.append(f"{name}:{frame.f_lineno} {frame.f_code.co_name}")
            frame = frame.f_back
            if frame is None and caller is not None:
                frame, caller = caller.gr_frame, None
        return " < ".join(places)

    def _now(self) -> _Moment:
        queued = int(self._schedule.read_text("ascii").split()[1]) / 1e9
        return _Moment(time.perf_counter(), time.clock_gettime(self._clock), queued)


def blocks_since(file: Path, since: float) -> Sequence[Block]:
    """Return the blocks that ended after a UTC time in seconds."""
    lines = file.read_text("utf-8").splitlines() if file.exists() else []
    blocks = [Block(*json.loads(line)) for line in lines]
    return [block for block in blocks if block.at > since]
