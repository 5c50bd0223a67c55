"""Open seats for a player who looks for a match: of the server, and of the player's level."""

from __future__ import annotations

import pytest
from sqlalchemy import insert

from bot.domain.ids import GuildId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.ratings import MU
from bot.domain.terms import Terms
from bot.services.challenges import OPEN_SEAT
from bot.services.seat_search import LEVEL_POINTS
from bot.storage.schema import rated_results
from tests.support.matches import ADA, BO, EVE, TABLE, MatchFixture

SERVER, OTHER_SERVER = GuildId(7), GuildId(8)


async def ask(
    env: MatchFixture, *players: Player, guild_id: GuildId = SERVER, game: str = "warp6"
) -> MatchId:
    """Open a seat, a second after whatever was before."""
    env.now += 1
    seats = {"seats": "3"} if len(players) > 2 else {}
    terms = Terms(game=game, options=seats, guild_id=guild_id, channel_id=5)
    return (await env.challenges.challenge(next(env.ids), terms, players)).match_id


async def found(env: MatchFixture, user: UserId, limit: int = 9) -> list[int]:
    """Return the matches that a player can join, in order."""
    return [seat.match.id for seat in await env.queries.seats_for(SERVER, user, limit)]


async def rate(env: MatchFixture, user: UserId, *strengths: float, pool: str = "warp6/2") -> None:
    """Store results after which a player has these strengths."""
    rows = [
        {
            "match_id": number,
            "seat": {ADA: "B", BO: "Y"}[user],
            "number": 10 * user + number,
            "pool": pool,
            "user_id": user,
            "rank": 0,
            "ended_at": 0.0,
            "mu": strength,
            "sigma": 50.0,
        }
        for number, strength in enumerate(strengths, 1)
    ]
    async with env.database.write() as connection:
        await connection.execute(insert(rated_results), rows)


async def test_oldest_seat_of_the_server_comes_first(env: MatchFixture) -> None:
    ada, bo, eve = TABLE
    first, second = await ask(env, ada, OPEN_SEAT), await ask(env, bo, OPEN_SEAT)
    await ask(env, ada, OPEN_SEAT, guild_id=OTHER_SERVER)
    withdrawn = await ask(env, bo, OPEN_SEAT)
    await env.challenges.withdraw(next(env.ids), withdrawn, BO)
    await ask(env, ada, bo)
    three = await ask(env, ada, eve, OPEN_SEAT)
    assert await found(env, EVE) == [first, second], "its own is none to join"
    assert await found(env, UserId(99)) == [first, second, three]
    assert await found(env, UserId(99), 1) == [first]
    assert await found(env, ADA) == [second]


async def test_seat_that_the_computer_plays_can_be_found(env: MatchFixture) -> None:
    match_id = await ask(env, TABLE[0], OPEN_SEAT)
    await env.computer_seats.play_computer(next(env.ids), match_id, ADA)
    assert await found(env, BO) == [match_id]


@pytest.mark.parametrize("side", [-1, 1])
async def test_seat_suits_players_of_about_the_same_strength(env: MatchFixture, side: int) -> None:
    match_id = await ask(env, TABLE[0], OPEN_SEAT)
    away = await ask(env, TABLE[0], OPEN_SEAT, game="tomtube")
    await rate(env, ADA, 0.0, MU + side * LEVEL_POINTS)
    assert await found(env, BO) == [match_id, away], "the latest result counts"
    await rate(env, BO, MU - side)
    assert await found(env, BO) == [away], "too strong or too weak, in this game"
    assert await found(env, EVE) == [match_id, away]


async def test_all_people_of_a_match_have_about_the_strength(env: MatchFixture) -> None:
    ada, bo, _ = TABLE
    match_id = await ask(env, ada, bo, OPEN_SEAT)
    await env.challenges.accept(next(env.ids), match_id, BO)
    assert await found(env, EVE) == [match_id]
    await rate(env, BO, MU + LEVEL_POINTS + 1, pool="warp6/3")
    assert await found(env, EVE) == []
