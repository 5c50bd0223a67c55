"""Takebacks of a choice that a plan has answered at once: both go back, if its player agrees."""

from __future__ import annotations

import asyncio
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import select, update

from bot.app.run import open_database
from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import MatchId, UserId
from bot.domain.models import Rated
from bot.domain.outcomes import Outcome
from bot.services.automatic_moves import Automatic
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.services.preferences import PreferenceKey, Preferences
from bot.services.rows import LoggedAction
from bot.services.takebacks import _refusal, _Wish, last_choice
from bot.storage.schema import matches, plans
from engine.game import Action
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    MatchFixture,
    choose,
    lines_of,
    opponent_of,
    plan,
    scheduled,
    stored_position,
    take_back,
    times,
    warp6,
)
from tests.support.tiers import examples


async def seat_of(env: MatchFixture, match_id: MatchId, user: UserId) -> str:
    return (await env.queries.match(match_id)).seat_of(user)


async def agree(env: MatchFixture, match_id: MatchId, user: UserId, asking: UserId) -> Outcome:
    """A player agrees to the takeback that another one has asked for just now."""
    match = await env.queries.match(match_id)
    return await env.takebacks.take_back(
        next(env.ids),
        match_id,
        user,
        requested_version=match.version,
        asking=match.seat_of(asking),
    )


async def in_order(env: MatchFixture, match_id: MatchId) -> list[UserId]:
    """The players in the order of their turns, first the one who decides."""
    players = (await env.queries.match(match_id)).players
    users = [players[seat].user_id for seat in "BYW" if seat in players]
    first = users.index(await env.on_turn(match_id))
    return users[first:] + users[:first]


async def own_dice(env: MatchFixture, match_id: MatchId, user: UserId, *names: str) -> list[str]:
    """Orders to place some of a player's dice."""
    seat = (await seat_of(env, match_id, user)).lower()
    return [f"place {seat}{name}" for name in names]


async def answered(
    env: MatchFixture, clock: str = "", **options: str
) -> tuple[MatchId, UserId, UserId]:
    """A match in which a plan has just answered a choice: its number, who chose, whose plan."""
    match_id = await warp6(env, clock, **options)
    first, other, *_ = await in_order(env, match_id)
    await plan(env, match_id, other, *await own_dice(env, match_id, other, "8a", "6a"))
    env.now += 60
    await choose(env, match_id, first)
    assert (await lines_of(env, match_id))[-1].startswith(await seat_of(env, match_id, other))
    return match_id, first, other


async def stopped(env: MatchFixture) -> dict[str, tuple[str | None, int | None]]:
    """Seat → why its plan has stopped, and at which version."""
    async with env.database.read() as connection:
        return {
            row.seat: (row.stopped, row.stopped_at)
            for row in await connection.execute(select(plans).order_by(plans.c.seat))
        }


@pytest.mark.parametrize("rated", [False, True])
async def test_choice_and_answer_go_back_if_the_answerer_agrees(
    env: MatchFixture, rated: bool
) -> None:
    match_id = await warp6(env, "")
    before = await stored_position(env, match_id), await lines_of(env, match_id)
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    await plan(env, match_id, other, *await own_dice(env, match_id, other, "8a", "6a"))
    if rated:
        async with env.database.write() as connection:
            await connection.execute(update(matches).values(rated=Rated.RATED))
    await choose(env, match_id, first)
    assert len(await lines_of(env, match_id)) == len(before[1]) + 2
    outcome = await take_back(env, match_id, first)
    assert outcome.kind == "ask"
    name = (await env.queries.match(match_id)).names[await seat_of(env, match_id, other)]
    assert outcome.sentence.startswith(f"{name} has answered that move at once")
    (request,) = await env.queued(match_id=match_id, kind="takeback_request")
    version = (await env.queries.match(match_id)).version
    assert request.payload == {
        "version": version,
        f"taken_back:{await seat_of(env, match_id, first)}": 1,
        f"ping:{await seat_of(env, match_id, other)}": version,
    }
    assert (await agree(env, match_id, first, first)).kind == "stale"
    await env.clear_outbox()
    assert (await agree(env, match_id, other, first)).kind == "done"
    payloads = [row.payload for row in await env.queued(match_id=match_id)]
    for place, user in enumerate((first, other), 1):
        field = f"taken_back:{await seat_of(env, match_id, user)}"
        assert [payload[field] for payload in payloads if field in payload] == [place]
    assert (await stored_position(env, match_id), await lines_of(env, match_id)) == before
    assert await env.on_turn(match_id) == first
    assert (await agree(env, match_id, other, first)).kind != "done"


