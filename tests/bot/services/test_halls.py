"""Halls of servers."""

from __future__ import annotations

from sqlalchemy import select

from bot.services.halls import Halls
from bot.services.outbox import hall_list
from bot.services.terms import Terms
from bot.storage.schema import halls, outbox
from tests.support.matches import PLAYERS, MatchFixture

FIRST, SECOND, BUSY = 101, 102, 103


async def test_a_hall_without_matches_is_forgotten_at_once(env: MatchFixture) -> None:
    busy = Terms(game="wormholes", guild_id=BUSY, channel_id=5)
    await env.challenges.challenge(next(env.ids), busy, PLAYERS)
    service = Halls(env.database)
    for guild_id in (FIRST, SECOND, BUSY):
        await service.choose(guild_id, 6, is_forum=False, now=env.now)
    for guild_id in (FIRST, BUSY):
        await service.choose(guild_id, 0, is_forum=False, now=env.now)
    async with env.database.read() as connection:
        left = (await connection.execute(select(halls.c.guild_id))).scalars().all()
        targets = (await connection.execute(select(outbox.c.target))).scalars().all()
    assert sorted(left) == [SECOND, BUSY], "the list of a busy server is deleted first"
    assert str(hall_list(BUSY)) in targets
