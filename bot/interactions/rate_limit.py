"""The rate limit of one user: far faster than people play, but slower than a flood."""

from __future__ import annotations

import time
from collections.abc import Callable

BURST_LIMIT = 120
"""Maximum number of clicks and commands at once."""

REFILL_PER_SECOND = 40.0
"""Refill rate. Test programs that play whole matches stay below it; Discord limits users at a much
lower rate."""

WINDOW_SECONDS = 300.0
"""Length of the sliding window in seconds."""

WINDOW_LIMIT = 1000
"""Maximum number of clicks and commands of one user in the window: more than three a second."""

USER_LIMIT = 10_000
"""Maximum number of users tracked; the least recent are evicted."""


class Usage:
    """Recent usage of one user.

    Attributes:
        full: time at which the bucket of tokens will be full again.
        window: number of the window of `count`.
        count: number admitted in this window.
        before: number admitted in the previous window.
    """

    __slots__ = ("before", "count", "full", "window")

    def __init__(self, now: float) -> None:
        self.full = now
        self.window = int(now // WINDOW_SECONDS)
        self.count = self.before = 0

    def in_window(self, now: float) -> float:
        """Estimate the number admitted in the window that ends now, by linear interpolation."""
        window = int(now // WINDOW_SECONDS)
        if window != self.window:
            self.before = self.count if window == self.window + 1 else 0
            self.window, self.count = window, 0
        return self.count + self.before * (1 - now % WINDOW_SECONDS / WINDOW_SECONDS)


class RateLimiter:
    """A token bucket for each user, and a sliding window over some minutes.

    Args:
        clock: monotonic clock in seconds.

    Example:
        >>> limits = RateLimiter(clock=lambda: 0.0)
        >>> [limits.admit(7) for _ in range(BURST_LIMIT + 1)].count(True) == BURST_LIMIT
        True
        >>> limits.admit(8)
        True
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._used: dict[int, Usage] = {}

    def admit(self, user_id: int) -> bool:
        """Take a token; False if there is none. A refusal costs nothing."""
        now = self._clock()
        usage = self._used.pop(user_id, None) or Usage(now)
        self._used[user_id] = usage
        if len(self._used) > USER_LIMIT:
            del self._used[next(iter(self._used))]  # least recently active
        then = max(now, usage.full) + 1 / REFILL_PER_SECOND
        if (
            then - now > BURST_LIMIT / REFILL_PER_SECOND + 1e-9
            or usage.in_window(now) >= WINDOW_LIMIT
        ):
            return False
        usage.full = then
        usage.count += 1
        return True
