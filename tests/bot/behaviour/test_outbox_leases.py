"""Workers that share an outbox, die and come back send each message once."""

from __future__ import annotations

import asyncio

import pytest

from bot.app.run import open_database
from bot.domain.ids import ChannelId
from bot.domain.outbox import OutboxStatus, PostedKind, SentCopy, SentMessage
from bot.outbox.store import Attempt, record
from bot.outbox.worker import (
    ATTEMPT_TIMEOUT_SECONDS,
    BACK_OFF_SECONDS,
    LEASE_SECONDS,
    LONGEST_PAUSE_SECONDS,
    WORKER_CLOCK_SKEW_SECONDS,
    OutboxWorker,
    RetryLaterError,
)
from tests.support.fake_discord import until
from tests.support.matches import MatchFixture
from tests.support.outbox import OutboxFixture


async def test_two_workers_carry_each_thing_once(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("private_hand", target="user:1")
    await outbox_env.put("post_board")
    outbox_env.sender.gate = asyncio.Event()
    other = outbox_env.new_worker()
    outbox_env.worker.wake()
    other.wake()
    await outbox_env.sender.busy.wait()
    outbox_env.sender.gate.set()
    await asyncio.gather(outbox_env.worker.flush(), other.flush())
    assert sorted(outbox_env.kinds()) == ["post_board", "private_hand"]


async def test_messages_of_a_dead_worker_are_taken_when_its_lease_ends(
    outbox_env: OutboxFixture,
) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.gate = asyncio.Event()
    outbox_env.worker.wake()
    await outbox_env.sender.busy.wait()
    task = outbox_env.worker._task
    assert task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    outbox_env.sender.gate = None
    await outbox_env.new_worker().flush()
    assert len(outbox_env.sender.delivered) == 1
    outbox_env.now += LEASE_SECONDS + 1
    await outbox_env.new_worker().flush()
    assert len(outbox_env.sender.delivered) == 2
    assert await outbox_env.left() == []


async def test_who_comes_back_after_the_lease_has_ended_marks_nothing(
    outbox_env: OutboxFixture,
) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.gate = asyncio.Event()
    outbox_env.worker.wake()
    await outbox_env.sender.busy.wait()
    outbox_env.now += LEASE_SECONDS + 1
    outbox_env.sender.troubles = [RetryLaterError("ill")] * 2
    other = outbox_env.new_worker()
    other.wake()
    await until(lambda: len(outbox_env.sender.delivered) == 2)
    late, early = outbox_env.sender.delivered
    late_post = SentMessage(PostedKind.BOARD, 1, [SentCopy(None, ChannelId(5), 1)])
    async with outbox_env.database.write() as connection:
        await record(connection, Attempt(late, {"status": OutboxStatus.FAILED}))
        await record(connection, Attempt(late, {}, late_post))
    assert await outbox_env.left() == [("post_board", "waiting")]
    async with outbox_env.database.write() as connection:
        post = SentMessage(PostedKind.BOARD, 1, [SentCopy(None, ChannelId(5), 2)])
        await record(connection, Attempt(early, {}, post))
    assert await outbox_env.left() == []
    outbox_env.sender.gate.set()
    await asyncio.gather(outbox_env.worker.flush(), other.flush())


async def test_a_new_start_takes_over_at_once(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.gate = asyncio.Event()
    outbox_env.worker.wake()
    await outbox_env.sender.busy.wait()
    await outbox_env.worker.stop()
    outbox_env.sender.gate = None
    heir = outbox_env.new_worker()
    await heir.resume()
    await heir.flush()
    first, second = outbox_env.sender.delivered
    assert first.nonce(ChannelId(5)) == second.nonce(ChannelId(5))
    assert await outbox_env.left() == []


async def test_an_attempt_ends_before_its_lease(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ATTEMPT_TIMEOUT_SECONDS < LEASE_SECONDS
    monkeypatch.setattr("bot.outbox.worker.ATTEMPT_TIMEOUT_SECONDS", 0.01)
    await outbox_env.put("post_board")
    outbox_env.sender.gate = asyncio.Event()
    await outbox_env.worker.flush()
    assert await outbox_env.left() == [("post_board", "waiting")]
    outbox_env.sender.gate = None
    outbox_env.now += BACK_OFF_SECONDS[0] + 0.1
    await outbox_env.worker.flush()
    assert await outbox_env.left() == []


async def test_a_process_takes_over_at_once_only_what_was_its_own(
    outbox_env: OutboxFixture,
) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.gate = asyncio.Event()
    worker = OutboxWorker(outbox_env.database, outbox_env.sender, lambda: outbox_env.now, "0-0/2")
    worker.wake()
    await outbox_env.sender.busy.wait()
    await worker.stop()
    outbox_env.sender.gate = None
    other = OutboxWorker(outbox_env.database, outbox_env.sender, lambda: outbox_env.now, "1-1/2")
    await other.resume()
    await other.flush()
    assert len(outbox_env.sender.delivered) == 1
    restarted = OutboxWorker(
        outbox_env.database, outbox_env.sender, lambda: outbox_env.now, "0-0/2"
    )
    await restarted.resume()
    await restarted.flush()
    assert len(outbox_env.sender.delivered) == 2
    await other.stop()


@pytest.mark.parametrize("seconds", [-WORKER_CLOCK_SKEW_SECONDS, WORKER_CLOCK_SKEW_SECONDS])
async def test_clocks_that_differ_a_little_give_nothing_away(
    outbox_env: OutboxFixture, seconds: float
) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.gate = asyncio.Event()
    outbox_env.sender.troubles = [RetryLaterError("rate limited", LONGEST_PAUSE_SECONDS)]
    outbox_env.worker.wake()
    await outbox_env.sender.busy.wait()
    other = OutboxWorker(
        outbox_env.database, outbox_env.sender, lambda: outbox_env.now + seconds, "1-1/2"
    )
    await other.flush()
    assert len(outbox_env.sender.delivered) == 1
    outbox_env.sender.gate.set()
    await outbox_env.worker.flush()
    await other.flush()
    assert len(outbox_env.sender.delivered) == 1
    await other.stop()


async def test_many_workers_carry_everything_once_and_in_order(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.abuse_limits.MAX_OPEN_PER_PAIR", 5)
    async with open_database(url) as database:
        environments = [
            OutboxFixture(database, await MatchFixture(database, 100 * n).ask())
            for n in range(1, 6)
        ]
        sender, now = environments[0].sender, environments[0].now
        for outbox_env in environments:
            await outbox_env.put("post_board", "edit_board", "post_result")
        workers = [OutboxWorker(database, sender, lambda: now, f"{n}-{n}/4") for n in range(4)]
        while await environments[0].left():
            await asyncio.gather(*(worker.flush() for worker in workers))
        await asyncio.gather(*(worker.stop() for worker in workers))
    for outbox_env in environments:
        kinds = [
            queued.kind for queued in sender.delivered if queued.match_id == outbox_env.match_id
        ]
        assert kinds == ["post_challenge", "post_board", "edit_board", "post_result"]
