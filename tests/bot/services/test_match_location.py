"""Places of matches."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, insert, update

from bot.domain.ids import ChannelId, MatchId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage, Target, outbox_row
from bot.domain.terms import Terms
from bot.features.halls.message_kinds import HallKind
from bot.features.halls.service import LIST_PAUSE_SECONDS, Halls
from bot.services.match_location import MatchLocations, left_channels
from bot.storage.schema import matches, outbox
from tests.support.fake_objects import GUILD
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture

HALL, ABOVE, CHANNEL, THREAD = map(ChannelId, (3, 4, 5, 55))


async def ask(env: MatchFixture, parent: ChannelId | None = None) -> MatchId:
    """Challenge Bo on a server."""
    terms = Terms(game="wormholes", guild_id=GUILD, channel_id=CHANNEL, parent_channel_id=parent)
    return (await env.challenges.challenge(next(env.ids), terms, PLAYERS)).match_id


async def begin(env: MatchFixture, parent: ChannelId | None = None) -> MatchId:
    match_id = await ask(env, parent)
    await env.challenges.accept(next(env.ids), match_id, BO)
    return match_id


@pytest.mark.parametrize(("parent", "above"), [(None, CHANNEL), (ABOVE, ABOVE)])
async def test_a_match_enters_the_thread_made_for_it(
    env: MatchFixture, parent: ChannelId | None, above: ChannelId
) -> None:
    await Halls(env.database).choose(GUILD, HALL, is_forum=False, now=env.now)
    places = MatchLocations(env.database, env.clock)
    match_id = await begin(env, parent)
    (outbox_id,) = [row.id for row in await env.queued(kind=OutboxKind.START_THREAD)]
    lists = [row.next_attempt_at for row in await env.queued(kind=HallKind.UPDATE_LIST)]
    await places.enter_thread(outbox_id, MatchId(999), THREAD)
    assert await places.played_in(THREAD) == []
    entered = env.now + 100
    for _ in range(2):
        env.now += 100
        await places.enter_thread(outbox_id, match_id, THREAD)
        match = await env.queries.match(match_id)
        assert (match.channel_id, match.parent_channel_id) == (THREAD, above)
    updated = [row.next_attempt_at for row in await env.queued(kind=HallKind.UPDATE_LIST)]
    assert updated == [*lists, entered + LIST_PAUSE_SECONDS]


async def test_thread_asked_for_by_an_earlier_message_is_not_entered(env: MatchFixture) -> None:
    """The match was moved since, which deleted the message."""
    match_id = await begin(env)
    (outbox_id,) = [row.id for row in await env.queued(kind=OutboxKind.START_THREAD)]
    others = [row.id for row in await env.queued(match_id=match_id) if row.id != outbox_id]
    for number in (*others, outbox_id + 99):
        await MatchLocations(env.database, env.clock).enter_thread(number, match_id, THREAD)
    match = await env.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == (CHANNEL, None)


@pytest.mark.parametrize(
    ("parent", "left", "place"),
    [
        (ABOVE, CHANNEL, (ABOVE, None)),
        (ABOVE, THREAD, (CHANNEL, ABOVE)),
        (None, CHANNEL, (CHANNEL, None)),
    ],
)
async def test_match_leaves_only_the_thread_in_which_it_is(
    env: MatchFixture, parent: ChannelId | None, left: ChannelId, place: tuple[int, int | None]
) -> None:
    """It stays if it has moved since, or if there is no channel above."""
    match_id, other = await begin(env, parent), await begin(env, parent)
    await MatchLocations(env.database, env.clock).leave_thread(match_id, ChannelId(left))
    match = await env.queries.match(match_id)
    assert (match.channel_id, match.parent_channel_id) == place
    assert (await env.queries.match(other)).channel_id == CHANNEL


async def test_only_running_matches_are_played_in_a_channel(env: MatchFixture) -> None:
    await ask(env)
    running, over = await begin(env), await begin(env)
    await env.matches.act(next(env.ids), over, ADA, "resign")
    places = MatchLocations(env.database, env.clock)
    assert [await places.played_in(ChannelId(channel)) for channel in (CHANNEL, THREAD)] == [
        [running],
        [],
    ]


async def test_attempted_messages_keep_the_places_left(env: MatchFixture) -> None:
    moved, other = await begin(env), await begin(env)
    payload, kind = {"version": 7}, OutboxKind.POST_BOARD
    async with env.database.write() as connection:
        location = {"channel_id": THREAD, "parent_channel_id": CHANNEL}
        await connection.execute(update(matches).values(location))
        await connection.execute(delete(outbox))
        for match_id, target, attempted in (
            (moved, EVERYONE, env.now),
            (moved, EVERYONE, None),
            (moved, Target(ADA), env.now),
            (other, EVERYONE, env.now),
        ):
            row = outbox_row(match_id, kind, target, payload, env.now)
            row |= {"first_attempt_at": attempted}
            await connection.execute(insert(outbox).values(row))
    for match_id in (moved, MatchId(999)):
        await MatchLocations(env.database, env.clock).note_fallback(match_id)
    left = {f"left:{channel}": channel for channel in (THREAD, CHANNEL)}
    first, second, *_ = rows = await env.queued(kind=kind)
    assert [row.payload for row in rows] == [payload | left, payload, payload, payload]
    assert [await left_by(env, moved, first.id, key) for key in (first.key, second.key, "new")] == [
        {THREAD, CHANNEL},
        set(),
        set(),
    ]
    assert await left_by(env, moved, second.id, first.key) == set()


async def left_by(env: MatchFixture, match_id: MatchId, outbox_id: int, key: str) -> set[int]:
    """Return the channels that were left after attempts to deliver a message."""
    kind = OutboxKind.POST_BOARD
    message = OutboxMessage(outbox_id, match_id, EVERYONE, kind, {}, 2, env.now, key)
    async with env.database.read() as connection:
        return set(await left_channels(connection, message))
