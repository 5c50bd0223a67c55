"""Reading matches: boards, seats, logs, series and public facts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import pytest
from sqlalchemy import delete, insert, update

from bot.domain.ids import ChannelId, MatchId, UserId, Version
from bot.domain.models import Match, MatchStatus, Player
from bot.domain.outbox import PostedKind
from bot.domain.terms import Terms
from bot.services.match_repository import (
    MatchWithBoard,
    action_count_of,
    actions_of,
    begun_match_with_board,
    choosers_of,
    match_with_board,
    seats_of,
    seats_of_matches,
    series_until,
)
from bot.services.match_store import load
from bot.services.rows import PlanRow
from bot.storage.schema import absences, actions, matches, plans, players, posted_messages
from tests.support.matches import ADA, BO, EVE, PLAYERS, TABLE, MatchFixture

NOT_IN_MATCH = 1
"""A user with a small ID."""


async def change(env: MatchFixture, match_id: MatchId, **fields: Any) -> Match:
    """Change columns of a match, as another version of the bot left them, and read it."""
    async with env.database.write() as connection:
        statement = update(matches).where(matches.c.id == match_id)
        await connection.execute(statement.values(fields))
    return await env.queries.match(match_id)


async def send_away(env: MatchFixture, user_id: UserId) -> None:
    async with env.database.write() as connection:
        absence = {"user_id": user_id, "ends_at": 2000.0, "stand_in": "cadet"}
        await connection.execute(insert(absences).values(absence))


async def ask(env: MatchFixture, users: list[Player], side: str = "B", **fields: Any) -> MatchId:
    """Challenge players to Warp 6."""
    options = {"seats": str(len(users))} if len(users) > 2 else {}
    terms = Terms(game="warp6", options=options, guild_id=None, channel_id=ChannelId(5), **fields)
    return (await env.challenges.challenge(next(env.ids), terms, users, side=side)).match_id


async def series_of(env: MatchFixture, rounds: int) -> list[MatchId]:
    """Begin a series, and end each of its matches but the last, which is a challenge."""
    numbers = [await ask(env, PLAYERS, rounds=rounds)]
    for _ in range(rounds - 1):
        await env.challenges.accept(next(env.ids), numbers[-1], BO)
        await env.matches.act(next(env.ids), numbers[-1], ADA, "resign")
        (following,) = await env.queries.list_for(ADA, "challenge")
        numbers.append(following.id)
    return numbers


async def series_up_to(env: MatchFixture, match_id: MatchId) -> list[int]:
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        return [match.id for match in await series_until(connection, row)]


async def post(
    env: MatchFixture, match_id: MatchId, *rows: tuple[PostedKind, int, int | None]
) -> None:
    """Store posted messages: kind, user and message; each user has a channel of that number."""
    async with env.database.write() as connection:
        for kind, user_id, message_id in rows:
            message = {"kind": kind, "user_id": user_id, "message_id": message_id}
            place = {"match_id": match_id, "channel_id": user_id or 5, "action_count": 0}
            await connection.execute(insert(posted_messages).values(message | place))


async def test_each_reader_sees_the_board_posted_for_them(env: MatchFixture) -> None:
    board, challenge = PostedKind.BOARD, PostedKind.CHALLENGE
    in_channel, by_dm, without = await env.begin(), await env.begin(), await env.begin()
    await post(env, in_channel, (challenge, 0, 101), (board, 0, 102))
    copies = [(board, NOT_IN_MATCH, 103), (board, BO, 104), (board, ADA, 105)]
    await post(env, by_dm, *copies)

    async def boards(match_id: MatchId, *reader: UserId) -> MatchWithBoard:
        async with env.database.read() as connection:
            row = await match_with_board(connection, match_id, *reader)
            assert await begun_match_with_board(connection, match_id, *reader) == row
        assert row.match.id == match_id
        return row

    for reader in ((), (ADA,), (EVE,)):
        assert (await boards(in_channel, *reader))[1:] == (5, 102, None)
        assert (await boards(without, *reader))[1:] == (None, None, None)
    assert (await boards(by_dm))[1:] == (None, None, None)
    assert (await boards(by_dm, EVE))[1:] == (None, None, None)
    assert (await boards(by_dm, ADA))[1:] == (ChannelId(ADA), 105, ADA)
    assert (await boards(by_dm, BO))[1:] == (ChannelId(BO), 104, BO)
    links = {match.id: match.link for match in await env.queries.list_for(BO, "running")}
    assert links == {in_channel: (5, 102), by_dm: (BO, 104), without: None}
    links = {match.id: match.link for match in await env.queries.latest(BO, MatchStatus.RUNNING)}
    assert links == {in_channel: (5, 102), by_dm: None, without: None}


async def test_deleted_board_is_not_linked(env: MatchFixture) -> None:
    match_id = await env.begin()
    await post(env, match_id, (PostedKind.BOARD, 0, None))
    assert (await env.queries.match(match_id)).link is None


async def test_players_list_only_their_matches_of_a_status(env: MatchFixture) -> None:
    running, challenge_id = await env.begin(), await env.ask()
    other = await ask(env, [PLAYERS[0], TABLE[2]])

    async def found(user_id: UserId, *statuses: str) -> dict[int, set[int]]:
        listed = await env.queries.list_for(user_id, *statuses)
        return {match.id: {player.user_id for player in match.players.values()} for match in listed}

    assert await found(BO, "running", "challenge") == {running: {ADA, BO}, challenge_id: {ADA, BO}}
    assert await found(BO, "challenge") == {challenge_id: {ADA, BO}}
    assert await found(EVE, "running", "challenge") == {other: {ADA, EVE}}


async def test_seats_have_preferences_and_absence_of_their_player(env: MatchFixture) -> None:
    match_id, other = await env.begin(), await ask(env, [PLAYERS[0], TABLE[2]])
    await send_away(env, ADA)
    await send_away(env, UserId(NOT_IN_MATCH))
    preferences = {"turns": "on"}
    async with env.database.write() as connection:
        await connection.execute(delete(players))
        for user_id in (BO, NOT_IN_MATCH):
            await connection.execute(
                insert(players).values(user_id=user_id, preferences=preferences)
            )
    async with env.database.read() as connection:
        people = await seats_of(connection, match_id)
        several = await seats_of_matches(connection, [match_id, other])
        assert several == {match_id: people, other: await seats_of(connection, other)}
    settings = {
        person.user_id: (person.away_until, person.stand_in, person.preferences)
        for person in people
    }
    assert settings == {ADA: (2000.0, "cadet", None), BO: (None, None, preferences)}
    assert len(people) == 2


async def test_seat_says_whether_its_player_has_a_plan(env: MatchFixture) -> None:
    match_ids = [await env.begin(), await env.begin()]
    planned = PlanRow(match_ids[0], "D", "place 1", Version(1), 0, None, None, env.now)
    async with env.database.write() as connection:
        await connection.execute(insert(plans).values(asdict(planned)))
        people = [
            *await seats_of(connection, match_ids[0]),
            *await seats_of(connection, match_ids[1]),
        ]
    has_plan = [(person.match_id, person.seat) for person in people if person.has_plan]
    assert has_plan == [(match_ids[0], "D")]
    assert len(people) == 4


async def test_actions_that_were_taken_back_are_not_read(env: MatchFixture) -> None:
    match_id, other = await env.ask(), await env.ask()
    async with env.database.write() as connection:
        for where, number, line, chosen_by, undone_at in (
            (match_id, 1, "O first", None, None),
            (match_id, 2, "O second", "cadet/1", 1.0),
            (match_id, 3, "O third", "admiral/1", None),
            (match_id, 4, "O fourth", None, None),
            (other, 1, "O other", "captain/1", None),
        ):
            place = {"match_id": where, "number": number, "line": line, "made_at": 1.0}
            row = place | {"chosen_by": chosen_by, "undone_at": undone_at}
            await connection.execute(insert(actions).values(row))
        everything = await actions_of(connection, match_id)
        assert [action.verb for action in everything] == ["first", "third", "fourth"]
        assert await actions_of(connection, match_id, 2) == everything[:2]
        assert await choosers_of(connection, match_id) == [None, "admiral/1", None]
        counts = [await action_count_of(connection, number) for number in (match_id, other)]
    assert counts == [3, 1]


async def test_a_series_begins_with_its_first_match_that_is_left(env: MatchFixture) -> None:
    numbers = await series_of(env, 3)
    assert await series_up_to(env, numbers[-1]) == numbers[::-1]
    async with env.database.write() as connection:
        await connection.execute(delete(matches).where(matches.c.id == numbers[0]))
    assert await series_up_to(env, numbers[-1]) == [numbers[2], numbers[1]]


async def test_rematch_of_a_series_begins_another_series(env: MatchFixture) -> None:
    first, second = await series_of(env, 2), await ask(env, PLAYERS, rounds=2)
    await change(env, second, parent_id=first[-1])
    assert await series_up_to(env, second) == [second]


async def test_standing_adds_up_matches_of_the_same_rules(env: MatchFixture) -> None:
    first, second = await series_of(env, 2)
    standing = (await env.queries.match(second)).standing
    assert standing.keys() == {"B", "Y"}
    assert sum(standing.values()) > 0
    await change(env, first, engine_version=0)
    assert (await env.queries.match(second)).standing == {}
    assert (await change(env, first, rounds=1)).standing == {}


async def test_challenge_names_seats_without_a_player(env: MatchFixture) -> None:
    match_id = await ask(env, TABLE, side="")
    match = await env.queries.match(match_id)
    assert (match.seats_to_draw, match.unaccepted, match.joinable) == ("BYW", "YW", "")
    assert (await change(env, match_id, seats_to_draw=None)).seats_to_draw == ""
    await change(env, match_id, seats_to_draw="BYW")
    for seat in "BY":
        await env.change_seat(match_id, seat, joinable=True)
    assert (await env.queries.match(match_id)).joinable == "BY"
    for user in (BO, EVE):
        await env.challenges.accept(next(env.ids), match_id, user)
    match = await env.queries.match(match_id)
    assert (match.status, match.seats_to_draw, match.unaccepted) == ("running", "", "")


async def test_match_says_whether_its_commitment_holds(env: MatchFixture) -> None:
    match_id = await env.ask()

    async def commitment(**fields: Any) -> tuple[str, bool, bool]:
        match = await change(env, match_id, **fields)
        return match.commitment, match.commitment_holds, match.commitment_late

    published, *rest = await commitment(version=1)
    assert len(published) > 32
    assert rest == [True, False]
    assert await commitment(committed_at=None) == (published, True, True)
    assert await commitment(commitment="other") == ("other", False, True)
    assert await commitment(commitment=None) == ("", False, True)


@pytest.mark.parametrize(
    ("fields", "origin_id"),
    [
        ({"parent_id": 7, "lines_taken_over": 0}, 0),
        ({"parent_id": 7, "lines_taken_over": 3}, 7),
        ({"parent_id": None, "lines_taken_over": 3}, 0),
    ],
    ids=["rematch", "continued match", "continued record"],
)
async def test_only_a_match_that_takes_lines_over_has_an_origin(
    env: MatchFixture, fields: Mapping[str, int | None], origin_id: int
) -> None:
    assert (await change(env, await env.ask(), **fields)).origin_id == origin_id


async def test_match_names_only_the_seats_that_are_concerned(env: MatchFixture) -> None:
    match_id = await ask(env, TABLE)
    await send_away(env, BO)
    await env.change_seat(match_id, "Y", agreed_by="BW")
    await env.change_seat(match_id, "B", seconds_left=60.0)
    match = await env.queries.match(match_id)
    assert match.away_until == {"Y": 2000.0}
    assert match.stand_ins == {"Y": "cadet"}
    assert match.agreed_by == {"Y": "BW"}
    assert match.times == {}, "a match without a clock shows no times"
    assert (await change(env, match_id, clock="3d")).times == {"B": (60.0, None)}
