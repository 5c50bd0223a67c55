"""Positions of the day as they are stored: when they are due, their answers, and how long."""

from __future__ import annotations

import pytest
from sqlalchemy import func, select

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.features.daily.service import (
    TOPIC,
    DailyPosition,
    DailyPositions,
    DailyStatus,
    Shares,
    channel_of,
    closing_time,
    day_of,
)
from bot.rulebook.positions import key_of, of_day
from bot.services.servers import Servers
from bot.storage.schema import daily_answers
from tests.support.daily import stored
from tests.support.matches import ADA, BO, EVE, MatchFixture
from tests.support.privacy import ADA as ADA_WIDE
from tests.support.privacy import busy, export_of, privacy_of, traces

GUILD, SQUARE, FAR = GuildId(7), ChannelId(6), ChannelId(8)

NOON = 20_000 * DAY + 12 * HOUR


@pytest.fixture
def daily(env: MatchFixture) -> DailyPositions:
    env.now = NOON
    return DailyPositions(env.database, lambda: env.now)


async def opened(daily: DailyPositions, channel: int = SQUARE) -> DailyPosition:
    """A position that was posted."""
    await daily.choose(GUILD, ChannelId(channel))
    position = await daily.begin(GUILD)
    assert position
    await daily.posted(position.id, 100)
    row = await daily.get(position.id)
    assert row
    return row


async def answers(env: MatchFixture) -> int:
    async with env.database.read() as connection:
        count = select(func.count()).select_from(daily_answers)
        return int((await connection.execute(count)).scalar_one())


@pytest.mark.parametrize(
    ("hours", "closes"), [(-13, 0), (-11.9, 24), (-0.1, 24), (0, 24), (11, 24), (12, 48), (13, 48)]
)
def test_position_stays_open_until_a_noon(hours: float, closes: float) -> None:
    """There are always more than 12 hours to answer."""
    assert closing_time(NOON + hours * HOUR) == NOON + closes * HOUR


async def test_position_is_that_of_its_day(daily: DailyPositions) -> None:
    row = await opened(daily)
    assert row.closes_at == NOON + DAY
    assert row.day == day_of(NOON + DAY) == 20_001
    assert row.position == key_of(of_day(20_001))
    assert (row.status, row.message_id) == (DailyStatus.OPEN, 100)


async def test_next_position_is_due_when_the_open_one_closes(
    env: MatchFixture, daily: DailyPositions
) -> None:
    assert await daily.due() == []
    row = await opened(daily)
    assert await daily.due() == []
    assert await daily.begin(GUILD) is None
    assert await daily.unfinished() == []
    env.now = row.closes_at
    assert await daily.due() == [GUILD]
    assert [position.id for position in await daily.unfinished()] == [row.id]
    following = await daily.begin(GUILD)
    assert following
    assert following.day == row.day + 1
    assert isinstance(row.mark, int)
    assert following.mark != row.mark


async def test_clock_that_was_days_ahead_delays_no_position(
    env: MatchFixture, daily: DailyPositions
) -> None:
    today = await opened(daily)
    env.now += 7 * DAY
    ahead = await daily.begin(GUILD)
    assert ahead
    await daily.posted(ahead.id, 101)
    env.now = NOON + 1  # set right again
    assert [position.id for position in await daily.unfinished()] == [ahead.id]
    row = await daily.get(ahead.id)
    assert row
    assert not row.is_open(env.now)
    assert await daily.due() == [GUILD]
    assert await daily.begin(GUILD) is None, "that of today is open"
    assert await daily.due() == []
    env.now = today.closes_at
    await daily.solved(ahead.id)
    assert await daily.due() == [GUILD]
    following = await daily.begin(GUILD)
    assert following
    assert following.day == today.day + 1


@pytest.mark.parametrize("hours", [-12.0, 11.9])
async def test_clock_that_is_a_little_behind_closes_no_position(
    env: MatchFixture, daily: DailyPositions, hours: float
) -> None:
    env.now = NOON + hours * HOUR
    row = await opened(daily)
    env.now -= 15.0
    assert row.is_open(env.now)
    assert await daily.unfinished() == []
    assert await daily.due() == []


