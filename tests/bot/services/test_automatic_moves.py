"""Automatic choices: which are made after a change, and which plans remain."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, replace
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bot.domain.ids import MatchId, Version
from bot.services import automatic_moves
from bot.services.automatic_moves import (
    AppliedChoice,
    Automatic,
    Progress,
    StopReason,
    action_rows,
    apply_automatic_moves,
    clock_changes,
    stop_plans,
    unchanged_decisions,
)
from bot.services.chance import ChanceResult
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.services.rows import MatchRow, PlanRow
from bot.storage.schema import plans
from engine.game import Action, Event
from tests.support.installed import install
from tests.support.matches import MatchFixture
from tests.support.nim import SEATS, Nim, State

NIM = Nim()
VERSION = 7
"""Version of the match before a change."""


class NimWithRepeats(Nim):
    """Nim in which a player who takes one stick has another turn."""

    def apply(self, state: State, action: Action) -> tuple[State, tuple[Event, ...]]:
        after, story = super().apply(state, action)
        again = action.args == ("1",)
        return (replace(after, turn=state.turn) if again else after), story


@pytest.fixture(autouse=True)
def nim(monkeypatch: pytest.MonkeyPatch) -> None:
    """Add Nim to the games: its plans are short."""
    install(monkeypatch, NIM)


def made(*lines: str) -> tuple[Action, ...]:
    return tuple(map(Action.parse, lines))


async def nim_match(env: MatchFixture, match_id: MatchId) -> MatchRow:
    async with env.database.write() as connection:
        row = await load(connection, match_id)
    assert row
    return replace(row, game=NIM.name, version=Version(VERSION))


async def write(
    env: MatchFixture, match_id: MatchId, seat: str, *orders: str, **fields: Any
) -> PlanRow:
    """Store the plan of a seat."""
    new = {"version": 3, "turn": 0, "stopped": None, "stopped_at": None, "changed_at": env.now}
    stored = PlanRow(match_id, seat, "\n".join(orders), **(new | fields))
    async with env.database.write() as connection:
        await connection.execute(insert(plans).values(asdict(stored)))
    return stored


async def stored(env: MatchFixture) -> list[PlanRow]:
    """All plans, by match and seat."""
    query = select(plans).order_by(plans.c.match_id, plans.c.seat)
    async with env.database.read() as connection:
        return [PlanRow(*row) for row in await connection.execute(query)]


async def change(
    env: MatchFixture,
    match_id: MatchId,
    sticks: int,
    *,
    offer: str = "",
    unchanged: Mapping[str, Version] | None = None,
    written: str = "",
    **first: Any,
) -> list[tuple[str, str | None]]:
    """B takes three sticks, so that A decides; return the automatic choices after it.

    Args:
        env: the services.
        match_id: number of the match.
        sticks: the number that is left.
        offer: the seat that has offered a draw.
        unchanged: the decisions that were pending before.
        written: the seat that has just written its plan.
        first: columns of seat A.
    """
    row, state = await nim_match(env, match_id), State(sticks, 0, 2, offer)
    progress = Progress.of(NIM, ChanceResult(state, made("B take 3"), 1))
    async with env.database.write() as connection:
        persons = await seats_of(connection, match_id)
        people = [
            replace(person, seat=seat, has_plan=True)
            for person, seat in zip(persons, SEATS, strict=True)
        ]
        people[0] = replace(people[0], **first)
        after = await apply_automatic_moves(
            connection, row, people, progress, unchanged or {}, now=env.now, written=written
        )
    assert after.rolled.actions[0] == Action.parse("B take 3")
    return [
        (str(action), choice.automatic) for choice in after.choices[1:] for action in choice.actions
    ]


def test_reasons_are_stored_by_name() -> None:
    assert [*Automatic] == ["plan", "forced"]
    reasons = ["condition", "illegal", "draw", "takeback", "suggested", "stand_in"]
    assert [*StopReason] == reasons


def test_choice_leaves_the_decisions_of_other_seats() -> None:
    decisions = {"A": Version(4), "B": Version(5)}
    assert unchanged_decisions(decisions, made("A take 1", "* heap 3")) == {"B": 5}
    assert unchanged_decisions(decisions, made("A draw offer")) == decisions
    assert unchanged_decisions(decisions, made("A leave", "B take 1")) == {"A": 4}


async def test_plans_carry_each_other_out_in_their_match(env: MatchFixture) -> None:
    match_id, other_id = await env.ask(), await env.ask()
    plan, *_, other_a, other_b = [
        await write(env, number, seat, *orders)
        for number in (match_id, other_id)
        for seat, orders in (("A", ("take 1", "take 2", "take 3")), ("B", ("take 1",)))
    ]
    env.now += 5
    assert await change(env, match_id, 9) == [
        ("A take 1", "plan"),
        ("B take 1", "plan"),
        ("A take 2", "plan"),
    ]
    shortened = replace(plan, orders="take 3", version=Version(4), changed_at=env.now)
    assert await stored(env) == [shortened, other_a, other_b]


async def test_choices_beyond_the_limit_are_left_to_the_player(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(automatic_moves, "MAX_AUTOMATIC_CHOICES", 3)
    match_id = await env.ask()
    for seat in SEATS:
        await write(env, match_id, seat, *["take 1"] * 3)
    assert len(await change(env, match_id, 9)) == 3
    left = [(plan.orders.count("take"), plan.stopped) for plan in await stored(env)]
    assert left == [(1, None), (2, None)]


async def test_all_plans_end_with_the_match(env: MatchFixture) -> None:
    match_id = await env.ask()
    for seat in SEATS:
        await write(env, match_id, seat, "take 1")
    assert await change(env, match_id, 1) == [("A take 1", "plan")]
    assert await stored(env) == []


@pytest.mark.parametrize("switch", ["on", "off"])
async def test_forced_choice_is_made_if_its_player_wants_it(env: MatchFixture, switch: str) -> None:
    lines = await change(env, await env.ask(), 1, preferences={"forced": switch})
    assert lines == {"on": [("A take 1", "forced")], "off": []}[switch]


@pytest.mark.parametrize(
    ("order", "changed", "reason"),
    [
        ("take 3", {}, StopReason.ILLEGAL),
        ("if 2: take 1", {}, StopReason.CONDITION),
        ("take 1", {"offer": "B"}, StopReason.DRAW),
        ("take 1", {"level": "cadet"}, StopReason.STAND_IN),
    ],
)
async def test_plan_stops_once_at_the_version_of_the_change(
    env: MatchFixture, order: str, changed: Mapping[str, Any], reason: StopReason
) -> None:
    match_id = await env.ask()
    plan, other = [await write(env, match_id, seat, order) for seat in SEATS]
    env.now += 5
    for _ in range(2):
        assert await change(env, match_id, 2, **changed) == []
        at, now = VERSION + 1, 1005.0
        stops = replace(plan, version=Version(4), stopped=reason, stopped_at=at, changed_at=now)
        assert await stored(env) == [stops, other]
        env.now += 5


@pytest.mark.parametrize("changed", [{}, {"offer": "B"}, {"level": "cadet"}])
async def test_suggested_plan_waits_for_its_player(
    env: MatchFixture, changed: Mapping[str, Any]
) -> None:
    match_id = await env.ask()
    suggested = await write(env, match_id, "A", "take 1", stopped="suggested")
    assert await change(env, match_id, 9, **changed) == []
    assert await stored(env) == [suggested]


@pytest.mark.parametrize("at", [None, VERSION - 1])
async def test_takeback_is_reported_once_to_the_owner_of_a_plan(
    env: MatchFixture, at: int | None
) -> None:
    match_id = await env.ask()
    plan = await write(env, match_id, "A", "take 1", stopped="takeback", stopped_at=at)
    assert await change(env, match_id, 9) == []
    reported = replace(plan, version=Version(4), stopped_at=VERSION + 1)
    assert await stored(env) == [plan if at else reported]


@pytest.mark.parametrize("order", ["take 1", "take 3"])
async def test_plan_waits_at_a_decision_from_before(env: MatchFixture, order: str) -> None:
    match_id = await env.ask()
    waiting = await write(env, match_id, "A", order)
    assert await change(env, match_id, 2, unchanged={"A": Version(VERSION)}) == []
    assert await stored(env) == [waiting]


async def test_new_plan_waits_for_a_decision_that_it_fits(env: MatchFixture) -> None:
    match_id = await env.ask()
    waiting = await write(env, match_id, "A", "take 3")
    assert await change(env, match_id, 2, written="A") == []
    assert await stored(env) == [waiting]


async def test_new_plan_that_has_begun_stops_like_others(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    install(monkeypatch, NimWithRepeats())
    match_id = await env.ask()
    await write(env, match_id, "A", "take 1", "take 3")
    assert await change(env, match_id, 3, written="A") == [("A take 1", "plan")]
    assert [(plan.orders, plan.stopped) for plan in await stored(env)] == [("take 3", "illegal")]


async def test_rest_of_a_turn_ends_at_the_next_one(env: MatchFixture) -> None:
    match_id = await env.ask()
    own_plan = await write(env, match_id, "A", "if 3: take 1", "if 3: take 2")
    await change(env, match_id, 9)
    assert await stored(env) == [
        replace(own_plan, orders="if 3: take 2", version=Version(4), turn=1)
    ]
    await write(env, match_id, "B", "take 3", "take 1")
    async with env.database.write() as connection:
        await connection.execute(
            update(plans).where(plans.c.seat == "A").values(**asdict(own_plan))
        )
    assert await change(env, match_id, 9) == [("A take 1", "plan"), ("B take 3", "plan")]
    assert [(plan.seat, plan.orders) for plan in await stored(env)] == [("B", "take 1")]


@pytest.mark.parametrize(
    ("made_by", "since", "deciding", "stops"),
    [
        ("A", 1, "A", True),
        ("A", 1, "B", True),
        ("B", 1, "A", False),
        ("", 0, "A", True),
        ("", 0.5, "", False),
    ],
)
async def test_only_plans_that_refer_to_a_takeback_are_stopped(
    env: MatchFixture, made_by: str, since: float, deciding: str, stops: bool
) -> None:
    match_id, other_id = await env.ask(), await env.ask()
    plan = await write(env, match_id, "A", "take 1")
    other = await write(env, other_id, "A", "take 1")
    row = await nim_match(env, match_id)
    at = VERSION + 1 if deciding == "A" else None
    stopped = replace(plan, version=Version(4), stopped=StopReason.TAKEBACK, stopped_at=at)
    for reason in (StopReason.TAKEBACK, StopReason.STAND_IN):
        async with env.database.write() as connection:
            await stop_plans(
                connection,
                row,
                reason,
                made_by=made_by,
                since=plan.changed_at + since,
                deciding=deciding,
            )
        assert await stored(env) == [stopped if stops else plan, other]


def progress_of(*choices: AppliedChoice) -> Progress:
    actions = tuple(action for choice in choices for action in choice.actions)
    return Progress(ChanceResult(State(9, 0, 2), actions, 1), choices)


def test_rows_of_actions_name_who_has_chosen_them() -> None:
    progress = progress_of(
        AppliedChoice(made("A take 1", "* heap 12"), "B"),
        AppliedChoice(made("B take 2", "* heap 13"), "A", Automatic.PLAN),
        AppliedChoice(made("A take 3"), "B", Automatic.FORCED),
    )
    rows = action_rows(MatchId(5), 20, progress, ["cadet/1"], 1000.0)
    assert rows == [
        {
            "match_id": 5,
            "number": number,
            "line": line,
            "made_at": 1000.0,
            "chosen_by": player,
            "automatic": why,
        }
        for number, line, player, why in [
            (21, "A take 1", "cadet/1", None),
            (22, "* heap 12", None, None),
            (23, "B take 2", None, "plan"),
            (24, "* heap 13", None, None),
            (25, "A take 3", None, "forced"),
        ]
    ]


@pytest.mark.parametrize(("stays", "first"), [(False, 21), (True, 0)])
async def test_own_and_automatic_choices_can_be_taken_back(
    env: MatchFixture, stays: bool, first: int
) -> None:
    row = await nim_match(env, await env.ask())
    choices = [
        AppliedChoice(made("A take 1"), "B"),
        AppliedChoice(made("B take 1", "* heap 12"), "A", Automatic.PLAN),
        AppliedChoice(made("A take 1", "A take 2"), "B", Automatic.FORCED),
        AppliedChoice(made("B draw offer"), "A", Automatic.PLAN),
        AppliedChoice((), "A", Automatic.PLAN),
        AppliedChoice(made("A take 3"), "", Automatic.PLAN),
    ]
    decisions = [{"B": Version(place)} for place in range(6)]
    progress = progress_of(*choices)
    changes = clock_changes(row, 20, progress, decisions, stays=stays, now=env.now)
    assert [change.number for change in changes] == [first, 0, 24, 0, 0, 0]
    assert [change.decisions for change in changes] == decisions
    assert [change.row.decisions for change in changes] == [row.decisions, *decisions[:-1]]
    assert {change.now for change in changes} == {env.now}


async def test_turns_begin_for_seats_that_decide_in_two_in_a_row(env: MatchFixture) -> None:
    row = replace(await nim_match(env, await env.ask()), decisions={"A": Version(1)})
    decided = [("A take 1", 0), ("A take 1", 1), ("A draw offer", 2), ("B take 1", 3)]
    choices = [AppliedChoice(made(line), "AB", turn=turn) for line, turn in decided]
    choices += [AppliedChoice((), "AB", turn=4), AppliedChoice(made("A take 1"), "B", turn=5)]
    decisions = [dict.fromkeys(choice.pending, Version(2)) for choice in choices]
    changes = clock_changes(row, 20, progress_of(*choices), decisions, stays=False, now=env.now)
    assert [change.begin_turns for change in changes] == [set(), {"A"}, set(), {"B"}, set(), set()]
