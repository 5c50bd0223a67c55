"""A batch of messages: an error of one holds up no other."""

from __future__ import annotations

import asyncio

import pytest

from bot.outbox.batches import send_all
from tests.support.fake_discord import until


class Deliveries:
    """Deliveries that are counted; some fail, some hang."""

    def __init__(self) -> None:
        self.begun: list[str] = []

    async def send(self, name: str) -> None:
        self.begun.append(name)
        if name.startswith("hang"):
            await asyncio.Event().wait()
        if name.startswith("fail"):
            raise ValueError(name)


async def test_all_are_tried_and_the_first_error_is_raised() -> None:
    deliveries = Deliveries()
    names = ["one", "fail first", "fail second", "two"]
    with pytest.raises(ValueError, match="fail first"):
        await send_all(deliveries.send(name) for name in names)
    assert deliveries.begun == names


async def test_delivery_that_hangs_holds_up_no_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("bot.outbox.batches.ATTEMPT_TIMEOUT_SECONDS", 0.01)
    deliveries = Deliveries()
    with pytest.raises(TimeoutError):
        await send_all(deliveries.send(name) for name in ("hang", "one"))
    assert deliveries.begun == ["hang", "one"]


async def test_end_of_the_bot_ends_the_batch() -> None:
    deliveries = Deliveries()
    task = asyncio.create_task(send_all(deliveries.send(name) for name in ("hang", "one")))
    await until(lambda: bool(deliveries.begun))
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert deliveries.begun == ["hang"]


async def test_batch_without_errors_raises_none() -> None:
    deliveries = Deliveries()
    await send_all(deliveries.send(name) for name in ("one", "two"))
    assert deliveries.begun == ["one", "two"]
