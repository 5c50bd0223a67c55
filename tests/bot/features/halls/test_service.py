"""Halls of servers."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, select

from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import ChannelId, GuildId, MatchId
from bot.domain.models import Player
from bot.domain.outbox import (
    EVERYONE,
    FORUM_POST,
    OutboxKind,
    OutboxMessage,
    OutboxStatus,
    PostedKind,
    Priority,
    Target,
    outbox_row,
)
from bot.domain.terms import Terms
from bot.features.halls.message_kinds import HallKind, hall_call, hall_list
from bot.features.halls.service import (
    CALL_PAUSE_SECONDS,
    FIRST_LIST_SECONDS,
    LIST_PAUSE_SECONDS,
    MAX_LISTED,
    MAX_PLACES,
    Hall,
    Halls,
    HallSnapshot,
    Listing,
    on_matches_changed,
    on_seat_opened,
)
from bot.outbox.store import RowChange
from bot.services.challenges import OPEN_SEAT
from bot.services.events import MatchesChanged, SeatOpened
from bot.services.heartbeats import Heartbeats
from bot.services.servers import ServerSettings
from bot.shards import SNOWFLAKE_MILLISECOND, Shards
from bot.storage.schema import halls, outbox, posted_messages
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture

FIRST, SECOND, BUSY = GuildId(101), GuildId(102), GuildId(103)

CHANNEL, OTHER = ChannelId(5), ChannelId(6)


async def ask(
    env: MatchFixture, rival: Player = PLAYERS[1], *, guild: GuildId = FIRST, channel: int = CHANNEL
) -> MatchId:
    """Let Ada post a challenge in a server's channel, one second after the last event."""
    env.now += 1
    terms = Terms(game="wormholes", guild_id=guild, channel_id=ChannelId(channel))
    challenge = await env.challenges.challenge(next(env.ids), terms, [PLAYERS[0], rival], side="O")
    assert challenge.kind == "done", challenge
    return challenge.match_id


async def begin(env: MatchFixture, *, guild: GuildId = FIRST, channel: int = CHANNEL) -> MatchId:
    match_id = await ask(env, guild=guild, channel=channel)
    assert (await env.challenges.accept(next(env.ids), match_id, BO)).kind == "done"
    return match_id


async def withdraw(env: MatchFixture, match_id: MatchId) -> None:
    assert (await env.challenges.withdraw(next(env.ids), match_id, ADA)).kind == "done"


async def add_hall(env: MatchFixture, guild_id: GuildId = FIRST, **fields: Any) -> None:
    async with env.database.write() as connection:
        row = {"guild_id": guild_id, "is_forum": False} | fields
        await connection.execute(insert(halls).values(row))


async def put(
    env: MatchFixture, match_id: MatchId, kind: str, target: Target, **fields: Any
) -> OutboxMessage:
    """Store a message that waits."""
    row = outbox_row(match_id, kind, target, {}, env.now) | fields
    async with env.database.write() as connection:
        stored = (await connection.execute(insert(outbox).values(row))).inserted_primary_key
    assert stored
    return OutboxMessage(stored[0], match_id, target, kind, {}, 1, env.now, "key")


async def queued(env: MatchFixture) -> list[tuple[int, str, str, float]]:
    """Match, kind, target and due time of the messages in the outbox."""
    rows = await env.queued()
    return [(row.match_id, row.kind, row.target, row.next_attempt_at) for row in rows]


async def test_first_lists_are_due_until_there_is_a_match(env: MatchFixture) -> None:
    busy = Terms(game="wormholes", guild_id=BUSY, channel_id=ChannelId(5))
    await env.challenges.challenge(next(env.ids), busy, PLAYERS)
    service = Halls(env.database)
    for guild_id in (FIRST, SECOND, BUSY):
        await service.choose(GuildId(guild_id), ChannelId(6), is_forum=False, now=env.now)
    assert await service.outdated_first_lists() == {FIRST: 6, SECOND: 6}
    columns = {"posted_in": 6, "list_channel_id": 6, "list_message_id": 60}
    await service.store(RowChange(halls, {"guild_id": FIRST}, columns))
    assert await service.outdated_first_lists() == {SECOND: 6}
    await ask(env, guild=SECOND)
    assert await service.outdated_first_lists() == {}
    for guild_id in (FIRST, BUSY):
        await service.choose(GuildId(guild_id), ChannelId(0), is_forum=False, now=env.now)
    assert await service.outdated_first_lists() == {FIRST: 0}
    targets = [row.target for row in await env.queued()]
    assert str(hall_list(BUSY)) in targets
    assert str(hall_list(FIRST)) not in targets


