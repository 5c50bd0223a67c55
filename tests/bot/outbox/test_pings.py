"""Pings are posted once, and deleted once their players have decided, whatever Discord does."""

from __future__ import annotations

from dataclasses import replace

import pytest

from bot.outbox.pings import latest_decision, seats_to_ping
from bot.services.deliveries import Deliveries, Posted
from bot.services.outbox import (
    EVERYONE,
    PING_PREFIX,
    Copy,
    OutboxKind,
    OutboxMessage,
    PostedKind,
)
from tests.support.deliveries import CHANNEL, DAYS, DeliveryFixture
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import dm
from tests.support.matches import ADA, BO, EVE, choose, warp6
from tests.support.pings import called, hand_over, wait
from tests.support.stand_ins import agree, leave_for_vacation

BOARD = 900
"""The message of a board."""


async def test_ping_with_lost_reply_is_posted_once(delivery: DeliveryFixture) -> None:
    _, user = await called(delivery)
    before = len(delivery.fake.posted)
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.worker.flush()
    assert await delivery.left() == [("turn_ping", "waiting")]
    delivery.fake.trouble = CALM
    delivery.env.now += 2 * DAYS
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.fake.posted) == before + 1
    assert delivery.fake.pings[-1] == {user}


def test_ping_counts_the_latest_of_its_decisions() -> None:
    payload = {f"{PING_PREFIX}O": 4, f"{PING_PREFIX}D": 6, "version": 9}
    queued = OutboxMessage(1, 1, EVERYONE, OutboxKind.TURN_PING, payload, 1, 0.0, "key")
    assert latest_decision(queued) == 6


async def test_nudge_pings_all_who_have_to_decide(delivery: DeliveryFixture) -> None:
    env = delivery.env
    match_id = await warp6(env, "", seats="3", setup="secret")
    await choose(env, match_id, EVE)
    await delivery.worker.flush()
    await env.nudges.nudge(next(env.ids), match_id, EVE)
    await delivery.worker.flush()
    assert delivery.fake.pings[-1] == {ADA, BO}
    assert await delivery.left() == []


async def test_ping_during_an_outage_is_asked_for_once(delivery: DeliveryFixture) -> None:
    _, user = await called(delivery)
    before, asked = len(delivery.fake.posted), delivery.fake.requests
    delivery.fake.refusals[CHANNEL] = (503, 0)
    await delivery.worker.flush()
    assert delivery.fake.requests == asked + 1
    del delivery.fake.refusals[CHANNEL]
    delivery.env.now += 60
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.fake.posted) == before + 1
    assert delivery.fake.pings[-1] == {user}


async def test_ping_after_the_decision_is_not_posted(delivery: DeliveryFixture) -> None:
    match_id, _ = await called(delivery)
    before = len(delivery.fake.posted)
    await hand_over(delivery, match_id)
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.fake.posted) == before


async def test_ping_with_lost_reply_is_deleted_after_the_decision(
    delivery: DeliveryFixture,
) -> None:
    match_id, _ = await called(delivery)
    (board, *_) = sorted(delivery.fake.channels[CHANNEL], reverse=True)
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    assert max(delivery.fake.channels[CHANNEL]) > board
    await hand_over(delivery, match_id)
    delivery.env.now += 400
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert max(delivery.fake.channels[CHANNEL]) == board


async def test_next_ping_takes_the_place_of_one_that_was_not_deleted(
    delivery: DeliveryFixture,
) -> None:
    match_id, _ = await called(delivery)
    await delivery.worker.flush()
    ping = max(delivery.fake.channels[CHANNEL])
    delivery.fake.edit_refusals[ping] = (503, 0)
    user = await hand_over(delivery, match_id)
    await delivery.worker.flush()
    assert ping in delivery.fake.channels[CHANNEL]
    del delivery.fake.edit_refusals[ping]
    await wait(delivery)
    await delivery.worker.flush()
    assert ping not in delivery.fake.channels[CHANNEL]
    assert delivery.fake.pings[-1] == {user}
    assert await delivery.left() == []


@pytest.mark.parametrize(("status", "code"), [(403, 50013), (404, 10003)])
async def test_ping_of_a_closed_channel_becomes_a_board_by_dm(
    delivery: DeliveryFixture, status: int, code: int
) -> None:
    match_id, _ = await called(delivery)
    delivery.fake.refusals[CHANNEL] = (status, code)
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert len(delivery.moments(match_id, dm(ADA))) == len(delivery.moments(match_id, dm(BO))) == 1


@pytest.mark.slow
async def test_ping_by_dm_goes_only_to_its_player(delivery: DeliveryFixture) -> None:
    match_id, user = await called(delivery)
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    await delivery.worker.flush()
    other = await hand_over(delivery, match_id)
    assert other == ADA + BO - user
    await delivery.worker.flush()
    before = {each: len(delivery.fake.texts(dm(each))) for each in (ADA, BO)}
    await wait(delivery)
    await delivery.worker.flush()
    after = {each: len(delivery.fake.texts(dm(each))) for each in (ADA, BO)}
    assert after == {**before, other: before[other] + 1}
    await hand_over(delivery, match_id)
    await delivery.worker.flush()
    assert {each: len(delivery.fake.texts(dm(each))) for each in (ADA, BO)} == before


@pytest.mark.parametrize(("ping", "seats"), [(BOARD, ""), (BOARD + 1, "BYW")])
async def test_only_a_board_has_pinged_all_who_have_to_decide(
    delivery: DeliveryFixture, ping: int, seats: str
) -> None:
    """A ping that is apart from the board may have been for others."""
    match_id = await warp6(delivery.env, "", seats="3", setup="secret")
    decisions = (await delivery.env.queries.match(match_id)).decisions
    payload = {f"{PING_PREFIX}{seat}": version for seat, version in decisions.items()}
    queued = OutboxMessage(1, match_id, EVERYONE, OutboxKind.TURN_PING, payload, 1, 0.0, "key")
    read = await Deliveries(delivery.env.database, delivery.env.queries).read(queued)
    copies = {PostedKind.BOARD: BOARD, PostedKind.PING: ping}
    posted = {
        kind: Posted((Copy(0, CHANNEL, message),), max(decisions.values()))
        for kind, message in copies.items()
    }
    assert seats_to_ping(queued, replace(read, posted=posted)) == seats


async def test_player_for_whom_the_computer_plays_is_not_pinged(
    delivery: DeliveryFixture,
) -> None:
    match_id, user = await called(delivery)
    before = len(delivery.fake.pings)
    await leave_for_vacation(delivery.env, user)
    assert (await agree(delivery.env, match_id, ADA + BO - user, user)).kind == "done"
    await delivery.worker.flush()
    assert user not in set().union(*delivery.fake.pings[before:])
    assert await delivery.left() == []
