"""The courier and discord.py's own client against a Discord that refuses, forgets and fails."""

from __future__ import annotations

import asyncio

import pytest

from bot.outbox.transport import NEWEST_LIMIT, SEARCH_LIMIT
from bot.services.terms import Terms
from tests.support.deliveries import CHANNEL, DAYS, Office
from tests.support.fake_discord import (
    CALM,
    Trouble,
    dm,
    until,
)
from tests.support.matches import ADA, BO, PLAYERS


async def arrive_unnoticed(office: Office) -> int:
    """A match whose second notice has arrived, but nobody knows."""
    match_id = await office.club.begin()
    await office.delivery.flush()
    await office.play(match_id)
    office.fake.trouble = Trouble(dropped=1.0)
    await office.delivery.flush()
    assert await office.left() == [("post_board", "waiting")]
    office.fake.trouble = CALM
    return match_id


async def test_what_may_have_arrived_is_looked_for_after_an_outage_of_48_hours(
    office: Office,
) -> None:
    match_id = await arrive_unnoticed(office)
    office.club.now += 2 * DAYS
    await office.delivery.flush()
    assert await office.left() == []
    assert office.moments(match_id) == ["1", "2"]


@pytest.mark.parametrize("others", [NEWEST_LIMIT - 1, NEWEST_LIMIT, NEWEST_LIMIT + SEARCH_LIMIT])
async def test_what_may_have_arrived_is_found_before_all_that_others_have_written_since(
    office: Office, others: int
) -> None:
    match_id = await arrive_unnoticed(office)
    office.fake.chat(CHANNEL, others)
    office.club.now += 2 * DAYS
    await office.delivery.flush()
    assert await office.left() == []
    assert office.moments(match_id) == ["1", "2"]


async def test_a_dm_and_a_challenge_are_looked_for_as_well(office: Office) -> None:
    office.fake.trouble = Trouble(dropped=1.0)
    await office.club.ask()
    await office.delivery.flush()
    office.fake.trouble = CALM
    office.club.now += 2 * DAYS
    await office.delivery.flush()
    match_id = await office.club.begin()
    await office.delivery.flush()
    office.club.now += 1
    channels = [each.channel for each in office.fake.posted]
    assert channels.count(CHANNEL) == 3  # two challenges, one board
    assert channels.count(dm(ADA)) == channels.count(dm(BO)) == 1
    assert office.moments(match_id) == ["1"]


async def test_a_thread_that_has_gone_to_sleep_is_woken(office: Office) -> None:
    match_id = await office.club.begin()
    await office.delivery.flush()
    office.fake.asleep.add(CHANNEL)
    await office.club.matches.act(next(office.club.ids), match_id, ADA, "draw offer")
    await office.delivery.flush()
    await office.club.matches.act(next(office.club.ids), match_id, BO, "draw decline")
    office.fake.asleep.add(CHANNEL)
    await office.delivery.flush()
    assert not office.fake.asleep
    assert await office.left() == []


async def test_a_deleted_message_is_posted_again(office: Office) -> None:
    match_id = await office.club.begin()
    await office.delivery.flush()
    await office.club.matches.act(next(office.club.ids), match_id, ADA, "draw offer")
    await office.delivery.flush()
    told = len(office.moments(match_id))
    office.fake.channels[CHANNEL].clear()
    await office.club.matches.act(next(office.club.ids), match_id, BO, "draw decline")
    await office.delivery.flush()
    assert len(office.moments(match_id)) == told + 1
    assert await office.left() == []


@pytest.mark.parametrize(
    ("status", "code"),
    [
        pytest.param(403, 50001, id="kicked, or may not see it"),
        pytest.param(403, 50013, id="may not write there"),
        pytest.param(403, 160005, id="the thread is locked"),
        pytest.param(404, 10003, id="the channel is deleted"),
    ],
)
async def test_where_the_channel_is_closed_each_player_gets_the_board_once(
    office: Office, status: int, code: int
) -> None:
    match_id = await office.club.begin()
    await office.delivery.flush()
    office.fake.refusals[CHANNEL] = (status, code)
    await office.play(match_id)
    await office.delivery.flush()
    assert office.moments(match_id, dm(ADA)) == office.moments(match_id, dm(BO)) == ["2"]
    for player in (ADA, BO):
        assert any("`/move-here` takes it" in text for text in office.fake.texts(dm(player)))
    assert await office.left() == []


async def test_player_who_was_only_challenged_gets_no_dm(office: Office) -> None:
    office.fake.refusals[CHANNEL] = (403, 50013)
    await office.club.ask()
    await office.delivery.flush()
    assert len(office.fake.texts(dm(ADA))) == 1
    assert not office.fake.texts(dm(BO))
    assert await office.left() == []


@pytest.mark.parametrize(
    ("status", "code", "state"),
    [(400, 50035, "failed"), (401, 0, "waiting"), (408, 0, "waiting"), (503, 0, "waiting")],
)
async def test_what_discord_refuses_is_not_asked_again_and_again(
    office: Office, status: int, code: int, state: str
) -> None:
    match_id = await office.club.begin()
    await office.delivery.flush()
    office.fake.refusals[CHANNEL] = (status, code)
    await office.play(match_id)
    asked = office.fake.requests
    for _ in range(3):
        await office.delivery.flush()
    assert office.fake.requests == asked + 1
    assert await office.left() == [("post_board", state)]
    del office.fake.refusals[CHANNEL]
    office.club.now += 61
    await office.delivery.flush()
    assert await office.left() == ([("post_board", "failed")] if state == "failed" else [])
    assert len(office.moments(match_id)) == 1 + (state == "waiting")


async def test_a_channel_that_is_slow_holds_up_no_other(office: Office) -> None:
    office.fake.gates[CHANNEL] = asyncio.Event()
    first = await office.club.begin()
    office.delivery.wake()
    await office.club.matches.challenge(
        next(office.club.ids),
        Terms(game="wormholes", guild_id=None, channel_id=6),
        [*reversed(PLAYERS)],
    )
    office.delivery.wake()
    await until(lambda: any(each.channel == 6 for each in office.fake.posted))
    assert not office.moments(first)
    office.fake.gates[CHANNEL].set()
    await office.delivery.flush()
    assert office.moments(first)


async def test_board_that_was_given_up_is_posted_by_the_next_look(office: Office) -> None:
    match_id = await office.club.begin()
    await office.delivery.flush()
    office.fake.refusals[CHANNEL] = (400, 50035)
    await office.play(match_id)
    await office.delivery.flush()
    del office.fake.refusals[CHANNEL]
    assert await office.left() == [("post_board", "failed")]
    for _ in range(2):
        await office.club.matches.ensure_board(match_id)
        await office.delivery.flush()
        assert office.moments(match_id) == ["1", "2"]