@pytest.mark.parametrize(
    ("hall", "called", "wait"),
    [
        ({}, None, 0.0),
        ({"is_forum": True}, None, FIRST_LIST_SECONDS),
        ({"is_forum": True, "list_message_id": 9}, None, 0.0),
        ({}, 0.0, HOUR),
        ({}, 1 - HOUR, 1.0),
        ({"is_forum": True}, -HOUR, FIRST_LIST_SECONDS),
        ({}, -2 * HOUR, 0.0),
        ({}, 5.0, HOUR),
    ],
)
async def test_role_is_called_once_an_hour_below_the_list(
    env: MatchFixture, hall: dict[str, Any], called: float | None, wait: float
) -> None:
    env.now = 1e6
    match_id = await ask(env)
    await add_hall(env, called_at=None if called is None else env.now + called, **hall)
    await add_hall(env, SECOND)
    await env.clear_outbox()
    async with env.database.write() as connection:
        await on_seat_opened(connection, SeatOpened(match_id, env.now))
    call = (match_id, HallKind.CALL_ROLE, str(hall_call(FIRST)), env.now + wait)
    assert (await queued(env))[-1] == call
    posts = [row for row in await queued(env) if row[1] == OutboxKind.START_POST]
    start_post = (match_id, OutboxKind.START_POST, str(EVERYONE), env.now)
    assert posts == ([start_post] if "is_forum" in hall else [])


async def test_no_player_waits_for_updates_of_a_forum(env: MatchFixture) -> None:
    match_id = await ask(env)
    await add_hall(env, is_forum=True)
    await env.clear_outbox()
    async with env.database.write() as connection:
        await on_seat_opened(connection, SeatOpened(match_id, env.now))
        await on_matches_changed(connection, MatchesChanged([match_id], env.now))
    assert {row.kind: row.priority for row in await env.queued()} == {
        OutboxKind.START_POST: Priority.AWAITED,
        OutboxKind.UPDATE_POST: Priority.BACKGROUND,
        HallKind.UPDATE_LIST: Priority.BACKGROUND,
        HallKind.CALL_ROLE: Priority.BACKGROUND,
    }


async def test_updates_of_a_list_wake_the_outbox(env: MatchFixture) -> None:
    match_id = await ask(env)
    await ask(env, guild=SECOND)
    await env.clear_outbox()
    woken: list[float] = []
    env.database.listen("outbox", lambda: woken.append(env.now))
    service, target = Halls(env.database), str(hall_list(FIRST))
    await service.choose(FIRST, ChannelId(8), is_forum=False, now=env.now)
    assert woken == [env.now]
    await service.refresh(FIRST, env.now)
    assert woken == [env.now, env.now]
    await service.refresh(SECOND, env.now)
    assert woken == [env.now, env.now], "it has no hall"
    assert await queued(env) == [
        (match_id, HallKind.UPDATE_LIST, target, env.now),
        (match_id, HallKind.UPDATE_LIST, target, env.now + LIST_PAUSE_SECONDS),
    ]


# Which messages one replaces


async def test_update_replaces_those_that_wait_for_its_place(env: MatchFixture) -> None:
    match_id, other = await ask(env), await ask(env)
    await env.clear_outbox()
    lists, posts = HallKind.UPDATE_LIST, OutboxKind.UPDATE_POST
    await put(env, other, lists, hall_list(FIRST))
    kept = [
        await put(env, match_id, lists, hall_list(FIRST)),
        await put(env, match_id, lists, hall_list(FIRST), status=OutboxStatus.FAILED),
        await put(env, match_id, lists, hall_list(SECOND)),
        await put(env, match_id, posts, FORUM_POST),
        await put(env, other, posts, FORUM_POST),
        await put(env, match_id, OutboxKind.START_POST, FORUM_POST),
    ]
    await put(env, match_id, posts, FORUM_POST)
    service = Halls(env.database)
    assert [await service.collect(kept[number], env.now) for number in (0, 3)] == [True, True]
    async with env.database.read() as connection:
        left = (await connection.execute(select(outbox.c.id).order_by(outbox.c.id))).scalars().all()
    assert left == [row.id for row in kept]


