"""However many processes there are, Discord's 50 requests a second are not exceeded."""

from __future__ import annotations

import asyncio
from random import Random

import pytest

from bot.app.request_rate import REQUESTS_PER_SECOND, RequestRate, least_shards
from bot.shards import Shards


class Time:
    """A clock that advances while a task sleeps."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds


@pytest.mark.parametrize(
    ("count", "ranges"),
    [
        (1, ["0"]),
        (4, ["0-1", "2-3"]),
        (7, ["0-4", "5,6"]),
        (50, [str(shard) for shard in range(50)]),
        (99, [f"{first}-{first + 1}" for first in range(0, 96, 2)] + ["96-98"]),
    ],
)
async def test_all_processes_together_keep_to_the_limit_in_any_second(
    count: int, ranges: list[str]
) -> None:
    random = Random(count)
    passed: list[float] = []
    for ids in ranges:
        time = Time()
        pace = RequestRate.of(Shards.parse(count, ids))
        pace._clock, pace._sleep = time, time.sleep
        for _ in range(300):
            time.now += random.expovariate(200)
            await pace.turn()
            passed.append(time.now)
    passed.sort()
    busiest = max(
        sum(first <= moment < first + 0.9999 for moment in passed[i : i + 2 * REQUESTS_PER_SECOND])
        for i, first in enumerate(passed)
    )
    assert 0.8 * REQUESTS_PER_SECOND < busiest <= REQUESTS_PER_SECOND


def test_processes_with_the_least_shards_share_the_limit() -> None:
    for count in (*range(1, 260), 1000):
        least = least_shards(count)
        rate = RequestRate.of(Shards(count, tuple(range(least))))
        assert rate._passed.maxlen
        assert (count // least) * rate._passed.maxlen <= REQUESTS_PER_SECOND
        if least > 1:
            assert REQUESTS_PER_SECOND * (least - 1) < count


async def test_no_request_waits_while_there_is_room() -> None:
    time = Time()
    pace = RequestRate(REQUESTS_PER_SECOND, time, time.sleep)
    await asyncio.gather(*(pace.turn() for _ in range(REQUESTS_PER_SECOND)))
    assert time.now == 0
    await pace.turn()
    assert time.now == 1