@pytest.mark.parametrize(("is_planned", "forced"), [(False, "on"), (True, "on"), (True, "off")])
async def test_forced_answer_of_a_plan_needs_no_consent(
    env: MatchFixture, is_planned: bool, forced: str
) -> None:
    """Whether a player has a choice is public; whether a plan has made a forced one is not."""
    match_id = await warp6(env, "")
    for _ in range(14):
        await choose(env, match_id, await env.on_turn(match_id))
    planner = await env.on_turn(match_id)
    _die, last_die = (await env.queries.view(match_id, planner)).view.legal
    await choose(env, match_id, planner)
    await Preferences(env.database).set(planner, PreferenceKey.FORCED, forced)
    if is_planned:
        assert (await plan(env, match_id, planner, last_die.notation)).kind == "done"
    before = await lines_of(env, match_id)
    first = await env.on_turn(match_id)
    await choose(env, match_id, first)
    answer, forced_line = (await lines_of(env, match_id))[-2:]
    assert answer == str(last_die)
    assert forced_line.startswith(await seat_of(env, match_id, first)), (
        "the last die of each is forced"
    )
    taken_back = await take_back(env, match_id, first)
    assert (taken_back.kind, taken_back.sentence) == ("done", "")
    assert await lines_of(env, match_id) == before


async def test_plan_whose_answer_went_back_stops_and_says_so_once(
    env: MatchFixture,
) -> None:
    match_id, first, other = await answered(env)
    seat = await seat_of(env, match_id, other)
    assert (await agree(env, match_id, other, first)).kind == "done"
    assert await stopped(env) == {seat: ("takeback", None)}
    await choose(env, match_id, first)
    version = await env.decision(match_id, other)
    assert await stopped(env) == {seat: ("takeback", version)}, "its player is told, and decides"
    assert (await env.queries.match(match_id)).version == version
    await choose(env, match_id, other)
    await choose(env, match_id, first)
    assert await stopped(env) == {seat: ("takeback", version)}, "its player is told once"


