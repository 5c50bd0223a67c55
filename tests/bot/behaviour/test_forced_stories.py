"""Stories know which choices the bot has made: forced ones, and after the match those of plans."""

from __future__ import annotations

import pytest
from sqlalchemy import select, update

from bot.domain.ids import MatchId, UserId
from bot.domain.outbox import EVERYONE, OutboxKind, OutboxMessage
from bot.services.automatic_moves import Automatic
from bot.services.deliveries import Deliveries
from bot.services.match_repository import action_count_of
from bot.services.positions import ALL_REVEALED
from bot.storage.schema import actions, matches
from engine.game import PUBLIC, View
from engine.stories import Mark
from tests.support.matches import ADA, BO, RACING, MatchFixture, lines_of, warp6


async def moved(env: MatchFixture, mark: Automatic | None) -> MatchId:
    """A race with one move, made as it is marked."""
    match_id = await warp6(env, "")
    await env.race(match_id)
    user = await env.on_turn(match_id)
    view = (await env.queries.view(match_id, user)).view
    move = next(action for action in view.legal if action.verb == "move")
    outcome = await env.matches.act(next(env.ids), match_id, user, move.notation)
    assert outcome.kind == "done"
    async with env.database.write() as connection:
        line = (actions.c.match_id == match_id) & (actions.c.line == str(move))
        await connection.execute(update(actions).where(line).values(automatic=mark))
    return match_id


async def count(env: MatchFixture, match_id: MatchId) -> int:
    async with env.database.read() as connection:
        return await action_count_of(connection, match_id)


async def delivered(env: MatchFixture, match_id: MatchId, action_count: int) -> View:
    payload = {"action_count": action_count}
    kind = OutboxKind.POST_BOARD
    message = OutboxMessage(1, match_id, EVERYONE, kind, payload, 1, 1000.0, "key")
    deliveries = Deliveries(env.database, env.queries, env.clock)
    return (await deliveries.read(message)).perspective().view


@pytest.mark.parametrize("mark", [None, Automatic.PLAN, Automatic.FORCED])
async def test_board_and_views_know_a_forced_move(
    env: MatchFixture, mark: Automatic | None
) -> None:
    match_id = await moved(env, mark)
    view = (await env.queries.view(match_id)).view
    (place,) = (n for n, event in enumerate(view.story) if event.kind == "moved")
    expected = (place,) if mark == Automatic.FORCED else ()
    assert view.forced == expected
    assert (await delivered(env, match_id, await count(env, match_id))).forced == expected
    for user in (ADA, BO, UserId(99)):
        assert (await env.queries.view(match_id, user)).view.forced == expected
    past = await env.queries.view(match_id, action_count=RACING)
    assert past.view.forced == ()


@pytest.mark.parametrize("mark", [None, Automatic.FORCED])
async def test_earlier_stories_know_a_forced_move(
    env: MatchFixture, mark: Automatic | None
) -> None:
    match_id = await moved(env, mark)
    number, user = await count(env, match_id), await env.on_turn(match_id)
    view = (await env.queries.view(match_id, user)).view
    move = next(action for action in view.legal if action.verb == "move")
    await env.matches.act(next(env.ids), match_id, user, move.notation)
    latest = (await env.queries.view(match_id)).view
    assert latest.forced == ()
    for views in (
        await env.queries.stories(match_id, number - 1, await count(env, match_id)),
        (await env.queries.since_last_turn(match_id, UserId(99)))[1],
    ):
        marked = [view for view in views if view.forced]
        assert len(marked) == (mark == Automatic.FORCED)
    assert bool((await delivered(env, match_id, number)).forced) == (mark == Automatic.FORCED)


async def test_choice_that_was_taken_back_is_none(env: MatchFixture) -> None:
    match_id = await moved(env, Automatic.FORCED)
    async with env.database.write() as connection:
        last = select(actions.c.number).where(actions.c.match_id == match_id)
        number = (await connection.execute(last.order_by(actions.c.number.desc()))).scalar()
        forced = (actions.c.match_id == match_id) & (actions.c.automatic == Automatic.FORCED)
        await connection.execute(update(actions).where(forced).values(undone_at=1.0))
    assert number
    assert (await env.queries.view(match_id)).view.forced == ()
    assert (await delivered(env, match_id, await count(env, match_id))).forced == ()


async def foreseen(env: MatchFixture, match_id: MatchId, number: int) -> list[tuple[int, ...]]:
    """The places of planned choices in the story of a move, for all who can see it.

    Args:
        number: number of actions after the move.
    """
    views = [(await env.queries.view(match_id, user, number)).view for user in (ADA, BO, None)]
    views += [
        (await env.queries.seen_by(match_id, number, reader))[0].view
        for reader in (PUBLIC, "B", "Y", ALL_REVEALED)
    ]
    views += await env.queries.stories(match_id, number - 1, await count(env, match_id))
    views += (await env.queries.since_last_turn(match_id, UserId(99)))[1][-1:]
    views.append(await delivered(env, match_id, number))
    assert all(view.forced == () for view in views)
    return [view.foreseen for view in views]


async def end(env: MatchFixture, match_id: MatchId) -> None:
    """The player on turn resigns."""
    user = await env.on_turn(match_id)
    assert (await env.matches.act(next(env.ids), match_id, user, "resign")).kind == "done"


async def test_planned_move_is_marked_after_the_match(env: MatchFixture) -> None:
    match_id = await moved(env, Automatic.PLAN)
    number = await count(env, match_id)
    story = (await env.queries.view(match_id)).view.story
    (place,) = (n for n, event in enumerate(story) if event.kind == "moved")
    assert {*await foreseen(env, match_id, number)} == {()}, "its existence is a secret"
    assert await env.queries.marks(match_id) == {}
    await end(env, match_id)
    assert {*await foreseen(env, match_id, number)} == {(place,)}
    (at,) = await env.queries.marks(match_id)
    assert " move " in (await lines_of(env, match_id))[at]
    assert await env.queries.marks(match_id) == {at: Mark.FORESEEN}


@pytest.mark.parametrize("status", ["running", "closed"])
async def test_no_other_end_reveals_a_plan(env: MatchFixture, status: str) -> None:
    match_id = await moved(env, Automatic.PLAN)
    await end(env, match_id)
    async with env.database.write() as connection:
        of_match = update(matches).where(matches.c.id == match_id)
        await connection.execute(of_match.values(status=status))
    assert await env.queries.marks(match_id) == {}


@pytest.mark.parametrize("mark", [None, Automatic.FORCED])
async def test_end_marks_no_other_move_as_planned(
    env: MatchFixture, mark: Automatic | None
) -> None:
    match_id = await moved(env, mark)
    await end(env, match_id)
    assert {*(await env.queries.marks(match_id)).values()} == ({Mark.FORCED} if mark else set())