async def test_update_is_queued_again_behind_one_in_progress(env: MatchFixture) -> None:
    match_id = await ask(env)
    await env.clear_outbox()
    await put(env, match_id, HallKind.UPDATE_LIST, hall_list(FIRST), attempts=1)
    late = await put(env, match_id, HallKind.UPDATE_LIST, hall_list(FIRST))
    before = await queued(env)
    assert [await Halls(env.database).collect(late, env.now)] == [False]
    again = (match_id, late.kind, str(late.target), env.now + LIST_PAUSE_SECONDS)
    assert await queued(env) == [*before, again]


async def test_postponed_call_waits_for_its_time(env: MatchFixture) -> None:
    match_id = await ask(env)
    await env.clear_outbox()
    call = await put(env, match_id, HallKind.CALL_ROLE, hall_call(FIRST))
    before = await queued(env)
    await Halls(env.database).postpone(call, env.now + HOUR)
    again = (match_id, HallKind.CALL_ROLE, str(hall_call(FIRST)), env.now + HOUR)
    assert await queued(env) == [*before, again]


@pytest.mark.parametrize("gap", [-DAY, DAY])
async def test_calls_of_all_halls_follow_the_clock_once(env: MatchFixture, gap: float) -> None:
    """Any process sends them, with its own clock."""
    for guild_id, called_at in ((FIRST, 5.0), (SECOND, None), (SNOWFLAKE_MILLISECOND, 5.0)):
        await add_hall(env, GuildId(guild_id), called_at=called_at)
    processes = [Heartbeats(env.database, env.clock, Shards(2, (shard,))) for shard in (0, 1)]
    for process in processes:
        await process.record()
    env.now += gap
    for process in processes:
        await process.record()
    async with env.database.read() as connection:
        query = select(halls.c.called_at).order_by(halls.c.guild_id)
        times = list((await connection.execute(query)).scalars())
    assert times == [5.0 + gap, None, 5.0 + gap]


# Listed challenges


async def test_places_are_those_of_active_matches(env: MatchFixture) -> None:
    await ask(env)
    await withdraw(env, await ask(env, channel=7))
    await ask(env, guild=SECOND, channel=8)
    await begin(env, channel=OTHER)
    await add_hall(env, called_at=3.0)
    assert await Halls(env.database).read(FIRST) == HallSnapshot(
        Hall(FIRST, False, None, None, None, 3.0, None, None),
        ServerSettings(),
        (OTHER, CHANNEL),
    )


