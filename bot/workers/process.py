"""One process that works for the bot: its environment, limits and protocol.

It gets one JSON object a line on its standard input, and answers each with one on its standard
output; bytes may follow (`bot.workers.protocol`). Its environment names neither the token nor the
database, and it inherits no open file.
"""

from __future__ import annotations

import asyncio
import json
import logging
import os
import re
import sys
from asyncio.subprocess import PIPE, Process
from collections.abc import Mapping, Sequence
from contextlib import suppress
from contextvars import Context
from enum import StrEnum
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import engine
from bot.workers.protocol import DATA
from engine import packages

if sys.platform == "linux":
    import resource

    PAGE_BYTES = resource.getpagesize()
else:
    PAGE_BYTES = 0

log = logging.getLogger(__name__)

CPU_SECONDS = 120
"""Maximum processor time until an answer or report, enforced by the kernel.

The pool gives up earlier; this ends a worker in an endless loop whose bot has been killed.
"""

ANSWER_BYTES = 2**20
"""Maximum length of an answer."""

END_GRACE_SECONDS = 2.0
"""Seconds from the end of the output of a worker until it is killed if it has not ended."""

STDERR_BYTES = 4096
"""Bytes kept from the end of a worker's standard error."""

PASSED_VARIABLES = ("LD_LIBRARY_PATH", "PYTHONHOME", "SYSTEMROOT")
"""Environment variables that Python needs to start on machines that set them."""

ERROR_NAME = re.compile(r"[\w.]*(?:Error|Exception|Interrupt)\b")
"""Begins the last line of a traceback; the text after it may repeat a record."""


class Outcome(StrEnum):
    """The outcome of a request."""

    ANSWERED = "answered"
    REFUSED = "refused"
    TIMEOUT = "timeout"
    DIED = "died"
    NONSENSE = "nonsense"
    CLOSED = "closed"


class WorkerError(Exception):
    """A request has no answer. The text fits into one log line and repeats no part of a record.

    Attributes:
        outcome: the kind of reason; `CLOSED` says nothing about the request or the worker.
    """

    def __init__(self, outcome: Outcome, reason: str) -> None:
        super().__init__(reason)
        self.outcome = outcome


class Limits(NamedTuple):
    """Resource limits of a worker, where the system supports them (Linux).

    Attributes:
        niceness: lowers its priority.
        address_space_bytes: maximum of its address space, enforced by the kernel; only a request
            that does not stop growing reaches it.
        resident_bytes: memory above which it is replaced after its answer.
    """

    niceness: int
    address_space_bytes: int
    resident_bytes: int


