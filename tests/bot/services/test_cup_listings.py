"""The cups of a server that a user can join."""

from __future__ import annotations

from bot.services.cups import Actor
from bot.services.models import Player
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.matches import MatchFixture

GUEST = 7


async def joinable(env: MatchFixture, user_id: int = GUEST, limit: int = 5) -> list[int]:
    return [cup.id for cup in await env.queries.joinable_cups(GUILD, user_id, limit)]


async def test_sign_ups_are_for_those_who_are_not_in_them(env: MatchFixture) -> None:
    cup = CupFixture(env)
    first, second = await cup.create(1), await cup.create(0)
    assert await joinable(env) == [second, first]
    assert await joinable(env, limit=1) == [second]
    assert await joinable(env, user(1)) == [second]
    await cup.withdraw(first, user(1))
    assert await joinable(env, user(1)) == [second, first]
    assert await env.queries.joinable_cups(GUILD + 1, GUEST, 5) == []


async def test_running_cup_is_for_those_who_are_offered_a_place(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id = await cup.begun(3)
    assert await joinable(env) == []
    substitute = Player(GUEST, "Guest")
    offered = await cup.cups.offer_place(
        next(env.ids), cup_id, Actor(ORGANISER), user(1), substitute
    )
    assert offered.kind == "done"
    assert await joinable(env) == [cup_id]
    assert await joinable(env, user(2)) == []
    await cup.withdraw(cup_id, user(1))
    assert await joinable(env) == []


async def test_cancelled_cup_cannot_be_joined(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id = await cup.create(1)
    await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))
    assert await joinable(env) == []
