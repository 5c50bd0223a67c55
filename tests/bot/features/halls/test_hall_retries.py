"""Halls whose processes are killed, lose their leases, or work at the same time."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import delete, insert, select, update

from bot.domain.clocks import DAY
from bot.domain.ids import MatchId
from bot.domain.models import Stage
from bot.domain.outbox import OutboxKind, OutboxMessage, PostedKind
from bot.features.halls.message_kinds import HallKind
from bot.features.halls.service import CALL_PAUSE_SECONDS, LIST_PAUSE_SECONDS, Halls
from bot.outbox.store import DeliveryResult
from bot.outbox.transport import SEARCH_AFTER_SECONDS
from bot.outbox.worker import LEASE_SECONDS, WORKER_CLOCK_SKEW_SECONDS, OutboxWorker
from bot.services.heartbeats import Heartbeats
from bot.services.match_location import MatchLocations
from bot.shards import SNOWFLAKE_MILLISECOND, Shards
from bot.storage.schema import outbox
from tests.support.deliveries import CHANNEL, DeliveryFixture, posted
from tests.support.fake_discord import until
from tests.support.fake_objects import GUILD
from tests.support.halls import (
    FAR,
    HALL,
    ROLE,
    begin,
    challenge,
    choose,
    join,
    open_hall,
    said,
    settle,
    the_list,
    the_post,
)
from tests.support.matches import BO


class SlowSender:
    """A sender that waits before one kind of message is recorded as delivered."""

    def __init__(self, delivery: DeliveryFixture, kind: OutboxKind) -> None:
        self._sender = delivery.sender
        self._kind = kind
        self.is_done = False
        self.go_on = asyncio.Event()

    async def deliver(self, queued: OutboxMessage) -> DeliveryResult | None:
        """Deliver a message, and wait."""
        result = await self._sender.deliver(queued)
        if queued.kind == self._kind:
            self.is_done = True
            await self.go_on.wait()
        return result


def lists(delivery: DeliveryFixture) -> list[str]:
    """The texts of all lists in the hall."""
    places = (HALL, *delivery.fake.posts(HALL))
    return [text for place in places for text in said(delivery, place) if "in progress" in text]


def another(delivery: DeliveryFixture, sender: Any = None) -> OutboxWorker:
    """The worker of another process."""
    env = delivery.env
    return OutboxWorker(env.database, sender or delivery.sender, lambda: env.now, "another")


@pytest.mark.slow
async def test_update_stored_before_one_in_progress_waits(delivery: DeliveryFixture) -> None:
    """On a server, a transaction can end after another one whose row has a higher number."""
    await open_hall(delivery)
    match_id = await begin(delivery)
    await settle(delivery, 0)
    env = delivery.env
    env.now += LIST_PAUSE_SECONDS
    of_list = outbox.c.kind == HallKind.UPDATE_LIST
    async with env.database.write() as connection:
        first = (await connection.execute(select(outbox).where(of_list))).first()
        assert first
        await connection.execute(delete(outbox).where(of_list))
        lease = {"attempts": 1, "first_attempt_at": env.now, "worker_id": "another"}
        lease |= {"lease_expires_at": env.now + LEASE_SECONDS}
        await connection.execute(insert(outbox).values(first._asdict() | lease))
        late = {"id": first.id - 1, "key": "late"}
        await connection.execute(insert(outbox).values(first._asdict() | late))
    await delivery.worker.flush()
    assert said(delivery) == []
    other = another(delivery)
    await other.resume()
    await other.flush()
    await settle(delivery)
    (text,) = said(delivery)
    assert f"#{match_id}" in text
    assert await delivery.left() == []


@pytest.mark.slow
async def test_post_answered_with_502_is_not_created_again(delivery: DeliveryFixture) -> None:
    """discord.py repeats a request that is answered so, and Discord has no nonces of posts."""
    await open_hall(delivery, forum=True)
    delivery.fake.bad_gateways.add(HALL)
    match_id = await challenge(delivery)
    await settle(delivery)
    assert the_post(delivery)
    await settle(delivery)
    delivery.fake.bad_gateways.add(HALL)
    delivery.fake.deleted.add(the_list(delivery))
    await join(delivery, match_id)
    await settle(delivery)
    await settle(delivery)
    assert len(delivery.fake.posts(HALL)) == 2
    assert the_list(delivery)
    assert await delivery.left() == []


@pytest.mark.slow
async def test_post_is_found_beside_one_that_is_deleted_meanwhile(
    delivery: DeliveryFixture,
) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.bad_gateways.add(HALL)
    match_id = await challenge(delivery)
    await delivery.worker.flush()
    post = the_post(delivery)
    newer = post + SNOWFLAKE_MILLISECOND
    delivery.fake.threads[0] = delivery.fake.threads[post] | {"id": str(newer), "name": "deleted"}
    delivery.fake.deleted.add(newer)
    await settle(delivery)
    stored = await posted(delivery.env.database, match_id, PostedKind.POST)
    assert [copy.channel_id for copy in stored.copies] == [post]


@pytest.mark.slow
@pytest.mark.parametrize("forum", [False, True])
async def test_list_whose_first_edit_was_unconfirmed_is_found(
    delivery: DeliveryFixture, forum: bool
) -> None:
    """A retry finds the list and brings it up to date; the reply to that is lost, too."""
    await open_hall(delivery, forum=forum)
    await begin(delivery)
    await delivery.worker.flush()
    delivery.fake.lost_replies.add(HALL)
    for _ in range(3):
        delivery.env.now += SEARCH_AFTER_SECONDS
        await delivery.worker.flush()
        delivery.fake.lost_replies |= set(delivery.fake.posts(HALL))
    delivery.fake.lost_replies.clear()
    await settle(delivery, SEARCH_AFTER_SECONDS)
    assert len(lists(delivery)) == 1
    assert await delivery.left() == []


@pytest.mark.slow
@pytest.mark.parametrize("forum", [False, True])
async def test_list_whose_last_edit_was_unconfirmed_is_replaced(
    delivery: DeliveryFixture, forum: bool
) -> None:
    """The edited list is not taken for a new one, and deleted as the former one."""
    await open_hall(delivery, forum=forum)
    await begin(delivery)
    await settle(delivery)
    place = the_list(delivery) if forum else HALL
    delivery.fake.lost_replies.add(place)
    await begin(delivery)
    await settle(delivery)
    delivery.fake.lost_replies.clear()
    delivery.fake.worn_out |= delivery.fake.channels[place].keys()
    await settle(delivery, SEARCH_AFTER_SECONDS + 1.0)
    (text,) = lists(delivery)
    assert "#2" in text
    assert await delivery.left() == []


@pytest.mark.slow
@pytest.mark.parametrize("forum", [False, True])
@pytest.mark.parametrize("pause", [1.0, SEARCH_AFTER_SECONDS + 1.0])
async def test_list_that_was_replaced_unconfirmed_is_deleted(
    delivery: DeliveryFixture, forum: bool, pause: float
) -> None:
    """By the next attempt, the former list may be edited again, but there is a newer one."""
    await open_hall(delivery, forum=forum)
    await begin(delivery)
    await settle(delivery)
    delivery.fake.worn_out |= delivery.fake.channels[the_list(delivery) if forum else HALL].keys()
    delivery.fake.lost_replies.add(HALL)
    await begin(delivery)
    await settle(delivery)
    assert len(lists(delivery)) == 2
    delivery.fake.lost_replies.clear()
    delivery.fake.worn_out.clear()
    await settle(delivery, pause)
    await begin(delivery)
    await settle(delivery)
    (text,) = lists(delivery)
    assert "#3" in text
    assert await delivery.left() == []


@pytest.mark.slow
async def test_match_that_enters_its_post_stores_no_older_stage(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    match_id = await challenge(delivery)
    await settle(delivery)
    await join(delivery, match_id)
    sender = SlowSender(delivery, OutboxKind.START_THREAD)
    slow = asyncio.create_task(another(delivery, sender).flush())
    await until(lambda: sender.is_done)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")
    await settle(delivery)
    sender.go_on.set()
    await slow
    await settle(delivery)
    stored = await posted(delivery.env.database, match_id, PostedKind.POST)
    assert stored.revision == Stage.OVER
    assert delivery.fake.tags(the_post(delivery)) == {"Wormholes", "Finished"}


@pytest.mark.slow
async def test_worker_that_lost_its_lease_stores_no_older_list(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    await delivery.worker.flush()
    delivery.env.now += LIST_PAUSE_SECONDS
    gate = delivery.fake.gates[HALL] = asyncio.Event()
    slow = asyncio.create_task(delivery.worker.flush())
    requests = delivery.fake.requests
    await until(lambda: delivery.fake.requests > requests)
    await choose(delivery, FAR)
    delivery.env.now += 2 * LEASE_SECONDS
    await another(delivery).flush()
    assert len(said(delivery, FAR)) == 1
    gate.set()
    await slow
    await delivery.play(MatchId(1))
    await settle(delivery)
    assert len(said(delivery, FAR)) == 1


async def test_postponed_call_that_was_cut_off_is_not_sent_early(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await challenge(delivery)
    await settle(delivery)
    env = delivery.env
    await challenge(delivery)
    async with env.database.write() as connection:
        calls = update(outbox).where(outbox.c.kind == HallKind.CALL_ROLE)
        await connection.execute(
            calls.values(attempts=1, first_attempt_at=env.now, next_attempt_at=env.now)
        )
    await settle(delivery)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    await settle(delivery, CALL_PAUSE_SECONDS)
    assert delivery.fake.role_pings.count({ROLE}) == 2


async def test_call_is_not_sent_early_by_a_clock_that_is_behind(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await challenge(delivery)
    await settle(delivery, 0)
    await challenge(delivery)
    await settle(delivery, 0)  # messages sent before the ping
    env = delivery.env
    env.now -= WORKER_CLOCK_SKEW_SECONDS
    await settle(delivery, 0)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    async with env.database.write() as connection:
        calls = update(outbox).where(outbox.c.kind == HallKind.CALL_ROLE)
        await connection.execute(calls.values(next_attempt_at=env.now))
    await settle(delivery, 0)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    await settle(delivery, CALL_PAUSE_SECONDS + WORKER_CLOCK_SKEW_SECONDS)
    assert delivery.fake.role_pings.count({ROLE}) == 2


@pytest.mark.parametrize("ahead", [-7 * DAY, 7 * DAY])
async def test_pause_between_calls_stays_when_the_clock_is_set(
    delivery: DeliveryFixture, ahead: float
) -> None:
    await open_hall(delivery)
    await challenge(delivery)
    await settle(delivery, 0)
    env = delivery.env
    heartbeats = Heartbeats(env.database, env.clock, Shards())
    await heartbeats.record()
    await challenge(delivery)
    await settle(delivery, 0)
    env.now += ahead
    await heartbeats.record()
    await settle(delivery, CALL_PAUSE_SECONDS - 1)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    await settle(delivery, 1)
    assert delivery.fake.role_pings.count({ROLE}) == 2


async def test_call_for_a_seat_taken_before_a_retry_is_deleted(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    match_id = await challenge(delivery)
    delivery.fake.lost_replies.add(HALL)
    await delivery.worker.flush()
    delivery.fake.lost_replies.clear()
    assert delivery.fake.role_pings.count({ROLE}) == 1
    await join(delivery, match_id)
    await settle(delivery, 300.0)
    assert delivery.fake.role_pings.count({ROLE}) == 1
    assert not any(f"<@&{ROLE}>" in text for text in said(delivery))


async def test_hall_switched_on_again_in_between_is_kept(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    await begin(delivery)
    await settle(delivery)
    await choose(delivery, 0)
    await choose(delivery, FAR)
    await Halls(delivery.env.database).forget(GUILD)
    await settle(delivery)
    assert len(said(delivery, FAR)) == 1


async def test_list_follows_a_match_out_of_its_thread(delivery: DeliveryFixture) -> None:
    await open_hall(delivery)
    match_id = await begin(delivery)
    await settle(delivery)
    assert await delivery.left() == []
    thread = (await delivery.env.queries.match(match_id)).channel_id
    assert thread != CHANNEL
    places = MatchLocations(delivery.env.database, lambda: delivery.env.now)
    await places.leave_thread(match_id, thread)
    assert (HallKind.UPDATE_LIST, "waiting") in await delivery.left()
