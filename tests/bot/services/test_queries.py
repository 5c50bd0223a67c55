"""Queries of matches for lists, boards, digests and records."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bot.domain.ids import ChannelId, GuildId, MatchId, UserId
from bot.domain.models import MatchStatus, Player
from bot.domain.terms import Terms
from bot.services.challenges import OPEN_SEAT
from bot.storage.schema import actions, matches, seats
from engine import games
from engine.dice import commitment
from engine.game import PUBLIC, IllegalActionError
from engine.record import Record, Replay
from tests.support.matches import ADA, BO, EVE, PLAYERS, TABLE, MatchFixture, choose, warp6

LISTED = 25
"""Maximum number of choices that Discord shows while a user types."""

SERVER, OTHER_SERVER = GuildId(7), GuildId(8)

SEED = bytes(32)


async def ask(
    env: MatchFixture,
    *players: Player,
    guild_id: GuildId | None = None,
    side: str = "",
    **fields: Any,
) -> MatchId:
    """Challenge players to Warp 6, a second after whatever was before."""
    env.now += 1
    options = fields.pop("options", {})
    terms = Terms(
        game="warp6", options=options, guild_id=guild_id, channel_id=ChannelId(5), **fields
    )
    challenge = await env.challenges.challenge(next(env.ids), terms, players, side=side)
    assert challenge.kind == "done"
    return challenge.match_id


async def begin(env: MatchFixture, *players: Player, **fields: Any) -> MatchId:
    """Begin a match of Warp 6 in which all players choose in secret at first."""
    match_id = await ask(env, *players, options={"setup": "secret"}, **fields)
    for player in players[1:]:
        await env.challenges.accept(next(env.ids), match_id, player.user_id)
    return match_id


async def change(env: MatchFixture, match_id: MatchId, **fields: Any) -> None:
    """Change columns of a match, as another version of the bot left them."""
    async with env.database.write() as connection:
        statement = update(matches).where(matches.c.id == match_id)
        await connection.execute(statement.values(fields))


async def add_copies(env: MatchFixture, match_id: MatchId, count: int) -> None:
    """Add matches with the same columns and seats."""
    async with env.database.write() as connection:
        query = select(matches).where(matches.c.id == match_id)
        row = (await connection.execute(query)).one()._asdict()
        query = select(seats).where(seats.c.match_id == match_id)
        people = [seat._asdict() for seat in (await connection.execute(query)).all()]
        del row["id"]
        for _ in range(count):
            added = await connection.execute(insert(matches).values(row))
            (number,) = added.inserted_primary_key or (0,)
            copied = [person | {"match_id": number} for person in people]
            await connection.execute(insert(seats), copied)


async def test_only_a_rematch_that_has_begun_counts(env: MatchFixture) -> None:
    match_id = await env.begin()
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    assert not await env.queries.has_rematch(match_id)
    challenge = await env.rematches.rematch(next(env.ids), match_id, ADA)
    assert not await env.queries.has_rematch(match_id)
    await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    assert await env.queries.has_rematch(match_id)
    await env.matches.act(next(env.ids), challenge.match_id, ADA, "resign")
    assert await env.queries.has_rematch(match_id)
    assert not await env.queries.has_rematch(challenge.match_id)


async def test_inbox_lists_own_turns_first_then_latest_changes(env: MatchFixture) -> None:
    ada, bo, eve = TABLE
    to_ada, by_ada = await ask(env, bo, ada), await ask(env, ada, bo)
    running, finished = await begin(env, ada, bo), await begin(env, ada, bo)
    await env.matches.act(next(env.ids), finished, ADA, "resign")
    outdated, others = await begin(env, ada, bo), await ask(env, bo, eve)
    await change(env, outdated, engine_version=0)
    declined = await ask(env, bo, ada)
    await env.challenges.decline(next(env.ids), declined, ADA)

    async def listed(user_id: UserId) -> list[int]:
        page = await env.queries.page_of(user_id, 0, 9)
        assert (page.number, page.pages) == (0, 1)
        return [row.match.id for row in page.rows]

    assert await listed(ADA) == [to_ada, outdated, running, by_ada]
    assert await listed(BO) == [by_ada, outdated, running, to_ada, others]
    assert await listed(EVE) == [others]
    assert await listed(UserId(99)) == []


async def test_inbox_lists_the_least_time_left_first(env: MatchFixture) -> None:
    """Of the own turns the player's own time counts, and of other matches the others' time."""
    ada, bo, _ = TABLE
    week, day, none = [await begin(env, ada, bo, clock=clock) for clock in ("7d", "1d", "")]
    challenge = await ask(env, bo, ada)
    waiting = [await begin(env, ada, bo, clock=clock) for clock in ("", "7d", "3d")]
    paused = await begin(env, ada, bo, clock="1h")
    late = await begin(env, ada, bo, clock="9d")
    for match_id in waiting:
        await choose(env, match_id, ADA)
    await env.change_seat(day, "B", clock_started_at=env.now - 1)  # another player is hurried
    for seat in "BY":
        await env.change_seat(paused, seat, clock_started_at=None)
    user = (await env.queries.match(late)).seat_of(ADA)
    await env.change_seat(late, user, clock_started_at=5.0, seconds_left=0.0)
    page = await env.queries.page_of(ADA, 0, 20)
    listed = [row.match.id for row in page.rows]
    assert listed == [late, day, challenge, week, paused, none, waiting[2], waiting[1], waiting[0]]


async def test_inbox_counts_days_off(env: MatchFixture) -> None:
    """A clock that stands still on the weekend ends later, on either player's turn."""
    ada, bo, _ = TABLE
    env.now = datetime(2026, 11, 27, 12, tzinfo=UTC).timestamp()  # a Friday
    clocks = ("1dw", "2d", "1d", "7d")
    mine = [await begin(env, ada, bo, clock=clock) for clock in clocks]
    theirs = [await begin(env, ada, bo, clock=clock) for clock in clocks]
    for match_id in theirs:
        await choose(env, match_id, ADA)
    page = await env.queries.page_of(ADA, 0, 20)
    order = (2, 1, 0, 3)
    assert [row.match.id for row in page.rows] == [
        *(mine[place] for place in order),
        *(theirs[place] for place in order),
    ]
    user = (await env.queries.match(mine[0])).seat_of(ADA)
    late = {"clock_started_at": env.now - 1, "seconds_left": 0.0}
    await env.change_seat(mine[0], user, **late)  # its timer may stand for a loss in days
    page = await env.queries.page_of(ADA, 0, 20)
    assert page.rows[0].match.id == mine[0]
    await env.change_seat(mine[0], user, seconds_left=1.0, clock_started_at=env.now)
    page = await env.queries.page_of(ADA, 0, 20)
    assert page.rows[2].match.id == mine[0], "the timer ends this clock"


