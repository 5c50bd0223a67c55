"""The sender and discord.py's own client against a Discord that refuses, forgets and fails."""

from __future__ import annotations

import asyncio

import pytest

from bot.domain.ids import ChannelId, MatchId
from bot.domain.terms import Terms
from bot.outbox.transport import NEWEST_LIMIT, SEARCH_LIMIT
from bot.outbox.worker import ATTEMPT_TIMEOUT_SECONDS, WORKER_CLOCK_SKEW_SECONDS
from tests.support.deliveries import CHANNEL, DAYS, DeliveryFixture, race
from tests.support.fake_discord import until
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import dm
from tests.support.matches import ADA, BO, PLAYERS


async def arrive_unnoticed(delivery: DeliveryFixture) -> MatchId:
    """A match whose second board has arrived, but whose reply was lost."""
    match_id = await race(delivery)
    await delivery.play(match_id)
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.worker.flush()
    assert await delivery.left() == [("post_board", "waiting")]
    delivery.fake.trouble = CALM
    return match_id


@pytest.mark.slow
async def test_lost_delivery_is_searched_for_after_48_hours(
    delivery: DeliveryFixture,
) -> None:
    match_id = await arrive_unnoticed(delivery)
    delivery.env.now += 2 * DAYS
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert delivery.moments(match_id) == ["1", "20"]


@pytest.mark.parametrize("others", [NEWEST_LIMIT - 1, NEWEST_LIMIT, NEWEST_LIMIT + SEARCH_LIMIT])
async def test_lost_delivery_is_found_below_many_later_messages(
    delivery: DeliveryFixture, others: int
) -> None:
    match_id = await arrive_unnoticed(delivery)
    delivery.fake.chat(CHANNEL, others)
    delivery.env.now += 2 * DAYS
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert delivery.moments(match_id) == ["1", "20"]


async def test_search_in_a_closed_channel_goes_on_after_an_outage(
    delivery: DeliveryFixture,
) -> None:
    match_id = await arrive_unnoticed(delivery)
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    delivery.fake.history_refusals[CHANNEL] = (503, 0)
    delivery.env.now += 10
    await delivery.worker.flush()
    assert await delivery.left() == [("post_board", "waiting")]
    del delivery.fake.history_refusals[CHANNEL]
    delivery.env.now += 300
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert delivery.moments(match_id) == ["1", "20"]
    assert not delivery.moments(match_id, dm(ADA))


async def test_slow_retry_by_a_clock_that_is_behind_posts_once(delivery: DeliveryFixture) -> None:
    """The retry begins before Discord has forgotten the nonce, and its request arrives after it."""
    match_id = await arrive_unnoticed(delivery)
    delivery.env.now += 59.0 + WORKER_CLOCK_SKEW_SECONDS
    delivery.fake.gates[CHANNEL] = asyncio.Event()
    retry, request_count = delivery.worker_behind(WORKER_CLOCK_SKEW_SECONDS), delivery.fake.requests
    retry.wake()
    await until(lambda: delivery.fake.requests > request_count)
    delivery.env.now += ATTEMPT_TIMEOUT_SECONDS + 5.0
    delivery.fake.gates.pop(CHANNEL).set()
    await retry.flush()
    assert await delivery.left() == []
    assert delivery.moments(match_id) == ["1", "20"]


async def test_a_dm_and_a_challenge_are_looked_for_as_well(delivery: DeliveryFixture) -> None:
    delivery.fake.trouble = Trouble(dropped=1.0)
    await delivery.env.ask()
    await delivery.worker.flush()
    delivery.fake.trouble = CALM
    delivery.env.now += 2 * DAYS
    await delivery.worker.flush()
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    delivery.env.now += 1
    channels = [message.channel for message in delivery.fake.posted]
    assert channels.count(CHANNEL) == 3  # two challenges, one board
    assert channels.count(dm(ADA)) == channels.count(dm(BO)) == 1
    assert delivery.moments(match_id) == ["1"]


async def test_a_thread_that_has_gone_to_sleep_is_woken(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    delivery.fake.asleep.add(CHANNEL)
    await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "draw offer")
    await delivery.worker.flush()
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "draw decline")
    delivery.fake.asleep.add(CHANNEL)
    await delivery.worker.flush()
    assert not delivery.fake.asleep
    assert await delivery.left() == []


