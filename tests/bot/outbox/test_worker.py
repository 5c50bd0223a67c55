"""The outbox is worked off in order, once, and again until things arrive."""

from __future__ import annotations

import asyncio

import pytest
import sqlalchemy
from prometheus_client import REGISTRY
from sqlalchemy import select, update

from bot.domain.ids import ChannelId
from bot.domain.outbox import SERVER_PREFIX, OutboxMessage, SentCopy, SentMessage
from bot.outbox import worker as outbox_worker
from bot.outbox.worker import (
    ATTEMPT_LIMIT,
    BACK_OFF_SECONDS,
    CONCURRENT_DELIVERIES,
    DATABASE_PAUSE_SECONDS,
    ERROR_LIMIT,
    LEASE_SECONDS,
    RetryLaterError,
    UndeliverableError,
)
from bot.storage.connection import Connection
from bot.storage.database import AfterCommit, Transaction
from bot.storage.schema import outbox, posted_messages
from tests.support.fake_discord import until
from tests.support.matches import MatchFixture
from tests.support.outbox import FakeSender, OutboxFixture
from tests.support.tally import Tally


def counted(metric: str, **labels: str) -> float:
    """What a metric has counted of the outbox."""
    return REGISTRY.get_sample_value(metric, {"part": "outbox", **labels}) or 0.0