async def test_inbox_has_pages(env: MatchFixture) -> None:
    """Those with the same time are listed from the newest on."""
    await add_copies(env, await env.begin(), 6)
    user = await env.on_turn(MatchId(1))
    await change(env, MatchId(3), decisions={})
    numbers: list[list[int]] = []
    for number in (0, 1, 2, 3, 9):
        page = await env.queries.page_of(user, number, 3)
        assert page.pages == 3
        assert page.number == min(number, 2)
        numbers.append([row.match.id for row in page.rows])
    assert numbers == [[7, 6, 5], [4, 2, 1], [3], [3], [3]]
    exact = await env.queries.page_of(user, 0, 7)
    assert (len(exact.rows), exact.pages) == (7, 1)


async def test_matches_that_await_a_player_are_those_of_the_match(env: MatchFixture) -> None:
    ada, bo, _ = TABLE
    numbers = [
        await begin(env, ada, bo),
        await begin(env, bo, ada),
        await ask(env, ada, bo),
        await ask(env, bo, ada),
        await env.begin("standard", "warp6"),
    ]
    away = await env.begin()
    seat = (await env.queries.match(away)).seat_of(await env.on_turn(away))
    await env.change_seat(away, seat, level="cadet")
    for user in (ADA, BO):
        page = await env.queries.page_of(user, 0, 9)
        assert {row.match.id for row in page.rows} == {*numbers, away}
        awaited = [row.match.awaits(user) for row in page.rows]
        assert awaited == sorted(awaited, reverse=True)
        assert 0 < sum(awaited) < 6


