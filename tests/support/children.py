"""Processes that a process has started (on Linux; elsewhere none are found)."""

from __future__ import annotations

import os
from contextlib import suppress
from pathlib import Path


def children_of(pid: int) -> set[int]:
    """Return those that have not ended."""
    pids: set[int] = set()
    for thread in Path(f"/proc/{pid}/task").glob("*/children"):
        with suppress(OSError):  # the thread has ended meanwhile
            pids |= set(map(int, thread.read_text("ascii").split()))
    return pids


def workers_of(pid: int) -> set[int]:
    """Return those in a session of their own, as `bot.workers.process` starts them."""
    pids = set()
    for child in children_of(pid):
        with suppress(ProcessLookupError):
            pids |= {child} if os.getsid(child) == child else set()
    return pids