async def test_a_deleted_message_is_posted_again(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    await delivery.env.matches.act(next(delivery.env.ids), match_id, ADA, "draw offer")
    await delivery.worker.flush()
    count = len(delivery.moments(match_id))
    delivery.fake.channels[CHANNEL].clear()
    await delivery.env.matches.act(next(delivery.env.ids), match_id, BO, "draw decline")
    await delivery.worker.flush()
    assert len(delivery.moments(match_id)) == count + 1
    assert await delivery.left() == []


@pytest.mark.first(test=2)
@pytest.mark.parametrize(
    ("status", "code"),
    [
        pytest.param(403, 50001, id="kicked, or may not see it"),
        pytest.param(403, 50013, id="may not write there"),
        pytest.param(403, 160005, id="the thread is locked"),
        pytest.param(404, 10003, id="the channel is deleted"),
        pytest.param(400, 50008, id="it has become a forum"),
    ],
)
async def test_board_of_a_closed_channel_goes_to_each_player_once(
    delivery: DeliveryFixture, status: int, code: int
) -> None:
    match_id = await race(delivery)
    delivery.fake.refusals[CHANNEL] = (status, code)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert delivery.moments(match_id, dm(ADA)) == delivery.moments(match_id, dm(BO)) == ["20"]
    for player in (ADA, BO):
        assert any("*Match…*, *Move here*." in text for text in delivery.fake.texts(dm(player)))
    assert await delivery.left() == []


async def test_board_that_reaches_no_one_is_set_aside(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    for channel in (CHANNEL, dm(ADA), dm(BO)):
        delivery.fake.refusals[channel] = (403, 50007)
    await delivery.play(match_id)
    await delivery.worker.flush()
    assert await delivery.left() == [("post_board", "failed")]


@pytest.mark.parametrize(
    ("status", "code", "state"),
    [(400, 50035, "failed"), (401, 0, "waiting"), (408, 0, "waiting"), (503, 0, "waiting")],
)
async def test_what_discord_refuses_is_not_asked_again_and_again(
    delivery: DeliveryFixture, status: int, code: int, state: str
) -> None:
    match_id = await race(delivery)
    delivery.refuse(status, code, users=[ADA, BO])
    await delivery.play(match_id)
    await delivery.worker.flush()
    request_count = delivery.fake.requests
    for _ in range(3):
        await delivery.worker.flush()
    assert delivery.fake.requests == request_count
    assert await delivery.left() == [("post_board", state)]
    delivery.fake.refusals.clear()
    delivery.env.now += 61
    await delivery.worker.flush()
    assert await delivery.left() == ([("post_board", "failed")] if state == "failed" else [])
    assert len(delivery.moments(match_id)) == 1 + (state == "waiting")


async def test_a_channel_that_is_slow_holds_up_no_other(delivery: DeliveryFixture) -> None:
    delivery.fake.gates[CHANNEL] = asyncio.Event()
    first = await delivery.env.begin()
    delivery.worker.wake()
    await delivery.env.challenges.challenge(
        next(delivery.env.ids),
        Terms(game="wormholes", guild_id=None, channel_id=ChannelId(6)),
        [*reversed(PLAYERS)],
    )
    delivery.worker.wake()
    await until(lambda: any(message.channel == 6 for message in delivery.fake.posted))
    assert not delivery.moments(first)
    delivery.fake.gates[CHANNEL].set()
    await delivery.worker.flush()
    assert delivery.moments(first)


async def test_board_that_was_given_up_is_posted_by_the_next_look(
    delivery: DeliveryFixture,
) -> None:
    match_id = await race(delivery)
    delivery.refuse(400, 50035, users=[ADA, BO])
    await delivery.play(match_id)
    await delivery.worker.flush()
    delivery.fake.refusals.clear()
    assert await delivery.left() == [("post_board", "failed")]
    for _ in range(2):
        await delivery.env.boards.ensure(match_id)
        await delivery.worker.flush()
        assert delivery.moments(match_id) == ["1", "20"]


@pytest.mark.parametrize(
    ("emojis", "error", "state"),
    [
        pytest.param({}, "Unknown emoji", "failed", id="no emojis are used"),
        pytest.param({"suns": "<:suns:1>"}, "no", "failed", id="of something else"),
        pytest.param({"suns": "<:suns:1>"}, "Unknown emoji", "waiting", id="of an emoji"),
    ],
)
async def test_refusal_is_repeated_only_if_emojis_can_be_left_out(
    delivery: DeliveryFixture, emojis: dict[str, str], error: str, state: str
) -> None:
    delivery.images.emojis = emojis
    delivery.refuse(400, 50035, error, users=[ADA])
    await delivery.env.ask()
    await delivery.worker.flush()
    assert await delivery.left() == [("post_challenge", state)]
    assert delivery.images.emojis == ({} if state == "waiting" else emojis)
