"""Positions of the day on a Discord that forgets and fails: one a day, each with its solution."""

from __future__ import annotations

import asyncio
import logging

import aiohttp
import discord
import pytest

from bot.domain.ids import ChannelId, GuildId
from bot.features.daily.posts import LEASE_SECONDS
from bot.features.daily.service import DailyStatus
from bot.outbox.refusals import Refusal, Refusals
from bot.storage.database import upsert
from bot.storage.schema import guilds
from tests.support.daily import SQUARE, DailyFixture, lines_of
from tests.support.deliveries import DeliveryFixture
from tests.support.fake_discord import until
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import GUILD
from tests.support.matches import ADA, BO, EVE

pytestmark = pytest.mark.slow

ASKED, SOLVED = "What's best?", "The best choice for "

FAR = ChannelId(8)

RUN_SECONDS = 10.0
"""A run takes some milliseconds."""


@pytest.fixture
def daily(delivery: DeliveryFixture) -> DailyFixture:
    return DailyFixture(delivery)


async def fail_to_post(daily: DailyFixture) -> None:
    """Try to post the first position while Discord fails in its channel."""
    daily.fake.refusals[SQUARE] = (503, 0)
    with pytest.raises(discord.HTTPException):
        await daily.open()


@pytest.mark.slow
async def test_question_becomes_its_solution_and_a_new_one_follows(daily: DailyFixture) -> None:
    await daily.open()
    (position,) = await daily.rows()
    best, second, *_rest = lines_of(position)
    for user, line in ((ADA, best), (BO, best), (EVE, second)):
        assert await daily.positions.answer(position.id, user, line)
    (before,) = daily.said()
    assert ASKED in before
    await daily.sender.run()
    assert daily.said() == [before]
    daily.pass_days()
    await daily.sender.run()
    solved, following = daily.said()
    assert SOLVED in solved
    assert "**2 of 3** found it." in solved
    assert "Other answers: 1 × " in solved
    assert ASKED in following


async def test_message_is_silent_and_pings_no_member(daily: DailyFixture) -> None:
    await daily.open()
    (message,) = daily.fake.channels[SQUARE].values()
    assert discord.MessageFlags._from_value(message["flags"]).suppress_notifications


async def test_after_days_without_the_bot_only_one_is_posted(daily: DailyFixture) -> None:
    await daily.open()
    daily.pass_days(5)
    await daily.sender.run()
    first, last = daily.said()
    assert SOLVED in first
    assert "There were no answers." in first
    assert ASKED in last
    assert len(await daily.rows()) == 2


@pytest.mark.parametrize("seconds", [1.0, 300.0])
async def test_question_whose_reply_was_lost_is_posted_once(
    daily: DailyFixture, seconds: float
) -> None:
    daily.fake.trouble = Trouble(dropped=1.0)
    with pytest.raises((aiohttp.ClientError, discord.HTTPException, OSError)):
        await daily.open()
    daily.fake.trouble = CALM
    daily.delivery.env.now += seconds
    await daily.sender.run()
    assert len(daily.said()) == 1
    (row,) = await daily.rows()
    assert row.status == DailyStatus.OPEN
    assert row.message_id in daily.fake.channels[SQUARE]


async def test_lost_question_of_an_earlier_day_is_found_and_solved(daily: DailyFixture) -> None:
    daily.fake.trouble = Trouble(dropped=1.0)
    with pytest.raises((aiohttp.ClientError, discord.HTTPException, OSError)):
        await daily.open()
    daily.fake.trouble = CALM
    daily.pass_days(2)
    await daily.sender.run()
    first, last = daily.said()
    assert SOLVED in first
    assert ASKED in last


async def test_solution_whose_reply_was_lost_is_shown_again(daily: DailyFixture) -> None:
    await daily.open()
    (position,) = await daily.rows()
    await daily.positions.answer(position.id, ADA, lines_of(position)[0])
    daily.pass_days()
    daily.fake.trouble = Trouble(dropped=1.0)
    with pytest.raises((aiohttp.ClientError, discord.HTTPException, OSError)):
        await daily.sender.run()
    daily.fake.trouble = CALM
    assert not await daily.positions.answer(position.id, BO, lines_of(position)[1])
    await daily.sender.run()
    first, last = daily.said()
    assert "**1 of 1** found it." in first
    assert ASKED in last


async def test_closed_position_is_solved_after_the_clock_is_set_back(daily: DailyFixture) -> None:
    await daily.open()
    daily.pass_days()
    daily.fake.trouble = Trouble(dropped=1.0)
    with pytest.raises((aiohttp.ClientError, discord.HTTPException, OSError)):
        await daily.sender.run()
    daily.fake.trouble = CALM
    daily.delivery.env.now -= 7200
    async with asyncio.timeout(RUN_SECONDS):
        await daily.sender.run()
    assert SOLVED in daily.said()[0]
    assert (await daily.rows())[0].status == DailyStatus.SOLVED


async def test_run_ends_if_nothing_can_be_done(daily: DailyFixture) -> None:
    """It waits for the next heartbeat; a loop would keep others from writing."""
    async with daily.database.write() as connection:
        await upsert(connection, guilds, guild_id=GUILD, settings={}, daily_due_at=0.0)
    async with asyncio.timeout(RUN_SECONDS):
        await daily.sender.run()
    assert not await daily.rows()


async def test_two_processes_post_one(daily: DailyFixture) -> None:
    other = daily.process("2")
    await daily.positions.choose(GUILD, SQUARE)
    await asyncio.gather(daily.sender.run(), other.run())
    daily.delivery.env.now += LEASE_SECONDS + 1
    await other.run()
    assert len(daily.said()) == 1
    daily.pass_days()
    await asyncio.gather(daily.sender.run(), other.run())
    assert len(daily.said()) == 2