async def test_running_matches_are_counted(env: MatchFixture) -> None:
    ada, bo, eve = TABLE
    await begin(env, ada, bo)
    finished = await begin(env, ada, bo)
    await env.matches.act(next(env.ids), finished, ADA, "resign")
    await ask(env, bo, ada)
    await begin(env, bo, eve)
    assert [await env.queries.running_count(user) for user in (ADA, BO, EVE, UserId(99))] == [
        1,
        2,
        1,
        0,
    ]


async def test_game_played_is_that_of_the_latest_change(env: MatchFixture) -> None:
    await env.begin()
    env.now += 1
    race = await env.begin("standard", "warp6")
    env.now += 1
    await begin(env, *TABLE[1:])
    every = ("wormholes", "warp6")
    assert await env.queries.game_played(ADA, every) == "warp6"
    assert await env.queries.game_played(EVE, every) == "warp6"
    assert await env.queries.game_played(EVE, ("wormholes",)) == ""
    assert await env.queries.game_played(ADA, ("wormholes",)) == "wormholes"
    assert await env.queries.game_played(ADA, ("tomtube",)) == ""
    await env.matches.act(next(env.ids), race, ADA, "resign")
    assert await env.queries.game_played(ADA, every) == "wormholes"
    assert await env.queries.game_played(UserId(99), every) == ""


async def test_open_seats_are_those_of_one_server(env: MatchFixture) -> None:
    ada, bo, eve = TABLE
    first = await ask(env, ada, OPEN_SEAT, guild_id=SERVER)
    elsewhere = await ask(env, ada, OPEN_SEAT, guild_id=OTHER_SERVER)
    await ask(env, ada, OPEN_SEAT)
    second = await ask(env, bo, OPEN_SEAT, guild_id=SERVER)
    withdrawn = await ask(env, bo, OPEN_SEAT, guild_id=SERVER)
    await env.challenges.withdraw(next(env.ids), withdrawn, BO)
    await ask(env, ada, bo, guild_id=SERVER)
    await begin(env, bo, eve, guild_id=SERVER)

    async def found(guild_id: GuildId, limit: int = 9) -> list[int]:
        return [seat.match.id for seat in await env.queries.open_seats(guild_id, limit)]

    assert await found(SERVER) == [second, first]
    assert await found(SERVER, 1) == [second]
    assert await found(OTHER_SERVER) == [elsewhere]


async def test_latest_matches_are_own_ones_of_a_status(env: MatchFixture) -> None:
    ada, bo, eve = TABLE
    early, late, asked = (
        await begin(env, ada, bo),
        await begin(env, bo, ada),
        await ask(env, bo, ada),
    )
    other = await begin(env, bo, eve)

    async def latest(user_id: UserId, status: MatchStatus, **filters: Any) -> list[int]:
        return [match.id for match in await env.queries.latest(user_id, status, **filters)]

    assert await latest(ADA, MatchStatus.RUNNING) == [late, early]
    assert await latest(ADA, MatchStatus.CHALLENGE) == [asked]
    assert await latest(EVE, MatchStatus.RUNNING) == [other]
    assert await latest(BO, MatchStatus.RUNNING, limit=2) == [other, late]
    assert await latest(ADA, MatchStatus.RUNNING, game="warp6", digits=str(early)) == [early]
    assert await latest(ADA, MatchStatus.RUNNING, game="wormholes") == []
    for typed in ("_", "%", "?"):
        assert await latest(ADA, MatchStatus.RUNNING, digits=typed) == []


