"""The rate limit of one user: far faster than people play, but slower than a flood."""

from __future__ import annotations

from aiolimiter import AsyncLimiter

from bot.domain.ids import UserId

BURST_LIMIT = 120
"""Maximum number of clicks and commands at once."""

REFILL_PER_SECOND = 40.0
"""Refill rate. Test programs that play whole matches stay below it; Discord limits users at a much
lower rate."""

SUSTAINED_LIMIT = 1000
"""Number of clicks and commands that refill in `SUSTAINED_SECONDS`: more than three a second."""

SUSTAINED_SECONDS = 300.0

USER_LIMIT = 10_000
"""Maximum number of users tracked; the least recent are evicted."""


class RateLimiter:
    """Two leaky buckets for each user: one for bursts, one for some minutes."""

    def __init__(self) -> None:
        self._buckets = dict[UserId, tuple[AsyncLimiter, AsyncLimiter]]()

    async def admit(self, user_id: UserId) -> bool:
        """Count a click or command; False if it is one too many. A refusal costs nothing."""
        buckets = self._buckets.pop(user_id, None) or _buckets()
        self._buckets[user_id] = buckets
        if len(self._buckets) > USER_LIMIT:
            del self._buckets[next(iter(self._buckets))]  # least recently active
        if not all(bucket.has_capacity() for bucket in buckets):
            return False
        for bucket in buckets:
            await bucket.acquire()  # at once, for it has capacity
        return True


def _buckets() -> tuple[AsyncLimiter, AsyncLimiter]:
    return (
        AsyncLimiter(BURST_LIMIT, BURST_LIMIT / REFILL_PER_SECOND),
        AsyncLimiter(SUSTAINED_LIMIT, SUSTAINED_SECONDS),
    )
