"""A clock that does not jump while the process runs, and stands still during an outage.

The wall clock can be set while the bot runs. Clicks between the jump and the next heartbeat would
charge it to players' clocks, so the time advances with the monotonic clock and follows the wall
clock only when `bot.services.heartbeats.Heartbeats` adjusts every stored time as well. After
`OUTAGE_SECONDS` without a heartbeat it returns the time of the last one: the next heartbeat adds
the whole gap to all stored times, so the time in between must not be charged before it.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable

OUTAGE_SECONDS = 120.0
"""Gap between heartbeats that counts as an outage."""

SET_SECONDS = 15.0
"""Difference from the wall clock that shows that it was set, or that an outage has ended."""


class SteadyClock:
    """UTC seconds, advanced by a monotonic clock since the last synchronisation.

    Args:
        wall: returns the time in UTC seconds; it can jump.
        monotonic: returns seconds that never jump.

    Attributes:
        synchronised: the time at the last synchronisation, in UTC and monotonic seconds.

    Example:
        >>> wall, elapsed = [1000.0], [0.0]
        >>> clock = SteadyClock(lambda: wall[0], lambda: elapsed[0])
        >>> wall[0], elapsed[0] = 9000.0, 5.0  # 5 seconds later the clock has been set
        >>> clock()
        1005.0
        >>> clock.synchronise(clock.wall())
        >>> clock()
        9000.0
        >>> elapsed[0] = 905.0  # 15 minutes without a heartbeat
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
        self.synchronised = wall(), monotonic()
        self._jumped_at = self.synchronised[1]

    @classmethod
    def of(cls, clock: Callable[[], float]) -> SteadyClock:
        """Return the clock itself if it is steady, else wrap it unchanged."""
        return clock if isinstance(clock, SteadyClock) else cls(clock, clock)

    def __call__(self) -> float:
        """Return the time in UTC seconds."""
        at, since = self.synchronised
        elapsed = self._monotonic() - since
        return at + (elapsed if elapsed <= OUTAGE_SECONDS else 0.0)

    @property
    def is_wrong(self) -> bool:
        """Whether the wall clock has been set or an outage has ended since the last heartbeat."""
        return abs(self.wall() - self()) > SET_SECONDS

    @property
    def seconds_since_jump(self) -> float:
        """Seconds since the last synchronisation with a clock that was set, or since the start."""
        return self._monotonic() - self._jumped_at

    def stand_still(self, at: float) -> None:
        """Return this time until the next synchronisation, as during an outage."""
        self.synchronised = at, -math.inf

    def synchronise(self, now: float) -> None:
        """Set the clock; from then on it advances with the monotonic clock."""
        monotonic = self._monotonic()
        if abs(now - self()) > SET_SECONDS:
            self._jumped_at = monotonic
        self.synchronised = now, monotonic
