"""The posts of matches in a forum."""

from __future__ import annotations

import asyncio

import pytest
from discord import ChannelFlags
from discord.utils import DISCORD_EPOCH

from bot.app.client import RATE_LIMIT_WAIT_SECONDS
from bot.domain.ids import ChannelId, MatchId
from bot.domain.outbox import OutboxKind, OutboxMessage, OutboxStatus, PostedKind
from bot.features.halls.service import LIST_PAUSE_SECONDS
from bot.services.deliveries import Deliveries, DeliverySnapshot
from tests.support import fake_objects
from tests.support.deliveries import CHANNEL, DeliveryFixture
from tests.support.fake_discord import until
from tests.support.fake_objects import BOT, GUILD
from tests.support.halls import (
    FAR,
    HALL,
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
from tests.support.matches import ADA, BO, PLAYERS

THREAD = ChannelId(900)
"""A thread that was there before."""


async def begin_with_lost_reply(delivery: DeliveryFixture) -> MatchId:
    """Begin a match in a forum; the reply to the creation of its post is lost."""
    await open_hall(delivery, forum=True)
    await delivery.worker.flush()
    match_id = await begin(delivery)
    delivery.fake.lost_replies.add(HALL)
    await delivery.worker.flush()
    delivery.fake.lost_replies.clear()
    return match_id


@pytest.mark.slow
async def test_open_seat_gets_a_post_in_which_the_match_is_played(
    delivery: DeliveryFixture,
) -> None:
    fake_discord = delivery.fake
    await open_hall(delivery, forum=True)
    match_id = await challenge(delivery)
    await delivery.worker.flush()
    post = the_post(delivery)
    assert fake_discord.tags(post) == {"Wormholes", "open seat"}
    assert "Looking for players" in said(delivery, post)[0]
    assert f"accept:{match_id}" in fake_discord.marks(post, post)
    await join(delivery, match_id)
    await settle(delivery)
    match = await delivery.env.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == (post, CHANNEL)
    assert f"<#{post}>" in said(delivery, CHANNEL)[0]
    assert fake_discord.tags(post) == {"Wormholes"}
    assert fake_discord.threads[post]["name"].endswith(": Ada – Bo")
    assert "Turn: Ada" in said(delivery, post)[0]
    assert delivery.moments(match_id, post) == ["1"]
    assert (
        f"[Wormholes #{match_id}](https://discord.com/channels/{GUILD}/{post}/"
        in (said(delivery, the_list(delivery))[0])
    )
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")
    await settle(delivery)
    assert fake_discord.tags(post) == {"Wormholes", "Finished"}
    assert "The match is over." in said(delivery, post)[0]
    await settle(delivery, 60)
    assert await delivery.left() == []


@pytest.mark.slow
@pytest.mark.parametrize("archived", [False, True])
async def test_post_whose_reply_was_lost_is_found_again(
    delivery: DeliveryFixture, archived: bool
) -> None:
    """The match goes on before that: the post is brought up to date."""
    await open_hall(delivery, forum=True)
    match_id = await challenge(delivery)
    delivery.fake.lost_replies.add(HALL)
    await delivery.worker.flush()
    delivery.fake.lost_replies.clear()
    (post,) = delivery.fake.posts(HALL)
    delivery.fake.asleep |= {post} if archived else set()
    await join(delivery, match_id)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")
    await settle(delivery, 300.0)
    await settle(delivery)
    assert (await delivery.env.queries.match(match_id)).channel_id == post
    assert the_post(delivery) == post
    assert delivery.fake.tags(post) == {"Wormholes", "Finished"}
    assert "The match is over." in said(delivery, post)[0]
    assert await delivery.left() == []


async def test_post_is_found_again_by_a_clock_that_is_ahead(delivery: DeliveryFixture) -> None:
    delivery.env.now = DISCORD_EPOCH / 1000  # so old are the IDs of posts here
    await open_hall(delivery, forum=True)
    await challenge(delivery)
    ahead = delivery.worker_behind(-8 * 3600.0)
    delivery.fake.lost_replies.add(HALL)
    await ahead.flush()
    delivery.fake.lost_replies.clear()
    delivery.env.now += 300.0
    await ahead.flush()
    assert the_post(delivery)  # one, besides that of the list


async def test_missing_tags_and_rights_leave_posts_without_tags(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.may_manage = False
    delivery.fake.forums[HALL] = {"Wormholes": 501}
    match_id = await challenge(delivery)
    await delivery.worker.flush()
    assert delivery.fake.tags(the_post(delivery)) == {"Wormholes"}
    await join(delivery, match_id)
    await settle(delivery, 60)
    assert "Turn: " in said(delivery, the_post(delivery))[0]
    assert await delivery.left() == []


@pytest.mark.parametrize("refusal", [(403, 50013), (400, 10087)])
async def test_post_whose_tags_are_refused_gets_none(
    delivery: DeliveryFixture, refusal: tuple[int, int]
) -> None:
    """Tags can be reserved for moderators, or be deleted just now."""
    await open_hall(delivery, forum=True)
    delivery.fake.post_refusals.append(refusal)
    await challenge(delivery)
    await delivery.worker.flush()
    assert delivery.fake.tags(the_post(delivery)) == set()
    assert delivery.fake.threads_asked == 2


async def test_post_is_created_with_its_tags_after_an_outage(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.post_refusals.append((503, 0))
    await challenge(delivery)
    await delivery.worker.flush()
    assert delivery.fake.posts(HALL) == []
    await settle(delivery)
    assert delivery.fake.tags(the_post(delivery)) == {"Wormholes", "open seat"}


async def test_refused_post_without_tags_is_not_tried_again(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.forums[HALL] = {}
    delivery.fake.silenced.add(HALL)
    await challenge(delivery)
    await delivery.worker.flush()
    assert delivery.fake.threads_asked == 1
    assert (OutboxKind.START_POST, "waiting") not in await delivery.left()


async def test_post_is_renamed_after_an_outage(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    match_id = await challenge(delivery)
    await settle(delivery)
    delivery.fake.thread_refusal = (503, 0)
    await join(delivery, match_id)
    await settle(delivery)
    assert await delivery.left() == [("update_post", "waiting")]
    delivery.fake.thread_refusal = None
    await settle(delivery, 60)
    assert delivery.fake.threads[the_post(delivery)]["name"].endswith(": Ada – Bo")
    assert await delivery.left() == []


async def test_match_of_players_who_miss_the_forum_stays(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.hidden[HALL] = {BO}
    match_id = await begin(delivery)
    await settle(delivery)
    assert (await delivery.env.queries.match(match_id)).parent_channel_id == CHANNEL  # a thread
    assert ChannelFlags._from_value(delivery.fake.threads[the_list(delivery)]["flags"]).pinned
    assert len(delivery.fake.posts(HALL)) == 1


async def test_match_of_a_player_who_left_the_server_stays(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.left.add(BO)
    match_id = await begin(delivery)
    await settle(delivery)
    assert (await delivery.env.queries.match(match_id)).parent_channel_id == CHANNEL  # a thread
    assert len(delivery.fake.posts(HALL)) == 1


async def test_match_whose_post_is_refused_gets_a_thread(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.silenced.add(HALL)
    match_id = await begin(delivery)
    await delivery.worker.flush()
    assert (await delivery.env.queries.match(match_id)).parent_channel_id == CHANNEL
    assert len(delivery.fake.threads) == 1


@pytest.mark.parametrize("is_hidden", [False, True])
async def test_match_does_not_enter_a_post_in_a_closed_forum(
    delivery: DeliveryFixture, is_hidden: bool
) -> None:
    """The forum is the hall no longer, or is hidden from the bot."""
    await open_hall(delivery, forum=True)
    match_id = await challenge(delivery)
    await delivery.worker.flush()
    post = the_post(delivery)
    if is_hidden:
        delivery.fake.hidden[HALL] = {BOT}
    else:
        await choose(delivery, FAR)
    await join(delivery, match_id)
    await delivery.worker.flush()
    match = await delivery.env.queries.match(match_id)
    assert match.parent_channel_id == CHANNEL
    assert match.channel_id != post


@pytest.mark.parametrize("parent", [CHANNEL, HALL])
async def test_match_leaves_only_threads_of_the_forum(
    delivery: DeliveryFixture, parent: int
) -> None:
    """Players have chosen the thread of another channel for their match."""
    await open_hall(delivery, forum=True)
    delivery.fake.threads[THREAD] = fake_objects.thread(THREAD, str(parent), GUILD)
    match_id = await challenge(delivery, PLAYERS[1], THREAD)
    await delivery.worker.flush()
    await join(delivery, match_id)
    await delivery.worker.flush()
    match = await delivery.env.queries.match(match_id)
    assert (match.channel_id == THREAD) == (parent == CHANNEL)
    assert match.parent_channel_id == (None if parent == CHANNEL else THREAD)


async def test_match_in_a_hidden_channel_gets_no_post(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    delivery.fake.hidden[FAR] = {333}
    await begin(delivery, FAR)
    await settle(delivery)
    assert delivery.fake.posts(HALL) == [the_list(delivery)]
    assert "#1" not in said(delivery, the_list(delivery))[0]


async def test_match_that_moves_out_of_sight_leaves_its_post(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True)
    match_id = await begin(delivery)
    await settle(delivery)
    post = the_post(delivery)
    delivery.fake.hidden[FAR] = {333}
    await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, (GUILD, FAR))
    await settle(delivery)
    assert "This match is played elsewhere." in said(delivery, post)[0]
    assert "#1" not in said(delivery, the_list(delivery))[0]
    await delivery.play(match_id)
    await settle(delivery)
    assert "Turn" not in said(delivery, post)[0]


@pytest.mark.slow
@pytest.mark.parametrize("is_lost", [False, True])
async def test_post_of_a_match_that_moves_meanwhile_is_updated(
    delivery: DeliveryFixture, is_lost: bool
) -> None:
    fake_discord = delivery.fake
    await open_hall(delivery, forum=True)
    await delivery.worker.flush()
    match_id = await begin(delivery)
    fake_discord.lost_replies |= {HALL} if is_lost else set()
    fake_discord.threads_asked, fake_discord.thread_gate = 0, asyncio.Event()
    delivery.worker.wake()
    await until(lambda: bool(fake_discord.threads_asked))
    await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, (GUILD, FAR))
    fake_discord.thread_gate.set()
    await delivery.worker.flush()
    fake_discord.lost_replies.clear()
    await settle(delivery, 300.0)
    assert (await delivery.env.queries.match(match_id)).channel_id == FAR
    assert delivery.moments(match_id, FAR)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")
    await settle(delivery)
    assert "The match is over." in said(delivery, the_post(delivery))[0]
    assert fake_discord.tags(the_post(delivery)) == {"Wormholes", "Finished"}
    assert await delivery.left() == []


@pytest.mark.slow
async def test_update_waits_for_a_post_that_is_stored_meanwhile(
    delivery: DeliveryFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = Deliveries.read
    match_id = await begin_with_lost_reply(delivery)
    await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, (GUILD, FAR))
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")

    async def read_before(deliveries: Deliveries, queued: OutboxMessage) -> DeliverySnapshot:
        snapshot = await read(deliveries, queued)
        if queued.kind == OutboxKind.UPDATE_POST and not snapshot.posted[PostedKind.POST].copies:
            created = OutboxKind.START_POST, OutboxStatus.WAITING
            while created in await delivery.left():  # noqa: ASYNC110 - the database has no event
                await asyncio.sleep(0)
        return snapshot

    monkeypatch.setattr(Deliveries, "read", read_before)
    delivery.env.now += LIST_PAUSE_SECONDS
    await delivery.worker.flush()
    await settle(delivery)
    assert "The match is over." in said(delivery, the_post(delivery))[0]
    assert await delivery.left() == []


@pytest.mark.slow
async def test_unconfirmed_post_is_deleted_if_the_match_left_sight(
    delivery: DeliveryFixture,
) -> None:
    fake_discord = delivery.fake
    await open_hall(delivery, forum=True)
    await delivery.worker.flush()
    match_id = await begin(delivery)
    fake_discord.hidden[FAR] = {333}
    fake_discord.lost_replies.add(HALL)
    fake_discord.threads_asked, fake_discord.thread_gate = 0, asyncio.Event()
    delivery.worker.wake()
    await until(lambda: bool(fake_discord.threads_asked))
    await delivery.env.boards.move(next(delivery.env.ids), match_id, ADA, (GUILD, FAR))
    fake_discord.thread_gate.set()
    await delivery.worker.flush()
    fake_discord.lost_replies.clear()
    assert len(fake_discord.posts(HALL)) == 1
    await settle(delivery, 300.0)
    await settle(delivery)
    assert fake_discord.posts(HALL) == [the_list(delivery)]
    assert await delivery.left() == []


@pytest.mark.slow
async def test_unconfirmed_post_is_deleted_if_a_player_misses_it(
    delivery: DeliveryFixture,
) -> None:
    fake_discord = delivery.fake
    match_id = await begin_with_lost_reply(delivery)
    assert len(fake_discord.posts(HALL)) == 1
    fake_discord.hidden[HALL] = {BO}
    await settle(delivery, 300.0)
    await settle(delivery)
    assert fake_discord.posts(HALL) == [the_list(delivery)]
    assert (await delivery.env.queries.match(match_id)).parent_channel_id == CHANNEL  # a thread
    assert await delivery.left() == []


async def test_hall_without_threads_only_links_to_the_match(delivery: DeliveryFixture) -> None:
    await open_hall(delivery, forum=True, threads="off")
    match_id = await challenge(delivery)
    await join(delivery, match_id)
    await settle(delivery)
    assert (await delivery.env.queries.match(match_id)).channel_id == CHANNEL
    (card,) = said(delivery, the_post(delivery))
    assert f"[Board](https://discord.com/channels/{GUILD}/{CHANNEL}/" in card


@pytest.mark.slow
@pytest.mark.parametrize("pause", [0.01, 600.0])
async def test_post_edited_too_often_is_edited_later(
    delivery: DeliveryFixture, pause: float
) -> None:
    delivery.client.http.max_ratelimit_timeout = RATE_LIMIT_WAIT_SECONDS
    delivery.fake.edit_pause = pause
    await open_hall(delivery, forum=True)
    match_id = await begin(delivery)
    await settle(delivery)
    post = the_post(delivery)
    delivery.fake.worn_out.add(post)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "resign")
    await settle(delivery)
    assert await delivery.left() == [("update_post", "waiting")]
    delivery.fake.worn_out.clear()
    await settle(delivery, pause + 60.0)
    assert "The match is over." in said(delivery, post)[0]
    assert delivery.fake.tags(post) == {"Wormholes", "Finished"}
    assert await delivery.left() == []
