"""Where matches are played."""

from __future__ import annotations

from sqlalchemy import select

from bot.services.places import Places
from bot.services.terms import Terms
from bot.storage.schema import outbox
from tests.support.fake_objects import GUILD
from tests.support.matches import BO, PLAYERS, MatchFixture

CHANNEL, THREAD = 5, 55


async def test_a_match_enters_the_thread_made_for_it(env: MatchFixture) -> None:
    places = Places(env.database, env.clock)
    terms = Terms(game="wormholes", guild_id=GUILD, channel_id=CHANNEL)
    asked = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
    await env.challenges.accept(next(env.ids), asked.match_id, BO)
    async with env.database.read() as connection:
        wanted = select(outbox.c.id).where(outbox.c.kind == "start_thread")
        outbox_id = (await connection.execute(wanted)).scalar_one()
    await places.enter_thread(outbox_id, 999, THREAD)
    assert await places.played_in(THREAD) == []
    for _ in range(2):
        await places.enter_thread(outbox_id, asked.match_id, THREAD)
        match = await env.queries.match(asked.match_id)
        assert (match.channel_id, match.parent_channel_id) == (THREAD, CHANNEL)
