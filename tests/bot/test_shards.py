"""Each process serves its own part of Discord, and an outage of one part is noticed there."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import select, update

from bot.app.run import open_database
from bot.domain.clocks import DAY
from bot.domain.steady_clock import OUTAGE_SECONDS
from bot.services.timers import Timers
from bot.shards import Shards
from bot.storage.schema import matches
from tests.support.matches import MatchFixture

SERVERS = [None, 1 << 22, 2 << 22, 3 << 22, (6 << 22) + 5]


@pytest.mark.parametrize(
    ("ids", "numbers", "name"),
    [
        ("", (0, 1, 2, 3, 4, 5, 6, 7), "0-7/8"),
        ("0-3", (0, 1, 2, 3), "0-3/8"),
        ("4", (4,), "4-4/8"),
        ("6, 0-1", (0, 1, 6), "0,1,6/8"),
    ],
)
def test_shards_are_written_as_ranges(ids: str, numbers: tuple[int, ...], name: str) -> None:
    shards = Shards.parse(8, ids)
    assert shards.ids == numbers
    assert shards.name == name


@pytest.mark.parametrize("ids", ["8", "0-8", "x", "1-", "3-1", "-1"])
def test_what_are_no_shards_is_refused(ids: str) -> None:
    with pytest.raises(ValueError, match="shards"):
        Shards.parse(8, ids)


@pytest.fixture
async def env(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[MatchFixture]:
    """An environment with a challenge on each of some servers, the first in a DM."""
    monkeypatch.setattr("bot.services.abuse_limits.MAX_OPEN_PER_PAIR", len(SERVERS))
    async with open_database(url) as database:
        env = MatchFixture(database)
        for server in SERVERS:
            match_id = await env.ask()
            async with database.write() as connection:
                statement = update(matches).where(matches.c.id == match_id)
                await connection.execute(statement.values(guild_id=server))
        yield env


def timers(env: MatchFixture, ids: str) -> Timers:
    return env.timers(Shards.parse(4, ids))


async def statuses(env: MatchFixture) -> list[str]:
    async with env.database.read() as connection:
        query = select(matches.c.status).order_by(matches.c.id)
        return list((await connection.execute(query)).scalars())


async def test_each_server_belongs_to_one_shard_and_dms_to_the_first(env: MatchFixture) -> None:
    dealt: dict[object, list[int]] = {}
    async with env.database.read() as connection:
        for shard in range(4):
            theirs = Shards(4, (shard,)).serve(matches.c.guild_id)
            for server in await connection.execute(select(matches.c.guild_id).where(theirs)):
                dealt.setdefault(server[0], []).append(shard)
    assert dealt == {None: [0], 1 << 22: [1], 2 << 22: [2], 3 << 22: [3], (6 << 22) + 5: [2]}


async def test_a_process_fires_the_timers_of_its_own_shards(env: MatchFixture) -> None:
    env.now += DAY + 1
    assert await timers(env, "0-1").fire() == 2
    assert await statuses(env) == ["closed", "closed", "challenge", "challenge", "challenge"]
    assert await timers(env, "2-3").fire() == 3


async def test_outage_of_one_process_stops_only_its_own_clocks(
    env: MatchFixture,
) -> None:
    lower, upper = timers(env, "0-1"), timers(env, "2-3")
    end = env.now + DAY + 1
    env.now = end - 8 * OUTAGE_SECONDS
    for process in (lower, upper):
        await process.fire()
    while env.now < end:
        env.now += OUTAGE_SECONDS
        await lower.fire()
    assert await upper.fire() == 0
    assert await statuses(env) == ["closed", "closed", "challenge", "challenge", "challenge"]


@pytest.mark.slow
async def test_outage_before_a_new_number_of_shards_is_not_counted(
    env: MatchFixture,
) -> None:
    await env.timers().fire()
    env.now += DAY + 1
    for ids in ("0-1", "2-3"):
        assert await timers(env, ids).fire() == 0
    assert set(await statuses(env)) == {"challenge"}
    env.now += 1
    process = env.timers()
    assert await process.fire() == 0


async def test_two_processes_with_the_same_shards_fire_each_timer_once(env: MatchFixture) -> None:
    env.now += DAY + 1
    both = [timers(env, ""), timers(env, "0-3")]
    assert sum(await asyncio.gather(*(process.fire() for process in both))) == len(SERVERS)
    assert set(await statuses(env)) == {"closed"}
