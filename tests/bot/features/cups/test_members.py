"""Players of cups who leave the server, in the database."""

from __future__ import annotations

import pytest

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import DELETED_USER_ID, UserId
from bot.domain.models import Player
from bot.features.cups.matches import TOPIC
from bot.features.cups.members import CUP_MEMBERS_DUE, CupMember, CupMembers
from bot.features.cups.service import Actor
from bot.services.player_names import MEMBERSHIP_SECONDS
from bot.storage.due import Conditions
from tests.support.cups import ORGANISER, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.matches import MatchFixture
from tests.support.privacy import privacy_of

MEMBER_CHECK_SECONDS, OVER_CHECK_SECONDS = HOUR / 2, DAY


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


@pytest.fixture
def members(env: MatchFixture) -> CupMembers:
    return CupMembers(env.database, lambda: env.now)


def member(number: int) -> CupMember:
    return CupMember(GUILD, user(number))


async def note(members: CupMembers, number: int, *, has_left: bool) -> None:
    """Store whether a player has left."""
    await members.store(GUILD, {user(number): has_left}, members.now())


async def is_due(members: CupMembers, env: MatchFixture) -> bool:
    """Whether players are due; the condition of the job says the same."""
    due = bool(await members.due())
    assert await Conditions(env.database, [CUP_MEMBERS_DUE]).read(env.now) == [due]
    return due


async def left(cup: CupFixture, cup_id: int) -> set[int]:
    """The players who have left."""
    return {entrant.user_id for entrant in (await cup.get(cup_id)).entrants if entrant.has_left}


async def test_each_player_is_asked_about_in_turn(
    cup: CupFixture, members: CupMembers, env: MatchFixture
) -> None:
    await cup.begun(4)
    env.now += MEMBER_CHECK_SECONDS - 1
    assert not await members.due()
    env.now += 1
    due = await members.due()
    assert due == [member(n) for n in range(1, 5)]
    await note(members, 1, has_left=False)
    assert await members.due() == due[1:]
    env.now += MEMBER_CHECK_SECONDS
    assert await members.due() == [*due[1:], due[0]], "the longest ago first"


async def test_an_answer_holds_for_all_cups_of_a_server(
    cup: CupFixture, members: CupMembers, env: MatchFixture
) -> None:
    cups = [await cup.begun(3), await cup.begun(3), await cup.begun(3, guild_id=GUILD + 1)]
    env.now += MEMBER_CHECK_SECONDS
    assert len(await members.due()) == 6
    await note(members, 2, has_left=True)
    assert [await left(cup, number) for number in cups] == [{user(2)}, {user(2)}, set()]
    assert len(await members.due()) == 5


async def test_few_players_are_asked_about_at_once(
    cup: CupFixture, members: CupMembers, env: MatchFixture
) -> None:
    over, _ = [await cup.create(16, guild_id=guild_id) for guild_id in (GUILD, GUILD + 1)]
    env.now += OVER_CHECK_SECONDS
    assert len(await members.due()) == 20
    await cup.cups.cancel(next(env.ids), over, Actor(ORGANISER))
    due = await members.due()
    assert [query.guild_id for query in due] == [GUILD + 1] * 16 + [GUILD] * 4


async def test_players_of_finished_cups_are_asked_about_later(
    cup: CupFixture, members: CupMembers, env: MatchFixture
) -> None:
    await cup.play_out(await cup.begun(3))
    env.now += OVER_CHECK_SECONDS - 1
    assert not await is_due(members, env)
    env.now += 1
    assert await is_due(members, env)
    await cup.begun(3, guild_id=GUILD + 1)
    env.now += MEMBER_CHECK_SECONDS
    assert await is_due(members, env)
    due = await members.due()
    assert [query.guild_id for query in due] == [GUILD + 1] * 3 + [GUILD] * 3, "open cups first"


async def test_an_old_answer_is_unknown_to_those_who_ask(
    cup: CupFixture, members: CupMembers, env: MatchFixture
) -> None:
    cup_id = await cup.begun(3)
    env.now += MEMBERSHIP_SECONDS
    assert sorted(members.unknown(await cup.get(cup_id))) == [user(n) for n in (1, 2, 3)]
    await note(members, 2, has_left=True)
    assert sorted(members.unknown(await cup.get(cup_id))) == [user(n) for n in (1, 3)]
    await privacy_of(cup.env).erase(user(1))
    assert members.unknown(await cup.get(cup_id)) == [user(3)]


@pytest.mark.parametrize(
    ("later", "is_asked"),
    [(0, False), (MEMBER_CHECK_SECONDS, False), (MEMBER_CHECK_SECONDS + 1, True)],
)
async def test_answer_by_a_clock_that_was_ahead_is_asked_for_again(
    cup: CupFixture, members: CupMembers, env: MatchFixture, later: float, *, is_asked: bool
) -> None:
    env.now += later
    await cup.begun(3)
    env.now -= later
    assert await is_due(members, env) is is_asked


