"""The cups of a server that a user can join, and the running matches of a cup."""

from __future__ import annotations

from sqlalchemy import insert, update

from bot.domain.ids import NO_MATCH, ChannelId, GuildId, UserId
from bot.domain.models import Player
from bot.domain.outbox import PostedKind
from bot.features.cups.listings import OpenMatch
from bot.features.cups.service import Actor
from bot.storage.schema import matches, posted_messages
from tests.support.cups import CHANNEL, ORGANISER, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.matches import MatchFixture

GUEST = UserId(7)


async def joinable(env: MatchFixture, user_id: UserId = GUEST, limit: int = 5) -> list[int]:
    return [cup.id for cup in await env.cups.joinable(GUILD, user_id, limit)]


async def test_sign_ups_are_for_those_who_are_not_in_them(env: MatchFixture) -> None:
    cup = CupFixture(env)
    first, second = await cup.create(1), await cup.create(0)
    assert await joinable(env) == [second, first]
    assert await joinable(env, limit=1) == [second]
    assert await joinable(env, user(1)) == [second]
    await cup.withdraw(first, user(1))
    assert await joinable(env, user(1)) == [second, first]
    assert await env.cups.joinable(GuildId(GUILD + 1), GUEST, 5) == []


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


async def test_offered_place_in_a_cancelled_cup_cannot_be_taken(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id, substitute = await cup.begun(3), Player(GUEST, "Guest")
    await cup.cups.offer_place(next(env.ids), cup_id, Actor(ORGANISER), user(1), substitute)
    await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))
    assert await joinable(env) == []


async def test_cancelled_cup_cannot_be_joined(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id = await cup.create(1)
    await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))
    assert await joinable(env) == []


async def test_open_matches_are_where_their_boards_are(env: MatchFixture) -> None:
    cup = CupFixture(env)
    cup_id = await cup.begun(3)
    posted, threaded, new = [
        pairing.match_id or NO_MATCH for pairing in (await cup.get(cup_id)).running
    ]
    rows = [
        (posted, PostedKind.CHALLENGE, 0, 100),
        (posted, PostedKind.BOARD, 0, 101),
        (posted, PostedKind.BOARD, user(1), 102),
        (posted, PostedKind.PING, 0, 103),
        (threaded, PostedKind.BOARD, 0, 201),
        (new, PostedKind.PING, 0, 301),
        (new, PostedKind.BOARD, user(1), 302),
    ]
    columns = ("match_id", "kind", "user_id", "message_id")
    place = {"channel_id": CHANNEL, "action_count": 0}
    async with env.database.write() as connection:
        for row in rows:
            values = dict(zip(columns, row, strict=True)) | place
            await connection.execute(insert(posted_messages).values(values))
        statement = update(matches).where(matches.c.id == threaded)
        await connection.execute(statement.values(channel_id=201, parent_channel_id=CHANNEL))
    users = {
        number: frozenset(
            player.user_id for player in (await env.queries.match(number)).people.values()
        )
        for number in (posted, threaded, new)
    }
    assert [len(people) for people in users.values()] == [2, 2, 2]
    assert await cup.cups.open_matches(await cup.get(cup_id)) == {
        posted: OpenMatch(posted, CHANNEL, 101, awaits_board=False, user_ids=users[posted]),
        threaded: OpenMatch(
            threaded, ChannelId(201), None, awaits_board=False, user_ids=users[threaded]
        ),
        new: OpenMatch(new, CHANNEL, None, awaits_board=True, user_ids=users[new]),
    }
