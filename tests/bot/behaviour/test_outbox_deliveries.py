"""Deliveries at the limits of the outbox: many at once, while stopping, and without a database."""

from __future__ import annotations

import asyncio
from itertools import pairwise

import pytest
import sqlalchemy
from prometheus_client import REGISTRY

from bot.domain.clocks import DAY
from bot.domain.ids import ChannelId
from bot.domain.outbox import OutboxMessage, SentCopy, SentMessage
from bot.domain.steady_clock import SteadyClock
from bot.outbox.worker import (
    BUSY_DELIVERIES,
    CONCURRENT_DELIVERIES,
    SHORTEST_PAUSE_SECONDS,
    OutboxWorker,
    RetryLaterError,
)
from bot.storage.database import Transaction
from tests.support.fake_discord import until
from tests.support.matches import MatchFixture
from tests.support.outbox import FakeSender, OutboxFixture

TIMEOUT_SECONDS = 10.0


async def settle() -> None:
    """Let other tasks run until they wait."""
    for _ in range(20):
        await asyncio.sleep(0)


class HeldSender(FakeSender):
    """A sender whose deliveries end one by one, in their order, as the test allows."""

    def __init__(self) -> None:
        super().__init__()
        self.may_end = asyncio.Semaphore(0)
        self.ended: list[str] = []

    async def deliver(self, queued: OutboxMessage) -> SentMessage | None:
        """Wait until it may end."""
        posted = await super().deliver(queued)
        await self.may_end.acquire()
        self.ended.append(str(queued.target))
        return posted

    async def end_one(self) -> None:
        """Let one delivery end, and the worker see it."""
        self.may_end.release()
        await settle()


class SlowToCancel(FakeSender):
    """A sender whose cancelled deliveries take time to end, each more than the one before."""

    def __init__(self) -> None:
        super().__init__()
        self.ended: list[str] = []

    async def deliver(self, queued: OutboxMessage) -> SentMessage | None:
        """Wait until it is cancelled."""
        rounds = 10 * len(self.delivered)
        self.delivered.append(queued)
        try:
            await asyncio.Event().wait()
        finally:
            for _ in range(rounds):
                await asyncio.sleep(0)
            self.ended.append(str(queued.target))
        return None


def failures(reason: str) -> float:
    """Return the number of the outbox's failures with this reason."""
    labels = {"part": "outbox", "reason": reason}
    return REGISTRY.get_sample_value("starpost_failures_total", labels) or 0.0


def with_sender(env: OutboxFixture, sender: FakeSender, worker_id: str = "") -> OutboxWorker:
    """Return a worker with a sender of its own."""
    return OutboxWorker(env.database, sender, lambda: env.now, worker_id)


async def put_direct_messages(env: OutboxFixture, *users: int) -> None:
    """Queue a message for each user: they do not wait for each other."""
    for user in users:
        await env.put("turn_dm", target=f"user:{user}")


async def test_the_last_free_place_is_used_at_once(outbox_env: OutboxFixture) -> None:
    sender = HeldSender()
    worker = with_sender(outbox_env, sender)
    await put_direct_messages(outbox_env, *range(1, CONCURRENT_DELIVERIES))
    async with asyncio.timeout(TIMEOUT_SECONDS):
        worker.wake()
        await until(lambda: len(sender.delivered) == CONCURRENT_DELIVERIES - 1)
        await put_direct_messages(outbox_env, 100, 101)
        worker.wake()
        await until(lambda: len(sender.delivered) == CONCURRENT_DELIVERIES)
        worker.wake()
        await settle()  # in vain: all places are taken
        for _ in range(CONCURRENT_DELIVERIES + 1):
            await sender.end_one()
        await until(lambda: len(sender.ended) == CONCURRENT_DELIVERIES + 1)
        assert worker._task
        await worker._task
    assert await outbox_env.left() == []
    await worker.stop()


