"""The outbox is worked off in order, once, and again until things arrive."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from prometheus_client import REGISTRY
from sqlalchemy import select

from bot.app.run import open_database
from bot.outbox.transport import SEARCH_AFTER_SECONDS
from bot.outbox.worker import (
    ATTEMPT_LIMIT,
    ATTEMPT_TIMEOUT_SECONDS,
    BACK_OFF_SECONDS,
    CLOCK_SKEW_SECONDS,
    ERROR_LIMIT,
    LEASE_SECONDS,
    OutboxWorker,
    RetryLaterError,
    UndeliverableError,
)
from bot.services.outbox import OutboxStatus, PostedKind, PostedMessage
from bot.storage.schema import posted_messages
from tests.support.fake_discord import until
from tests.support.matches import Club
from tests.support.outbox import Office


def counted(metric: str, **labels: str) -> float:
    """What a metric has counted of the outbox."""
    return REGISTRY.get_sample_value(metric, {"part": "outbox", **labels}) or 0.0


@pytest.fixture
async def office(url: str) -> AsyncIterator[Office]:
    """An empty outbox."""
    async with open_database(url) as database:
        match_id = await Club(database).ask()
        made = Office(database, match_id)
        await made.delivery.flush()
        made.post.carried.clear()
        made.post.busy.clear()
        yield made


async def test_things_for_one_place_arrive_in_order(office: Office) -> None:
    await office.put("post_board", "edit_board", "post_result")
    await office.delivery.flush()
    assert office.kinds() == ["post_board", "edit_board", "post_result"]
    assert await office.left() == []


async def test_a_dm_waits_for_the_board_that_it_links_to(office: Office) -> None:
    await office.put("turn_dm", target="user:1")
    await office.put("post_board")
    await office.put("turn_dm", target="user:2")
    await office.put("turn_dm", target="user:1")
    await office.delivery.flush()
    order = [(str(parcel.kind), str(parcel.target)) for parcel in office.post.carried]
    assert set(order[:2]) == {("post_board", "channel"), ("turn_dm", "user:1")}
    assert set(order[2:]) == {("turn_dm", "user:1"), ("turn_dm", "user:2")}


async def test_the_last_message_is_remembered(office: Office) -> None:
    await office.put("post_board", "post_board")
    await office.delivery.flush()
    async with office.database.read() as connection:
        (row,) = (
            await connection.execute(
                select(posted_messages).where(posted_messages.c.kind == "notice")
            )
        ).all()
    assert row.message_id == 1000 + office.post.carried[-1].id
    assert row.action_count == 1


async def test_trouble_puts_off_and_keeps_the_order(office: Office) -> None:
    await office.put("post_board", "post_result")
    office.post.troubles = [RetryLaterError("ill")]
    await office.delivery.flush()
    assert office.kinds() == ["post_board"]
    office.now += BACK_OFF_SECONDS[0] + 0.1
    await office.delivery.flush()
    assert office.kinds() == ["post_board", "post_board", "post_result"]
    one, two, _ = office.post.carried
    assert one.nonce(5) == two.nonce(5)
    assert (one.attempts, two.attempts) == (1, 2)
    assert two.first_attempt_at == 5000.0


async def test_the_pause_that_discord_asks_for_is_kept(office: Office) -> None:
    await office.put("post_board")
    office.post.troubles = [RetryLaterError("rate limited", 300.0)]
    await office.delivery.flush()
    office.now += 299
    await office.delivery.flush()
    assert len(office.post.carried) == 1
    office.now += 2
    await office.delivery.flush()
    assert len(office.post.carried) == 2


async def test_pauses_grow_in_a_long_outage(office: Office) -> None:
    await office.put("post_board")
    office.post.troubles = [RetryLaterError("ill")] * 200
    for number in range(200):
        await office.delivery.flush()
        office.now += BACK_OFF_SECONDS[min(number, len(BACK_OFF_SECONDS) - 1)] + 0.1
    await office.delivery.flush()
    assert len(office.post.carried) == 201
    assert await office.left() == []
    assert ATTEMPT_LIMIT * BACK_OFF_SECONDS[-1] > 6 * 86400


async def test_row_at_the_attempt_limit_is_given_up(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.outbox.worker.ATTEMPT_LIMIT", 4)
    await office.put("post_board", "post_result")
    office.post.troubles = [RetryLaterError("ill")] * 4
    given_up = counted("starpost_given_up_total")
    for _ in range(6):
        await office.delivery.flush()
        office.now += 61
    assert office.kinds() == ["post_board"] * 4 + ["post_result"]
    assert await office.left() == [("post_board", "failed")]
    assert await office.errors() == ["ill, after 4 attempts"]
    assert counted("starpost_given_up_total") == given_up + 1


@pytest.mark.errors_wanted
async def test_row_with_a_bug_is_logged_once_and_given_up(
    office: Office, caplog: pytest.LogCaptureFixture
) -> None:
    await office.put("post_board", "post_result")
    office.post.troubles = [RetryLaterError("ill")] * ERROR_LIMIT  # an outage is no bug
    office.post.troubles += [ZeroDivisionError()] * ERROR_LIMIT
    errors = counted("starpost_failures_total", reason="unexpected")
    given_up = counted("starpost_given_up_total")
    for _ in range(2 * ERROR_LIMIT + 1):
        await office.delivery.flush()
        office.now += 61
    assert office.kinds() == ["post_board"] * 2 * ERROR_LIMIT + ["post_result"]
    assert await office.left() == [("post_board", "failed")]
    assert await office.errors() == [f"ZeroDivisionError, {ERROR_LIMIT} times"]
    assert counted("starpost_failures_total", reason="unexpected") == errors + 2 * ERROR_LIMIT
    assert counted("starpost_given_up_total") == given_up + 1
    assert [each.getMessage() for each in caplog.records if each.exc_info] == ["post_board failed"]
    assert sum("is lost" in each.getMessage() for each in caplog.records) == 1


async def test_what_can_never_arrive_is_set_aside(office: Office) -> None:
    await office.put("post_board", "post_result")
    office.post.troubles = [UndeliverableError("no such channel")]
    await office.delivery.flush()
    assert office.kinds() == ["post_board", "post_result"]
    assert await office.left() == [("post_board", "failed")]


@pytest.mark.errors_wanted
async def test_a_bug_in_a_courier_loses_nothing(office: Office) -> None:
    await office.put("post_board")
    office.post.troubles = [ZeroDivisionError()]
    await office.delivery.flush()
    assert await office.left() == [("post_board", "waiting")]


async def test_two_workers_carry_each_thing_once(office: Office) -> None:
    await office.put("private_hand", target="user:1")
    await office.put("post_board")
    office.post.gate = asyncio.Event()
    other = office.worker()
    office.delivery.wake()
    other.wake()
    await office.post.busy.wait()
    office.post.gate.set()
    await asyncio.gather(office.delivery.flush(), other.flush())
    assert sorted(office.kinds()) == ["post_board", "private_hand"]


async def test_what_a_dead_worker_held_is_taken_over_when_its_lease_ends(office: Office) -> None:
    await office.put("post_board")
    office.post.gate = asyncio.Event()
    office.delivery.wake()
    await office.post.busy.wait()
    task = office.delivery._task
    assert task
    task.cancel()
    await asyncio.gather(task, return_exceptions=True)
    office.post.gate = None
    await office.worker().flush()
    assert len(office.post.carried) == 1
    office.now += LEASE_SECONDS + 1
    await office.worker().flush()
    assert len(office.post.carried) == 2
    assert await office.left() == []


async def test_who_comes_back_after_the_lease_has_ended_marks_nothing(office: Office) -> None:
    await office.put("post_board")
    office.post.gate = asyncio.Event()
    office.delivery.wake()
    await office.post.busy.wait()
    office.now += LEASE_SECONDS + 1
    office.post.troubles = [RetryLaterError("ill")] * 2
    other = office.worker()
    other.wake()
    await until(lambda: len(office.post.carried) == 2)
    late, early = office.post.carried
    await office.delivery._update(late, status=OutboxStatus.FAILED)
    await office.delivery._done(late, PostedMessage(PostedKind.NOTICE, 5, 1, 1))
    assert await office.left() == [("post_board", "waiting")]
    await other._done(early, PostedMessage(PostedKind.NOTICE, 5, 2, 1))
    assert await office.left() == []
    office.post.gate.set()
    await asyncio.gather(office.delivery.flush(), other.flush())


async def test_what_is_slow_holds_up_nothing_but_its_own_match(office: Office) -> None:
    await office.put("post_board")
    office.post.gate = asyncio.Event()
    office.delivery.wake()
    await office.post.busy.wait()
    slow, gate = office.match_id, office.post.gate
    office.match_id, office.post.gate = await Club(office.database, 500).ask(), None
    await office.put("post_board", "post_result")
    office.delivery.wake()
    await until(lambda: len(office.post.carried) == 4)
    assert [p.kind for p in office.post.carried if p.match_id != slow] == [
        "post_challenge",
        "post_board",
        "post_result",
    ]
    gate.set()
    await office.delivery.flush()
    assert await office.left() == []


async def test_a_new_start_takes_over_at_once(office: Office) -> None:
    await office.put("post_board")
    office.post.gate = asyncio.Event()
    office.delivery.wake()
    await office.post.busy.wait()
    await office.delivery.stop()
    office.post.gate = None
    heir = office.worker()
    await heir.resume()
    await heir.flush()
    one, two = office.post.carried
    assert one.nonce(5) == two.nonce(5)
    assert await office.left() == []


@pytest.mark.parametrize("days", [-7, 7])
async def test_a_clock_that_jumps_delays_nothing(office: Office, days: int) -> None:
    await office.put("post_board", "post_result")
    office.post.troubles = [RetryLaterError("ill", 3000)]
    await office.delivery.flush()
    office.now += days * 86400
    await office.delivery.flush()
    assert office.kinds() == ["post_board", "post_board", "post_result"]


async def test_a_worker_sleeps_until_something_is_due(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    await office.put("post_board", "post_result")
    await office.put("turn_dm", target="user:1")
    office.post.troubles = [RetryLaterError("ill", 300)]
    waits: list[float | None] = []
    monkeypatch.setattr(office.delivery, "_schedule_wakeup", waits.append)
    await office.delivery.flush()
    assert waits == [300.0]


async def test_an_attempt_ends_before_its_lease(
    office: Office, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert ATTEMPT_TIMEOUT_SECONDS < LEASE_SECONDS
    assert (
        SEARCH_AFTER_SECONDS + ATTEMPT_TIMEOUT_SECONDS <= 120
    )  # Discord knows a nonce for about two minutes
    monkeypatch.setattr("bot.outbox.worker.ATTEMPT_TIMEOUT_SECONDS", 0.01)
    await office.put("post_board")
    office.post.gate = asyncio.Event()
    await office.delivery.flush()
    assert await office.left() == [("post_board", "waiting")]
    office.post.gate = None
    office.now += BACK_OFF_SECONDS[0] + 0.1
    await office.delivery.flush()
    assert await office.left() == []


async def test_a_process_takes_over_at_once_only_what_was_its_own(office: Office) -> None:
    await office.put("post_board")
    office.post.gate = asyncio.Event()
    one = OutboxWorker(office.database, office.post, lambda: office.now, "0-0/2")
    one.wake()
    await office.post.busy.wait()
    await one.stop()
    office.post.gate = None
    other = OutboxWorker(office.database, office.post, lambda: office.now, "1-1/2")
    await other.resume()
    await other.flush()
    assert len(office.post.carried) == 1
    same = OutboxWorker(office.database, office.post, lambda: office.now, "0-0/2")
    await same.resume()
    await same.flush()
    assert len(office.post.carried) == 2
    await other.stop()


@pytest.mark.parametrize("seconds", [-CLOCK_SKEW_SECONDS, CLOCK_SKEW_SECONDS])
async def test_clocks_that_differ_a_little_give_nothing_away(
    office: Office, seconds: float
) -> None:
    await office.put("post_board")
    office.post.gate = asyncio.Event()
    office.delivery.wake()
    await office.post.busy.wait()
    other = OutboxWorker(office.database, office.post, lambda: office.now + seconds, "1-1/2")
    await other.flush()
    assert len(office.post.carried) == 1
    await other.stop()
    office.post.gate.set()
    await office.delivery.flush()


async def test_many_workers_carry_everything_once_and_in_order(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.services.nuisance.OPEN_PER_PAIR", 5)
    async with open_database(url) as database:
        offices = [Office(database, await Club(database, 100 * n).ask()) for n in range(1, 6)]
        post, now = offices[0].post, offices[0].now
        for office in offices:
            await office.put("post_board", "edit_board", "post_result")
        workers = [OutboxWorker(database, post, lambda: now, f"{n}-{n}/4") for n in range(4)]
        while await offices[0].left():
            await asyncio.gather(*(each.flush() for each in workers))
        await asyncio.gather(*(each.stop() for each in workers))
    for office in offices:
        kinds = [parcel.kind for parcel in post.carried if parcel.match_id == office.match_id]
        assert kinds == ["post_challenge", "post_board", "edit_board", "post_result"]