async def test_things_for_one_place_arrive_in_order(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board", "edit_board", "post_result")
    await outbox_env.worker.flush()
    assert outbox_env.kinds() == ["post_board", "edit_board", "post_result"]
    assert await outbox_env.left() == []


async def test_worker_that_is_woken_looks_first(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox_env.sender.gate = asyncio.Event()
    await outbox_env.put("post_board")
    tally = Tally()
    with monkeypatch.context() as patch:
        tally.watch(outbox_env.database, patch)
        outbox_env.worker.wake()
        await outbox_env.sender.busy.wait()
    assert (tally.reads, tally.writes) == (1, 1), tally
    outbox_env.sender.gate.set()
    await outbox_env.worker.flush()
    assert await outbox_env.left() == []


async def test_transaction_that_queues_a_message_claims_it(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    outbox_env.claim_before_commit()
    tally = Tally()
    with monkeypatch.context() as patch:
        tally.watch(outbox_env.database, patch)
        await outbox_env.put("post_board")
        await outbox_env.sender.busy.wait()
        assert (tally.reads, tally.writes) == (0, 1), tally
        await outbox_env.finish()
    assert (tally.reads, tally.writes) == (0, 2), tally
    assert await outbox_env.left() == []


@pytest.mark.parametrize("number", [1, 2, 3, 5])
async def test_transaction_that_queues_several_messages_leaves_none(
    outbox_env: OutboxFixture, number: int
) -> None:
    outbox_env.claim_before_commit()
    await outbox_env.put(*["post_board"] * number)
    await outbox_env.put(*["turn_dm"] * number, target="user:1")
    await outbox_env.finish()
    assert await outbox_env.left() == []
    assert len(outbox_env.sender.delivered) == 2 * number


async def test_message_of_a_transaction_that_fails_is_not_delivered(
    outbox_env: OutboxFixture,
) -> None:
    outbox_env.claim_before_commit()

    async def fail(connection: Connection) -> AfterCommit:
        await outbox_env.worker.claim_queued(connection)
        raise RuntimeError

    outbox_env.database.run_before_commit("outbox", fail)
    with pytest.raises(RuntimeError):
        await outbox_env.put("post_board")
    await outbox_env.worker.flush()
    assert not outbox_env.sender.delivered
    outbox_env.claim_before_commit()
    await outbox_env.put("edit_board")
    await outbox_env.finish()
    assert outbox_env.kinds() == ["edit_board"]


async def test_message_of_a_commit_that_was_cancelled_is_delivered(
    outbox_env: OutboxFixture,
) -> None:
    async def claim_and_cancel(connection: Connection) -> AfterCommit:
        after_commit = await outbox_env.worker.claim_queued(connection)
        writing.cancel()
        return after_commit

    outbox_env.database.run_before_commit("outbox", claim_and_cancel)
    writing = asyncio.create_task(outbox_env.put("post_board"))
    with pytest.raises(asyncio.CancelledError):
        await writing
    outbox_env.claim_before_commit()
    await outbox_env.worker.flush()
    assert await outbox_env.left() == []
    assert len(outbox_env.sender.delivered) <= 1
    if not outbox_env.database.shared:  # its commits are finished
        assert outbox_env.kinds() == ["post_board"]


async def test_transaction_claims_no_more_than_may_be_delivered(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outbox_worker, "CONCURRENT_DELIVERIES", 1)
    outbox_env.worker = outbox_env.new_worker()
    outbox_env.claim_before_commit()
    outbox_env.sender.gate = asyncio.Event()
    await outbox_env.put("post_board")
    await outbox_env.put("turn_dm", target=SERVER_PREFIX + "1")
    await outbox_env.sender.busy.wait()
    assert outbox_env.kinds() == ["post_board"]
    outbox_env.sender.gate.set()
    await outbox_env.finish()
    assert outbox_env.kinds() == ["post_board", "turn_dm"]


async def test_worker_claims_nothing_in_a_transaction_while_it_stops(
    outbox_env: OutboxFixture,
) -> None:
    outbox_env.claim_before_commit()
    await outbox_env.worker.flush(new=False)
    await outbox_env.put("post_board")
    async with outbox_env.database.read() as connection:
        leases = select(outbox.c.lease_expires_at, outbox.c.attempts)
        assert [tuple(row) for row in await connection.execute(leases)] == [(None, 0)]
    await outbox_env.worker.flush()
    assert outbox_env.kinds() == ["post_board"]


async def test_worker_waits_for_a_message_queued_for_later(outbox_env: OutboxFixture) -> None:
    outbox_env.claim_before_commit()
    await outbox_env.put("post_board", due=outbox_env.now + 60)
    await outbox_env.finish()
    timer = outbox_env.worker._timer
    assert timer is not None
    seconds = timer.when() - asyncio.get_running_loop().time()
    assert 50 < seconds <= 60
    assert not outbox_env.sender.delivered
    await outbox_env.worker.stop()


async def test_a_dm_waits_for_the_board_that_it_links_to(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("turn_dm", target="user:1")
    await outbox_env.put("post_board")
    await outbox_env.put("turn_dm", target="user:2")
    await outbox_env.put("turn_dm", target="user:1")
    await outbox_env.worker.flush()
    order = [(str(queued.kind), str(queued.target)) for queued in outbox_env.sender.delivered]
    assert set(order[:2]) == {("post_board", "channel"), ("turn_dm", "user:1")}
    assert set(order[2:]) == {("turn_dm", "user:1"), ("turn_dm", "user:2")}


async def test_the_last_message_is_remembered(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board", "post_board")
    await outbox_env.worker.flush()
    async with outbox_env.database.read() as connection:
        (row,) = (
            await connection.execute(
                select(posted_messages).where(posted_messages.c.kind == "board")
            )
        ).all()
    assert row.message_id == 1000 + outbox_env.sender.delivered[-1].id
    assert row.action_count == 1


async def test_trouble_puts_off_and_keeps_the_order(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board", "post_result")
    outbox_env.sender.troubles = [RetryLaterError("ill")]
    await outbox_env.worker.flush()
    assert outbox_env.kinds() == ["post_board"]
    outbox_env.now += BACK_OFF_SECONDS[0] + 0.1
    await outbox_env.worker.flush()
    assert outbox_env.kinds() == ["post_board", "post_board", "post_result"]
    first, second, _ = outbox_env.sender.delivered
    assert first.nonce(ChannelId(5)) == second.nonce(ChannelId(5))
    assert (first.attempts, second.attempts) == (1, 2)
    assert second.first_attempt_at == 5000.0


async def test_the_pause_that_discord_asks_for_is_kept(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.troubles = [RetryLaterError("rate limited", 300.0)]
    await outbox_env.worker.flush()
    outbox_env.now += 299
    await outbox_env.worker.flush()
    assert len(outbox_env.sender.delivered) == 1
    outbox_env.now += 2
    await outbox_env.worker.flush()
    assert len(outbox_env.sender.delivered) == 2


async def test_pauses_grow_in_a_long_outage(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.troubles = [RetryLaterError("ill")] * 40
    for number in range(40):
        await outbox_env.worker.flush()
        outbox_env.now += BACK_OFF_SECONDS[min(number, len(BACK_OFF_SECONDS) - 1)] + 0.1
    await outbox_env.worker.flush()
    assert len(outbox_env.sender.delivered) == 41
    assert await outbox_env.left() == []
    assert ATTEMPT_LIMIT * BACK_OFF_SECONDS[-1] > 6 * 86400


async def test_row_at_the_attempt_limit_is_given_up(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.worker.ATTEMPT_LIMIT", 4)
    await outbox_env.put("post_board", "post_result")
    outbox_env.sender.troubles = [RetryLaterError("ill")] * 4
    given_up = counted("starpost_given_up_total")
    for _ in range(6):
        await outbox_env.worker.flush()
        outbox_env.now += 61
    assert outbox_env.kinds() == ["post_board"] * 4 + ["post_result"]
    assert await outbox_env.left() == [("post_board", "failed")]
    assert await outbox_env.errors() == ["ill, after 4 attempts"]
    assert counted("starpost_given_up_total") == given_up + 1


@pytest.mark.slow
@pytest.mark.errors_wanted
async def test_row_with_a_bug_is_logged_once_and_given_up(
    outbox_env: OutboxFixture, caplog: pytest.LogCaptureFixture
) -> None:
    await outbox_env.put("post_board", "post_result")
    outbox_env.sender.troubles = [RetryLaterError("ill")] * ERROR_LIMIT  # an outage is no bug
    outbox_env.sender.troubles += [ZeroDivisionError()] * ERROR_LIMIT
    errors = counted("starpost_failures_total", reason="unexpected")
    given_up = counted("starpost_given_up_total")
    for _ in range(2 * ERROR_LIMIT + 1):
        await outbox_env.worker.flush()
        outbox_env.now += 61
    assert outbox_env.kinds() == ["post_board"] * 2 * ERROR_LIMIT + ["post_result"]
    assert await outbox_env.left() == [("post_board", "failed")]
    assert await outbox_env.errors() == [f"ZeroDivisionError, {ERROR_LIMIT} times"]
    assert counted("starpost_failures_total", reason="unexpected") == errors + 2 * ERROR_LIMIT
    assert counted("starpost_given_up_total") == given_up + 1
    assert [record.getMessage() for record in caplog.records if record.exc_info] == [
        "post_board failed"
    ]
    assert sum("dropped" in record.getMessage() for record in caplog.records) == 1


async def test_what_can_never_arrive_is_set_aside(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board", "post_result")
    outbox_env.sender.troubles = [UndeliverableError("no such channel")]
    failures = counted("starpost_failures_total", reason="unexpected")
    await outbox_env.worker.flush()
    assert counted("starpost_failures_total", reason="unexpected") == failures + 1
    assert outbox_env.kinds() == ["post_board", "post_result"]
    assert await outbox_env.left() == [("post_board", "failed")]


@pytest.mark.errors_wanted
async def test_a_bug_in_a_sender_loses_nothing(
    outbox_env: OutboxFixture, caplog: pytest.LogCaptureFixture
) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.troubles = [ZeroDivisionError()]
    await outbox_env.worker.flush()
    assert await outbox_env.left() == [("post_board", "waiting")]
    assert [record.getMessage() for record in caplog.records if record.exc_info] == [
        "post_board failed"
    ]


@pytest.mark.parametrize("worker_id", ["", None])
async def test_worker_that_resumes_sends_what_its_last_process_held(
    outbox_env: OutboxFixture, worker_id: str | None
) -> None:
    """Rows of earlier versions have no name of a worker."""
    await outbox_env.put("post_board")
    async with outbox_env.database.write() as connection:
        change = update(outbox).values(lease_expires_at=5010.0, worker_id=worker_id)
        await connection.execute(change)
    await outbox_env.worker.flush()
    assert not outbox_env.kinds()
    await outbox_env.worker.resume()
    await until(lambda: outbox_env.kinds() == ["post_board"])
    await outbox_env.worker.flush()


async def test_worker_that_resumes_leaves_the_leases_of_others(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board")
    async with outbox_env.database.write() as connection:
        await connection.execute(update(outbox).values(lease_expires_at=5010.0, worker_id="other"))
    await outbox_env.worker.resume()
    await outbox_env.worker.flush()
    assert not outbox_env.kinds()


async def test_worker_that_ends_begins_no_delivery(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board", "post_result")
    outbox_env.sender.gate = asyncio.Event()
    outbox_env.worker.wake()
    await outbox_env.sender.busy.wait()
    ending = asyncio.create_task(outbox_env.worker.flush(new=False))
    await asyncio.sleep(0)
    outbox_env.sender.gate.set()
    await ending
    assert outbox_env.kinds() == ["post_board"]
    assert await outbox_env.left() == [("post_result", "waiting")]


@pytest.mark.slow
async def test_worker_wakes_when_a_retry_is_due(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.troubles = [RetryLaterError("ill")]
    await outbox_env.worker.flush()
    outbox_env.now += BACK_OFF_SECONDS[0]
    await until(lambda: len(outbox_env.sender.delivered) == 2)
    await outbox_env.worker.flush()
    assert await outbox_env.left() == []


async def test_what_is_slow_holds_up_nothing_but_its_own_match(outbox_env: OutboxFixture) -> None:
    await outbox_env.put("post_board")
    outbox_env.sender.gate = asyncio.Event()
    outbox_env.worker.wake()
    await outbox_env.sender.busy.wait()
    slow, gate = outbox_env.match_id, outbox_env.sender.gate
    outbox_env.match_id, outbox_env.sender.gate = (
        await MatchFixture(outbox_env.database, 500).ask(),
        None,
    )
    await outbox_env.put("post_board", "post_result")
    outbox_env.worker.wake()
    await until(lambda: len(outbox_env.sender.delivered) == 4)
    assert [p.kind for p in outbox_env.sender.delivered if p.match_id != slow] == [
        "post_challenge",
        "post_board",
        "post_result",
    ]
    gate.set()
    await outbox_env.worker.flush()
    assert await outbox_env.left() == []


def post_two_copies_of_first_match(env: OutboxFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the sender return two copies for one user, which is a bug and cannot be recorded."""
    honest, first = FakeSender.deliver, env.match_id

    async def deliver(sender: FakeSender, queued: OutboxMessage) -> SentMessage | None:
        posted = await honest(sender, queued)
        if posted is None or queued.match_id != first:
            return posted
        return posted._replace(
            copies=(SentCopy(None, ChannelId(5), 1), SentCopy(None, ChannelId(5), 2))
        )

    monkeypatch.setattr(FakeSender, "deliver", deliver)


def unrecorded(caplog: pytest.LogCaptureFixture) -> list[str]:
    """Return the log lines about messages that were delivered, but not recorded."""
    lines = [record.getMessage() for record in caplog.records]
    return [line.partition(" not recorded")[0] for line in lines if " not recorded" in line]


async def test_deliveries_at_the_same_time_are_limited(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_end, running, most = asyncio.Semaphore(0), set[int](), list[int]()

    async def deliver(_sender: FakeSender, queued: OutboxMessage) -> None:
        running.add(queued.id)
        most.append(len(running))
        await may_end.acquire()
        running.remove(queued.id)

    monkeypatch.setattr(FakeSender, "deliver", deliver)
    rows = CONCURRENT_DELIVERIES + 2
    for user in range(rows):
        await outbox_env.put("turn_dm", target=f"user:{user}")
    outbox_env.worker.wake()
    await until(lambda: len(most) == CONCURRENT_DELIVERIES)
    may_end.release()
    await until(lambda: len(most) > CONCURRENT_DELIVERIES)
    for _ in range(rows):
        may_end.release()
    await outbox_env.worker.flush()
    assert (len(most), max(most)) == (rows, CONCURRENT_DELIVERIES)


async def test_worker_looks_again_later_if_it_cannot_claim(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await outbox_env.put("post_board")
    waits: list[float | None] = []
    monkeypatch.setattr(outbox_env.worker, "_schedule_wakeup", waits.append)
    with monkeypatch.context() as patched:

        def fail(**_options: bool) -> Transaction:
            raise sqlalchemy.exc.DatabaseError("claim", {}, Exception("malformed"))

        patched.setattr(outbox_env.database, "write", fail)
        await outbox_env.worker.flush()
    assert waits == [DATABASE_PAUSE_SECONDS]
    assert not outbox_env.kinds()
    await outbox_env.worker.flush()
    assert outbox_env.kinds() == ["post_board"]


async def test_delivery_that_cannot_be_recorded_is_logged_and_repeated(
    outbox_env: OutboxFixture,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    post_two_copies_of_first_match(outbox_env, monkeypatch)
    await outbox_env.put("post_board")
    await outbox_env.worker.flush()
    assert unrecorded(caplog) == ["post_board"]
    outbox_env.match_id = await MatchFixture(outbox_env.database, 500).ask()
    await outbox_env.put("post_result")
    await outbox_env.worker.flush()
    assert await outbox_env.left() == [("post_board", "waiting")]
    outbox_env.now += LEASE_SECONDS + 1
    await outbox_env.worker.flush()
    assert outbox_env.kinds() == ["post_board", "post_challenge", "post_result", "post_board"]


async def test_delivery_that_cannot_be_recorded_takes_no_other_down(
    outbox_env: OutboxFixture,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Both end at once and are recorded together, or one by one if the database stops meanwhile."""
    post_two_copies_of_first_match(outbox_env, monkeypatch)
    outbox_env.sender.gate = asyncio.Event()
    await outbox_env.put("post_board")
    outbox_env.match_id = await MatchFixture(outbox_env.database, 500).ask()
    outbox_env.worker.wake()
    await until(lambda: len(outbox_env.sender.delivered) == 2)
    outbox_env.fail_second_write(monkeypatch)
    outbox_env.sender.gate.set()
    await outbox_env.worker.flush()
    assert await outbox_env.left() == [("post_board", "waiting")]
    assert len(outbox_env.sender.delivered) == 2
    assert unrecorded(caplog) == ["post_board"]


async def test_delivery_is_repeated_if_the_database_does_not_answer(
    outbox_env: OutboxFixture,
) -> None:
    await outbox_env.put("post_board", "post_result")
    outbox_env.sender.troubles = [sqlalchemy.exc.TimeoutError("others write for too long")]
    failures = counted("starpost_failures_total", reason="database busy")
    await outbox_env.worker.flush()
    assert await outbox_env.errors() == ["the database does not answer", None]
    assert counted("starpost_failures_total", reason="database busy") == failures + 1
    outbox_env.now += BACK_OFF_SECONDS[0] + 0.1
    await outbox_env.worker.flush()
    assert outbox_env.kinds() == ["post_board", "post_board", "post_result"]


@pytest.mark.parametrize("transaction", ["read", "write"])
async def test_flush_goes_on_while_the_database_does_not_answer(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch, transaction: str
) -> None:
    await outbox_env.put("post_board")
    begin, failures = getattr(outbox_env.database, transaction), [None] * 2

    def fail_twice(**options: bool) -> Transaction:
        if failures:
            failures.pop()
            raise sqlalchemy.exc.TimeoutError("others write for too long")
        result: Transaction = begin(**options)
        return result

    monkeypatch.setattr(outbox_env.database, transaction, fail_twice)
    await outbox_env.worker.flush()
    assert not failures
    assert outbox_env.kinds() == ["post_board"]


async def test_result_is_kept_until_the_database_answers(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await outbox_env.put("post_board", "post_result")
    outbox_env.sender.gate = asyncio.Event()
    outbox_env.worker.wake()
    await outbox_env.sender.busy.wait()
    write, failures = outbox_env.database.write, [None] * 2

    def fail_twice(**options: bool) -> Transaction:
        if failures:
            failures.pop()
            raise sqlalchemy.exc.TimeoutError("others write for too long")
        return write(**options)

    monkeypatch.setattr(outbox_env.database, "write", fail_twice)
    outbox_env.sender.gate.set()
    await outbox_env.worker.flush()
    assert not failures
    assert outbox_env.kinds() == ["post_board", "post_result"]
    assert await outbox_env.left() == []


@pytest.mark.parametrize("days", [-7, 7])
async def test_a_clock_that_jumps_delays_nothing(outbox_env: OutboxFixture, days: int) -> None:
    await outbox_env.put("post_board", "post_result")
    outbox_env.sender.troubles = [RetryLaterError("ill", 3000)]
    await outbox_env.worker.flush()
    outbox_env.now += days * 86400
    await outbox_env.worker.flush()
    assert outbox_env.kinds() == ["post_board", "post_board", "post_result"]


async def test_a_worker_sleeps_until_something_is_due(
    outbox_env: OutboxFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await outbox_env.put("post_board", "post_result")
    await outbox_env.put("turn_dm", target="user:1")
    outbox_env.sender.troubles = [RetryLaterError("ill", 300)]
    waits: list[float | None] = []
    monkeypatch.setattr(outbox_env.worker, "_schedule_wakeup", waits.append)
    await outbox_env.worker.flush()
    assert waits == [300.0]
