"""One seed for all randomness, and one clock for all that ask for the time.

`install` has to be called before the bot is imported, in a process with a fixed `PYTHONHASHSEED`.
"""

from __future__ import annotations

import concurrent.futures
import os
import random
import secrets
import time
import uuid
from collections.abc import Callable
from concurrent.futures import Executor, Future
from random import Random
from types import ModuleType
from typing import Any

import time_machine

EPOCH = 1_800_000_000.0
"""UTC seconds at which each simulation begins."""


class VirtualClock:
    """The clock that `time`, `datetime` and all libraries read.

    Args:
        traveller: sets what C functions return.
    """

    def __init__(self) -> None:
        self._travel = time_machine.travel(EPOCH, tick=False)
        self._coordinates = self._travel.start()
        self._now = self._ahead = 0.0

    def move(self, now: float) -> None:
        """Set the seconds since the beginning."""
        self._now = now
        self._coordinates.move_to(EPOCH + now + self._ahead, tick=False)

    def set(self, ahead: float) -> None:
        """Set the wall clock so many seconds ahead of the true time."""
        self._ahead = ahead
        self.move(self._now)

    def true_now(self) -> float:
        """Return the true time in UTC seconds."""
        return EPOCH + self._now

    def monotonic(self) -> float:
        """Return seconds since the beginning."""
        return self._now

    def clock_gettime(self, clock_id: int) -> float:
        """Return the time of a clock of the system; all but the wall clock are monotonic."""
        return time.time() if clock_id == time.CLOCK_REALTIME else self._now


def install(seed: int) -> VirtualClock:
    """Replace the sources of randomness and time of this process.

    Args:
        seed: decides all that the system would draw at random.
    """
    clock, entropy = VirtualClock(), Random(f"entropy {seed}")
    random.seed(seed)

    def token_bytes(nbytes: int | None = None) -> bytes:
        return entropy.randbytes(32 if nbytes is None else nbytes)

    def token_hex(nbytes: int | None = None) -> str:
        return token_bytes(nbytes).hex()

    replaced: dict[ModuleType, dict[str, Callable[..., object]]] = {
        os: {"urandom": token_bytes},
        secrets: {"token_bytes": token_bytes, "token_hex": token_hex},
        random: {"_urandom": token_bytes, "Random": _unseeded(entropy)},
        concurrent.futures: {"ThreadPoolExecutor": _AtOnce},
        uuid: {"uuid4": lambda: uuid.UUID(bytes=token_bytes(16), version=4)},
        time: {
            "monotonic": clock.monotonic,
            "perf_counter": clock.monotonic,
            "clock_gettime": clock.clock_gettime,
        },
    }
    for module, values in replaced.items():
        vars(module).update(values)
    return clock


class _AtOnce(Executor):
    """Does work when it is submitted: the system decides when a real thread does it.

    Work that a task waits for does not come here, see `SimulatedLoop.run_in_executor`.
    """

    def __init__(self, *_: object) -> None:
        super().__init__()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See `concurrent.futures.Executor`."""
        future = Future[Any]()
        try:
            future.set_result(fn(*args, **kwargs))
        except Exception as error:  # noqa: BLE001 - it goes to the one who waits
            future.set_exception(error)
        return future


def _unseeded(entropy: Random) -> type[Random]:
    """Return a generator that takes its seed from here where the system would give one."""

    class Unseeded(Random):
        def __init__(self, x: float | str | bytes | bytearray | None = None) -> None:
            super().__init__(entropy.getrandbits(64) if x is None else x)

        def seed(self, *args: Any) -> None:
            super().seed(*args if args and args[0] is not None else (entropy.getrandbits(64),))

    return Unseeded