async def test_answer_of_the_future_is_unknown(
    cup: CupFixture, members: CupMembers, env: MatchFixture
) -> None:
    cup_id = await cup.begun(3)
    assert members.unknown(await cup.get(cup_id)) == []
    env.now -= 1
    assert len(members.unknown(await cup.get(cup_id))) == 3


async def test_leaving_is_stored_and_changes_the_post(cup: CupFixture, members: CupMembers) -> None:
    cup_id = await cup.begun(4)
    before = (await cup.get(cup_id)).row.version
    calls: list[str] = []
    cup.env.database.listen(TOPIC, lambda: calls.append(TOPIC))
    await note(members, 2, has_left=True)
    assert calls == [TOPIC]
    assert await left(cup, cup_id) == {user(2)}
    after = (await cup.get(cup_id)).row.version
    assert after > before
    await note(members, 2, has_left=True)
    assert (await cup.get(cup_id)).row.version == after, "nothing has changed"
    assert calls == [TOPIC]
    await note(members, 2, has_left=False)
    assert not await left(cup, cup_id)


async def test_leaving_before_the_start_ends_the_sign_up(
    cup: CupFixture, members: CupMembers
) -> None:
    cup_id, elsewhere = await cup.create(4), await cup.create(4, guild_id=GUILD + 1)
    await note(members, 2, has_left=True)
    assert (await cup.get(cup_id)).entrant_of(user(2)) is None
    assert (await cup.get(elsewhere)).entrant_of(user(2))
    assert (await cup.start(cup_id)).kind == "done"


@pytest.mark.parametrize("begins", [False, True])
@pytest.mark.parametrize(("joined_after", "counts"), [(-1.0, True), (0.0, True), (1.0, False)])
async def test_answer_asked_for_before_a_player_joined_does_not_count(
    cup: CupFixture, members: CupMembers, joined_after: float, *, counts: bool, begins: bool
) -> None:
    """A player who comes back and joins while Discord answers has not left."""
    asked_at = members.now() - joined_after
    cup_id = await (cup.begun(4) if begins else cup.create(4))
    await members.store(GUILD, {user(2): True}, asked_at)
    entrant = (await cup.get(cup_id)).entrant_of(user(2))
    is_there = entrant is not None and not entrant.has_left
    assert is_there is not counts


async def test_answer_counts_after_the_clock_was_set_back(
    cup: CupFixture, members: CupMembers
) -> None:
    cup_id = await cup.begun(4)
    cup.env.now -= MEMBER_CHECK_SECONDS
    await note(members, 2, has_left=True)
    assert await left(cup, cup_id) == {user(2)}


async def test_leaving_after_the_end_changes_no_standings(
    cup: CupFixture, members: CupMembers
) -> None:
    cup_id = await cup.begun(3)
    await cup.cups.cancel(next(cup.env.ids), cup_id, Actor(ORGANISER))
    await note(members, 2, has_left=True)
    assert len((await cup.get(cup_id)).entrants) == 3
    assert await left(cup, cup_id) == {user(2)}


async def test_each_answer_of_several_counts(cup: CupFixture, members: CupMembers) -> None:
    cup_id = await cup.begun(3)
    before = (await cup.get(cup_id)).row.version
    first, _, last = (entrant.user_id for entrant in (await cup.get(cup_id)).entrants)
    await members.store(GUILD, {first: True, last: False}, members.now())
    assert await left(cup, cup_id) == {first}
    assert (await cup.get(cup_id)).row.version > before


async def test_a_substitute_has_not_left(cup: CupFixture, members: CupMembers) -> None:
    cup_id = await cup.begun(4)
    await note(members, 2, has_left=True)
    kim, actor = Player(UserId(77), "Kim"), Actor(ORGANISER)
    await cup.cups.offer_place(next(cup.env.ids), cup_id, actor, user(2), kim)
    assert (await cup.join(cup_id, kim.user_id)).kind == "done"
    await note(members, 2, has_left=True)  # an answer that comes too late
    assert not await left(cup, cup_id)


async def test_a_deleted_player_has_not_left(cup: CupFixture, members: CupMembers) -> None:
    cup_id = await cup.begun(4)
    await note(members, 2, has_left=True)
    await privacy_of(cup.env).erase(user(2))
    assert not await left(cup, cup_id)
    assert (await cup.get(cup_id)).entrant_of(DELETED_USER_ID)
    cup.env.now += MEMBER_CHECK_SECONDS
    assert await members.due() == [member(n) for n in (1, 3, 4)]
