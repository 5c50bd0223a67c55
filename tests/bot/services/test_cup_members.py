"""Players of cups who leave the server, in the database."""

from __future__ import annotations

import pytest

from bot.services.cup_members import CHECK_SECONDS, MAX_CHECKS, CupMember, CupMembers
from bot.services.cups import Actor
from bot.services.models import DELETED_PLAYER, Player
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.matches import MatchFixture
from tests.support.privacy import privacy_of


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


@pytest.fixture
def members(env: MatchFixture) -> CupMembers:
    return CupMembers(env.database, lambda: env.now)


def member(cup_id: int, number: int) -> CupMember:
    return CupMember(cup_id, GUILD, user(number))


async def left(cup: CupFixture, cup_id: int) -> set[int]:
    """The players who have left."""
    return {each.user_id for each in (await cup.get(cup_id)).entrants if each.has_left}


async def test_each_player_is_asked_about_in_turn(
    cup: CupFixture, members: CupMembers, env: MatchFixture
) -> None:
    cups = [await cup.begun(4) for _ in range(2)]
    assert not await members.due()
    env.now += CHECK_SECONDS
    due = await members.due()
    assert sorted(due) == sorted(member(each, n) for each in cups for n in range(1, 5))
    await members.store(due[0], has_left=False)
    assert await members.due() == due[1:]


async def test_few_players_are_asked_about_at_once(
    cup: CupFixture, members: CupMembers, env: MatchFixture
) -> None:
    for _ in range(2):
        await cup.create(16)
    env.now += CHECK_SECONDS
    assert len(await members.due()) == MAX_CHECKS


async def test_players_of_finished_cups_are_not_asked_about(
    cup: CupFixture, members: CupMembers, env: MatchFixture
) -> None:
    await cup.play_out(await cup.begun(3))
    env.now += CHECK_SECONDS
    assert not await members.due()


async def test_leaving_is_stored_and_changes_the_post(cup: CupFixture, members: CupMembers) -> None:
    cup_id = await cup.begun(4)
    before = (await cup.get(cup_id)).row.version
    await members.store(member(cup_id, 2), has_left=True)
    assert await left(cup, cup_id) == {user(2)}
    after = (await cup.get(cup_id)).row.version
    assert after > before
    await members.store(member(cup_id, 2), has_left=True)
    assert (await cup.get(cup_id)).row.version == after, "nothing has changed"
    await members.store(member(cup_id, 2), has_left=False)
    assert not await left(cup, cup_id)


async def test_leaving_before_the_start_ends_the_sign_up(
    cup: CupFixture, members: CupMembers
) -> None:
    cup_id = await cup.create(4)
    await members.store(member(cup_id, 2), has_left=True)
    assert (await cup.get(cup_id)).entrant_of(user(2)) is None
    assert (await cup.start(cup_id)).kind == "done"


async def test_a_substitute_has_not_left(cup: CupFixture, members: CupMembers) -> None:
    cup_id = await cup.begun(4)
    await members.store(member(cup_id, 2), has_left=True)
    kim, actor = Player(77, "Kim"), Actor(ORGANISER)
    await cup.cups.offer_place(next(cup.env.ids), cup_id, actor, user(2), kim)
    assert (await cup.join(cup_id, kim.user_id)).kind == "done"
    await members.store(member(cup_id, 2), has_left=True)  # an answer that comes too late
    assert not await left(cup, cup_id)


async def test_a_deleted_player_has_not_left(cup: CupFixture, members: CupMembers) -> None:
    cup_id = await cup.begun(4)
    await members.store(member(cup_id, 2), has_left=True)
    await privacy_of(cup.env).erase(user(2))
    assert not await left(cup, cup_id)
    assert (await cup.get(cup_id)).entrant_of(DELETED_PLAYER.user_id)
