"""Suggested plans: honest, complete, and carried out to the end of the set-up."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from sqlalchemy import select

from bot.domain.ids import MatchId, UserId, Version
from bot.services.automatic_moves import StopReason
from bot.services.computer_turns import ChoiceError, ChoiceRequest, ComputerChoice, ComputerTurns
from bot.services.match_repository import match_with_board
from bot.services.plans import SeenPlan
from bot.services.suggestions import Suggestions
from bot.storage.schema import actions, matches
from engine.computer.players import VERSION, ComputerPlayer
from engine.dice import computer_seed
from engine.game import CHANCE
from engine.games import get
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    MatchFixture,
    act,
    begun,
    lines_of,
    plan,
    warp6,
)
from tests.support.matches import choose as choose_dice

ASKED: list[ChoiceRequest] = []


async def choose(request: ChoiceRequest) -> ComputerChoice:
    """Choose at random, and note the request."""
    ASKED.append(request)
    choice = ComputerPlayer("random", request.seed).choose(request.record, request.seat)
    return ComputerChoice(choice.action.notation, f"{request.level}/{VERSION}")


def suggestions(env: MatchFixture, ask: Any = choose) -> Suggestions:
    ASKED.clear()
    return Suggestions(env.match_store, ComputerTurns(env.match_store, env.matches, ask))


async def seat_of(env: MatchFixture, match_id: MatchId, user: UserId) -> str:
    return (await env.queries.match(match_id)).seat_of(user)


@pytest.mark.slow
async def test_two_suggestions_place_all_coins(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    await act(env, match_id)  # who places first
    for user in (ADA, BO):
        seat = await seat_of(env, match_id, user)
        suggestion = await suggestions(env).set_up(match_id, seat)
        coins = {order.actions[0].args[0] for order in suggestion.orders}
        assert len(suggestion.orders) == len(coins)
        assert all(len(order.actions) > 1 for order in suggestion.orders)
        assert {request.seat for request in ASKED} == {seat}
        assert (await plan(env, match_id, user, str(suggestion))).kind == "done"
    lines = await lines_of(env, match_id)
    assert sum(" place " in line for line in lines) >= 24
    assert (await env.queries.view(match_id)).view.turn


async def test_suggestion_depends_on_nothing_hidden(env: MatchFixture) -> None:
    match_id = await begun(env, "")
    for number in range(9):
        user = await env.on_turn(match_id)
        legal = (await env.queries.view(match_id, user)).view.legal
        await env.matches.act(next(env.ids), match_id, user, legal[number].notation)
    seat = await seat_of(env, match_id, ADA)
    first = await suggestions(env).set_up(match_id, seat)
    game = get("wormholes")
    async with env.database.write() as connection:
        state = game.load((await connection.execute(matches.select())).one().position)
        twin = game.resample_view(state, seat, Random(7).randrange)
        await connection.execute(matches.update().values(position=game.dump(twin)))
    assert twin != state
    assert await suggestions(env).set_up(match_id, seat) == first


async def test_suggestion_is_drawn_from_the_secret_seed_of_its_match(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    await suggestions(env).set_up(match_id, "B")
    async with env.database.read() as connection:
        row = (await match_with_board(connection, match_id)).match
    assert {request.seed for request in ASKED} == {computer_seed(row.seed)}


async def test_hint_is_drawn_from_the_seed_of_the_computer(
    env: MatchFixture,
) -> None:
    match_id, turns = await warp6(env, ""), ComputerTurns(env.match_store, env.matches, choose)
    ASKED.clear()
    user = await env.on_turn(match_id)
    await turns.hint(match_id, await seat_of(env, match_id, user))
    async with env.database.read() as connection:
        row = (await match_with_board(connection, match_id)).match
    assert [request.seed for request in ASKED] == [computer_seed(row.seed)]
    assert [request.user_id for request in ASKED] == [user]


async def test_hint_follows_from_the_view_of_its_player(env: MatchFixture) -> None:
    match_id = await warp6(env, "", setup="secret")
    turns = ComputerTurns(env.match_store, env.matches, choose)
    await choose_dice(env, match_id, BO)
    ASKED.clear()
    ada, bo = [await seat_of(env, match_id, user) for user in (ADA, BO)]
    hint = await turns.hint(match_id, ada)
    assert [f"{bo} set ?" in str(request.record) for request in ASKED] == [True]
    assert hint.view == (await env.queries.view(match_id, ADA)).view


@pytest.mark.parametrize("setup", ["rolled", "secret"])
async def test_suggestion_sets_and_places_all_dice(env: MatchFixture, setup: str) -> None:
    match_id = await warp6(env, "", setup=setup)
    for user in (ADA, BO):
        seat = await seat_of(env, match_id, user)
        suggestion = await suggestions(env).set_up(match_id, seat)
        assert [order.actions[0].verb for order in suggestion.orders][-9:] == ["place"] * 9
        assert len(suggestion.orders) == 9 + (setup == "secret")
        assert (await plan(env, match_id, user, str(suggestion))).kind == "done"
    assert (await env.queries.view(match_id)).view.turn == 1


async def secret_lines(env: MatchFixture, match_id: MatchId) -> list[str]:
    """Return the lines of a match in which players have set their dice, as stored."""
    query = select(actions.c.line).where(actions.c.match_id == match_id)
    async with env.database.read() as connection:
        lines = (await connection.execute(query)).scalars()
        return [line for line in lines if " set " in line]


async def test_suggestion_fits_dice_that_others_have_set(env: MatchFixture) -> None:
    """The values invented for hidden dice are the same at each step of the plan."""
    for _ in range(4):
        match_id = await warp6(env, "", seats="3", setup="secret")
        for user in (ADA, BO):
            await choose_dice(env, match_id, user)
        seat = await seat_of(env, match_id, EVE)
        plan = await suggestions(env).set_up(match_id, seat)
        assert [order.actions[0].verb for order in plan.orders] == ["set"] + ["place"] * 6
        first, *later = [str(request.record) for request in ASKED]
        others = "BYW".replace(seat, "")
        assert all(f"{other} set ?" in first for other in others)
        assert not any(" set ?" in record for record in later)
        hidden = await secret_lines(env, match_id)
        assert len(hidden) == len(others)
        assert not any(line in record for record in later for line in hidden)


async def test_suggestion_waits_until_it_is_accepted(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    user = await env.on_turn(match_id)
    suggestion = await suggestions(env).set_up(match_id, await seat_of(env, match_id, user))
    lines = await lines_of(env, match_id)
    await env.plans.write(
        next(env.ids), match_id, user, str(suggestion), SeenPlan(Version(0)), suggested=True
    )
    assert await lines_of(env, match_id) == lines
    stored = await env.plans.read(match_id, user)
    assert stored.stopped is StopReason.SUGGESTED
    await plan(env, match_id, user, str(stored.plan))
    assert len(await lines_of(env, match_id)) == len(lines) + 1


async def test_choice_without_an_answer_is_asked_for_again(env: MatchFixture) -> None:
    refused: list[ChoiceRequest] = []

    async def slow(request: ChoiceRequest) -> ComputerChoice:
        """Answer each request the second time."""
        if request not in refused:
            refused.append(request)
            raise ChoiceError("no answer after 10 s")
        return await choose(request)

    match_id = await warp6(env, "")
    suggestion = await suggestions(env, slow).set_up(match_id, "B")
    assert len(suggestion.orders) == len(refused) == len(ASKED) == 9


async def test_no_answer_is_no_plan(env: MatchFixture) -> None:
    async def refuse(_request: ChoiceRequest) -> ComputerChoice:
        raise ChoiceError("no")

    match_id = await warp6(env, "")
    with pytest.raises(ChoiceError):
        await suggestions(env, refuse).set_up(match_id, "B")


async def test_race_has_no_suggestion(env: MatchFixture) -> None:
    match_id = await env.begin("standard", "warp6")
    await env.race(match_id)
    view = (await env.queries.view(match_id)).view
    assert view.pending != CHANCE
    assert not (await suggestions(env).set_up(match_id, "B")).orders


@pytest.mark.parametrize("game", ["wormholes", "warp6"])
async def test_match_that_ended_in_its_set_up_has_no_suggestion(
    env: MatchFixture, game: str
) -> None:
    match_id = await (begun(env, "") if game == "wormholes" else warp6(env, ""))
    seat = await seat_of(env, match_id, BO)
    assert (await env.matches.act(next(env.ids), match_id, ADA, "resign")).kind == "done"
    assert not (await suggestions(env).set_up(match_id, seat)).orders
    assert not ASKED


async def test_suggestion_has_at_most_as_many_orders_as_a_plan(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.computer.suggestion.MAX_ORDERS", 3)
    match_id = await warp6(env, "")
    assert len((await suggestions(env).set_up(match_id, "B")).orders) == 3


async def test_alternatives_leave_out_what_earlier_orders_take(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("engine.computer.suggestion.MAX_ORDERS", 4)
    match_id = await begun(env, "")
    await act(env, match_id)  # who places first
    plan = await suggestions(env).set_up(match_id, await seat_of(env, match_id, ADA))
    taken: set[tuple[str, ...]] = set()
    for order in plan.orders:
        assert len(order.actions) > 1
        assert taken.isdisjoint(action.args[1:] for action in order.actions)
        taken.add(order.actions[0].args[1:])
    assert len(taken) == 4
