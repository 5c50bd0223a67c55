"""A flood is refused in one sentence; ordinary play never meets the limit."""

from __future__ import annotations

import pytest

from bot.interactions.rate_limit import (
    BURST_LIMIT,
    REFILL_PER_SECOND,
    USER_LIMIT,
    WINDOW_LIMIT,
    WINDOW_SECONDS,
    RateLimiter,
)
from tests.support.harness import Stage, words

pytestmark = pytest.mark.timeout(30)  # seconds


class Watch:
    """A clock set by the test."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def watch() -> Watch:
    return Watch()


@pytest.fixture
def bucket(watch: Watch) -> RateLimiter:
    return RateLimiter(watch)


def drain(bucket: RateLimiter, user_id: int) -> int:
    """How many are admitted at once; a limiter without a limit fails the test at once."""
    for count in range(10 * BURST_LIMIT):
        if not bucket.admit(user_id):
            return count
    raise AssertionError("there is no limit")


def test_after_a_burst_there_is_as_much_as_time_gives(bucket: RateLimiter, watch: Watch) -> None:
    assert drain(bucket, 1) == BURST_LIMIT
    watch.now += 1
    assert drain(bucket, 1) == REFILL_PER_SECOND
    watch.now += 3600
    assert drain(bucket, 1) == BURST_LIMIT


def test_a_refusal_costs_nothing(bucket: RateLimiter, watch: Watch) -> None:
    drain(bucket, 1)
    for _ in range(1000):
        assert not bucket.admit(1)
    watch.now += 1.5 / REFILL_PER_SECOND
    assert drain(bucket, 1) == 1


def test_no_player_pays_for_another(bucket: RateLimiter) -> None:
    drain(bucket, 1)
    assert drain(bucket, 2) == BURST_LIMIT


def test_quick_player_is_always_admitted(bucket: RateLimiter, watch: Watch) -> None:
    for _ in range(3 * 3600):
        watch.now += 1 / 3
        assert bucket.admit(1)


def test_play_at_full_speed_is_admitted_for_a_match(bucket: RateLimiter, watch: Watch) -> None:
    for _ in range(WINDOW_LIMIT):
        watch.now += 1 / REFILL_PER_SECOND
        assert bucket.admit(1)


@pytest.mark.parametrize("pause", [1 / REFILL_PER_SECOND, 0.1, 0.25])
def test_sustained_flood_is_bounded(bucket: RateLimiter, watch: Watch, pause: float) -> None:
    admitted: list[float] = []
    for _ in range(int(4 * WINDOW_SECONDS / pause)):
        watch.now += pause
        if bucket.admit(1):
            admitted.append(watch.now)
    assert len(admitted) <= 5 * WINDOW_LIMIT
    assert (
        len([at for at in admitted if at > watch.now - 2 * WINDOW_SECONDS])
        <= 2 * WINDOW_LIMIT + BURST_LIMIT
    )


def test_flood_that_ends_is_forgotten(bucket: RateLimiter, watch: Watch) -> None:
    for _ in range(2 * WINDOW_LIMIT):
        watch.now += 1 / REFILL_PER_SECOND
        bucket.admit(1)
    assert not bucket.admit(1)
    watch.now += 2 * WINDOW_SECONDS
    assert drain(bucket, 1) == BURST_LIMIT


@pytest.mark.slow
def test_many_users_take_bounded_memory_and_the_latest_stay(bucket: RateLimiter) -> None:
    for user_id in range(2 * USER_LIMIT):
        bucket.admit(user_id)
    assert len(bucket._used) == USER_LIMIT
    drain(bucket, 0)
    for user_id in range(1, USER_LIMIT):
        bucket.admit(user_id)
    assert not bucket.admit(0)


@pytest.mark.slow
async def test_a_flood_gets_one_sentence_and_changes_nothing(
    stage: Stage, watch: Watch, monkeypatch: pytest.MonkeyPatch
) -> None:
    stage.client.gate._limits = RateLimiter(watch)
    asked = await stage.challenge()
    drain(stage.client.gate._limits, stage.bo.id)
    refused = await stage.click(stage.bo, asked, "accept:")
    assert "too fast" in words(refused.response)
    assert refused.ephemeral
    typed = await stage.bo.slash(stage.channel, "games")
    assert "too fast" in words(typed.response)
    assert await stage.bo.autocomplete(stage.channel, "do", "action", "m") == []
    assert (await stage.client.context.queries.match(1)).status == "challenge"
    watch.now += 1
    await stage.click(stage.bo, asked, "accept:")
    assert (await stage.client.context.queries.match(1)).status == "running"
