"""Plans are read beside the event loop, before the transaction that stores them."""

from __future__ import annotations

import threading
from typing import Any

import pytest

from bot.domain.ids import MatchId, UserId, Version
from bot.services import plans as services
from bot.services.plans import SeenPlan, Spelling
from engine.plans import MAX_ORDERS, parse_plan
from tests.support.matches import EVE, MatchFixture, lines_of, opponent_of, plan, warp6


async def waiting(env: MatchFixture) -> tuple[MatchId, UserId, UserId, str, str]:
    """A match of Warp 6 in the set-up: its number, who decides and who waits, and their letters."""
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    match = await env.queries.match(match_id)
    mine, theirs = (match.seat_of(user).lower() for user in (first, other))
    return match_id, first, other, mine, theirs


async def stored(env: MatchFixture, match_id: MatchId, user: UserId) -> str:
    """The orders of a plan."""
    return str((await env.plans.read(match_id, user)).plan)


class Readings:
    """Readings of plans, with an optional event after each."""

    def __init__(self, env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.env = env
        self.threads: list[threading.Thread] = []
        self.moves: list[tuple[MatchId, UserId, str]] = []
        self._read, self._parse = parse_plan, env.plans._parse
        monkeypatch.setattr(services, "parse_plan", self.parse)
        monkeypatch.setattr(env.plans, "_parse", self.read)

    def parse(self, *args: Any) -> Any:
        """Note the thread."""
        self.threads.append(threading.current_thread())
        return self._read(*args)

    async def read(self, *args: Any) -> Any:
        """Read a plan, then let another player move."""
        parsed = await self._parse(*args)
        if self.moves:
            outcome = await self.env.matches.act(next(self.env.ids), *self.moves.pop(0))
            assert outcome.kind == "done"
        return parsed


async def test_plan_is_read_in_a_thread_before_the_transaction(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, _, other, _, theirs = await waiting(env)
    readings = Readings(env, monkeypatch)
    handle, threads = env.match_store.handle, list[int]()

    async def note(*args: Any, **named: Any) -> Any:
        threads.append(len(readings.threads))
        return await handle(*args, **named)

    monkeypatch.setattr(env.match_store, "handle", note)
    assert (await plan(env, match_id, other, f"place {theirs}8a")).kind == "done"
    assert threads == [1]
    assert threading.main_thread() not in readings.threads


async def test_plan_is_read_again_if_the_match_moves_on(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, first, other, mine, theirs = await waiting(env)
    readings = Readings(env, monkeypatch)
    readings.moves = [(match_id, first, f"place {mine}8a")]
    outcome = await plan(env, match_id, other, f"place {theirs}8a", f"place {theirs}8b")
    assert outcome.kind == "done"
    assert len(readings.threads) == 2
    assert (await lines_of(env, match_id))[-1].endswith(f"place {theirs}8a"), "the move came first"
    assert await stored(env, match_id, other) == f"place {theirs}8b"


async def test_plan_is_refused_if_the_match_moves_on_too_often(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, first, other, mine, theirs = await waiting(env)
    readings = Readings(env, monkeypatch)
    readings.moves = [
        (match_id, first, f"place {mine}8a"),
        (match_id, other, f"place {theirs}4a"),
        (match_id, first, f"place {mine}8b"),
    ]
    outcome = await plan(env, match_id, other, f"place {theirs}8a")
    assert outcome.kind == "refused"
    assert "moved on" in outcome.sentence
    assert len(readings.threads) == services.MAX_READINGS == 3
    assert await stored(env, match_id, other) == ""
    assert (await plan(env, match_id, other, f"place {theirs}8a")).kind == "done"


async def test_plan_of_a_spectator_is_not_read(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id, *_ = await waiting(env)
    readings = Readings(env, monkeypatch)
    for number in (match_id, match_id + 1):
        outcome = await env.plans.write(
            next(env.ids), MatchId(number), EVE, "place b8a", SeenPlan(Version(0))
        )
        assert outcome.kind == "unknown"
    assert not readings.threads


async def test_lines_that_are_too_many_are_not_translated(env: MatchFixture) -> None:
    match_id, first, *_ = await waiting(env)
    lines: list[str] = []

    def note(line: str) -> str:
        lines.append(line)
        return "place"

    text = "\n \n" + "place\n" * 70
    ids = next(env.ids), match_id, first
    outcome = await env.plans.write(*ids, text, SeenPlan(Version(0)), spelling=Spelling(note))
    assert outcome.kind == "refused"
    assert lines == ["place"] * (MAX_ORDERS + 1)
    outcome = await env.plans.write(*ids, "\n\nx", SeenPlan(Version(0)))
    assert outcome.sentence.startswith("Line 3: ")
