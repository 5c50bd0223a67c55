"""An event loop with virtual time: it never waits, it moves its clock to the next timer."""

from __future__ import annotations

import asyncio
import selectors
import socket
from collections.abc import Callable
from contextvars import Context, copy_context
from functools import partial
from random import Random
from typing import Any, TypeVarTuple, Unpack

from tests.verification.simulation.network import (
    LATENCY_SECONDS,
    Address,
    Endpoint,
    Listener,
    Network,
)
from tests.verification.simulation.process import CURRENT
from tests.verification.simulation.workers import SimulatedWorker

DISK_SECONDS = 0.0002, 0.02
"""Least and most that work of a thread takes, such as a commit."""

START_SECONDS = 0.1, 2.0
"""Least and most that the start of a process takes."""

Ts = TypeVarTuple("Ts")


class StandstillError(Exception):
    """All tasks wait, and no timer will wake one."""


class _Selector(selectors.DefaultSelector):
    """Passes the time to the loop instead of waiting."""

    advance: Callable[[float | None], None]

    def select(self, timeout: float | None = None) -> list[Any]:
        """Return at once."""
        events: list[Any] = super().select(0)
        if not events:
            self.advance(timeout)
        return events


class _Call:
    """A callback that runs only in a process that is alive, and not before it is resumed."""

    __slots__ = "_callback", "_context", "_loop", "_process", "handle"

    def __init__(
        self, loop: SimulatedLoop, callback: Callable[[], object], context: Context
    ) -> None:
        self._loop = loop
        self._callback = callback
        self._context = context
        self._process = context.get(CURRENT)
        self.handle: asyncio.Handle | None = None

    def __call__(self) -> None:
        self._loop.steps += 1
        process = self._process
        if process is None or (process.is_alive and not process.postpone(self._call_soon)):
            self._callback()

    def _call_soon(self) -> None:
        """Run the callback in the next iteration, unless its handle has been cancelled."""
        if self.handle is None or not self.handle.cancelled():
            self._loop.call_soon(self._callback, context=self._context)


class SimulatedLoop(asyncio.SelectorEventLoop):
    """A loop in which time, connections, threads and signals are simulated.

    Args:
        random: decides how long things take.
        moved: called with the new time in seconds whenever it changes.
    """

    def __init__(self, random: Random, moved: Callable[[float], None]) -> None:
        selector = _Selector()
        selector.advance = self._advance
        self._virtual_now = 0.0
        super().__init__(selector)
        self._random = random
        self._moved = moved
        self.network = Network(self, random)
        self.steps = 0
        self._targets: dict[int, Address] = {}
        self.set_task_factory(_task)

    def time(self) -> float:
        """Return the virtual time in seconds."""
        return self._virtual_now

    def _advance(self, timeout: float | None) -> None:
        if timeout is None:
            raise StandstillError(f"nothing happens after {self._virtual_now:.3f} s")
        if timeout > 0:
            self._virtual_now += timeout
            self._moved(self._virtual_now)

    # Callbacks of dead and of suspended processes do not run

    def call_soon(
        self,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.Handle:
        """See `asyncio`."""
        context = copy_context() if context is None else context
        call = _Call(self, partial(callback, *args), context)
        call.handle = handle = super().call_soon(call, context=context)
        return handle

    def call_at(
        self,
        when: float,
        callback: Callable[[Unpack[Ts]], object],
        *args: *Ts,
        context: Context | None = None,
    ) -> asyncio.TimerHandle:
        """See `asyncio`."""
        context = copy_context() if context is None else context
        call = _Call(self, partial(callback, *args), context)
        call.handle = handle = super().call_at(when, call, context=context)
        return handle

    # Threads

    def run_in_executor(  # type: ignore[override]
        self, executor: Any, func: Callable[..., Any], *args: Any
    ) -> asyncio.Future[Any]:
        """See `asyncio`."""
        return self.call_in_thread(partial(func, *args))

    def call_in_thread(
        self, func: Callable[[], Any], span: tuple[float, float] = DISK_SECONDS
    ) -> asyncio.Future[Any]:
        """Call a function after a moment, and give its result after another one.

        So a process can crash before the work, and between the work and the news of it.

        Args:
            span: least and most seconds that it takes.
        """
        future: asyncio.Future[Any] = self.create_future()

        def work() -> None:
            try:
                done: tuple[Any, BaseException | None] = func(), None
            except Exception as error:  # noqa: BLE001 - it goes to the one who waits
                done = None, error
            if process := CURRENT.get():
                process.called()
            self.call_later(self._random.uniform(*span) / 2, report, *done)

        def report(result: Any, error: BaseException | None) -> None:
            if future.done():
                return
            if error is None:
                future.set_result(result)
            else:
                future.set_exception(error)

        self.call_later(self._random.uniform(*span) / 2, work)
        return future

    # Network

    async def create_server(  # type: ignore[override]
        self, protocol_factory: Callable[[], Any], host: Any = None, port: Any = None, **_: Any
    ) -> Listener:
        """See `asyncio`."""
        return self.network.listen(protocol_factory, str(host), int(port))

    async def sock_connect(self, sock: socket.socket, address: Any) -> None:
        """Remember where a socket is to be connected to."""
        self._targets[sock.fileno()] = Address(*address[:2])

    async def create_connection(
        self,
        protocol_factory: Callable[[], Any],
        host: str | None = None,
        port: int | None = None,
        *,
        sock: socket.socket | None = None,
        **_: Any,
    ) -> tuple[Endpoint, Any]:
        """See `asyncio`; a socket only tells the address."""
        if sock is None:
            address = Address(str(host), port or 0)
        else:
            address = self._targets.pop(sock.fileno())
            sock.close()
        await asyncio.sleep(self._random.uniform(*LATENCY_SECONDS))
        return self.network.connect(protocol_factory, address)

    # Processes

    async def subprocess_exec(
        self, protocol_factory: Callable[[], Any], *command: str, **_: Any
    ) -> tuple[SimulatedWorker, Any]:
        """See `asyncio`; the command must start a computer player."""
        await asyncio.sleep(self._random.uniform(*START_SECONDS))
        assert command[-1] == "seat", command
        protocol = protocol_factory()
        return SimulatedWorker(self, self._random, protocol), protocol

    # Signals

    def add_signal_handler(
        self, sig: int, callback: Callable[[Unpack[Ts]], Any], *args: *Ts
    ) -> None:
        """Handle a signal to the current process."""
        process = CURRENT.get()
        assert process is not None
        context = copy_context()
        process.signals[sig] = lambda: self.call_soon(callback, *args, context=context)


def _task(loop: asyncio.AbstractEventLoop, coro: Any, **options: Any) -> asyncio.Task[Any]:
    """Create a task; its process keeps it while it runs, and after its own end always."""
    task: asyncio.Task[Any] = asyncio.Task(coro, loop=loop, **options)
    if process := CURRENT.get():
        process.tasks.add(task)
        task.add_done_callback(process.tasks.discard)
    return task
