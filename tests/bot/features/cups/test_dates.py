"""Due events of cups: their exact times, their matches, and changes in between."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from sqlalchemy import Select, Table, select, update

from bot.domain.clocks import DAY
from bot.domain.ids import NO_MATCH, MatchId
from bot.domain.models import MatchStatus
from bot.features.cups.dates import (
    _ENDING,
    _MISSED,
    _OUT_OF_TIME,
    _STARTING,
    CUP_DATES_DUE,
    CupDates,
    _missed,
)
from bot.features.cups.formats import CupFormat
from bot.features.cups.rows import CupStatus, PairingStatus
from bot.features.cups.service import Actor
from bot.features.cups.standings import PairingReason
from bot.storage.due import Conditions
from bot.storage.schema import cup_pairings, matches, seats
from engine import games
from tests.support.cups import ORGANISER, CupFixture
from tests.support.matches import MatchFixture, choose, warp6
from tests.support.privacy import privacy_of

QUERIES = {"start": _STARTING, "late": _OUT_OF_TIME, "missed": _MISSED, "end": _ENDING}


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


async def due(env: MatchFixture) -> dict[str, list[int]]:
    """The cups and matches that are due; the heartbeat must know whether there are any."""
    async with env.database.read() as connection:
        due_ids = {
            name: sorted((await connection.execute(query, {"now": env.now})).scalars())
            for name, query in QUERIES.items()
        }
    assert await Conditions(env.database, [CUP_DATES_DUE]).read(env.now) == [any(due_ids.values())]
    return {name: numbers for name, numbers in due_ids.items() if numbers}


async def change(env: MatchFixture, table: Table, key: dict[str, Any], **values: Any) -> None:
    """Change the rows that have these values in some columns."""
    conditions = [table.c[name] == value for name, value in key.items()]
    async with env.database.write() as connection:
        await connection.execute(update(table).where(*conditions).values(**values))


async def status_of(env: MatchFixture, match_id: MatchId) -> str:
    async with env.database.read() as connection:
        query = select(matches.c.status).where(matches.c.id == match_id)
        return str((await connection.execute(query)).scalar_one())


async def matches_of(cup: CupFixture, cup_id: int) -> list[MatchId]:
    """The running matches of a cup."""
    return sorted(pairing.match_id or NO_MATCH for pairing in (await cup.get(cup_id)).running)


def meanwhile(
    dates: CupDates, monkeypatch: pytest.MonkeyPatch, act: Callable[[], Awaitable[object]]
) -> None:
    """Have something happen each time that something due was found, and before it is done."""
    find = dates._due_ids

    async def found(statement: Select[int]) -> list[int]:
        if numbers := await find(statement):
            await act()
        return numbers

    monkeypatch.setattr(dates, "_due_ids", found)


# Due


async def test_dates_of_a_cup_are_due_once(cup: CupFixture, env: MatchFixture) -> None:
    dates = {"starts_at": env.now + DAY, "ends_at": env.now + 2 * DAY}
    cup_id, _, cancelled = [await cup.create(3, **fields) for fields in (dates, {}, dates)]
    await cup.cups.cancel(next(env.ids), cancelled, Actor(ORGANISER))
    for name in ("start", "end"):
        env.now += DAY - 1
        assert await due(env) == {}
        env.now += 1
        assert await due(env) == {name: [cup_id]}
        await cup.dates.run()
        assert await due(env) == {}


async def test_closed_and_outdated_matches_are_played_again(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, cancelled = await cup.begun(4, max_open=3), await cup.begun(3)
    closed, outdated, decided, *running = await matches_of(cup, cup_id)
    for match_id in (closed, decided, *await matches_of(cup, cancelled)):
        await change(env, matches, {"id": match_id}, status=MatchStatus.CLOSED, decisions={})
    await change(env, matches, {"id": outdated}, engine_version=-1)
    await change(env, cup_pairings, {"match_id": decided}, status=PairingStatus.DONE)
    await cup.cups.cancel(next(env.ids), cancelled, Actor(ORGANISER))
    assert await due(env) == {"missed": [closed, outdated]}
    await cup.dates.run()
    assert await due(env) == {}
    assert await status_of(env, outdated) == MatchStatus.CLOSED
    after = await matches_of(cup, cup_id)
    assert after[:3] == running
    assert len(after) == 5
    assert not {closed, outdated}.intersection(after)


async def test_new_rules_of_another_game_close_no_match(
    cup: CupFixture, env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(games.get("tomtube")), "version", 99)
    await cup.begun(3)
    async with env.database.read() as connection:
        assert (await connection.execute(_missed())).all() == []


async def test_time_is_up_after_a_day_in_open_matches_of_cups(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, apart = await cup.begun(4, max_open=3), await warp6(env, "3d")
    late, later, decided, closed, some_left, _ = await matches_of(cup, cup_id)
    up = env.now - DAY
    for match_id in (late, decided, closed, apart):
        await change(env, seats, {"match_id": match_id}, seconds_left=0, clock_started_at=up)
    later_seat = {"match_id": later, "seat": "Y"}
    await change(env, seats, later_seat, seconds_left=0, clock_started_at=up + 1)
    some = {"seconds_left": 1, "clock_started_at": up - DAY}
    await change(env, seats, {"match_id": some_left}, **some)
    await change(env, cup_pairings, {"match_id": decided}, status=PairingStatus.DONE)
    await change(env, matches, {"id": closed}, status=MatchStatus.CLOSED)
    assert await due(env) == {"late": [late], "missed": [closed]}
    env.now += 1
    assert await due(env) == {"late": [late, later], "missed": [closed]}


async def test_a_cup_ends_with_the_last_moment_of_its_last_day(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(3, ends_at=env.now + DAY)
    env.now += DAY - 0.001
    assert await due(env) == {}
    await cup.dates.run()
    assert (await cup.get(cup_id)).row.status == CupStatus.RUNNING
    env.now += 0.001
    assert await due(env) == {"end": [cup_id]}
    await cup.dates.run()
    assert (await cup.get(cup_id)).row.status == CupStatus.FINISHED
    assert await due(env) == {}


# Whose time is up

LATE, LATEST = {"seconds_left": 0, "late": DAY}, {"seconds_left": 0, "late": 2 * DAY}


@pytest.mark.parametrize(
    ("first", "second", "loser"),
    [
        (LATE, LATEST, "Y"),
        (LATEST, LATE, "B"),
        (LATEST | {"level": "cadet"}, LATE, "Y"),
        (LATEST | {"seconds_left": 5}, LATE, "Y"),
        (LATEST | {"late": None}, LATE, "Y"),
        (LATEST | {"has_chosen": True}, LATE, "Y"),
        (LATEST | {"level": "cadet"}, LATE | {"late": DAY - 1}, ""),
    ],
)
async def test_the_time_of_a_player_who_must_decide_counts(
    cup: CupFixture,
    env: MatchFixture,
    first: dict[str, Any],
    second: dict[str, Any],
    loser: str,
) -> None:
    cup_id = await cup.begun(3, options={"setup": "secret"})
    pairing = await cup.pairing(cup_id)
    match = await env.queries.match(pairing.match_id or NO_MATCH)
    while first.get("has_chosen") and "B" in (await env.queries.match(match.id)).decisions:
        await choose(env, match.id, match.players["B"].user_id)
    for seat, given in (("B", first), ("Y", second)):
        await change(
            env,
            seats,
            {"match_id": match.id, "seat": seat},
            seconds_left=given["seconds_left"],
            clock_started_at=None if given["late"] is None else env.now - given["late"],
            level=given.get("level"),
        )
    await cup.dates.run()
    after = await cup.pairing(cup_id)
    if loser:
        assert (after.status, after.reason) == (PairingStatus.DONE, PairingReason.TIME)
        assert after.forfeits == (after.seated["BY".index(loser)],)
    else:
        assert after == pairing
        assert await status_of(env, match.id) == MatchStatus.RUNNING


# Meanwhile


async def test_two_processes_start_a_cup_once(
    cup: CupFixture, env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = await cup.create(3, starts_at=env.now + DAY)
    empty = await cup.create(2, starts_at=env.now + DAY)
    meanwhile(cup.dates, monkeypatch, MatchFixture(env.database, clock=env.clock).cup_dates.run)
    env.now += DAY
    await cup.dates.run()
    started = await cup.get(full)
    assert started.row.status == CupStatus.RUNNING
    assert len(started.entrants) == len(started.pairings) == 3
    assert (await cup.get(empty)).row.status == CupStatus.CANCELLED


async def test_the_last_day_decides_nothing_in_a_cancelled_cup(
    cup: CupFixture, env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    cup_id = await cup.begun(3, ends_at=env.now + DAY)
    before = await cup.get(cup_id)

    async def cancel() -> None:
        await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))

    meanwhile(cup.dates, monkeypatch, cancel)
    env.now += DAY
    await cup.dates.run()
    after = await cup.get(cup_id)
    assert after.row.status == CupStatus.CANCELLED
    assert after.pairings == before.pairings


async def test_time_in_a_match_of_a_cancelled_cup_needs_a_claim(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, match_id, _ = await cup.out_of_time()
    await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))
    env.now += DAY
    assert await due(env) == {}
    await cup.dates.run()
    assert await status_of(env, match_id) == MatchStatus.RUNNING
    assert (await cup.pairing(cup_id)).status == PairingStatus.RUNNING
    after = await cup.get(cup_id)
    assert (after.running, await cup.cups.open_matches(after)) == ([], {})


@pytest.mark.parametrize("outdated", [False, True])
async def test_a_cup_cancelled_meanwhile_ends_no_match(
    cup: CupFixture, env: MatchFixture, monkeypatch: pytest.MonkeyPatch, *, outdated: bool
) -> None:
    cup_id, match_id, _ = await cup.out_of_time()
    if outdated:
        await change(env, matches, {"id": match_id}, engine_version=-1)

    async def cancel() -> None:
        await cup.cups.cancel(next(env.ids), cup_id, Actor(ORGANISER))

    meanwhile(cup.dates, monkeypatch, cancel)
    env.now += DAY
    await cup.dates.run()
    assert await status_of(env, match_id) == MatchStatus.RUNNING


async def test_time_in_a_match_of_older_rules_does_not_count(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id, match_id, _ = await cup.out_of_time()
    env.now += DAY
    await change(env, matches, {"id": match_id}, engine_version=-1)
    await cup.dates.run()
    replayed = await cup.pairing(cup_id)
    assert (replayed.status, replayed.forfeits) == (PairingStatus.RUNNING, ())
    assert replayed.match_id not in (None, match_id)


# While cups are left out


async def left_out(env: MatchFixture, work: Callable[[], Awaitable[object]]) -> CupDates:
    """Let a bot without cups do something; return the dates of the next bot, which has them."""
    env.database.hooks.subscribe("cups", {})
    await work()
    return MatchFixture(env.database, clock=env.clock).cup_dates


async def test_match_that_ended_while_cups_were_left_out_counts(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(4, format=CupFormat.KNOCK_OUT)
    pairing = await cup.pairing(cup_id)
    dates = await left_out(env, lambda: cup.resign(pairing.match_id, 0))
    assert (await cup.pairing(cup_id)).status == PairingStatus.RUNNING
    assert await due(env) == {"missed": [pairing.match_id]}
    await dates.run()
    after = await cup.pairing(cup_id)
    assert (after.status, after.winners) == (PairingStatus.DONE, pairing.seated[1:])
    assert (await cup.pairing(cup_id, 2)).numbers == (pairing.seated[1], None)
    assert await due(env) == {}


async def test_match_of_older_rules_that_ended_unseen_is_played_again(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(3)
    pairing = await cup.pairing(cup_id)
    dates = await left_out(env, lambda: cup.resign(pairing.match_id))
    await change(env, matches, {"id": pairing.match_id}, engine_version=-1)
    await dates.run()
    replayed = await cup.pairing(cup_id)
    assert replayed.status == PairingStatus.RUNNING
    assert replayed.match_id not in (None, pairing.match_id)
    assert await status_of(env, pairing.match_id or NO_MATCH) == MatchStatus.FINISHED


async def test_cup_goes_on_without_a_player_deleted_while_left_out(
    cup: CupFixture, env: MatchFixture
) -> None:
    cup_id = await cup.begun(3, max_open=1)
    pairing = await cup.pairing(cup_id)
    leaver = (await cup.get(cup_id)).by_number[pairing.seated[0]].user_id
    dates = await left_out(env, lambda: privacy_of(env).erase(leaver))
    await dates.run()
    over = await cup.get(cup_id)
    gone = {entrant.number for entrant in over.entrants if not entrant.is_active}
    assert gone == {pairing.seated[0]}
    decided = [pairing for pairing in over.pairings if gone & set(pairing.known)]
    assert len(decided) == 2
    assert all(pairing.status == PairingStatus.DONE for pairing in decided)
