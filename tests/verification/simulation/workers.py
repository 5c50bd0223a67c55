"""Computer players as simulated processes: they answer in the loop, late or never now and then."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Any

from engine.computer.players import ComputerPlayer
from engine.computer.protocol import seed_of, serve
from tests.verification.simulation.process import CURRENT

CHOICE_SECONDS = 0.02, 1.5
"""Least and most that a request takes."""

SILENT_CHANCE, DEAD_CHANCE = 0.01, 0.01
"""Probabilities that a worker does not answer, and that it dies over a request."""

FIRST_PID = 2**30
"""No process of this machine has such a number."""

STDIN, STDOUT, STDERR = range(3)

SIGKILL_CODE = -9


class SimulatedWorker(asyncio.SubprocessTransport):
    """A process that runs `python -m engine seat`.

    Args:
        loop: delivers the written bytes.
        random: decides how long a request takes, and which ones have no answer.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, random: Random, protocol: asyncio.SubprocessProtocol
    ) -> None:
        super().__init__()
        self._loop, self._random, self._protocol = loop, random, protocol
        self._pid = FIRST_PID + random.getrandbits(20)
        self._exitcode: int | None = None
        self._stdin, self._output = _Stdin(self._ask), _Output()
        self._ended: asyncio.Future[None] = loop.create_future()
        self._player = ComputerPlayer("cadet", seed_of(1))
        if process := CURRENT.get():
            process.hold(self.kill)  # it ends with its standard input
        protocol.connection_made(self)

    def get_pid(self) -> int:
        """Return its number."""
        return self._pid

    def get_returncode(self) -> int | None:
        """Return its exit code; None while it runs."""
        return self._exitcode

    def get_pipe_transport(self, fd: int) -> asyncio.BaseTransport:
        """Return one of its three pipes."""
        return self._stdin if fd == STDIN else self._output

    def kill(self) -> None:
        """End it at once."""
        if self._exitcode is None:
            self._exitcode = SIGKILL_CODE
            self._stdin.close()
            self._loop.call_soon(self._end)

    def close(self) -> None:
        """See `asyncio.SubprocessTransport`."""
        self.kill()

    def is_closing(self) -> bool:
        """Return whether it has ended."""
        return self._exitcode is not None

    def _end(self) -> None:
        for pipe in (STDOUT, STDERR):
            self._protocol.pipe_connection_lost(pipe, None)
        self._protocol.process_exited()
        self._ended.set_result(None)

    async def _wait(self) -> int | None:
        """Wait for the end; `asyncio.subprocess.Process` asks for it."""
        await asyncio.shield(self._ended)
        return self._exitcode

    def _ask(self, line: str) -> None:
        dice = self._random.random()
        if dice < SILENT_CHANCE:
            return
        pause = self._random.uniform(*CHOICE_SECONDS)
        if dice < SILENT_CHANCE + DEAD_CHANCE:
            self._loop.call_later(pause, self.kill)
        else:
            self._loop.call_later(pause, self._answer, line)

    def _answer(self, line: str) -> None:
        if self._exitcode is None:
            for answer in serve([line], self._player):  # reports come before it
                self._protocol.pipe_data_received(STDOUT, f"{answer}\n".encode())


class _Stdin(asyncio.WriteTransport):
    """Collects lines."""

    def __init__(self, receive: Callable[[str], None]) -> None:
        super().__init__()
        self._receive = receive
        self._rest = b""
        self._is_closed = False

    def write(self, data: Any) -> None:
        """Take bytes."""
        if self._is_closed:
            return
        *lines, self._rest = (self._rest + bytes(data)).split(b"\n")
        for line in lines:
            self._receive(line.decode())

    def is_closing(self) -> bool:
        """Return whether nothing is taken any more."""
        return self._is_closed

    def close(self) -> None:
        """Take nothing more."""
        self._is_closed = True

    def abort(self) -> None:
        """Take nothing more."""
        self.close()


class _Output(asyncio.ReadTransport):
    """The output of a worker, which is delivered at once."""

    def pause_reading(self) -> None:
        """Without effect: no answer is longer than the reader's limit."""

    def resume_reading(self) -> None:
        """Without effect."""
