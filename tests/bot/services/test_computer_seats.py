"""Seats that the computer plays until another player joins."""

from __future__ import annotations

from sqlalchemy import select

from bot.services.challenges import OPEN_SEAT
from bot.services.outbox import OutboxKind
from bot.services.outcomes import Outcome
from bot.storage.schema import outbox
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, terms


async def joinable(env: MatchFixture) -> int:
    """A match of Ada in which the computer keeps a seat for another player."""
    asked = await env.challenges.challenge(
        next(env.ids), terms(), [PLAYERS[0], OPEN_SEAT], side="O"
    )
    filled = await env.computer_seats.play_computer(next(env.ids), asked.match_id, ADA)
    assert filled.kind == "done", filled
    return asked.match_id


async def join(env: MatchFixture, match_id: int, user: int, name: str) -> Outcome:
    return await env.computer_seats.take_over(next(env.ids), match_id, user, name)


async def test_the_first_player_who_joins_gets_the_seat(env: MatchFixture) -> None:
    match_id = await joinable(env)
    own = await join(env, match_id, ADA, "Ada")
    assert (own.kind, own.match_id) == ("refused", match_id)
    assert own.sentence == "You're already playing in this match."
    assert (await join(env, match_id, BO, "Bo")).kind == "done"
    late = await join(env, match_id, EVE, "Eve")
    assert (late.kind, late.sentence) == ("refused", "This match has already started.")
    match = await env.queries.match(match_id)
    assert set(match.names.values()) == {"Ada", "Bo"}
    assert not match.joinable


async def test_the_challenge_is_updated_when_the_match_ends(env: MatchFixture) -> None:
    match_id, other = await joinable(env), await env.begin()
    updates = select(outbox.c.match_id).where(outbox.c.kind == OutboxKind.UPDATE_CHALLENGE)

    async def updated() -> list[int]:
        async with env.database.read() as connection:
            return list((await connection.execute(updates)).scalars())

    before = await updated()
    for each in (match_id, other):
        assert (await env.matches.act(next(env.ids), each, ADA, "resign")).kind == "done"
    assert sorted(await updated()) == sorted([*before, match_id])
