"""What is read of several matches."""

from __future__ import annotations

from sqlalchemy import delete

from bot.services.match_rows import series_until
from bot.services.terms import Terms
from bot.services.transactions import load
from bot.storage.schema import matches
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture


async def test_a_series_begins_with_its_first_match_that_is_left(env: MatchFixture) -> None:
    series = Terms(game="warp6", rounds=3, guild_id=None, channel_id=5)
    asked = await env.challenges.challenge(next(env.ids), series, PLAYERS, side="B")
    numbers = [asked.match_id]
    for _ in range(2):
        await env.challenges.accept(next(env.ids), numbers[-1], BO)
        await env.matches.act(next(env.ids), numbers[-1], ADA, "resign")
        (following,) = await env.queries.list_for(ADA, "challenge")
        numbers.append(following.id)

    async def found() -> list[int]:
        async with env.database.write() as connection:
            row = await load(connection, numbers[-1])
            assert row
            return [each.id for each in await series_until(connection, row)]

    assert await found() == numbers[::-1]
    async with env.database.write() as connection:
        await connection.execute(delete(matches).where(matches.c.id == numbers[0]))
    assert await found() == [numbers[2], numbers[1]]