async def test_dropped_position_is_not_begun_again_that_day(
    env: MatchFixture, daily: DailyPositions
) -> None:
    await daily.choose(GUILD, SQUARE)
    position = await daily.begin(GUILD)
    assert position
    await daily.drop(position.id)
    env.now = position.closes_at - 1
    assert await daily.begin(GUILD) is None
    assert await stored(env.database) == []


async def test_chosen_channel_wakes_the_job(env: MatchFixture, daily: DailyPositions) -> None:
    calls: list[str] = []
    env.database.listen(TOPIC, lambda: calls.append(TOPIC))
    await daily.choose(GUILD, SQUARE)
    assert calls == [TOPIC]


async def test_channel_chosen_again_gets_no_second_one(
    env: MatchFixture, daily: DailyPositions
) -> None:
    row = await opened(daily)
    await daily.choose(GUILD, ChannelId(0))
    await daily.choose(GUILD, SQUARE)
    assert await daily.begin(GUILD) is None
    await daily.choose(GUILD, FAR)
    other = await daily.begin(GUILD)
    assert other
    assert other.position == row.position
    env.now = row.closes_at - HOUR
    await daily.choose(GUILD, SQUARE)
    assert await daily.begin(GUILD) is None
    assert await daily.due() == []
    env.now = row.closes_at
    assert await daily.due() == [GUILD], "as soon as the open one closes"


async def test_switched_off_none_is_due(env: MatchFixture, daily: DailyPositions) -> None:
    await opened(daily)
    await daily.choose(GUILD, ChannelId(0))
    env.now += 3 * DAY
    assert await daily.due() == []
    assert await daily.begin(GUILD) is None
    assert not channel_of(await Servers(env.database).settings(GUILD))


async def test_other_settings_keep_the_channel(env: MatchFixture, daily: DailyPositions) -> None:
    row = await opened(daily)
    await Servers(env.database).choose(GUILD, threads="off")
    assert channel_of(await Servers(env.database).settings(GUILD)) == SQUARE
    env.now = row.closes_at
    assert await daily.due() == [GUILD]


async def test_answer_replaces_an_earlier_one(env: MatchFixture, daily: DailyPositions) -> None:
    row = await opened(daily)
    assert await daily.answer(row.id, ADA, "move b8a")
    assert await daily.answer(row.id, BO, "move b8a")
    assert await daily.answer(row.id, ADA, "up b6a")
    assert await daily.answer_of(row.id, ADA) == "up b6a"
    assert await daily.answer_of(row.id, EVE) == ""
    assert await answers(env) == 2


async def test_closed_position_takes_no_answer(env: MatchFixture, daily: DailyPositions) -> None:
    row = await opened(daily)
    env.now = row.closes_at - 1
    assert await daily.answer(row.id, ADA, "move b8a")
    env.now = row.closes_at
    assert await daily.answer(row.id, BO, "move b8a") == 0
    env.now = row.closes_at - 1
    await daily.close(row.id)
    assert not await daily.answer(row.id, BO, "move b8a")
    assert not await daily.answer(row.id + 1, BO, "move b8a")
    assert await answers(env) == 1


async def test_shares_count_answers_the_most_frequent_first(daily: DailyPositions) -> None:
    row = await opened(daily)
    for user, line in ((1, "up b6a"), (2, "move b8a"), (3, "up b6a"), (4, "down b6a")):
        await daily.answer(row.id, UserId(user), line)
    shares = await daily.close(row.id)
    assert shares == Shares((("up b6a", 2), ("down b6a", 1), ("move b8a", 1)))
    assert (shares.total, shares.of("up b6a"), shares.of("move y1")) == (4, 2, 0)
    assert await daily.close(row.id) == shares


