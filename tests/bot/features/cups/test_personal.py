"""A user's rows in cups after a deletion, even while cups are left out."""

from __future__ import annotations

import pytest

from bot.domain.ids import DELETED_USER_ID
from bot.domain.models import DELETED_PLAYER, Player
from bot.features.cups.service import Actor
from bot.storage.database import upsert
from bot.storage.schema import facts
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.matches import MatchFixture
from tests.support.privacy import privacy_of, tables_with

HEIR = user(1)

GONE = DELETED_USER_ID


@pytest.mark.parametrize("left_out", [False, True])
async def test_deleted_player_is_in_no_cup_that_is_not_over(
    env: MatchFixture, left_out: bool
) -> None:
    cup = CupFixture(env)
    joined, running, over = await cup.create(2), await cup.begun(4), await cup.begun(3)
    await cup.cups.cancel(next(env.ids), over, Actor(ORGANISER))
    if left_out:
        env.database.hooks.subscribe("cups", {})
    assert await privacy_of(env).erase(HEIR)
    assert not await tables_with(env, HEIR)
    assert [entrant.user_id for entrant in (await cup.get(joined)).entrants] == [user(2)]
    for cup_id, is_active in ((running, False), (over, True)):
        (place,) = [
            entrant for entrant in (await cup.get(cup_id)).entrants if entrant.user_id == GONE
        ]
        assert (place.is_active, place.name, place.joined_by) == (is_active, DELETED_PLAYER.name, 0)


@pytest.mark.parametrize("left_out", [False, True])
async def test_deleted_substitute_is_offered_no_place(env: MatchFixture, left_out: bool) -> None:
    cup = CupFixture(env)
    cup_id = await cup.begun(3)
    substitute = Player(user(9), "Substitute")
    offer = (Actor(ORGANISER), user(2), substitute)
    assert (await cup.cups.offer_place(next(env.ids), cup_id, *offer)).kind == "done"
    if left_out:
        env.database.hooks.subscribe("cups", {})
    assert await privacy_of(env).erase(substitute.user_id)
    assert not await tables_with(env, substitute.user_id)
    assert [entrant.is_active for entrant in (await cup.get(cup_id)).entrants] == [True] * 3


async def test_digits_of_a_user_in_a_digest_are_no_trace(env: MatchFixture) -> None:
    """On a server, the digests of deleted users are in a table."""
    digest, name = f"{'0' * 30}{user(9)}{'f' * 30}", f"of {user(9)}"
    async with env.database.write() as connection:
        await upsert(connection, facts, name="digest", value=digest)
    assert not await tables_with(env, user(9))
    async with env.database.write() as connection:
        await upsert(connection, facts, name=name, value="")
    assert await tables_with(env, user(9)) == {"facts": [(name, "")]}


async def test_place_keeps_the_time_at_which_it_was_given_up(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id = await cup.begun(4)
    await cup.withdraw(cup_id, HEIR)
    withdrawn_at = env.now
    env.now += 5
    assert await privacy_of(env).erase(HEIR)
    times = {entrant.user_id: entrant.withdrawn_at for entrant in (await cup.get(cup_id)).entrants}
    assert times == {GONE: withdrawn_at, user(2): None, user(3): None, user(4): None}