async def test_last_flush_begins_none_when_one_of_two_ends(outbox_env: OutboxFixture) -> None:
    sender = HeldSender()
    worker = with_sender(outbox_env, sender)
    await put_direct_messages(outbox_env, 1, 2)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        worker.wake()
        await until(lambda: len(sender.delivered) == 2)
        await put_direct_messages(outbox_env, 3)
        flush = asyncio.create_task(worker.flush(new=False))
        await sender.end_one()
        await sender.end_one()
        sender.may_end.release()  # of a delivery that must not begin
        await flush
    assert sender.ended == ["user:1", "user:2"]
    assert await outbox_env.left() == [("turn_dm", "waiting")]
    await worker.stop()


@pytest.mark.slow
@pytest.mark.parametrize(("count", "together"), [(BUSY_DELIVERIES, 1), (BUSY_DELIVERIES + 1, 2)])
async def test_results_are_recorded_together_if_many_are_in_flight(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch, count: int, together: int
) -> None:
    monkeypatch.setattr("bot.outbox.worker.COLLECT_SECONDS", 1.0)
    sender = HeldSender()
    worker = with_sender(outbox_env, sender)
    await put_direct_messages(outbox_env, *range(count))
    async with asyncio.timeout(TIMEOUT_SECONDS):
        worker.wake()
        await until(lambda: len(sender.delivered) == count)
        write, recorded = outbox_env.database.write, list[int]()

        def counting(**options: bool) -> Transaction:
            recorded.append(len(sender.ended))
            return write(**options)

        monkeypatch.setattr(outbox_env.database, "write", counting)
        await sender.end_one()
        await sender.end_one()
        await until(lambda: bool(recorded))
        assert recorded[0] == together
        for _ in range(count):
            sender.may_end.release()
        await worker.flush()
    assert await outbox_env.left() == []


async def test_stop_waits_for_deliveries_and_sends_no_more(outbox_env: OutboxFixture) -> None:
    sender, other = SlowToCancel(), FakeSender()
    stopped, heir = with_sender(outbox_env, sender), with_sender(outbox_env, other, "1-1/2")
    await put_direct_messages(outbox_env, 1, 2, 3)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        stopped.wake()
        await until(lambda: len(sender.delivered) == 3)
        await stopped.stop()
        assert sender.ended == ["user:1", "user:2", "user:3"]
        await put_direct_messages(outbox_env, 4)
        asyncio.get_running_loop().call_later(3 * SHORTEST_PAUSE_SECONDS, heir.wake)
        await until(lambda: bool(other.delivered))
        await heir.flush()
    assert [str(queued.target) for queued in other.delivered] == ["user:4"]
    assert len(sender.delivered) == 3
    await heir.stop()