async def test_plan_written_after_what_is_taken_back_stops(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    await plan(env, match_id, other, f"if {(await seat_of(env, match_id, first)).lower()}4a: 8a")
    env.now += 1
    await choose(env, match_id, first)
    seat = await seat_of(env, match_id, first)
    await plan(env, match_id, first, *await own_dice(env, match_id, first, "4a"))
    before = await stopped(env)
    assert before[seat] == (None, None)
    assert (await take_back(env, match_id, first)).kind == "done"
    assert (await stopped(env)) == before | {
        seat: ("takeback", await env.decision(match_id, first))
    }


async def test_plan_written_before_what_is_taken_back_still_fires(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    first, _next, last = await in_order(env, match_id)
    await plan(env, match_id, last, *await own_dice(env, match_id, last, "4a"))
    env.now += 1
    await choose(env, match_id, first)
    assert (await take_back(env, match_id, first)).kind == "done"
    assert await stopped(env) == {await seat_of(env, match_id, last): (None, None)}


async def test_what_a_person_has_answered_stays(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    for user in (first, opponent_of(first)):
        await choose(env, match_id, user)
    refusal = await take_back(env, match_id, first)
    assert refusal.kind == "refused"
    assert refusal.sentence == "Another player has moved since, so it's too late to take back."


async def test_only_who_has_answered_can_agree(env: MatchFixture) -> None:
    match_id, first, other = await answered(env, seats="3")
    (third,) = {ADA, BO, EVE} - {first, other}
    assert (await take_back(env, match_id, first)).kind == "ask"
    refusal = await agree(env, match_id, third, first)
    assert refusal.sentence == "Only the player who has answered that move can agree."
    assert (await agree(env, match_id, other, first)).kind == "done"


async def test_answers_of_two_players_stay(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    first = await env.on_turn(match_id)
    others = {ADA, BO, EVE} - {first}
    for user in others:
        await plan(env, match_id, user, *await own_dice(env, match_id, user, "8a"))
    await choose(env, match_id, first)
    assert await env.on_turn(match_id) == first
    refusal = await take_back(env, match_id, first)
    assert refusal.sentence == "Several players have moved since, so it's too late to take back."


async def test_answer_of_a_player_for_whom_the_computer_plays_stays(env: MatchFixture) -> None:
    match_id, first, other = await answered(env, seats="3")
    await env.change_seat(match_id, await seat_of(env, match_id, other), level="cadet")
    refusal = await take_back(env, match_id, first)
    assert refusal.kind == "refused"
    assert refusal.sentence.endswith("has answered that move, and isn't here to agree.")


async def test_request_is_stale_once_the_match_moves_on(env: MatchFixture) -> None:
    match_id, first, other = await answered(env)
    version = (await env.queries.match(match_id)).version
    await choose(env, match_id, first)
    late = await env.takebacks.take_back(
        next(env.ids),
        match_id,
        other,
        requested_version=version,
        asking=await seat_of(env, match_id, first),
    )
    assert late.kind != "done"


async def test_choice_whose_time_would_be_over_stays(env: MatchFixture) -> None:
    match_id, first, other = await answered(env, "1d+1d")
    env.now += DAY - 61
    assert (await agree(env, match_id, other, first)).kind == "done"
    await choose(env, match_id, first)
    match_id, first, other = await answered(env, "1d+1d")
    env.now += DAY
    assert await env.on_turn(match_id) == first
    refusal = await agree(env, match_id, other, first)
    assert refusal.sentence.endswith("would be out of time for that move by now, so it stays.")


P, F = Automatic.PLAN, Automatic.FORCED


@pytest.mark.parametrize(
    ("log", "seat", "undone"),
    [
        ([("A", None), ("B", P)], "A", 2),
        ([("A", None), ("B", P)], "B", 1),
        ([("A", None), ("B", P), ("A", F)], "A", 3),
        ([("A", None), ("B", P), ("A", P), ("B", P)], "A", 2),
        ([("A", None), ("B", None), ("A", F)], "A", 2),
        ([("A", None), ("B", None), ("C", P)], "A", 1),
        ([("A", None), ("*", None), ("B", P)], "A", 1),
        ([("A", None), ("B", F)], "", 2),
        ([("B", F), ("A", F)], "A", 2),
        ([("A", P)], "B", 1),
    ],
)
def test_last_choice_reaches_over_what_the_bot_has_made_at_once(
    log: list[tuple[str, Automatic | None]], seat: str, undone: int
) -> None:
    lines = [
        LoggedAction(MatchId(1), number, f"{actor} x", 0.0, None, None, why)
        for number, (actor, why) in enumerate(log)
    ]
    assert last_choice(lines, seat) == lines[len(lines) - undone :]


async def state_of(env: MatchFixture, match_id: MatchId) -> list[Any]:
    """What a takeback restores: position, dice, who decides, clocks, and when time is up."""
    clocks = {
        user: (round(clock.seconds_left - (env.now - clock.started_at), 3), True)
        if clock.started_at is not None
        else (round(clock.seconds_left or 0.0, 3), False)
        for user, clock in (await times(env, match_id)).items()
    }
    due = await scheduled(env, match_id)
    later = [at for at in due.get("warn", ()) if at > env.now]  # the others would have fired
    flags = [round(at, 3) for at in (*due.get("flag", ()), *later)]
    return [await stored_position(env, match_id), await env.on_turn(match_id), clocks, flags,
            len(due.get("remind", ()))]  # fmt: skip


async def play_twice(path: Path, before: int, pauses: tuple[float, float], clock: str) -> None:
    """Play with a choice, its answer and their takeback, then without, and compare."""
    ends = []
    for name in ("with", "without"):
        async with open_database(f"sqlite+aiosqlite:///{path / name}.db") as database:
            env = MatchFixture(database)
            match_id = await warp6(env, clock)
            for _ in range(before):
                env.now += HOUR
                await choose(env, match_id, await env.on_turn(match_id))
            first = await env.on_turn(match_id)
            other = opponent_of(first)
            orders = await own_dice(env, match_id, other, "4d", "4c")
            await plan(env, match_id, other, *orders)
            env.now += pauses[0]
            if name == "with":
                await choose(env, match_id, first)
                assert await env.on_turn(match_id) == first, "the plan has answered"
            env.now += pauses[1]
            if name == "with":
                assert (await take_back(env, match_id, first)).kind == "ask"
                assert (await agree(env, match_id, other, first)).kind == "done"
            ends.append(await state_of(env, match_id))
    assert ends[0] == ends[1]


@pytest.mark.slow
@examples(2, 12, 250)
@given(
    st.integers(0, 9),
    st.tuples(st.floats(1, 17 * HOUR), st.floats(0, 17 * HOUR)),
    st.sampled_from(["", "2d", "3d+1d", "7d"]),
)
def test_clocks_are_as_if_neither_choice_nor_answer_had_been(
    before: int, pauses: tuple[float, float], clock: str
) -> None:
    with tempfile.TemporaryDirectory() as folder:
        asyncio.run(play_twice(Path(folder), before, pauses, clock))


@pytest.mark.parametrize(
    ("answering", "reveals", "agrees", "rated", "sentence"),
    [
        ("", False, False, True, ""),
        ("", True, False, False, ""),
        ("", True, False, True, "This match is rated"),
        ("", False, True, True, "This match is rated"),
        ("B", False, False, True, ""),
        ("B", False, True, True, ""),
        (
            "B",
            True,
            False,
            False,
            "Secret dice have been revealed since, so your move can't be taken back.",
        ),
        (
            "B",
            True,
            True,
            False,
            "Secret dice have been revealed since, so your move can't be taken back.",
        ),
        ("BC", False, False, False, "Several players have moved since"),
        ("C", False, True, False, "Only the player who has answered that move can agree."),
    ],
)
async def test_why_an_answered_choice_stays(
    env: MatchFixture, *, answering: str, reveals: bool, agrees: bool, rated: bool, sentence: str
) -> None:
    match_id = await warp6(env, "")
    async with env.database.write() as connection:  # `load` locks the match
        row = await load(connection, match_id)
        people = [
            replace(seat, seat=letter)
            for seat, letter in zip(await seats_of(connection, match_id), "BA", strict=True)
        ]
    assert row
    row = replace(row, rated=Rated.RATED if rated else row.rated)
    undone = [LoggedAction(match_id, 1, "A x", 0.0, None, None, None)]
    player = people[0] if agrees else people[1]
    revealed = Action("A", "set") if reveals else None
    answers = frozenset(answering)
    wish = _Wish(row, people, player, undone, None, answers, revealed, agrees, 1, {})
    refusal = _refusal(wish, env.now)
    assert bool(refusal) == bool(sentence)
    assert refusal.startswith(sentence)
