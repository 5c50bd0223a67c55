"""Posts of cups on a Discord that forgets and fails: one post, one announcement of each kind."""

from __future__ import annotations

import asyncio

import aiohttp
import discord
import pytest

from bot.app.client import RATE_LIMIT_WAIT_SECONDS
from bot.domain.clocks import DAY
from bot.features.cups.members import CupMembers
from bot.features.cups.posts import (
    LEASE_NAME,
    LEASE_SECONDS,
    LINK_WAIT_SECONDS,
    RESULT_WAIT_SECONDS,
)
from bot.features.cups.service import Actor
from bot.storage.leases import Leases
from tests.support.cups import CHANNEL, ORGANISER, PostFixture, user
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import GUILD

LOST = (aiohttp.ClientError, discord.HTTPException, OSError)


@pytest.fixture
def posts(delivery: DeliveryFixture) -> PostFixture:
    return PostFixture(delivery)


async def test_post_follows_the_players(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(1)
    await posts.sender.run()
    (text,) = posts.said()
    assert "Players (1 of 16)" in text
    await posts.cup.join(cup_id, user(2))
    await posts.sender.run()
    (text,) = posts.said()
    assert "Players (2 of 16)" in text


async def test_new_post_is_not_edited_at_once(posts: PostFixture) -> None:
    await posts.cup.create(0)
    await posts.sender.run()
    assert not await posts.sender._posts.due()


async def test_announcement_links_the_post_of_the_same_run(posts: PostFixture) -> None:
    cup_id = await posts.cup.begun(3)
    await posts.sender.run()
    post = (await posts.cup.get(cup_id)).row.message_id
    assert f"/channels/{GUILD}/{CHANNEL}/{post}" in posts.said()[-1]


@pytest.mark.slow
async def test_start_and_end_are_announced_once(posts: PostFixture) -> None:
    cup_id = await posts.cup.begun(3)
    await posts.sender.run()
    _post, start = posts.said()
    assert "has begun" in start
    await posts.sender.run()
    assert len(posts.said()) == 2
    await posts.play_out(cup_id)
    await posts.sender.run()
    await posts.sender.run()
    post, _start, *_boards, end = posts.said()
    assert "wins!**" in post
    assert "Congratulations" in end
    assert not await posts.sender._posts.due()


async def test_end_is_announced_after_the_last_result(posts: PostFixture) -> None:
    cup_id = await posts.cup.begun(3)
    await posts.sender.run()
    await posts.cup.play_out(cup_id)
    await posts.sender.run()
    assert "has begun" in posts.said()[-1]
    assert await posts.sender._posts.due()
    await posts.delivery.worker.flush()
    await posts.sender.run()
    assert "Congratulations" in posts.said()[-1]


async def test_end_waits_for_no_other_match(posts: PostFixture) -> None:
    cup_id = await posts.cup.begun(3)
    await posts.play_out(cup_id)
    await posts.env.begin()
    await posts.sender.run()
    assert "Congratulations" in posts.said()[-1]


@pytest.mark.parametrize("sign", [1, -1], ids=["later", "after the clock was set back"])
async def test_end_waits_for_results_only_for_a_while(posts: PostFixture, sign: int) -> None:
    cup_id = await posts.cup.begun(3)
    await posts.cup.play_out(cup_id)
    posts.env.now += sign * RESULT_WAIT_SECONDS
    await posts.sender.run()
    assert "Congratulations" not in posts.said()[-1]
    posts.env.now += sign
    await posts.sender.run()
    assert "Congratulations" in posts.said()[-1]


async def test_cancellation_waits_for_no_result(posts: PostFixture) -> None:
    cup_id = await posts.cup.begun(3)
    await posts.sender.run()
    await posts.cup.cups.cancel(900, cup_id, Actor(ORGANISER))
    await posts.sender.run()
    assert "was cancelled" in posts.said()[-1]


@pytest.mark.slow
async def test_only_the_winner_is_notified(posts: PostFixture) -> None:
    cup_id = await posts.cup.begun(3)
    await posts.sender.run()
    await posts.play_out(cup_id)
    await posts.sender.run()
    silent = [
        discord.MessageFlags._from_value(message["flags"]).suppress_notifications
        for message in posts.fake.channels[CHANNEL].values()
    ]
    assert [silent[0], silent[1], silent[-1]] == [True, True, False]


@pytest.mark.parametrize("players", [0, 1])
@pytest.mark.parametrize("seconds", [1.0, 300.0])
async def test_post_whose_reply_was_lost_is_posted_once(
    posts: PostFixture, seconds: float, players: int
) -> None:
    cup_id = await posts.cup.create(players)
    posts.fake.trouble = Trouble(dropped=1.0)
    with pytest.raises(LOST):
        await posts.sender.run()
    posts.fake.trouble = CALM
    posts.env.now += seconds
    await posts.cup.join(cup_id, user(2))
    await posts.sender.run()
    await posts.sender.run()
    (text,) = posts.said()
    assert f"Players ({players + 1} of 16)" in text


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
    (text,) = posts.said()
    assert "Players (2 of 16)" in text


async def test_post_that_came_back_is_not_edited_at_once(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(0)
    await posts.sender.run()
    posts.fake.channels[CHANNEL].clear()
    posts.env.now += 300
    await posts.cup.join(cup_id, user(1))
    for _ in range(2):
        await posts.sender.run()
    assert len(posts.said()) == 1
    assert not await posts.sender._posts.due()


async def test_post_deleted_after_the_end_is_not_due_again(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(3)
    await posts.sender.run()
    await posts.cup.cups.cancel(900, cup_id, Actor(ORGANISER))
    await posts.sender.run()
    posts.fake.remove(CHANNEL, min(posts.fake.channels[CHANNEL]))
    members = CupMembers(posts.env.database, posts.env.clock)
    await members.store(GUILD, {user(1): True}, members.now())
    assert await posts.sender._posts.due()
    for _ in range(2):
        await posts.sender.run()
    assert not await posts.sender._posts.due()
    (end,) = posts.said()
    assert "doesn't take place" in end


@pytest.mark.slow
async def test_post_edited_too_often_is_edited_later(posts: PostFixture) -> None:
    """Discord limits the edits of messages that are older than an hour."""
    posts.delivery.client.http.max_ratelimit_timeout = RATE_LIMIT_WAIT_SECONDS
    posts.fake.edit_pause = 600.0
    cup_id = await posts.cup.create(0)
    await posts.sender.run()
    posts.fake.worn_out |= posts.fake.channels[CHANNEL].keys()
    await posts.cup.join(cup_id, user(1))
    await posts.sender.run()
    assert await posts.sender._posts.due()
    posts.fake.worn_out.clear()
    await posts.process("1").run()
    (text,) = posts.said()
    assert "Players (1 of 16)" in text


async def test_two_processes_post_once(posts: PostFixture) -> None:
    await posts.cup.begun(3)
    await asyncio.gather(posts.sender.run(), posts.process("2").run())
    posts.env.now += LEASE_SECONDS + 1
    await posts.process("2").run()
    assert len(posts.said()) == 2


async def test_process_without_the_lease_requests_nothing(
    posts: PostFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(posts.env.database, "shared", True)
    cup_id = await posts.cup.create(1)
    await posts.sender.run()
    await posts.cup.join(cup_id, user(2))
    requests = posts.fake.requests
    await posts.process("2").run()
    assert posts.fake.requests == requests


async def test_process_without_work_leaves_the_lease_to_others(posts: PostFixture) -> None:
    await posts.sender.run()
    other = Leases(posts.env.database, "2", posts.env.clock)
    assert await other.take(LEASE_NAME, LEASE_SECONDS)


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


@pytest.mark.parametrize("sign", [1, -1], ids=["later", "after the clock was set back"])
async def test_post_waits_for_boards_only_for_a_while(posts: PostFixture, sign: int) -> None:
    await posts.cup.begun(3)
    posts.env.now += sign * LINK_WAIT_SECONDS
    for _ in range(2):
        await posts.sender.run()
    assert await posts.sender._posts.due()
    posts.env.now += sign
    await posts.sender.run()
    assert not await posts.sender._posts.due()


async def test_post_waits_for_no_board_that_went_to_its_players(posts: PostFixture) -> None:
    await posts.cup.begun(3)
    await posts.sender.run()
    posts.fake.deleted.add(CHANNEL)
    await posts.delivery.worker.flush()
    posts.fake.deleted.discard(CHANNEL)
    await posts.sender.run()
    assert "](https://discord.com/channels/" in posts.said()[0], "at least the channel"
    assert not await posts.sender._posts.due()


@pytest.mark.slow
async def test_result_from_a_clock_ahead_does_not_end_the_wait(
    posts: PostFixture,
) -> None:
    cup_id = await posts.cup.begun(3, max_open=1)
    now = posts.env.now
    for later in (30 * DAY, 0.0):
        posts.env.now = now + later
        pairing = (await posts.cup.get(cup_id)).running[0]
        await posts.cup.win(cup_id, pairing, min(pairing.seated))
    await posts.sender.run()
    assert await posts.sender._posts.due(), "the board of the last match is not posted yet"


@pytest.mark.slow
async def test_post_waits_for_the_boards_of_later_rounds(posts: PostFixture) -> None:
    cup_id = await posts.cup.begun(3, max_open=1)
    await posts.delivery.worker.flush()
    for _ in range(2):
        await posts.sender.run()
    assert not await posts.sender._posts.due()
    posts.env.now += LINK_WAIT_SECONDS + 1
    pairing = (await posts.cup.get(cup_id)).running[0]
    await posts.cup.win(cup_id, pairing, min(pairing.seated))
    await posts.sender.run()
    assert await posts.sender._posts.due(), "the next board is not posted yet"
    await posts.delivery.worker.flush()
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
    (text,) = posts.said()
    assert "Players (2 of 16)" in text
    assert caplog.text.count("a cup cannot be shown") == 1


async def test_a_closed_channel_is_logged_once_each_time(
    posts: PostFixture, caplog: pytest.LogCaptureFixture
) -> None:
    cup_id, logged = await posts.cup.create(0), []
    for number, closed in enumerate((True, True, False, True), 1):
        posts.fake.deleted = {CHANNEL} if closed else set()
        await posts.cup.join(cup_id, user(number))
        for _ in range(2):
            await posts.sender.run()
        logged.append(caplog.text.count("a cup cannot be shown"))
    assert logged == [1, 1, 1, 2]


async def test_start_is_announced_after_a_closed_sign_up(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(3)
    posts.fake.deleted.add(CHANNEL)
    await posts.sender.run()
    posts.fake.deleted.discard(CHANNEL)
    await posts.cup.start(cup_id)
    await posts.sender.run()
    assert "has begun" in posts.said()[-1]


async def test_start_in_a_closed_channel_is_not_announced_late(posts: PostFixture) -> None:
    cup_id = await posts.cup.create(3)
    posts.fake.deleted.add(CHANNEL)
    await posts.cup.start(cup_id)
    await posts.sender.run()
    assert not await posts.sender._posts.due()
    posts.fake.deleted.discard(CHANNEL)
    await posts.cup.withdraw(cup_id, user(3))
    await posts.sender.run()
    (post,) = posts.said()
    assert "withdrawn" in post
