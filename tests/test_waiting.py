"""Tests and tools that wait in vain end, and say for what."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.fake_discord import until


async def test_waiting_in_vain_ends_with_the_condition() -> None:
    posted: list[str] = []
    with pytest.raises(
        TimeoutError, match=r"after 0\.01 s: .*len\(posted\) > 3.* \(.*_waiting\.py:"
    ):
        await until(lambda: len(posted) > 3, seconds=0.01)
    with pytest.raises(TimeoutError, match="built-in method clear"):
        await until(posted.clear, seconds=0.01)  # type: ignore[arg-type]


async def test_waiting_ends_when_the_condition_holds() -> None:
    calls: list[int] = []

    def holds() -> bool:
        calls.append(1)
        return len(calls) == 3

    await until(holds, seconds=60)
    assert len(calls) == 3


async def test_a_shorter_limit_around_it_is_kept() -> None:
    with pytest.raises(TimeoutError) as ended:
        async with asyncio.timeout(0.01):
            await until(lambda: False)
    assert "still false" not in str(ended.value)