async def test_as_many_matches_are_offered_as_discord_shows(env: MatchFixture) -> None:
    await add_copies(env, await env.begin(), LISTED)
    assert len(await env.queries.list_for(ADA, "running")) == LISTED + 1
    assert len(await env.queries.latest(ADA, MatchStatus.RUNNING)) == LISTED


async def test_user_with_the_smallest_id_is_not_the_public(env: MatchFixture) -> None:
    smallest = Player(UserId(1), "Ann")
    match_id = await begin(env, smallest, PLAYERS[1])
    await choose(env, match_id, smallest.user_id)
    by_eve, public = (
        await env.queries.view(match_id, EVE),
        await env.queries.view(match_id, UserId(1)),
    )
    assert await env.queries.view(match_id) == by_eve
    assert by_eve.seat == PUBLIC != public.seat
    record = await env.queries.record(match_id)
    assert record == await env.queries.record(match_id, EVE)
    assert record != await env.queries.record(match_id, smallest.user_id)


async def test_earlier_board_is_shown_as_it_was(env: MatchFixture) -> None:
    await warp6(env, "")
    match_id = await warp6(env, "")
    views = {}
    for _ in range(4):
        count = len((await env.queries.record(match_id)).actions)
        views[count] = (await env.queries.view(match_id, ADA)).view
        await choose(env, match_id, await env.on_turn(match_id))
    assert len(views) == 4
    now = await env.queries.match(match_id)
    for count, view in views.items():
        perspective = await env.queries.view(match_id, ADA, count)
        assert perspective == (now, now.seat_of(ADA), view, ())


