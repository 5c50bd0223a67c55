"""The search for a post whose creation Discord has not confirmed."""

from __future__ import annotations

import asyncio

import pytest
from discord.utils import DISCORD_EPOCH

from bot.domain.ids import MatchId
from bot.domain.outbox import OutboxKind
from bot.features.halls.forums import NEWEST_POSTS
from bot.outbox.transport import DISCORD_CLOCK_SKEW_SECONDS
from bot.outbox.worker import OutboxWorker
from bot.shards import SNOWFLAKE_MILLISECOND
from tests.support import fake_objects
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_objects import GUILD
from tests.support.halls import HALL, begin, challenge, join, open_hall, settle, the_post
from tests.support.matches import ADA, BO

OTHERS = NEWEST_POSTS + 1
HOUR = 3600.0


@pytest.fixture
async def forum(delivery: DeliveryFixture) -> DeliveryFixture:
    """A forum, long after the first ID of Discord."""
    delivery.env.now = DISCORD_EPOCH / 1000 + 30 * 24 * HOUR
    await open_hall(delivery, forum=True)
    return delivery


def add_threads(
    delivery: DeliveryFixture, seconds: float, *, parent: int = HALL, owner: int = fake_objects.BOT
) -> set[int]:
    """Add threads or posts that were created some seconds ago, or later if negative."""
    at = int((delivery.env.now - seconds) * 1000) - DISCORD_EPOCH
    first = at * SNOWFLAKE_MILLISECOND + parent * OTHERS + owner * 1000
    added = range(first, first + OTHERS)
    for number in added:
        thread = fake_objects.thread(number, str(parent), GUILD)
        delivery.fake.threads[number] = thread | {"owner_id": str(owner)}
    return set(added)


async def lose_post(delivery: DeliveryFixture, worker: OutboxWorker) -> None:
    """Let a post be created, whose confirmation is lost."""
    await challenge(delivery)
    delivery.fake.lost_replies.add(HALL)
    await worker.flush()
    delivery.fake.lost_replies.clear()


async def is_found(delivery: DeliveryFixture, worker: OutboxWorker) -> bool:
    """Let the post be searched for; return whether it is the only one of its match."""
    delivery.env.now += 300.0
    await worker.flush()
    assert (OutboxKind.START_POST, "waiting") not in await delivery.left()
    return bool(the_post(delivery))


async def test_post_is_found_among_others_by_a_clock_hours_ahead(
    forum: DeliveryFixture,
) -> None:
    """Older posts, those of members, and threads elsewhere are not among the newest."""
    ahead = forum.worker_behind(-8 * HOUR)
    add_threads(forum, HOUR)
    await lose_post(forum, ahead)
    add_threads(forum, -1.0, owner=ADA)
    add_threads(forum, -2.0, parent=CHANNEL)
    assert await is_found(forum, ahead)


async def test_post_is_found_behind_newer_ones_by_a_clock_ahead(
    forum: DeliveryFixture,
) -> None:
    ahead = forum.worker_behind(-DISCORD_CLOCK_SKEW_SECONDS)
    await lose_post(forum, ahead)
    add_threads(forum, -1.0)
    assert await is_found(forum, ahead)


async def test_retry_searches_only_the_newest_posts(
    forum: DeliveryFixture,
) -> None:
    older = add_threads(forum, HOUR)
    forum.fake.post_refusals.append((503, 0))
    await challenge(forum)
    await forum.worker.flush()
    assert not older & {request.channel for request in forum.fake.asked}
    assert await is_found(forum, forum.worker)
    # The post of the list is one of the newest if it was created before the retry.
    searched = older & {request.channel for request in forum.fake.asked}
    assert len(searched) in {NEWEST_POSTS - 1, NEWEST_POSTS}


async def test_post_found_after_the_match_began_loses_its_tag(forum: DeliveryFixture) -> None:
    await lose_post(forum, forum.worker)
    assert forum.fake.tags(the_post(forum)) == {"Wormholes", "open seat"}
    await join(forum, MatchId(1))
    assert await is_found(forum, forum.worker)
    await settle(forum)
    assert forum.fake.tags(the_post(forum)) == {"Wormholes"}
    assert await forum.left() == []


async def test_first_attempt_without_a_post_searches_for_none(forum: DeliveryFixture) -> None:
    older = add_threads(forum, HOUR)
    forum.fake.hidden[HALL] = {BO}
    await begin(forum)
    await forum.worker.flush()
    assert not older & {request.channel for request in forum.fake.asked}
    assert (OutboxKind.START_THREAD, "waiting") not in await forum.left()


async def test_post_answered_with_502_is_created_once(
    forum: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """discord.py repeats a request that is answered so, and Discord has no nonces of posts."""
    sleep = asyncio.sleep
    monkeypatch.setattr(asyncio, "sleep", lambda _seconds: sleep(0))
    forum.fake.bad_gateways.add(HALL)
    await challenge(forum)
    await forum.worker.flush()
    assert forum.fake.threads_asked == 1
    assert await is_found(forum, forum.worker)
