"""Streaks of answers, and the table of a month."""

from __future__ import annotations

from datetime import date

import pytest
from sqlalchemy import insert

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import ChannelId, GuildId, UserId
from bot.features.daily.service import (
    EPOCH,
    KEEP_SECONDS,
    LONGEST_MONTH_DAYS,
    STREAK,
    TABLE_LIMIT,
    DailyPosition,
    DailyPositions,
    MonthScore,
    MonthTable,
    best_of,
    month_of,
)
from bot.features.daily.views import month
from bot.services.preferences import Preferences
from bot.storage.schema import leaderboard_entries
from tests.support.harness import walk
from tests.support.limits import components
from tests.support.matches import ADA, BO, EVE, MatchFixture
from tests.support.privacy import export_of, privacy_of

GUILD, OTHER = GuildId(7), GuildId(8)

FIRST = (date(2024, 11, 1) - EPOCH).days
"""Number of the first day of a month."""


@pytest.fixture
def daily(env: MatchFixture) -> DailyPositions:
    return DailyPositions(env.database, lambda: env.now)


async def opened(
    env: MatchFixture, daily: DailyPositions, day: int, guild_id: GuildId = GUILD
) -> DailyPosition:
    """The position of a day, posted on a server at its beginning."""
    env.now = (day - 1) * DAY + 12 * HOUR
    await daily.choose(guild_id, ChannelId(6))
    position = await daily.begin(guild_id)
    assert position
    assert position.day == day
    await daily.posted(position.id, 100)
    return position


async def solved(
    env: MatchFixture,
    daily: DailyPositions,
    day: int,
    right: tuple[UserId, ...] = (),
    wrong: tuple[UserId, ...] = (),
    *,
    guild_id: GuildId = GUILD,
) -> DailyPosition:
    """The position of a day after its solution."""
    position = await opened(env, daily, day, guild_id)
    for user in right:
        assert await daily.answer(position.id, user, best_of(position.position))
    for user in wrong:
        assert await daily.answer(position.id, user, "nonsense")
    env.now = position.closes_at
    await daily.close(position.id)
    await daily.solved(position.id)
    return position


async def list_members(env: MatchFixture, *users: UserId, guild_id: GuildId = GUILD) -> None:
    """List users on the leaderboards of a server."""
    async with env.database.write() as connection:
        for user in users:
            row = {"guild_id": guild_id, "user_id": user, "name": f"user {user}", "checked_at": 0.0}
            await connection.execute(insert(leaderboard_entries).values(row))


async def test_streak_counts_days_in_a_row(env: MatchFixture, daily: DailyPositions) -> None:
    for day, length in ((FIRST, 1), (FIRST + 1, 2), (FIRST + 2, 3), (FIRST + 4, 1)):
        position = await opened(env, daily, day)
        assert await daily.answer(position.id, ADA, "one") == length
        assert await daily.answer(position.id, ADA, "two") == length, "a change is the same day"
    assert await daily.answer(position.id, BO, "one") == 1


async def test_streak_counts_a_day_once_on_all_servers(
    env: MatchFixture, daily: DailyPositions
) -> None:
    one = await opened(env, daily, FIRST)
    two = await opened(env, daily, FIRST, OTHER)
    assert [await daily.answer(row.id, ADA, "one") for row in (one, two)] == [1, 1]
    three = await opened(env, daily, FIRST + 1, OTHER)
    assert await daily.answer(three.id, ADA, "one") == 2


async def test_answer_counts_until_the_day_ends(env: MatchFixture, daily: DailyPositions) -> None:
    position = await opened(env, daily, FIRST)
    env.now = position.closes_at
    assert await daily.answer(position.id, ADA, "late") == 0
    assert STREAK not in await Preferences(env.database).preferences(ADA)
    env.now = position.closes_at - 1
    assert await daily.answer(position.id, ADA, "in time") == 1