async def test_stopped_worker_leaves_retries_to_another(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.worker.BACK_OFF_SECONDS", (2 * SHORTEST_PAUSE_SECONDS,))
    sender, other = FakeSender(), FakeSender()
    sender.troubles = [RetryLaterError("ill")]
    stopped, heir = with_sender(outbox_env, sender), with_sender(outbox_env, other, "1-1/2")
    await put_direct_messages(outbox_env, 1)
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await stopped.flush()
        await stopped.stop()
        await heir.flush()  # from now on it waits for the next attempt
        assert not other.delivered
        outbox_env.now += 1
        await until(lambda: len(other.delivered) + len(sender.delivered) == 2)
        await heir.flush()
    assert (len(sender.delivered), len(other.delivered)) == (1, 1)
    assert await outbox_env.left() == []


async def test_worker_that_resumes_starts_by_itself(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board")
    new = outbox_env.new_worker()
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await new.resume()
        await until(lambda: outbox_env.kinds() == ["post_board"])
        await new.flush()
    assert await outbox_env.left() == []


async def test_flush_asks_the_database_again_after_a_short_pause(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.worker.DATABASE_PAUSE_SECONDS", 3600.0)
    sender = HeldSender()
    worker = with_sender(outbox_env, sender)
    await put_direct_messages(outbox_env, 1)
    worker.wake()
    await until(lambda: bool(sender.delivered))
    write, times, clock = outbox_env.database.write, list[float](), asyncio.get_running_loop().time

    def fail_thrice(**options: bool) -> Transaction:
        times.append(clock())
        if len(times) <= 3:
            raise sqlalchemy.exc.TimeoutError("others write for too long")
        return write(**options)

    monkeypatch.setattr(outbox_env.database, "write", fail_thrice)
    sender.may_end.release()
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await worker.flush()
    pauses = [later - earlier for earlier, later in pairwise(times)]
    assert len(pauses) == 3
    assert min(pauses) >= 0.9 * SHORTEST_PAUSE_SECONDS
    assert await outbox_env.left() == []


async def test_result_is_kept_if_the_database_stops_between_two(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The result of the second match cannot be recorded, so each is recorded on its own."""
    honest, first = FakeSender.deliver, outbox_env.match_id

    async def deliver(sender: FakeSender, queued: OutboxMessage) -> SentMessage | None:
        posted = await honest(sender, queued)
        if posted is None or queued.match_id == first:
            return posted
        return posted._replace(
            copies=(SentCopy(None, ChannelId(5), 1), SentCopy(None, ChannelId(5), 2))
        )

    monkeypatch.setattr(FakeSender, "deliver", deliver)
    outbox_env.sender.gate = asyncio.Event()
    await outbox_env.put("post_board")
    await MatchFixture(outbox_env.database, 500).ask()
    outbox_env.worker.wake()
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await until(lambda: len(outbox_env.sender.delivered) == 2)
        outbox_env.fail_second_write(monkeypatch)
        outbox_env.sender.gate.set()
        await outbox_env.worker.flush()
    assert outbox_env.kinds() == ["post_board", "post_challenge"]
    assert await outbox_env.left() == [("post_challenge", "waiting")]


async def test_wrong_clock_begins_no_delivery_after_one_ends(outbox_env: OutboxFixture) -> None:
    wall = [1_800_000_000.0]
    worker = outbox_env.new_worker(clock := SteadyClock(lambda: wall[0], lambda: 0.0))
    outbox_env.sender.gate = asyncio.Event()
    await put_direct_messages(outbox_env, 1)
    worker.wake()
    await outbox_env.sender.busy.wait()
    wall[0] += DAY
    await put_direct_messages(outbox_env, 2)
    outbox_env.sender.gate.set()
    await worker.flush()
    assert len(outbox_env.sender.delivered) == 1
    assert await outbox_env.left() == [("turn_dm", "waiting")]
    clock.synchronise(wall[0])
    await worker.flush()
    assert await outbox_env.left() == []


async def test_worker_looks_again_while_the_clock_is_wrong(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.worker.CLOCK_PAUSE_SECONDS", SHORTEST_PAUSE_SECONDS)
    wall = [1_800_000_000.0]
    worker = outbox_env.new_worker(clock := SteadyClock(lambda: wall[0], lambda: 0.0))
    wall[0] += DAY
    await outbox_env.put("post_board")
    await worker.flush()
    assert not outbox_env.sender.delivered
    clock.synchronise(wall[0])
    async with asyncio.timeout(TIMEOUT_SECONDS):
        await until(lambda: outbox_env.kinds() == ["post_board"])
        await worker.flush()
    assert await outbox_env.left() == []


async def test_reason_of_a_retry_is_stored(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.troubles = [RetryLaterError("rate limited", 300.0)]
    await outbox_env.worker.flush()
    assert await outbox_env.errors() == ["rate limited"]


@pytest.mark.errors_wanted
async def test_error_of_a_sender_is_counted_under_its_reason(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.troubles = [ConnectionError()]
    before = failures("Discord unreachable"), failures("unexpected")
    await outbox_env.worker.flush()
    after = failures("Discord unreachable"), failures("unexpected")
    assert after == (before[0] + 1, before[1])


async def test_last_attempt_of_a_row_is_counted_as_a_failure(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.worker.ATTEMPT_LIMIT", 1)
    await outbox_env.put("post_board")
    outbox_env.sender.troubles = [RetryLaterError("ill")]
    before = failures("unexpected")
    await outbox_env.worker.flush()
    assert await outbox_env.left() == [("post_board", "failed")]
    assert failures("unexpected") == before + 1
