"""One seed for all randomness, and one clock for all that ask for the time.

`install` has to be called before the bot is imported, in a process with a fixed `PYTHONHASHSEED`.
"""

from __future__ import annotations

import os
import random
import secrets
import time
import uuid
from collections.abc import Callable
from random import Random
from types import ModuleType

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
        self._now = 0.0

    def move(self, now: float) -> None:
        """Set the seconds since the beginning."""
        self._now = now
        self._coordinates.move_to(EPOCH + now, tick=False)

    def monotonic(self) -> float:
        """Return seconds since the beginning."""
        return self._now


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
        random: {"_urandom": token_bytes},
        uuid: {"uuid4": lambda: uuid.UUID(bytes=token_bytes(16), version=4)},
        time: {"monotonic": clock.monotonic, "perf_counter": clock.monotonic},
    }
    for module, values in replaced.items():
        vars(module).update(values)
    return clock
