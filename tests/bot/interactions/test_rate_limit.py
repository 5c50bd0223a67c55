"""A flood is refused in one sentence; ordinary play never meets the limit."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.ids import MatchId, UserId
from bot.interactions.rate_limit import (
    BURST_LIMIT,
    REFILL_PER_SECOND,
    SUSTAINED_LIMIT,
    SUSTAINED_SECONDS,
    USER_LIMIT,
    RateLimiter,
)
from tests.support.harness import Stage, words

pytestmark = pytest.mark.timeout(30)  # seconds


class Watch:
    """The clock of the event loop, set by the test."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
async def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    clock = Watch()
    monkeypatch.setattr(asyncio.get_running_loop(), "time", clock)
    return clock


@pytest.fixture
def limiter() -> RateLimiter:
    return RateLimiter()


async def drain(limiter: RateLimiter, user_id: UserId) -> int:
    """How many are admitted at once; a limiter without a limit fails the test at once."""
    for count in range(10 * BURST_LIMIT):
        if not await limiter.admit(user_id):
            return count
    raise AssertionError("there is no limit")


async def test_after_a_burst_there_is_as_much_as_time_gives(
    limiter: RateLimiter, watch: Watch
) -> None:
    assert await drain(limiter, UserId(1)) == BURST_LIMIT
    watch.now += 1
    assert await drain(limiter, UserId(1)) == REFILL_PER_SECOND
    watch.now += 3600
    assert await drain(limiter, UserId(1)) == BURST_LIMIT


async def test_a_refusal_costs_nothing(limiter: RateLimiter, watch: Watch) -> None:
    await drain(limiter, UserId(1))
    for _ in range(1000):
        assert not await limiter.admit(UserId(1))
    watch.now += 1.5 / REFILL_PER_SECOND
    assert await drain(limiter, UserId(1)) == 1


async def test_no_player_pays_for_another(limiter: RateLimiter, watch: Watch) -> None:
    await drain(limiter, UserId(1))
    assert await drain(limiter, UserId(2)) == BURST_LIMIT


async def test_quick_player_is_always_admitted(limiter: RateLimiter, watch: Watch) -> None:
    for _ in range(3 * 3600):
        watch.now += 1 / 3
        assert await limiter.admit(UserId(1))


async def test_play_at_full_speed_is_admitted_for_a_match(
    limiter: RateLimiter, watch: Watch
) -> None:
    for _ in range(SUSTAINED_LIMIT):
        watch.now += 1 / REFILL_PER_SECOND
        assert await limiter.admit(UserId(1))


@pytest.mark.parametrize("pause", [1 / REFILL_PER_SECOND, 0.1, 0.25])
async def test_sustained_flood_is_bounded(limiter: RateLimiter, watch: Watch, pause: float) -> None:
    windows, admitted = 8, 0
    for _ in range(int(windows * SUSTAINED_SECONDS / pause)):
        watch.now += pause
        admitted += await limiter.admit(UserId(1))
    assert admitted == pytest.approx((1 + windows) * SUSTAINED_LIMIT, abs=BURST_LIMIT)


async def test_flood_that_ends_is_forgotten(limiter: RateLimiter, watch: Watch) -> None:
    for _ in range(2 * SUSTAINED_LIMIT):
        watch.now += 1 / REFILL_PER_SECOND
        await limiter.admit(UserId(1))
    assert not await limiter.admit(UserId(1))
    watch.now += 2 * SUSTAINED_SECONDS
    assert await drain(limiter, UserId(1)) == BURST_LIMIT


@pytest.mark.slow
async def test_many_users_take_bounded_memory_and_the_latest_stay(
    limiter: RateLimiter, watch: Watch
) -> None:
    for user_id in range(2 * USER_LIMIT):
        await limiter.admit(UserId(user_id))
    assert len(limiter._buckets) == USER_LIMIT
    await drain(limiter, UserId(0))
    for user_id in range(1, USER_LIMIT):
        await limiter.admit(UserId(user_id))
    assert not await limiter.admit(UserId(0))


@pytest.mark.slow
async def test_a_flood_gets_one_sentence_and_changes_nothing(stage: Stage) -> None:
    challenge = await stage.challenge()
    await drain(stage.client.gate._limits, stage.bo.id)
    refusal = await stage.click(stage.bo, challenge, "accept:")
    assert "too fast" in words(refusal.response)
    assert refusal.ephemeral
    typed = await stage.bo.slash(stage.channel, "games")
    assert "too fast" in words(typed.response)
    assert await stage.bo.autocomplete(stage.channel, "do", "action", "m") == []
    assert (await stage.client.context.queries.match(MatchId(1))).status == "challenge"
    stage.client.gate._limits = RateLimiter()
    await stage.click(stage.bo, challenge, "accept:")
    assert (await stage.client.context.queries.match(MatchId(1))).status == "running"