async def test_process_without_the_lease_requests_nothing(daily: DailyFixture) -> None:
    await daily.open()
    await daily.positions.choose(GUILD, FAR)
    requests = daily.fake.requests
    await daily.process("2").run()
    assert daily.fake.requests == requests
    assert len(await daily.rows()) == 1


async def test_process_that_lost_its_lease_posts_no_second_one(daily: DailyFixture) -> None:
    """It hangs while it posts, and another one takes over."""
    daily.fake.gates[SQUARE] = asyncio.Event()
    await daily.positions.choose(GUILD, SQUARE)
    hanging = asyncio.create_task(daily.sender.run())
    await until(lambda: daily.fake.requests == 1)
    daily.delivery.env.now += LEASE_SECONDS + 1
    other = asyncio.create_task(daily.process("2").run())
    await until(lambda: daily.fake.requests == 2)  # it has looked for the message
    daily.fake.gates[SQUARE].set()
    await asyncio.gather(hanging, other)
    assert len(daily.said()) == 1


async def test_closed_channel_is_logged_once_and_tried_each_day(
    daily: DailyFixture, caplog: pytest.LogCaptureFixture
) -> None:
    daily.fake.silenced.add(SQUARE)
    with caplog.at_level(logging.WARNING):
        await daily.open()
        await daily.sender.run()
        daily.pass_days()
        await daily.sender.run()
    assert len([message for message in caplog.messages if "position of the day" in message]) == 1
    assert await daily.rows() == []
    daily.fake.silenced.clear()
    daily.pass_days()
    await daily.sender.run()
    assert len(daily.said()) == 1


async def test_refused_position_is_known_to_server_managers(daily: DailyFixture) -> None:
    """`/server` and its check name the last refusal: who chose the channel is not stored."""
    daily.fake.refusals[SQUARE] = (400, 200000)
    await daily.open()
    now = daily.delivery.env.now
    refusal = await Refusals(daily.database).latest(GUILD, now)
    assert refusal == Refusal(SQUARE, 200000, now)
    assert await daily.rows() == []


async def test_channel_that_closes_again_is_logged_again(
    daily: DailyFixture, caplog: pytest.LogCaptureFixture
) -> None:
    await daily.positions.choose(GUILD, SQUARE)
    daily.fake.text_channels.add(SQUARE)
    logged = []
    for closed in (True, True, False, True):
        daily.fake.silenced = {SQUARE} if closed else set()
        await daily.sender.run()
        logged.append(len([e for e in caplog.messages if "position of the day" in e]))
        daily.pass_days()
    assert logged == [1, 1, 1, 2]


async def test_deleted_message_is_not_solved_and_the_next_one_comes(daily: DailyFixture) -> None:
    await daily.open()
    daily.fake.channels[SQUARE].clear()
    daily.pass_days()
    await daily.sender.run()
    (last,) = daily.said()
    assert ASKED in last
    assert [row.status for row in await daily.rows()] == [DailyStatus.SOLVED, DailyStatus.OPEN]


async def test_closed_channel_of_one_server_delays_no_other(daily: DailyFixture) -> None:
    daily.fake.text_channels |= {SQUARE, FAR}
    daily.fake.refusals[SQUARE] = (503, 0)
    await daily.positions.choose(GUILD, SQUARE)
    await daily.positions.choose(GuildId(GUILD + 1), FAR)
    with pytest.raises(discord.HTTPException):
        await daily.sender.run()
    assert len(daily.said(FAR)) == 1
    daily.fake.refusals.clear()
    await daily.sender.run()
    assert len(daily.said()) == 1


async def test_position_that_cannot_be_posted_delays_no_other(daily: DailyFixture) -> None:
    daily.fake.text_channels.add(FAR)
    await fail_to_post(daily)
    await daily.positions.choose(GuildId(GUILD + 1), FAR)
    with pytest.raises(discord.HTTPException):
        await daily.sender.run()
    assert len(daily.said(FAR)) == 1


async def test_question_of_an_earlier_day_is_not_posted_late(
    daily: DailyFixture,
) -> None:
    await fail_to_post(daily)
    daily.fake.refusals.clear()
    daily.pass_days(2)
    await daily.sender.run()
    (text,) = daily.said()
    assert ASKED in text
    (row,) = await daily.rows()
    assert row.status == DailyStatus.OPEN


async def test_another_channel_gets_its_own_and_the_old_one_is_solved(daily: DailyFixture) -> None:
    await daily.open()
    await daily.open(FAR)
    assert ASKED in daily.said()[0]
    assert ASKED in daily.said(FAR)[0]
    daily.pass_days()
    await daily.sender.run()
    (old,) = daily.said()
    assert SOLVED in old
    assert len(daily.said(FAR)) == 2


async def test_switched_off_no_new_one_follows_the_solution(daily: DailyFixture) -> None:
    await daily.open()
    await daily.positions.choose(GUILD, ChannelId(0))
    daily.pass_days()
    await daily.sender.run()
    (last,) = daily.said()
    assert SOLVED in last


async def test_switched_off_before_it_is_posted_nothing_is(daily: DailyFixture) -> None:
    await fail_to_post(daily)
    daily.fake.refusals.clear()
    await daily.positions.choose(GUILD, ChannelId(0))
    await daily.sender.run()
    assert daily.said() == []
    assert await daily.rows() == []


async def test_position_speaks_the_language_of_the_server(daily: DailyFixture) -> None:
    daily.fake.locales[GUILD] = "de"
    await daily.open()
    assert "Stellung des Tages" in daily.said()[0]
    daily.pass_days()
    await daily.sender.run()
    assert "Die beste Wahl für " in daily.said()[0]
