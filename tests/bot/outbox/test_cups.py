"""Posts of cups on a Discord that forgets and fails: one post, one announcement of each kind."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from bot.outbox.cups import LEASE_SECONDS, LINK_WAIT_SECONDS
from bot.services.cups import Actor
from tests.support.cups import CHANNEL, ORGANISER, PostFixture, user
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_log import CALM, Trouble

LOST = (aiohttp.ClientError, discord.HTTPException, OSError)


@pytest.fixture
def posts(delivery: DeliveryFixture) -> PostFixture:
    return PostFixture(delivery)


async def test_post_follows_the_players(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(1)
    await posts.sender.run()
    (said,) = posts.said()
    assert "Players (1 of 16)" in said
    await posts.cup.join(cup_id, user(2))
    await posts.sender.run()
    (said,) = posts.said()
    assert "Players (2 of 16)" in said


@pytest.mark.slow
async def test_start_and_end_are_announced_once(posts: PostFixture) -> None:
    cup_id = await posts.cup.begun(3)
    await posts.sender.run()
    _post, start = posts.said()
    assert "has begun" in start
    await posts.sender.run()
    assert len(posts.said()) == 2
    await posts.cup.play_out(cup_id)
    await posts.sender.run()
    await posts.sender.run()
    post, _start, end = posts.said()
    assert "wins!**" in post
    assert "Congratulations" in end
    assert not await posts.sender._posts.due()


@pytest.mark.slow
async def test_only_the_winner_is_notified(posts: PostFixture) -> None:
    cup_id = await posts.cup.begun(3)
    await posts.sender.run()
    await posts.cup.play_out(cup_id)
    await posts.sender.run()
    silent = [
        discord.MessageFlags._from_value(message["flags"]).suppress_notifications
        for message in posts.fake.channels[CHANNEL].values()
    ]
    assert silent == [True, True, False]


@pytest.mark.parametrize("seconds", [1.0, 300.0])
async def test_post_whose_reply_was_lost_is_posted_once(posts: PostFixture, seconds: float) -> None:
    cup_id = await posts.cup.create(1)
    posts.fake.trouble = Trouble(dropped=1.0)
    with pytest.raises(LOST):
        await posts.sender.run()
    posts.fake.trouble = CALM
    posts.env.now += seconds
    await posts.cup.join(cup_id, user(2))
    await posts.sender.run()
    await posts.sender.run()
    (said,) = posts.said()
    assert "Players (2 of 16)" in said


@pytest.mark.parametrize("seconds", [1.0, 300.0])
async def test_announcement_whose_reply_was_lost_is_posted_once(
    posts: PostFixture, seconds: float
) -> None:
    cup_id = await posts.cup.create(3)
    await posts.sender.run()
    await posts.cup.cups.cancel(900, cup_id, Actor(ORGANISER))
    posts.fake.trouble = Trouble(dropped=1.0)
    for _ in range(3):
        with pytest.raises(LOST):
            await posts.sender.run()
    posts.fake.trouble = CALM
    posts.env.now += seconds
    await posts.sender.run()
    await posts.sender.run()
    post, end = posts.said()
    assert "was cancelled" in post
    assert "doesn't take place" in end


async def test_cup_is_posted_after_an_outage(posts: PostFixture) -> None:
    await posts.cup.create(1)
    posts.fake.refusals[CHANNEL] = (503, 0)
    with pytest.raises(discord.HTTPException):
        await posts.sender.run()
    del posts.fake.refusals[CHANNEL]
    await posts.sender.run()
    assert len(posts.said()) == 1


async def test_announcement_after_a_stop_needs_no_edit(posts: PostFixture) -> None:
    """The process stopped when it had edited the post, which cannot be edited again for a while."""
    cup_id = await posts.cup.create(1)
    await posts.sender.run()
    await posts.cup.cups.cancel(900, cup_id, Actor(ORGANISER))
    cup = await posts.cup.get(cup_id)
    await posts.sender._posts.shown(cup_id, cup.row.version)
    posts.fake.worn_out.add(cup.row.message_id or 0)
    await posts.sender.run()
    _post, end = posts.said()
    assert "doesn't take place" in end


async def test_a_deleted_post_comes_back(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(1)
    await posts.sender.run()
    posts.fake.channels[CHANNEL].clear()
    posts.env.now += 300
    await posts.cup.join(cup_id, user(2))
    await posts.sender.run()
    await posts.sender.run()
    (said,) = posts.said()
    assert "Players (2 of 16)" in said


async def test_two_processes_post_once(posts: PostFixture) -> None:
    await posts.cup.begun(3)
    await asyncio.gather(posts.sender.run(), posts.process("2").run())
    posts.env.now += LEASE_SECONDS + 1
    await posts.process("2").run()
    assert len(posts.said()) == 2


async def test_process_without_the_lease_requests_nothing(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(1)
    await posts.sender.run()
    await posts.cup.join(cup_id, user(2))
    asked = posts.fake.requests
    await posts.process("2").run()
    assert posts.fake.requests == asked


@pytest.mark.slow
async def test_post_links_boards_as_soon_as_they_are_posted(posts: PostFixture) -> None:
    await posts.cup.begun(3)
    for _ in range(2):
        await posts.sender.run()
    assert "](https://discord.com/channels/" in posts.said()[0], "at least the channel"
    assert await posts.sender._posts.due(), "the boards are not posted yet"
    await posts.delivery.worker.flush()
    await posts.sender.run()
    assert not await posts.sender._posts.due()


async def test_post_waits_for_boards_only_for_a_while(posts: PostFixture) -> None:
    await posts.cup.begun(3)
    posts.env.now += LINK_WAIT_SECONDS + 1
    for _ in range(2):
        await posts.sender.run()
    assert not await posts.sender._posts.due()


async def test_a_closed_channel_is_tried_again_with_the_next_change(
    posts: PostFixture, caplog: pytest.LogCaptureFixture
) -> None:
    cup_id = await posts.cup.create(1)
    posts.fake.deleted.add(CHANNEL)
    for _ in range(2):
        await posts.sender.run()
    assert not await posts.sender._posts.due()
    posts.fake.deleted.discard(CHANNEL)
    await posts.cup.join(cup_id, user(2))
    await posts.sender.run()
    (said,) = posts.said()
    assert "Players (2 of 16)" in said
    assert caplog.text.count("a cup cannot be shown") == 1
