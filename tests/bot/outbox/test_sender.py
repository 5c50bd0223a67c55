"""The sender and discord.py's own client against a Discord that refuses, forgets and fails."""

from __future__ import annotations

import asyncio

import pytest

from bot.app.client import RATE_LIMIT_WAIT_SECONDS
from bot.domain.ids import ChannelId, MatchId
from bot.domain.outbox import EVERYONE, OutboxKind, Target
from bot.domain.terms import Terms
from bot.outbox.transport import NEWEST_LIMIT, SEARCH_LIMIT
from bot.outbox.worker import ATTEMPT_TIMEOUT_SECONDS, WORKER_CLOCK_SKEW_SECONDS
from bot.services.preferences import PreferenceKey, Preferences
from tests.support.deliveries import CHANNEL, DAYS, DeliveryFixture, race
from tests.support.fake_discord import until
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import dm
from tests.support.matches import ADA, BO, EVE, PLAYERS, choose, opponent_of, plan, take_back, warp6


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


async def test_turn_dm_of_an_earlier_decision_is_not_sent(delivery: DeliveryFixture) -> None:
    match_id = await race(delivery)
    match = await delivery.env.queries.match(match_id)
    for version in (match.version - 1, match.version):
        payload = {"action_count": 19, "version": version}
        async with delivery.env.database.write() as connection:
            to = Target(ADA)
            await delivery.env.match_store.queue(
                connection, match_id, OutboxKind.TURN_DM, payload, to
            )
        await delivery.worker.flush()
        assert len(delivery.fake.texts(dm(ADA))) == (version == match.version)


@pytest.mark.parametrize("kind", [OutboxKind.TURN_DM, OutboxKind.PRIVATE_HAND])
async def test_user_who_does_not_play_any_more_gets_no_dm(
    delivery: DeliveryFixture, kind: OutboxKind
) -> None:
    match_id = await delivery.env.begin()
    await delivery.worker.flush()
    version = (await delivery.env.queries.match(match_id)).version
    async with delivery.env.database.write() as connection:
        await delivery.env.match_store.queue(
            connection, match_id, kind, {"version": version}, Target(EVE)
        )
    await delivery.worker.flush()
    assert await delivery.left() == []
    assert not delivery.fake.texts(dm(EVE))


async def test_sender_stores_whether_dms_arrive(delivery: DeliveryFixture) -> None:
    preferences = Preferences(delivery.env.database)
    for refusal in (True, False):
        if refusal:
            delivery.fake.refusals[dm(ADA)] = (403, 50007)
        else:
            delivery.fake.refusals.clear()
        await delivery.env.begin()
        await delivery.worker.flush()
        setting = (await preferences.preferences(ADA))[PreferenceKey.DM_FAILED]
        assert setting == ("yes" if refusal else "no")


async def test_request_to_end_a_match_names_only_those_who_agreed(
    delivery: DeliveryFixture,
) -> None:
    env = delivery.env
    match_id = await warp6(env, "", seats="3")
    await env.matches.act(next(env.ids), match_id, EVE, "leave")
    await delivery.worker.flush()
    version = (await env.queries.match(match_id)).version
    await env.abandoning.agree(next(env.ids), match_id, ADA, version)
    await delivery.worker.flush()
    assert f"**Ada** asked to end Warp 6 #{match_id}" in delivery.fake.texts(CHANNEL)[-1]
    assert delivery.fake.pings[-1] == {BO}


async def test_player_who_was_only_challenged_gets_no_dm(delivery: DeliveryFixture) -> None:
    delivery.fake.refusals[CHANNEL] = (403, 50013)
    await delivery.env.ask()
    await delivery.worker.flush()
    assert len(delivery.fake.texts(dm(ADA))) == 1
    assert not delivery.fake.texts(dm(BO))
    assert await delivery.left() == []


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


async def test_series_is_not_reminded_of_once_it_goes_on(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    for accepted in (False, True):
        if accepted:
            await delivery.env.challenges.accept(next(delivery.env.ids), match_id, BO)
            await delivery.worker.flush()
        await delivery.queue(OutboxKind.SERIES_REMINDER, match_id, EVERYONE)
        await delivery.worker.flush()
    assert await delivery.left() == []
    (reminder,) = (text for text in delivery.fake.texts(CHANNEL) if "rated series" in text)
    assert f"<@{BO}>: the next match of your rated series" in reminder


async def test_answer_to_a_deleted_challenge_is_posted(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    delivery.fake.channels[CHANNEL].clear()
    await delivery.env.challenges.decline(next(delivery.env.ids), match_id, BO)
    await delivery.worker.flush()
    (answer,) = delivery.fake.texts(CHANNEL)
    assert "declined" in answer
    assert await delivery.left() == []


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


async def test_challenge_edited_too_often_is_replaced(delivery: DeliveryFixture) -> None:
    delivery.client.http.max_ratelimit_timeout = RATE_LIMIT_WAIT_SECONDS
    delivery.fake.edit_pause = 600.0
    match_id = await delivery.env.ask()
    await delivery.worker.flush()
    delivery.fake.worn_out |= delivery.fake.channels[CHANNEL].keys()
    await delivery.env.challenges.decline(next(delivery.env.ids), match_id, BO)
    await delivery.worker.flush()
    (answer,) = delivery.fake.texts(CHANNEL)
    assert "declined" in answer
    assert await delivery.left() == []


async def test_takeback_request_calls_those_who_have_to_agree(delivery: DeliveryFixture) -> None:
    env = delivery.env
    match_id = await warp6(env, "", setup="secret")
    for user in (ADA, BO):
        await choose(env, match_id, user)
    await take_back(env, match_id, BO)
    await delivery.worker.flush()
    assert delivery.fake.pings[-1] == {ADA}
    assert "Bo" in delivery.fake.texts(CHANNEL)[-1]
    assert await delivery.left() == []


async def test_request_to_take_back_an_answer_calls_who_has_answered(
    delivery: DeliveryFixture,
) -> None:
    env = delivery.env
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    seat = (await env.queries.match(match_id)).seat_of(other).lower()
    await plan(env, match_id, other, f"place {seat}8a")
    await choose(env, match_id, first)
    assert (await take_back(env, match_id, first)).kind == "ask"
    await delivery.worker.flush()
    assert delivery.fake.pings[-1] == {other}
    text = delivery.fake.texts(CHANNEL)[-1]
    assert f"**{'Ada' if first == ADA else 'Bo'}** asks to take back their last move" in text
    assert await delivery.left() == []


async def test_challenge_posted_after_it_expired_says_so(delivery: DeliveryFixture) -> None:
    match_id = await delivery.env.ask()
    await delivery.env.strike("expire", match_id)
    await delivery.worker.flush()
    (message,) = delivery.fake.posted
    assert any("the challenge expired" in mark for mark in message.marks)
    assert await delivery.left() == []
