"""A clock that does not jump while the process runs.

The wall clock can be set while the bot runs. Clicks between the jump and the next heartbeat would
charge it to players' clocks, so the time advances with the monotonic clock and follows the wall
clock only when `bot.services.timers.Timers` adjusts every stored time as well.
"""

from __future__ import annotations

import time
from collections.abc import Callable


class SteadyClock:
    """UTC seconds, advanced by a monotonic clock since the last synchronisation.

    Args:
        wall: returns the time in UTC seconds; it can jump.
        monotonic: returns seconds that never jump.

    Example:
        >>> wall, elapsed = [1000.0], [0.0]
        >>> clock = SteadyClock(lambda: wall[0], lambda: elapsed[0])
        >>> wall[0], elapsed[0] = 9000.0, 5.0  # 5 seconds later the clock has been set
        >>> clock()
        1005.0
        >>> clock.synchronise(clock.wall())
        >>> clock()
        9000.0
    """

    def __init__(
        self,
        wall: Callable[[], float] = time.time,
        monotonic: Callable[[], float] = time.monotonic,
    ) -> None:
        self.wall = wall
        self._monotonic = monotonic
        self.synchronise(wall())

    @classmethod
    def of(cls, clock: Callable[[], float]) -> SteadyClock:
        """Return the clock itself if it is steady, else wrap it unchanged."""
        return clock if isinstance(clock, SteadyClock) else cls(clock, clock)

    def __call__(self) -> float:
        """Return the time in UTC seconds."""
        return self._at + (self._monotonic() - self._since)

    def synchronise(self, now: float) -> None:
        """Set the clock; from then on it advances with the monotonic clock."""
        self._at, self._since = now, self._monotonic()
