"""Simulated processes: groups of tasks that stop at once, at any `await`, as after a SIGKILL."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from contextvars import ContextVar, Token
from pathlib import Path
from typing import Any, ClassVar

from tests.verification.simulation.power import Power

CURRENT: ContextVar[SimulatedProcess | None] = ContextVar("process", default=None)
"""The process to which the running callback belongs; None for the world around the bot."""

Release = Callable[[], object]
"""Gives back to the system what a process holds: a connection, a lock."""


class UnexpectedEndError(Exception):
    """The bot has ended although nothing has told it to."""


class SimulatedProcess:
    """Tasks and callbacks that a crash stops.

    Callbacks inherit their process by their context. None of them runs after the crash, so neither
    do the `finally` blocks in which they wait: their tasks are kept, because Python would run these
    blocks when it deletes a task.

    Args:
        power: notes what it tells the database, if the power will be cut.

    Attributes:
        exitcode: as of a real process: None while it runs, −9 after a crash.
        signals: handlers by the number of the signal.
    """

    gone: ClassVar[list[SimulatedProcess]] = []
    """Those that have ended, with their tasks: also one that was told to stop has left some."""

    def __init__(self, name: str, power: Power | None = None) -> None:
        self.name = name
        self.power = power
        self.exitcode: int | None = None
        self.error: BaseException | None = None
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.signals: dict[int, Callable[[], object]] = {}
        self.tasks: set[asyncio.Task[Any]] = set()
        self._is_time_to_die: Callable[[], bool] = bool
        self._postponed: list[Callable[[], object]] | None = None
        self._held: dict[int, Release] = {}
        self._numbers = iter(range(1_000_000_000))

    @property
    def is_alive(self) -> bool:
        """Return whether its callbacks run, or will once it is resumed."""
        return self.exitcode is None

    @property
    def is_suspended(self) -> bool:
        """Return whether its callbacks are postponed."""
        return self.is_alive and self._postponed is not None

    def start(self, main: Callable[[], Coroutine[Any, Any, object]]) -> None:
        """Run a coroutine; the process ends with it."""
        token = self.enter()
        try:
            task = asyncio.get_running_loop().create_task(self._run(main()), name=self.name)
        finally:
            CURRENT.reset(token)
        self.tasks.add(task)

    async def _run(self, main: Coroutine[Any, Any, object]) -> None:
        try:
            await main
        except BaseException as error:
            self.error = error
            self._end(1)
            raise
        self._end(0)

    def enter(self) -> Token[SimulatedProcess | None]:
        """Have the current context belong to this process."""
        return CURRENT.set(self)

    def hold(self, release: Release) -> int:
        """Have something given back at the end; return the number to `drop` it."""
        number = next(self._numbers)
        self._held[number] = release
        return number

    def drop(self, number: int) -> None:
        """Forget something that was given back."""
        self._held.pop(number, None)

    def signal(self, number: int) -> None:
        """Send a signal that the process handles."""
        self.signals[number]()

    def kill(self) -> None:
        """End the process as SIGKILL does; without effect if it has ended."""
        if self.is_alive:
            self._end(-9)

    def suspend(self) -> None:
        """Run no callbacks for now, as after SIGSTOP; time and the rest of the world go on."""
        self._postponed = []

    def resume(self) -> None:
        """Run callbacks again, those first that have been postponed."""
        postponed, self._postponed = self._postponed or [], None
        for callback in postponed:
            callback()

    def postpone(self, callback: Callable[[], object]) -> bool:
        """Keep a callback until the process is resumed; return False if it is not suspended."""
        if self._postponed is not None:
            self._postponed.append(callback)
        return self._postponed is not None

    def kill_when(self, condition: Callable[[], bool]) -> None:
        """End the process right after a call in a thread, such as a commit, as soon as it may."""
        self._is_time_to_die = condition

    def called(self) -> None:
        """Note that a call in a thread was made; its task does not know that yet."""
        if self._is_time_to_die():
            self.kill()

    def _end(self, code: int) -> None:
        self.exitcode = code
        self.gone.append(self)
        releases, self._held = list(self._held.values()), {}
        for release in reversed(releases):
            release()
        if not self.ended.done():
            self.ended.set_result(None)


def is_alive(process: SimulatedProcess | None) -> bool:
    """Return whether the callbacks of a process run; those of the world around always do."""
    return process is None or process.is_alive


def where(task: asyncio.Task[Any]) -> str:
    """Return the stack of a waiting task: functions that have called each other, with lines."""
    places = list[str]()
    waiting: object = task.get_coro()
    while frame := getattr(waiting, "cr_frame", None):
        code = frame.f_code
        places.append(f"{code.co_name} ({Path(code.co_filename).stem}:{frame.f_lineno})")
        waiting = getattr(waiting, "cr_await", None)
    return " → ".join(places)
