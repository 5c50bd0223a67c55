"""A bot as a separate process, and its resource usage, measured from outside."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import AsyncIterator, Mapping
from contextlib import AbstractAsyncContextManager, ExitStack, asynccontextmanager
from pathlib import Path
from typing import NamedTuple

from tests.support.children import children_of
from tests.verification.kills.worker import TOKEN

MEGABYTE = 1024.0
START_TIMEOUT_SECONDS = 60.0


class Usage(NamedTuple):
    """The resources that a process has used so far.

    Attributes:
        cpu: seconds of processor time.
        workers: seconds of processor time of the processes that it has started.
        now: megabytes of memory.
        peak: most megabytes at any time.
    """

    cpu: float
    workers: float
    now: float
    peak: float


class Process:
    """A running bot.

    Args:
        begin: start time by `time.perf_counter`.
    """

    def __init__(self, pid: int, begin: float) -> None:
        self.pid = pid
        self.begin = begin

    def age(self) -> float:
        """Return the seconds since its start."""
        return time.perf_counter() - self.begin

    def usage(self) -> Usage:
        """Return the resources that it has used."""
        status = dict(
            line.split(":", 1)
            for line in Path(f"/proc/{self.pid}/status").read_text("utf-8").splitlines()
        )
        now, peak = (int(status[name].split()[0]) / MEGABYTE for name in ("VmRSS", "VmHWM"))
        return Usage(_cpu(self.pid), sum(map(_cpu, children_of(self.pid))), now, peak)


@asynccontextmanager
async def started(
    folder: Path, *command: str, log: Path, **settings: str
) -> AsyncIterator[Process]:
    """Run a Python process inside the block; it is stopped at the end.

    Args:
        log: file for its standard error.
        settings: environment variables besides those it needs to run.
    """
    root = str(Path(__file__).parents[2])
    environment: Mapping[str, str] = {"PATH": os.environ["PATH"], "PYTHONPATH": root, **settings}
    begin = time.perf_counter()
    with log.open("a") as written:
        running = await asyncio.create_subprocess_exec(
            sys.executable, *command, cwd=folder, env=environment, stderr=written
        )
    try:
        yield Process(running.pid, begin)
    finally:
        if running.returncode is None:
            running.terminate()
        try:
            await asyncio.wait_for(running.wait(), START_TIMEOUT_SECONDS)
        except TimeoutError:
            running.kill()
            await running.wait()


def _cpu(pid: int) -> float:
    """Return the processor time of a process, by Linux's clock: /proc counts in ticks."""
    scheduled = 2
    return time.clock_gettime(~pid << 3 | scheduled)


def free_ports(count: int) -> list[int]:
    """Return free ports of this machine."""
    with ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for listener in sockets:
            listener.bind(("127.0.0.1", 0))
        return [int(listener.getsockname()[1]) for listener in sockets]


def bot(
    folder: Path, port: int, url: str, name: str, **settings: str
) -> AbstractAsyncContextManager[Process]:
    """`starpost run` against the fake Discord on this port."""
    needed = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": url, **settings}
    command = ("-m", "tests.support.against_fake", str(port), "run")
    return started(folder, *command, log=folder / f"{name}.log", **needed)