async def test_current_board_is_shown_without_a_replay(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await warp6(env, "")
    await choose(env, match_id, await env.on_turn(match_id))
    count = len((await env.queries.record(match_id)).actions)
    replayed, positions = list[Record](), Record.positions

    def watched(record: Record, *cached: Any) -> Iterator[Replay]:
        replayed.append(record)
        return positions(record, *cached)

    monkeypatch.setattr(Record, "positions", watched)
    assert await env.queries.view(match_id, ADA) == await env.queries.view(match_id, ADA, count)
    assert not replayed
    await env.queries.view(match_id, ADA, count - 1)
    assert len(replayed) == 1


async def test_digest_ends_with_the_current_board(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    await env.race(match_id)
    for _ in range(3):
        await choose(env, match_id, await env.on_turn(match_id))
    for user_id in (ADA, BO, EVE):
        now, views = await env.queries.since_last_turn(match_id, user_id)
        assert now == await env.queries.view(match_id, user_id)
        assert views[-1].turn == now.view.turn


async def test_digest_does_not_begin_with_a_planned_choice(env: MatchFixture) -> None:
    await env.race(await warp6(env, ""))
    async with env.database.write() as connection:
        await connection.execute(update(actions).values(automatic="plan"))
    match_id = await warp6(env, "")
    await env.race(match_id)
    count = len((await env.queries.record(match_id)).actions)
    for _ in range(5):
        await choose(env, match_id, await env.on_turn(match_id))
    user_id = await env.on_turn(match_id)
    _, later = await env.queries.since_last_turn(match_id, user_id)
    async with env.database.write() as connection:
        second = (actions.c.match_id == match_id) & (actions.c.number > count + 2)
        await connection.execute(update(actions).where(second).values(automatic="plan"))
    _, views = await env.queries.since_last_turn(match_id, user_id)
    assert views[-len(later) :] == later
    assert views[0].turn < later[0].turn


async def test_choices_are_those_of_the_user_that_still_count(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    expected: dict[UserId, list[Any]] = {ADA: [], BO: [], EVE: []}
    for _ in range(4):
        user_id = await env.on_turn(match_id)
        count = len((await env.queries.record(match_id)).actions)
        view = (await env.queries.view(match_id, user_id)).view
        await choose(env, match_id, user_id)
        expected[user_id].append((view, (await env.queries.record(match_id)).actions[count]))
    assert len(expected[ADA]) == len(expected[BO]) == 2
    places = range(len((await env.queries.record(match_id)).actions) + 2)
    for user_id, choices in expected.items():
        assert await env.queries.choices_at(match_id, user_id, places) == choices


async def test_refused_origin_names_no_rule(env: MatchFixture) -> None:
    with pytest.raises(IllegalActionError, match="isn't over yet") as caught:
        await env.queries.origin(await env.begin(), 0)
    assert caught.value.rule == ""


async def test_record_of_a_running_match_has_no_other_headers(env: MatchFixture) -> None:
    match_id = await ask(env, *TABLE, side="B", options={"seats": "3"})
    for user_id in (BO, EVE):
        await env.challenges.accept(next(env.ids), match_id, user_id)
    match, headers = await env.queries.match(match_id), (await env.queries.record(match_id)).headers
    fixed, *drawn = headers["Sides"].split()
    assert (fixed, sorted(drawn)) == ("B!", ["W", "Y"])
    assert headers == {
        "Game": "warp6",
        "Rules": match.rules,
        "Options": "seats=3",
        **{f"Seat {seat}": player.name for seat, player in match.players.items()},
        "Version": str(games.get("warp6").version),
        "Dice": commitment(SEED),
        "Sides": " ".join((fixed, *drawn)),
        "Salt": match.salt,
        "Date": "1970-01-01T00:16:41Z",
    }


async def test_record_of_a_finished_match_has_its_result(env: MatchFixture) -> None:
    match_id = await ask(env, *PLAYERS, side="BY", rounds=2)
    await env.challenges.accept(next(env.ids), match_id, BO)
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    match, record = await env.queries.match(match_id), await env.queries.record(match_id)
    assert record.headers == {
        "Game": "warp6",
        "Rules": match.rules,
        "Seat B": "Ada",
        "Seat Y": "Bo",
        "Version": str(games.get("warp6").version),
        "Dice": commitment(SEED),
        "Sides": "B! Y!",
        "Series": "1/2",
        "Salt": match.salt,
        "Date": "1970-01-01T00:16:41Z",
        "Seed": SEED.hex(),
        "Result": (await env.queries.view(match_id)).view.result,
        "Points": " ".join(f"{seat}{points}" for seat, points in match.standing.items()),
    }
    assert await env.queries.verify(record, match.commitment) > 0


async def test_record_says_what_was_not_committed_to(env: MatchFixture) -> None:
    match_id = await env.begin()
    await change(env, match_id, committed_at=None)
    record = await env.queries.record(match_id)
    assert (record.headers["Dice"], record.headers["Dice stored"]) == (
        commitment(SEED),
        "at an upgrade",
    )
    await change(env, match_id, commitment=None, seat_order=None)
    record = await env.queries.record(match_id)
    assert record.headers["Dice"] == "none"
    assert "Sides" not in record.headers


async def test_record_says_what_the_computer_chose(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    count, user_id = len((await env.queries.record(match_id)).actions), await env.on_turn(match_id)
    await choose(env, match_id, user_id)
    async with env.database.write() as connection:
        condition = (actions.c.match_id == match_id) & (actions.c.number == count + 1)
        await connection.execute(update(actions).where(condition).values(chosen_by="cadet/1"))
    seat = (await env.queries.match(match_id)).seat_of(user_id)
    headers = (await env.queries.record(match_id)).headers
    assert headers["Computer"] == f"{count + 1} {seat} cadet/1"
