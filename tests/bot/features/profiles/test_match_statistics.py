"""Figures of seats: what a finished match adds to the profiles of its players, row by row."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest
from sqlalchemy import insert, select, update

from bot.domain.ids import ChannelId, MatchId, UserId, Version
from bot.domain.models import MatchStatus
from bot.features.profiles import match_statistics as module
from bot.features.profiles.match_statistics import SeatFigures, figures_of, fill, fill_analyses
from bot.services.rows import LoggedAction, MatchRow
from bot.storage.schema import analyses, seat_figures, seats
from engine import games
from engine.computer.analysis import VERSION as ANALYSIS_VERSION
from engine.computer.analysis import Analysis, Decision, Parts
from engine.game import Action
from engine.record import Record
from tests.support.matches import ADA, BO, EVE, MatchFixture, choose, opponent_of, take_back
from tests.support.profiles import begin
from tests.support.tally import Tally

START = """Game: warp6

* roll b8a8 b8b7 b6a5 b6b2 b6c5 b4a1 b4b3 b4c3 b4d1 y8a6 y8b7 y6a6 y6b5 y6c5 y4a3 y4b4 y4c2 y4d2
B place b8a
Y place y8a
"""


class Shown(NamedTuple):
    """The figures of a player in a match, without those of an analysis."""

    outcome: str
    turns: int
    seconds: float
    opening: str = "8"


class Analysed(NamedTuple):
    """What an analysis has added to the figures of a player in a match."""

    analysis_version: int | None = None
    luck: int | None = None
    loss: int | None = None
    decisions: int | None = None
    level: str | None = None


def stored_match(ending: str) -> MatchRow:
    """A match of Black and Yellow that has ended like this."""
    game, state = Record.parse(START + ending).replay()
    assert game.result(state)
    return replace(ROW, position=game.dump(state))


ROW = MatchRow(
    id=MatchId(1),
    game="warp6",
    engine_version=1,
    rules="standard",
    options={},
    status=MatchStatus.FINISHED,
    version=Version(9),
    position=None,
    decisions={},
    chance_count=1,
    seed=bytes(32),
    salt="",
    commitment=None,
    committed_at=None,
    seat_order="BY",
    seats_to_draw="",
    challenger_id=ADA,
    guild_id=None,
    channel_id=ChannelId(5),
    parent_channel_id=None,
    clock="",
    parent_id=None,
    round=1,
    rounds=1,
    created_at=0.0,
    expires_at=None,
    changed_at=0.0,
)


def log_of(*lines: tuple[float, str] | tuple[float, str, str]) -> list[LoggedAction]:
    """Lines with their times, and with the computer player that chose them."""
    return [
        LoggedAction(MatchId(1), number, line, at, None, by[0] if by else None, None)
        for number, (at, line, *by) in enumerate(lines, 1)
    ]


async def played(
    env: MatchFixture, *users: UserId, waits: Sequence[float] = ()
) -> tuple[MatchId, int]:
    """A match of Warp 6: choices, each after some time; then the challenger resigns.

    Returns:
        Its number, and the user who made the first choice.
    """
    match_id = await begin(env, "warp6", {}, users)
    first = await env.on_turn(match_id)
    for wait in waits:
        env.now += wait
        await choose(env, match_id, await env.on_turn(match_id))
    env.now += 1000
    assert (await env.matches.act(next(env.ids), match_id, users[0], "resign")).kind == "done"
    return match_id, first


async def stored(env: MatchFixture) -> dict[tuple[int, int], Any]:
    """Match and user → their row of figures."""
    joined = (seats.c.match_id == seat_figures.c.match_id) & (seats.c.seat == seat_figures.c.seat)
    query = select(seats.c.user_id, seat_figures).join(seats, joined)
    async with env.database.read() as connection:
        return {(row.match_id, row.user_id): row for row in await connection.execute(query)}


async def shown(env: MatchFixture) -> dict[tuple[int, int], Shown]:
    """Match and user → what their profile gets from it."""
    rows = (await stored(env)).items()
    return {key: Shown(row.outcome, row.turns, row.seconds, row.opening) for key, row in rows}


async def analysed(env: MatchFixture) -> dict[tuple[int, int], Analysed]:
    """Match and user → what their profile gets from its analysis."""
    return {
        key: Analysed(row.analysis_version, row.luck, row.loss, row.decisions, row.level)
        for key, row in (await stored(env)).items()
    }


def result_of(user: UserId, loser: UserId) -> str:
    return "lost" if user == loser else "won"


# One match


def test_figures_follow_from_the_choices_of_a_seat() -> None:
    log = log_of(
        (100, "* roll b8a8"),
        (110, "B place b8a"),
        (130, "B place b6a"),
        (150, "* roll b4a1"),
        (190, "B place b6b"),  # goes on with its turn
        (195, "Y place y8b", "cadet/1"),
        (205, "B place b4a"),
        (260, "Y place y6a"),
        (300, "Y draw offer"),
        (320, "B place b4b"),  # the offer was no turn
        (323, "Y draw decline"),
        (330, "Y place y4a"),
        (500, "B resign"),
    )
    assert [*figures_of(stored_match("B resign"), log)] == [
        SeatFigures("B", "lost", 3, 10 + 20 + 40 + 10 + 60, "8"),
        SeatFigures("Y", "won", 2, 55 + 10, "6"),
    ]


def test_first_line_of_a_match_takes_no_time() -> None:
    log = log_of((100, "Y place y6a"), (110, "B place b8a"), (125, "Y place y8a"))
    assert [figures[2:] for figures in figures_of(stored_match("B resign"), log)] == [
        (1, 10.0, "8"),
        (1, 15.0, "6"),
    ]


def test_clock_that_was_set_back_takes_no_time_away() -> None:
    log = log_of((100, "B place b8a"), (90, "Y place y6a"), (95, "B place b6a"))
    times = {figures.seat: figures.seconds for figures in figures_of(stored_match("B resign"), log)}
    assert times == {"B": 5.0, "Y": 0.0}


@pytest.mark.parametrize(
    ("ending", "outcomes"),
    [
        ("B resign", ["lost", "won"]),
        ("B draw offer\nY draw accept", ["drawn", "drawn"]),
        ("B abandon", ["", ""]),
    ],
)
def test_outcome_follows_from_the_result(ending: str, outcomes: list[str]) -> None:
    seat_rows = [*figures_of(stored_match(ending), [])]
    assert seat_rows == [
        SeatFigures(seat, outcome, 0, 0.0, "") for seat, outcome in zip("BY", outcomes, strict=True)
    ]


# All matches of a user


async def test_own_finished_matches_are_read(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    read, computed = set[int](), module._computed

    def watched(rows: Sequence[MatchRow], log: Sequence[LoggedAction]) -> Any:
        read.update(action.match_id for action in log)
        return computed(rows, log)

    monkeypatch.setattr(module, "_computed", watched)
    one, first_of_one = await played(env, ADA, BO, waits=(10, 20, 40))
    await played(env, BO, EVE, waits=(5,))
    two, first_of_two = await played(env, EVE, ADA, waits=(1, 2, 3, 4, 5))
    running = await begin(env, "warp6", {}, (ADA, BO))
    await choose(env, running, await env.on_turn(running))
    assert await fill(env.database, ADA) == 0
    (other_of_one,), (other_of_two,) = {ADA, BO} - {first_of_one}, {ADA, EVE} - {first_of_two}
    assert await shown(env) == {
        (one, first_of_one): Shown(result_of(UserId(first_of_one), ADA), 2, 50.0),
        (one, other_of_one): Shown(result_of(other_of_one, ADA), 1, 20.0),
        (two, first_of_two): Shown(result_of(UserId(first_of_two), EVE), 3, 9.0),
        (two, other_of_two): Shown(result_of(other_of_two, EVE), 2, 6.0),
    }
    assert read == {one, two}


async def test_choices_taken_back_do_not_count(env: MatchFixture) -> None:
    match_id = await begin(env, "warp6", {}, (ADA, BO))
    user = await env.on_turn(match_id)
    env.now += 10
    await choose(env, match_id, user)
    assert (await take_back(env, match_id, user)).kind == "done"
    assert (await env.matches.act(next(env.ids), match_id, user, "resign")).kind == "done"
    await fill(env.database, BO)
    assert await shown(env) == {
        (match_id, user): Shown("lost", 0, 0.0, ""),
        (match_id, opponent_of(user)): Shown("won", 0, 0.0, ""),
    }


async def test_figures_of_an_earlier_version_are_replaced(env: MatchFixture) -> None:
    one, _ = await played(env, ADA, BO, waits=(10,))
    two, _ = await played(env, ADA, BO, waits=(10,))
    await fill(env.database, ADA)
    right, wrong = await shown(env), {"turns": 77}
    async with env.database.write() as connection:
        await connection.execute(update(seat_figures).values(**wrong))
        earlier = update(seat_figures).where(seat_figures.c.match_id == one)
        await connection.execute(earlier.values(version=module.VERSION - 1))
    assert await fill(env.database, ADA) == 0
    assert await shown(env) == {
        key: figures._replace(turns=77) if key[0] == two else figures
        for key, figures in right.items()
    }


async def test_matches_of_earlier_rules_do_not_count(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    await played(env, ADA, BO)
    game = type(games.get("warp6"))
    monkeypatch.setattr(game, "version", game.version + 1)
    current, _ = await played(env, ADA, BO)
    await fill(env.database, ADA)
    assert {match_id for match_id, _ in await stored(env)} == {current}


async def test_latest_matches_are_read_first(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module, "MAX_MATCHES", 2)
    one, two, three = [(await played(env, ADA, BO))[0] for _ in range(3)]
    assert await fill(env.database, ADA) == 1
    assert {match_id for match_id, _ in await stored(env)} == {two, three}
    assert await fill(env.database, ADA) == 0
    assert {match_id for match_id, _ in await stored(env)} == {one, two, three}


# Analyses


def analysis() -> Analysis:
    """An analysis of a match in which Black made two errors, and Yellow had luck."""
    place = Action.parse("B place b8a")
    return Analysis(
        seats="BY",
        curve=((500, 500),),
        parts=(Parts(-30, 0, (-7, 0), (0, 0)), Parts(30, 0, (7, 0), (0, 0))),
        decisions=tuple(Decision(n, "B", place, place, loss) for n, loss in enumerate((3, 4))),
        rolls=(),
        levels=("cadet", ""),
        endings=("resign", ""),
    )


async def add(env: MatchFixture, match_id: MatchId, version: int, result: str | None) -> None:
    """Store an analysis, or a request for one."""
    row = {"match_id": match_id, "version": version, "requested_at": 0.0, "attempts": 1}
    async with env.database.write() as connection:
        await connection.execute(insert(analyses).values(**row, result=result))


async def test_new_analyses_are_added_to_the_figures(env: MatchFixture) -> None:
    stored_analysis, now = json.dumps(analysis().to_json()), ANALYSIS_VERSION
    new, again, counted, waiting, outdated = [(await played(env, ADA, BO))[0] for _ in range(5)]
    other, _ = await played(env, BO, EVE)
    for user in (ADA, BO):
        await fill(env.database, user)
    for match_id in (new, again, counted, other):
        await add(env, match_id, now, stored_analysis)
    await add(env, waiting, now, None)
    await add(env, outdated, now - 1, stored_analysis)
    old, kept = Analysed(now - 1, 1, 1, 1, "old"), Analysed(now, 2, 2, 2, "kept")
    async with env.database.write() as connection:
        for match_id, figures in ((again, old), (counted, kept)):
            values = figures._asdict()
            statement = update(seat_figures).where(seat_figures.c.match_id == match_id)
            await connection.execute(statement.values(**values))
    await fill_analyses(env.database, ADA)
    wanted = dict[tuple[int, int], Analysed]()
    for match_id in (new, again):
        match = await env.queries.match(match_id)
        wanted[match_id, match.players["B"].user_id] = Analysed(now, -30, 7, 2, "cadet")
        wanted[match_id, match.players["Y"].user_id] = Analysed(now, 30, 0, 0, "")
    others = dict.fromkeys(((counted, ADA), (counted, BO)), kept)
    empty = [(number, user) for number in (waiting, outdated) for user in (ADA, BO)]
    empty += [(other, BO), (other, EVE)]
    assert await analysed(env) == wanted | others | dict.fromkeys(empty, Analysed())


async def test_figures_that_are_known_are_only_read(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, _ = await played(env, ADA, BO)
    await add(env, match_id, ANALYSIS_VERSION, json.dumps(analysis().to_json()))
    for writes in (2, 0):
        tally = Tally()
        with monkeypatch.context() as patch:
            tally.watch(env.database, patch)
            await fill(env.database, ADA)
            await fill_analyses(env.database, ADA)
        assert tally.writes == writes
