"""Matches in lists: which are listed, since when, where they link to; seats to take."""

from __future__ import annotations

from typing import Any

import pytest
from sqlalchemy import insert, update

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.outbox import IN_CHANNEL, OutboxStatus, PostedKind
from bot.domain.ratings import MU
from bot.domain.terms import Terms
from bot.services.challenges import OPEN_SEAT
from bot.services.match_summaries import LEVEL_POINTS, OPEN, SUMMARIES, MatchSummary, summaries_of
from bot.storage.schema import actions, matches, outbox, posted_messages, rated_results
from tests.support.matches import ADA, BO, EVE, PLAYERS, TABLE, MatchFixture

NOT_IN_MATCH = 1
"""A user with a small ID."""

CHANNEL, FORUM, DM = map(ChannelId, (5, 6, 7))


async def ask(env: MatchFixture, rival: Player) -> MatchId:
    """Challenge a player, or open a seat."""
    terms = Terms(game="wormholes", guild_id=None, channel_id=CHANNEL)
    return (await env.challenges.challenge(next(env.ids), terms, [PLAYERS[0], rival])).match_id


async def ask_many(env: MatchFixture, count: int) -> list[int]:
    """Challenge several players, one each: a player may have only a few open challenges."""
    return [await ask(env, Player(UserId(101 + number), "Rival")) for number in range(count)]


async def log(
    env: MatchFixture, match_id: MatchId, *times: float, undone: float | None = None
) -> None:
    """Store actions that were made at these times, and one that was made and taken back."""
    logged = [{"made_at": time, "undone_at": None} for time in times]
    logged += [{"made_at": undone, "undone_at": undone}] if undone else []
    async with env.database.write() as connection:
        for number, entry in enumerate(logged, 1):
            row = {"match_id": match_id, "number": number, "line": "O pass", **entry}
            await connection.execute(insert(actions).values(row))


async def post(
    env: MatchFixture,
    match_id: MatchId,
    kind: PostedKind,
    where: tuple[int, int | None],
    user_id: UserId | None = None,
) -> None:
    """Store a message on Discord, in a channel or by DM."""
    place = {"channel_id": where[0], "message_id": where[1], "user_id": user_id or IN_CHANNEL}
    row = {"match_id": match_id, "kind": kind, "action_count": 0, **place}
    async with env.database.write() as connection:
        await connection.execute(insert(posted_messages).values(row))


async def read(env: MatchFixture, *only: Any, **options: Any) -> tuple[MatchSummary, ...]:
    """Return the matches that fulfil a condition, in order."""
    async with env.database.read() as connection:
        query = SUMMARIES.where(matches.c.id > 0, *only)  # a scan would be noticed
        return await summaries_of(connection, query.order_by(matches.c.id), **options)


async def test_matches_are_listed_since_their_last_action(env: MatchFixture) -> None:
    fresh, active, undone, late = await ask_many(env, 4)
    await log(env, MatchId(active), 1500.0, 2000.0, undone=3000.0)
    await log(env, MatchId(undone), undone=4000.0)
    await log(env, MatchId(late), 5000.0)
    matches = [(summary.match.id, summary.since) for summary in await read(env)]
    assert matches == [(fresh, 1000.0), (active, 2000.0), (undone, 1000.0), (late, 5000.0)]


async def test_lists_link_to_boards_in_channels_or_challenges(env: MatchFixture) -> None:
    played, asked, by_dm, lost, new = await ask_many(env, 5)
    for message, match_id in enumerate((played, asked, by_dm, lost), 51):
        await post(env, MatchId(match_id), PostedKind.CHALLENGE, (CHANNEL, message))
    await post(env, MatchId(asked), PostedKind.CHALLENGE, (DM, 61), ADA)
    await post(env, MatchId(asked), PostedKind.POST, (FORUM, 62))
    await post(env, MatchId(by_dm), PostedKind.BOARD, (DM, 71), UserId(NOT_IN_MATCH))
    await post(env, MatchId(by_dm), PostedKind.BOARD, (DM, 72), ADA)
    await post(env, MatchId(played), PostedKind.BOARD, (CHANNEL, 81))
    await post(env, MatchId(lost), PostedKind.BOARD, (CHANNEL, None))
    links = {played: (CHANNEL, 81), asked: (CHANNEL, 52), by_dm: (CHANNEL, 53), lost: (CHANNEL, 54)}
    boards: dict[int, tuple[int, int] | None] = {
        match_id: (CHANNEL, 81) if match_id == played else None for match_id in (*links, new)
    }
    for reader, copy in ((0, None), (ADA, (DM, 72))):
        listing = await read(env, **({"reader": reader} if reader else {}))
        assert {entry.match.id: entry.link for entry in listing} == links | {new: None}
        assert {entry.match.id: entry.match.link for entry in listing} == boards | {by_dm: copy}
        assert [entry.match.id for entry in listing if entry.match.linked_by_dm] == [by_dm] * bool(
            copy
        )