async def test_shares_are_of_one_position(daily: DailyPositions, env: MatchFixture) -> None:
    yesterday = await opened(daily)
    await daily.answer(yesterday.id, ADA, "up b6a")
    env.now = yesterday.closes_at
    today = await daily.begin(GUILD)
    assert today
    await daily.posted(today.id, 101)
    await daily.answer(today.id, BO, "down b6a")
    assert await daily.close(yesterday.id) == Shares((("up b6a", 1),))
    assert await daily.close(today.id) == Shares((("down b6a", 1),))
    assert await daily.answer_of(yesterday.id, BO) == ""


async def test_solved_position_is_done(env: MatchFixture, daily: DailyPositions) -> None:
    row = await opened(daily)
    env.now = row.closes_at
    await daily.close(row.id)
    await daily.posted(row.id, 101)  # by a process that was slow
    assert [(position.status, position.message_id) for position in await daily.unfinished()] == [
        (DailyStatus.CLOSED, 100)
    ]
    await daily.solved(row.id)
    assert await daily.unfinished() == []


async def test_answers_are_deleted_after_a_month(env: MatchFixture, daily: DailyPositions) -> None:
    row = await opened(daily)
    unsolved = await opened(daily, FAR)
    await daily.answer(row.id, ADA, "move b8a")
    await daily.close(row.id)
    await daily.close(unsolved.id)
    await daily.solved(row.id)
    env.now = row.closes_at + 35 * DAY
    await daily.delete_expired()
    assert await answers(env) == 1
    env.now += 1
    await daily.delete_expired()
    assert await answers(env) == 0
    assert [answer.id for answer in await stored(env.database)] == [unsolved.id]


async def test_answers_are_exported_and_deleted(env: MatchFixture, daily: DailyPositions) -> None:
    await busy(env)
    row = await opened(daily)
    for user in (ADA_WIDE, BO):
        await daily.answer(row.id, user, "move b8a")
    privacy = privacy_of(env)
    (exported,) = (await export_of(env.database, ADA_WIDE))["answers to positions of the day"]
    assert exported["line"] == "move b8a"
    await privacy.erase(ADA_WIDE)
    await privacy.scrub()
    assert not await traces(env.database, ADA_WIDE)
    assert (await daily.close(row.id)).total == 1


async def test_player_with_only_an_answer_can_delete_it(
    env: MatchFixture, daily: DailyPositions
) -> None:
    row = await opened(daily)
    await daily.answer(row.id, EVE, "move b8a")
    assert await privacy_of(env).erase(EVE)
    assert await answers(env) == 0


async def test_position_that_cannot_be_posted_is_dropped_alone(daily: DailyPositions) -> None:
    row = await opened(daily)
    await daily.choose(GuildId(GUILD + 1), FAR)
    other = await daily.begin(GuildId(GUILD + 1))
    assert other
    await daily.drop(other.id)
    assert await daily.get(other.id) is None
    assert await daily.get(row.id) == row


async def test_solution_of_one_position_leaves_the_others_open(
    env: MatchFixture, daily: DailyPositions
) -> None:
    row = await opened(daily)
    await daily.choose(GuildId(GUILD + 1), FAR)
    other = await daily.begin(GuildId(GUILD + 1))
    assert other
    assert await daily.answer(row.id, ADA, "first")
    assert await daily.answer(other.id, BO, "second")
    assert (await daily.close(row.id)).counts == (("first", 1),)
    await daily.solved(row.id)
    assert (await daily.get(other.id)) == other
    assert [await daily.answer_of(row.id, user) for user in (ADA, BO)] == ["first", ""]
    assert [await daily.answer_of(other.id, user) for user in (ADA, BO)] == ["", "second"]


async def test_choice_of_a_channel_keeps_other_settings(
    env: MatchFixture, daily: DailyPositions
) -> None:
    await Servers(env.database).choose(GUILD, language="de", hall_role=77)
    await daily.choose(GUILD, SQUARE)
    settings = await Servers(env.database).settings(GUILD)
    assert (settings.language, settings.stored["hall_role"]) == ("de", 77)
    assert channel_of(settings) == SQUARE
