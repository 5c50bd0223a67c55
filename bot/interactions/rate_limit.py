"""The rate limit of one user: far faster than people play, but slower than a flood."""

from __future__ import annotations

import time
from collections.abc import Callable

BURST = 120
"""So many clicks and commands at once."""

PER_SECOND = 40.0
"""So many in the seconds after that. A program that waits for each answer, as those do that play
whole matches to test the bot, stays below that; Discord itself slows people down much sooner."""

WINDOW = 300.0
"""Length of the sliding window in seconds."""

IN_WINDOW = 1000
"""Maximum clicks and commands of one person in the window, more than three a second."""

MOST = 10_000
"""Maximum users that are remembered; the one quiet for longest is dropped first."""


class Usage:
    """How fast one person has clicked.

    Attributes:
        full: time at which the bucket of tokens will be full again.
        window: number of the window that `count` is about.
        count: admitted in this window.
        before: admitted in the window before.
    """

    __slots__ = ("before", "count", "full", "window")

    def __init__(self, now: float) -> None:
        self.full = now
        self.window = int(now // WINDOW)
        self.count = self.before = 0

    def in_window(self, now: float) -> float:
        """Return how many were admitted in the window that ends now, by linear interpolation."""
        window = int(now // WINDOW)
        if window != self.window:
            self.before = self.count if window == self.window + 1 else 0
            self.window, self.count = window, 0
        return self.count + self.before * (1 - now % WINDOW / WINDOW)


class RateLimiter:
    """A bucket of tokens for each person, and a sliding window over some minutes.

    Args:
        clock: seconds that only go forward.

    Example:
        >>> limits = RateLimiter(clock=lambda: 0.0)
        >>> [limits.admits(7) for _ in range(BURST + 1)].count(True) == BURST
        True
        >>> limits.admits(8)
        True
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._used: dict[int, Usage] = {}

    def admits(self, user_id: int) -> bool:
        """Take a token; False if there is none. A refusal costs nothing."""
        now = self._clock()
        usage = self._used.pop(user_id, None) or Usage(now)
        self._used[user_id] = usage
        if len(self._used) > MOST:
            del self._used[next(iter(self._used))]  # who has not clicked for longest
        then = max(now, usage.full) + 1 / PER_SECOND
        if then - now > BURST / PER_SECOND + 1e-9 or usage.in_window(now) >= IN_WINDOW:
            return False
        usage.full = then
        usage.count += 1
        return True
