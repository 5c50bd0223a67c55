"""Programs that stand in for workers, and what tests ask of pools of them."""

from __future__ import annotations

import asyncio
import os
import select
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from bot import metrics
from bot.workers.pool import LIMITS, WorkerError, WorkerPool
from bot.workers.process import ANSWER_BYTES, Limits

MINUTE = 60.0
"""Seconds that no request here takes."""

SERVE = """
import json, os, sys, time

def say(answer):
    print(json.dumps(answer), flush=True)

def hang():
    open(request["fifo"], "w").close()
    while True:
        time.sleep(60)

for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "hello":
        say({})
        continue
    exec(request["do"])
"""

PID = {"do": "say({'pid': os.getpid()})"}

FAULTS = {
    "exit": ("os._exit(3)", "died", "the worker died: exit code 3"),
    "error": ("raise KeyError('secret')", "died", "the worker died: KeyError"),
    "killed": ("os.kill(os.getpid(), 9)", "died", "the worker died: exit code -9"),
    "closed": ("os.close(1); time.sleep(60)", "died", "the worker died: exit code -9"),
    "text": ("print('secret', flush=True)", "nonsense", "the worker answered without JSON"),
    "list": ("say(['secret'])", "nonsense", "the worker answered without a JSON object"),
    "deep": ("print('[' * 100_000, flush=True)", "nonsense", "the worker answered without JSON"),
    "half": ("os.write(1, b'{'); os._exit(0)", "died", "the worker died: exit code 0"),
    "long": (
        f"os.write(1, b' ' * {3 * ANSWER_BYTES}); time.sleep(60)",
        "nonsense",
        f"the worker answered with more than {ANSWER_BYTES} bytes",
    ),
    "much": (
        f"say({{'data': {ANSWER_BYTES + 1}}})",
        "nonsense",
        f"the worker answered with more than {ANSWER_BYTES} bytes",
    ),
    "uncounted": (
        "say({'data': '7'})",
        "nonsense",
        f"the worker answered with more than {ANSWER_BYTES} bytes",
    ),
    "cut": (
        "say({'data': 7}); os.write(1, b'part'); os._exit(0)",
        "died",
        "the worker died: exit code 0",
    ),
    "greedy": (f"b' ' * {LIMITS.address_space_bytes}", "died", "the worker died: MemoryError"),
    "noisy": ("os.write(2, b'x' * 1_000_000); os._exit(4)", "died", "the worker died: exit code 4"),
}


def command(program: str) -> list[str]:
    return [sys.executable, "-c", program]


@asynccontextmanager
async def pool_of(
    size: int, program: str = SERVE, limits: Limits = LIMITS
) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(size, command(program), limits)
    try:
        yield pool
    finally:
        await pool.close()


class Hanging:
    """A request that writes to a named pipe and then hangs."""

    def __init__(self, pool: WorkerPool, folder: Path, timeout_seconds: float = MINUTE) -> None:
        self.fifo = folder / "hanging"
        os.mkfifo(self.fifo)
        request = {"do": "hang()", "fifo": str(self.fifo)}
        self.task = asyncio.create_task(pool.ask(request, timeout_seconds))

    async def begun(self) -> None:
        await asyncio.to_thread(self.fifo.read_bytes)


async def pid_of(pool: WorkerPool) -> int:
    pid: int = (await pool.ask(PID, MINUTE))["pid"]
    return pid


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def wait_for_end(pid: int, seconds: float = 30.0) -> bool:
    """Wait until a process has ended, one that is not a child as well."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def count(do: str, outcome: str) -> float:
    (family,) = metrics.WORKER_REQUEST.collect()
    wanted = {"do": do, "outcome": outcome}
    name = "starpost_worker_request_seconds_count"
    return sum(s.value for s in family.samples if s.name == name and s.labels == wanted)


async def refused(pool: WorkerPool, do: str = "", timeout_seconds: float = MINUTE) -> WorkerError:
    with pytest.raises(WorkerError) as caught:
        await pool.ask({"do": do}, timeout_seconds)
    return caught.value
