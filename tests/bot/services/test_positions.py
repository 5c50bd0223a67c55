"""Positions of replayed matches: the cache, its lifetime, and its visibility."""

from __future__ import annotations

import asyncio
from itertools import count, pairwise
from operator import is_
from threading import Event, current_thread
from typing import Any

import pytest

from bot.services import positions
from bot.services.positions import Positions, TooSlowError
from engine import games
from engine.game import Action
from engine.record import Record
from tests.support.whole import whole_match

LINES = 20
KEPT = 2 * (LINES + 1)
"""Positions of two of these matches."""


def beginning(count: int = LINES, seed: int = 1) -> Record:
    """Return the first lines of a match."""
    match_record = whole_match("warp6", seed)
    return Record(match_record.headers, match_record.actions[:count])


def states_of(record: Record) -> list[Any]:
    return [position.state for position in record.positions()]


def with_another_end(record: Record) -> Record:
    """Return a record with another last line."""
    *before, last = record.actions
    legal = record.game().legal(states_of(record)[-2])
    return Record(record.headers, (*before, next(action for action in legal if action != last)))


async def states_read(read: Positions, record: Record) -> tuple[Any, ...]:
    return await read.read(1, record, lambda replayed: replayed.states)


async def test_matches_that_were_not_read_for_longest_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(positions, "MAX_POSITIONS_KEPT", KEPT)
    read, record = Positions(), beginning()
    for match_id in (1, 2, 1, 3):
        count = await read.read(match_id, record, lambda replayed: len(replayed.states))
        assert count == LINES + 1
    assert await read.run_in_thread(lambda: [*read._positions]) == [1, 3]


async def test_turns_that_were_not_read_for_longest_are_forgotten(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    read, record = Positions(), beginning()
    turns = await read.public_turns(1, record)
    monkeypatch.setattr(positions, "MAX_TURNS_KEPT", 2 * len(turns))
    for match_id in (2, 1, 3):
        assert await read.public_turns(match_id, record) == turns
    assert await read.run_in_thread(lambda: [*read._turns]) == [1, 3]


async def test_only_new_lines_are_replayed() -> None:
    read = Positions()
    before = await states_read(read, beginning())
    after = await states_read(read, beginning(LINES + 3))
    assert len(after) == len(before) + 3
    assert all(map(is_, before, after))


async def test_lines_taken_back_leave_no_position() -> None:
    read, record = Positions(), beginning()
    for variant in (record, with_another_end(beginning(LINES - 4)), beginning(0), record):
        assert [*await states_read(read, variant)] == states_of(variant)


async def test_a_part_of_the_views_is_that_of_the_same_seat() -> None:
    record = beginning()
    game, states = record.game(), states_of(record)
    views = await Positions().read(1, record, lambda replayed: [*replayed.views("B")[3:9:2]])
    assert views == [game.view(states[place], "B") for place in (3, 5, 7)]


async def test_turns_are_cached_until_the_cache_is_cleared() -> None:
    read, other = Positions(), beginning(seed=2)
    turns = await read.public_turns(1, beginning())
    assert await read.public_turns(1, beginning()) is turns
    read.clear_cache()
    again = await read.public_turns(1, other)
    assert again == await Positions().public_turns(1, other)
    assert again != turns


@pytest.mark.parametrize("has_moved", [True, False])
async def test_last_turn_is_that_of_the_player_who_moved(has_moved: bool) -> None:
    """A player who resigns in the turn of another one has not moved in it."""
    match_record, game = whole_match("wormholes", 1, 0), games.get("wormholes")
    states = states_of(match_record)
    views = [game.view(state) for state in states]
    place = next(
        n
        for n, (before, view) in enumerate(pairwise(views), 1)
        if before.turn and view.pending in ("O", "D")
        if (view.turn == before.turn) == (view.pending == before.pending) == has_moved
    )
    mover = views[place].pending
    resigns = Action("OD".replace(mover, ""), "resign")
    record = Record(match_record.headers, (*match_record.actions[:place], resigns))
    first, *_, last = await Positions().public_turns(1, record)
    assert (first.action_count, first.number, first.seat) == (0, 0, "")
    assert (last.number, last.seat) == (views[place].turn, mover if has_moved else resigns.actor)


async def test_replay_stops_after_its_time_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(positions, "monotonic", lambda: 5.0)
    in_time = await Positions(0.0).public_turns(1, beginning())
    assert len(in_time) > 1
    seconds = count(5)
    monkeypatch.setattr(positions, "monotonic", lambda: float(next(seconds)))
    with pytest.raises(TooSlowError):
        await Positions(LINES / 2).public_turns(1, beginning())
    assert await Positions().public_turns(1, beginning()) == in_time


async def test_matches_are_replayed_in_one_thread() -> None:
    read, is_queued = Positions(), Event()

    def name() -> str:
        is_queued.wait()
        return current_thread().name

    queued = [asyncio.create_task(read.run_in_thread(name)) for _ in range(2)]
    await asyncio.sleep(0)
    is_queued.set()
    assert set(await asyncio.gather(*queued)) == {"replayer_0"}