async def test_streak_is_exported_and_deleted(env: MatchFixture, daily: DailyPositions) -> None:
    position = await opened(env, daily, FIRST)
    await daily.answer(position.id, ADA, "one")
    assert f"{FIRST} 1" in str(await export_of(env.database, ADA))
    await privacy_of(env).erase(ADA)
    assert STREAK not in await Preferences(env.database).preferences(ADA)


async def test_table_names_those_who_are_listed_and_the_reader(
    env: MatchFixture, daily: DailyPositions
) -> None:
    await list_members(env, ADA, BO)
    await list_members(env, EVE, guild_id=OTHER)
    await solved(env, daily, FIRST, (ADA, EVE), (BO,))
    position = await solved(env, daily, FIRST + 1, (ADA, BO))
    table = await daily.month(position, EVE)
    assert table == MonthTable(
        FIRST,
        2,
        [MonthScore(f"user {ADA}", 2, 2), MonthScore(f"user {BO}", 1, 2)],
        MonthScore("", 1, 1),
    )
    assert (await daily.month(position, UserId(999))).reader == MonthScore("", 0, 0)


async def test_table_reveals_nothing_about_an_open_position(
    env: MatchFixture, daily: DailyPositions
) -> None:
    await list_members(env, ADA)
    await solved(env, daily, FIRST, (ADA,))
    position = await opened(env, daily, FIRST + 1)
    before = await daily.month(position, ADA)
    await daily.answer(position.id, ADA, best_of(position.position))
    assert await daily.month(position, ADA) == before
    await daily.close(position.id)
    assert await daily.month(position, ADA) == before, "its solution is not shown yet"
    await daily.solved(position.id)
    assert (await daily.month(position, ADA)).reader == MonthScore("", 2, 2)


async def test_table_is_of_one_month_and_one_server(
    env: MatchFixture, daily: DailyPositions
) -> None:
    await list_members(env, ADA)
    last = await solved(env, daily, FIRST - 1, (ADA,))
    await solved(env, daily, FIRST, (ADA,), guild_id=OTHER)
    first = await solved(env, daily, FIRST, (), (ADA,))
    assert (await daily.month(first, ADA)).places == [MonthScore(f"user {ADA}", 0, 1)]
    assert (await daily.month(last, ADA)).places == [MonthScore(f"user {ADA}", 1, 1)]


async def test_table_has_the_best_players_and_prefers_fewer_answers(
    env: MatchFixture, daily: DailyPositions
) -> None:
    users = tuple(UserId(100 + number) for number in range(TABLE_LIMIT + 1))
    await list_members(env, *users)
    await solved(env, daily, FIRST, users[1:], users[:1])
    position = await solved(env, daily, FIRST + 1, (users[0],), (users[1],))
    names = [score.name for score in (await daily.month(position, ADA)).places]
    assert len(names) == TABLE_LIMIT
    assert names[0] == f"user {users[2]}"
    assert not {f"user {users[0]}", f"user {users[1]}"} & {*names[:-1]}


def test_answers_of_a_whole_month_are_kept() -> None:
    assert KEEP_SECONDS > LONGEST_MONTH_DAYS * DAY


@pytest.mark.parametrize(
    ("day", "first", "following"),
    [
        (date(2024, 2, 29), date(2024, 2, 1), date(2024, 3, 1)),
        (date(2024, 12, 31), date(2024, 12, 1), date(2025, 1, 1)),
        (date(2025, 1, 1), date(2025, 1, 1), date(2025, 2, 1)),
    ],
)
def test_month_of_a_day(day: date, first: date, following: date) -> None:
    assert month_of((day - EPOCH).days) == ((first - EPOCH).days, (following - EPOCH).days)


def test_table_escapes_names() -> None:
    table = MonthTable(FIRST, 3, [MonthScore("a*b", 2, 3)], MonthScore("", 1, 2))
    text = "\n".join(part.get("content", "") for part in walk(components(month(table))))
    assert "November 2024" in text
    assert "1. a\\*b: **2** of 3 right" in text
    assert "You: **1** of 2 right" in text