class Worker:
    """A process that answers one request at a time; made by `spawn`."""

    def __init__(self, process: Process) -> None:
        self._process = process
        self._stderr = b""
        self._is_killed = False
        # In a context of its own, because it outlives the request that starts it
        self._end = Context().run(partial(asyncio.create_task, self._watch(), name="worker"))

    @classmethod
    async def spawn(cls, command: Sequence[str], limits: Limits) -> Worker:
        """Start a process in a separate session, so that Ctrl+C does not end it before the bot.

        Raises:
            OSError: the system does not start it.
        """
        process = await asyncio.create_subprocess_exec(
            *command,
            stdin=PIPE,
            stdout=PIPE,
            stderr=PIPE,
            limit=ANSWER_BYTES,
            env=_environment(),
            cwd=Path(sys.executable).anchor,
            start_new_session=True,
        )
        _limit(process.pid, limits)
        return cls(process)

    @property
    def is_usable(self) -> bool:
        """Whether it may answer another request."""
        return not self._is_killed and self._process.returncode is None and not self._end.done()

    @property
    def has_ended(self) -> bool:
        """Whether nothing is left of the process."""
        return self._end.done()

    def resident_bytes(self) -> int:
        """Return the memory that it uses in bytes, or 0 where the system does not report it."""
        try:
            status = Path(f"/proc/{self._process.pid}/statm").read_text("ascii")
        except OSError:
            return 0
        return int(status.split()[1]) * PAGE_BYTES

    def kill(self) -> None:
        """Kill the process; it is not used again."""
        if self._is_killed:  # a second signal could collect its exit code before asyncio does
            return
        self._is_killed = True
        with suppress(ProcessLookupError):
            self._process.kill()

    async def ended(self) -> None:
        """Wait until nothing is left of the process."""
        await asyncio.shield(self._end)

    async def exchange(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Send a request and return its answer, or the first report on its progress.

        Raises:
            WorkerError: the answer is no JSON object on one line, or the process ended.
        """
        stdin = self._process.stdin
        assert stdin  # noqa: S101 - it is a pipe
        try:
            if stdin.is_closing():  # then uvloop raises RuntimeError instead of ConnectionError
                raise await self._death()
            stdin.write(json.dumps(request).encode() + b"\n")
            await stdin.drain()
        except ConnectionError:
            raise await self._death() from None
        return await self.read()

    async def read(self) -> dict[str, Any]:
        """Return the answer to the latest request, or the next report on its progress.

        Raises:
            WorkerError: see `exchange`.
        """
        stdout = self._process.stdout
        assert stdout  # noqa: S101 - it is a pipe
        _limit_cpu(self._process.pid)
        try:
            line = await stdout.readline()
        except ConnectionError:
            line = b""
        except ValueError as error:
            reason = f"the worker answered with more than {ANSWER_BYTES} bytes"
            raise WorkerError(Outcome.NONSENSE, reason) from error
        if not line.endswith(b"\n"):
            raise await self._death()
        try:
            answer = json.loads(line)
        except (ValueError, RecursionError) as error:
            raise WorkerError(Outcome.NONSENSE, "the worker answered without JSON") from error
        if not isinstance(answer, dict):
            raise WorkerError(Outcome.NONSENSE, "the worker answered without a JSON object")
        return answer | {DATA: await self._data(answer[DATA])} if DATA in answer else answer

    async def _data(self, length: object) -> bytes:
        """Read the bytes after the line of an answer.

        Raises:
            WorkerError: they are too many, or the process ended.
        """
        if not (isinstance(length, int) and 0 <= length <= ANSWER_BYTES):
            reason = f"the worker answered with more than {ANSWER_BYTES} bytes"
            raise WorkerError(Outcome.NONSENSE, reason)
        assert self._process.stdout  # noqa: S101 - it is a pipe
        try:
            return await self._process.stdout.readexactly(length)
        except (ConnectionError, EOFError):
            raise await self._death() from None

    async def _death(self) -> WorkerError:
        """Return a description of the end, quoting only the exception name from stderr."""
        await asyncio.wait({self._end}, timeout=END_GRACE_SECONDS)
        self.kill()  # it may have closed no more than its standard output
        await self.ended()
        last_line = self._stderr.decode(errors="replace").rstrip().rpartition("\n")[2]
        name = ERROR_NAME.match(last_line)
        cause = name[0] if name else f"exit code {self._process.returncode}"
        return WorkerError(Outcome.DIED, f"the worker died: {cause}")

    async def _watch(self) -> None:
        """Keep the end of the standard error, until the process has ended."""
        stderr = self._process.stderr
        assert stderr  # noqa: S101 - it is a pipe
        while data := await stderr.read(STDERR_BYTES):
            self._stderr = (self._stderr + data)[-STDERR_BYTES:]
        await self._process.wait()


def _environment() -> dict[str, str]:
    """Return all variables of a worker: the engine and games of the bot, and UTF-8 everywhere."""
    environment = {name: os.environ[name] for name in PASSED_VARIABLES if name in os.environ}
    folders = (Path(engine.__file__).parents[1], *map(Path, packages.folders()))
    path = os.pathsep.join(str(folder.absolute()) for folder in folders)
    return environment | {"PYTHONPATH": path, "PYTHONUTF8": "1"}


def _limit(pid: int, limits: Limits) -> None:
    """Limit the memory of a process and lower its priority, where the system can (Linux).

    It has done nothing before its first request. A `preexec_fn` would do this in the child, which
    is unsafe in a process with threads.
    """
    if sys.platform != "linux":
        log.debug("workers are not limited on %s", sys.platform)
        return
    try:
        space = limits.address_space_bytes
        resource.prlimit(pid, resource.RLIMIT_AS, (space, space))
        resource.prlimit(pid, resource.RLIMIT_CORE, (0, 0))  # a core dump would hold records
        os.setpriority(os.PRIO_PROCESS, pid, limits.niceness)
        # Where the kernel groups processes by session, only the group's niceness counts.
        if (autogroup := Path(f"/proc/{pid}/autogroup")).exists():
            autogroup.write_text(str(limits.niceness), "ascii")
    except OSError as error:
        log.debug("worker %d is not limited: %s", pid, error)


def _limit_cpu(pid: int) -> None:
    """Limit the processor time of a process from now on, where the system can (Linux)."""
    if sys.platform != "linux":
        return
    try:
        fields = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()
        used = sum(map(int, fields[11:13])) // os.sysconf("SC_CLK_TCK")
        limits = (used + CPU_SECONDS, resource.RLIM_INFINITY)
        resource.prlimit(pid, resource.RLIMIT_CPU, limits)
    except OSError as error:
        log.debug("the processor time of worker %d is not limited: %s", pid, error)
