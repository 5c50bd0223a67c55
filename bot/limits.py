"""How fast one person may click: far faster than anybody plays, but not as fast as a flood."""

from __future__ import annotations

import time
from collections.abc import Callable

BURST = 120
"""So many clicks and commands at once."""

PER_SECOND = 40.0
"""So many for as long as one likes. A program that waits for each answer, as those do that play
whole matches to test the bot, stays below that; Discord itself slows people down much sooner."""

MOST = 10_000
"""So many people are remembered; whoever was quiet for a moment need not be."""


class Limits:
    """A bucket of tokens for each person, kept as the time at which it will be full again.

    Args:
        clock: seconds that only go forward.

    Example:
        >>> limits = Limits(clock=lambda: 0.0)
        >>> [limits.admits(7) for _ in range(BURST + 1)].count(True) == BURST
        True
        >>> limits.admits(8)
        True
    """

    def __init__(self, clock: Callable[[], float] = time.perf_counter) -> None:
        self._clock = clock
        self._full: dict[int, float] = {}

    def admits(self, user_id: int) -> bool:
        """Take a token; False if there is none. A refusal costs nothing."""
        now = self._clock()
        full = max(now, self._full.pop(user_id, now))
        then = full + 1 / PER_SECOND
        admitted = then - now <= BURST / PER_SECOND + 1e-9
        self._full[user_id] = then if admitted else full
        if len(self._full) > MOST:
            del self._full[next(iter(self._full))]  # who has not clicked for longest
        return admitted