async def test_list_has_open_seats_and_other_running_matches(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    seats = [await ask(env, OPEN_SEAT), await ask(env, OPEN_SEAT)]
    await env.computer_seats.play_computer(next(env.ids), seats[0], ADA)
    assert (await env.queries.match(seats[0])).status == "running"
    played = [await begin(env), await begin(env), await begin(env)]
    await ask(env)
    await withdraw(env, await ask(env, OPEN_SEAT))
    await env.matches.act(next(env.ids), await begin(env), BO, "resign")
    for guild, channel in ((FIRST, OTHER), (SECOND, CHANNEL)):
        await ask(env, OPEN_SEAT, guild=guild, channel=channel)
        await begin(env, guild=guild, channel=channel)
    service = Halls(env.database)

    async def listing() -> tuple[list[int], list[int], int]:
        lists = await service.listing(FIRST, [CHANNEL, ChannelId(7)])
        return (
            [entry.match.id for entry in lists.open],
            [entry.match.id for entry in lists.running],
            lists.more,
        )

    assert await listing() == (seats[::-1], played[::-1], 0)
    monkeypatch.setattr("bot.features.halls.service.MAX_LISTED", 1)
    assert await listing() == (seats[-1:], played[-1:], 3)
    assert await service.listing(FIRST, [ChannelId(7)]) == Listing()


async def test_list_has_the_least_time_left_first(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    slow, none, fast, last = [await begin(env) for _ in range(4)]
    for match_id, left in ((slow, 7.0), (fast, 1.0), (last, 3.0)):
        seat = next(iter((await env.queries.match(match_id)).decisions))
        await env.change_seat(match_id, seat, clock_started_at=env.now, seconds_left=left)
    service = Halls(env.database)

    async def running() -> list[int]:
        return [row.match.id for row in (await service.listing(FIRST, [CHANNEL])).running]

    assert await running() == [fast, last, slow, none]
    monkeypatch.setattr("bot.features.halls.service.MAX_PLACES", 2)  # the last changed
    assert await running() == [fast, last]
    monkeypatch.setattr("bot.features.halls.service.MAX_LISTED", 1)
    assert await running() == [fast]


async def test_match_may_have_a_post_that_is_stored_or_waits(env: MatchFixture) -> None:
    matches = [await begin(env) for _ in range(6)]
    await env.clear_outbox()
    service = Halls(env.database)
    for number, (kind, status) in enumerate(
        [
            (OutboxKind.START_POST, OutboxStatus.WAITING),
            (OutboxKind.START_THREAD, OutboxStatus.WAITING),
            (OutboxKind.START_POST, OutboxStatus.FAILED),
            (OutboxKind.UPDATE_POST, OutboxStatus.WAITING),
        ]
    ):
        await put(env, matches[number], kind, EVERYONE, status=status)
    async with env.database.write() as connection:
        for number, posted in ((4, PostedKind.POST), (5, PostedKind.CHALLENGE)):
            row = {"match_id": matches[number], "kind": posted, "channel_id": 8, "action_count": 0}
            await connection.execute(insert(posted_messages).values(row))
    may = [await service.may_have_post(match_id) for match_id in matches]
    assert may == [True, True, False, False, True, False]


async def test_only_the_deleted_list_is_forgotten(env: MatchFixture) -> None:
    for guild_id in (FIRST, SECOND):
        fields = {"list_channel_id": guild_id, "list_message_id": 10 * guild_id}
        await add_hall(env, GuildId(guild_id), call_message_id=10 * guild_id, **fields)
    await Halls(env.database).forget_list(10 * FIRST)
    columns = halls.c.list_channel_id, halls.c.list_message_id, halls.c.call_message_id
    async with env.database.read() as connection:
        rows = (await connection.execute(select(*columns).order_by(halls.c.guild_id))).all()
    assert [tuple(row) for row in rows] == [
        (None, None, 10 * FIRST),
        (SECOND, 10 * SECOND, 10 * SECOND),
    ]
    await Halls(env.database).forget_call(10 * SECOND)
    async with env.database.read() as connection:
        calls = select(halls.c.call_message_id).order_by(halls.c.guild_id)
        assert list((await connection.execute(calls)).scalars()) == [10 * FIRST, None]


async def test_a_hall_that_is_on_again_is_not_forgotten(env: MatchFixture) -> None:
    service = Halls(env.database)
    for guild_id in (FIRST, SECOND):
        await service.choose(GuildId(guild_id), CHANNEL, is_forum=False, now=env.now)
        await service.forget(GuildId(guild_id))
    async with env.database.read() as connection:
        assert len((await connection.execute(select(halls))).all()) == 2


async def test_a_hall_that_was_never_on_is_not_stored(env: MatchFixture) -> None:
    await ask(env)
    await Halls(env.database).choose(FIRST, ChannelId(0), is_forum=False, now=env.now)
    async with env.database.read() as connection:
        assert not (await connection.execute(select(halls))).all()


def test_pauses_and_lengths_of_a_hall_are_those_for_hosts() -> None:
    assert (LIST_PAUSE_SECONDS, CALL_PAUSE_SECONDS) == (30, HOUR)
    assert (MAX_LISTED, MAX_PLACES) == (30, 200)