async def test_matches_of_earlier_rules_are_listed_if_wanted(env: MatchFixture) -> None:
    challenge_id, old, new = await env.ask(), await env.begin(), await env.begin()
    async with env.database.write() as connection:
        earlier = (
            update(matches).where(matches.c.id.in_([challenge_id, old])).values(engine_version=0)
        )
        await connection.execute(earlier)
    assert [entry.match.id for entry in await read(env)] == [challenge_id, new]
    assert [entry.match.id for entry in await read(env, outdated=True)] == [challenge_id, old, new]


async def test_seats_that_anyone_may_take_are_open(env: MatchFixture) -> None:
    opened, filled = await ask(env, OPEN_SEAT), await ask(env, OPEN_SEAT)
    await env.computer_seats.play_computer(next(env.ids), filled, ADA)
    await ask(env, PLAYERS[1])
    assert [entry.match.id for entry in await read(env, OPEN)] == [opened, filled]


async def unposted(env: MatchFixture) -> bool:
    (row,) = (await env.queries.page_of(ADA, 0, 9)).rows
    return row.unposted


async def test_challenge_without_a_message_is_unposted(env: MatchFixture) -> None:
    match_id = await ask(env, PLAYERS[1])
    assert not await unposted(env), "its message is on its way"
    async with env.database.write() as connection:
        await connection.execute(update(outbox).values(status=OutboxStatus.FAILED))
    assert await unposted(env), "it was given up"
    await env.clear_outbox()
    assert await unposted(env)
    await post(env, match_id, PostedKind.CHALLENGE, (DM, 1), user_id=ADA)
    assert await unposted(env), "only the challenger has it, by DM"
    await post(env, match_id, PostedKind.CHALLENGE, (CHANNEL, 2))
    assert not await unposted(env)


async def test_running_match_without_a_message_is_no_challenge(env: MatchFixture) -> None:
    await env.begin()
    await env.clear_outbox()
    assert not await unposted(env)


# ------------------------------------------------------------------ open seats


SERVER, OTHER_SERVER = GuildId(7), GuildId(8)


async def open_seat(
    env: MatchFixture, *players: Player, guild_id: GuildId = SERVER, game: str = "warp6"
) -> MatchId:
    """Open a seat, a second after whatever was before."""
    env.now += 1
    seats = {"seats": "3"} if len(players) > 2 else {}
    terms = Terms(game=game, options=seats, guild_id=guild_id, channel_id=ChannelId(5))
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
    first, second = await open_seat(env, ada, OPEN_SEAT), await open_seat(env, bo, OPEN_SEAT)
    await open_seat(env, ada, OPEN_SEAT, guild_id=OTHER_SERVER)
    withdrawn = await open_seat(env, bo, OPEN_SEAT)
    await env.challenges.withdraw(next(env.ids), withdrawn, BO)
    await open_seat(env, ada, bo)
    three = await open_seat(env, ada, eve, OPEN_SEAT)
    assert await found(env, EVE) == [first, second], "its own is none to join"
    assert await found(env, UserId(99)) == [first, second, three]
    assert await found(env, UserId(99), 1) == [first]
    assert await found(env, ADA) == [second]


async def test_seat_that_the_computer_plays_can_be_found(env: MatchFixture) -> None:
    match_id = await open_seat(env, TABLE[0], OPEN_SEAT)
    await env.computer_seats.play_computer(next(env.ids), match_id, ADA)
    assert await found(env, BO) == [match_id]


@pytest.mark.parametrize("side", [-1, 1])
async def test_seat_suits_players_of_about_the_same_strength(env: MatchFixture, side: int) -> None:
    match_id = await open_seat(env, TABLE[0], OPEN_SEAT)
    away = await open_seat(env, TABLE[0], OPEN_SEAT, game="tomtube")
    await rate(env, ADA, 0.0, MU + side * LEVEL_POINTS)
    assert await found(env, BO) == [match_id, away], "the latest result counts"
    await rate(env, BO, MU - side)
    assert await found(env, BO) == [away], "too strong or too weak, in this game"
    assert await found(env, EVE) == [match_id, away]


async def test_all_people_of_a_match_have_about_the_strength(env: MatchFixture) -> None:
    ada, bo, _ = TABLE
    match_id = await open_seat(env, ada, bo, OPEN_SEAT)
    await env.challenges.accept(next(env.ids), match_id, BO)
    assert await found(env, EVE) == [match_id]
    await rate(env, BO, MU + LEVEL_POINTS + 1, pool="warp6/3")
    assert await found(env, EVE) == []
