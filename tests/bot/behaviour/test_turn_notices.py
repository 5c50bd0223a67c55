"""Notifications of a choice, and new posts of the board."""

from __future__ import annotations

from random import Random
from typing import NamedTuple

import pytest
from sqlalchemy import delete, select

from bot.domain.ids import MatchId, UserId
from bot.domain.models import TimerKind
from bot.domain.outbox import OutboxKind, Target
from bot.services.automatic_moves import Progress
from bot.services.chance import ChanceResult, resolve_match_chance
from bot.services.match_changes import MatchChange
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.schema import timers
from engine import games
from engine.game import Action
from tests.support.matches import ADA, BO, EVE, MatchFixture, opponent_of, plan, warp6


class Notices(NamedTuple):
    """What the latest change does: it posts or edits the board, and notifies users.

    Attributes:
        board: kind of the message that shows it.
        by_dm: users who get a DM.
        pinged: users who are pinged if they do not decide soon.
    """

    board: OutboxKind
    by_dm: set[int]
    pinged: set[int]


@pytest.fixture
async def match_id(env: MatchFixture) -> MatchId:
    """A match of Wormholes in which both players want DMs and no automatic choices."""
    await want_dms(env)
    for user in (ADA, BO):
        await Preferences(env.database).set(user, PreferenceKey.FORCED, "off")
    return await env.begin()


async def want_dms(env: MatchFixture) -> None:
    for user in (ADA, BO, EVE):
        await Preferences(env.database).set(user, PreferenceKey.TURNS, "on")


async def forget(env: MatchFixture) -> None:
    """Forget what earlier changes have queued."""
    await env.clear_outbox()
    async with env.database.write() as connection:
        await connection.execute(delete(timers).where(timers.c.kind == TimerKind.PING))


async def notices(env: MatchFixture, match_id: MatchId) -> Notices:
    players = (await env.queries.match(match_id)).players
    queued = await env.queued()
    async with env.database.read() as connection:
        query = select(timers.c.seat).where(timers.c.kind == TimerKind.PING)
        seats = (await connection.execute(query)).scalars().all()
    (board,) = (row.kind for row in queued if row.kind != OutboxKind.TURN_DM)
    targets = {row.target for row in queued if row.kind == OutboxKind.TURN_DM}
    return Notices(
        OutboxKind(board),
        {user for user in (ADA, BO, EVE) if str(Target(user)) in targets},
        {players[seat].user_id for seat in seats},
    )


async def after(env: MatchFixture, match_id: MatchId, user: UserId, line: str) -> Notices:
    """Return the notices that a choice queues."""
    await forget(env)
    outcome = await env.matches.act(next(env.ids), match_id, user, line)
    assert outcome.kind == "done", outcome
    return await notices(env, match_id)


async def place(env: MatchFixture, match_id: MatchId, user: UserId, die: str = "8a") -> str:
    """Return the line that places a die in the set-up of Warp 6."""
    seat = (await env.queries.match(match_id)).seat_of(user)
    return f"place {seat.lower()}{die}"


async def test_choice_in_the_set_up_pings_the_next_player(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    line = await place(env, match_id, first)
    effects = await after(env, match_id, first, line)
    assert effects == (OutboxKind.EDIT_BOARD, set(), {opponent_of(first)})


async def test_player_who_goes_on_is_not_notified(env: MatchFixture, match_id: MatchId) -> None:
    first = await env.on_turn(match_id)
    effects = await after(env, match_id, first, "first place")
    assert await env.on_turn(match_id) == first
    assert effects == (OutboxKind.EDIT_BOARD, set(), set())


async def test_player_whose_own_plan_fires_is_not_notified(
    env: MatchFixture, match_id: MatchId
) -> None:
    first = await env.on_turn(match_id)
    await forget(env)
    outcome = await plan(env, match_id, first, "first place")
    assert (outcome.kind, outcome.again) == ("done", True)
    assert await notices(env, match_id) == (OutboxKind.EDIT_BOARD, set(), set())


async def test_plan_of_the_other_player_pings_the_mover(env: MatchFixture) -> None:
    match_id = await warp6(env, "")
    first = await env.on_turn(match_id)
    other = opponent_of(first)
    await plan(env, match_id, other, await place(env, match_id, other))
    effects = await after(env, match_id, first, await place(env, match_id, first))
    assert await env.on_turn(match_id) == first
    assert effects == (OutboxKind.EDIT_BOARD, set(), {first})


async def test_draw_offer_is_posted_once(env: MatchFixture) -> None:
    await want_dms(env)
    match_id = await warp6(env, "", seats="3")
    first = await env.on_turn(match_id)
    others = {ADA, BO, EVE} - {first}
    effects = await after(env, match_id, first, "draw offer")
    assert effects == (OutboxKind.POST_BOARD, others, set())
    moved = await after(env, match_id, first, await place(env, match_id, first))
    assert moved == (OutboxKind.EDIT_BOARD, set(), {await env.on_turn(match_id)})
    assert (await env.queries.view(match_id)).view.offer


async def test_open_draw_offer_adds_no_notices_of_turns(env: MatchFixture) -> None:
    await want_dms(env)
    match_id = await warp6(env, "", seats="3")
    await env.race(match_id)
    first = await env.on_turn(match_id)
    await after(env, match_id, first, "draw offer")
    legal = (await env.queries.view(match_id, first)).view.legal
    effects = await after(env, match_id, first, legal[0].notation)
    assert effects == (OutboxKind.POST_BOARD, {await env.on_turn(match_id)}, set())


async def before_a_skipped_turn(env: MatchFixture, match_id: MatchId) -> Action:
    """Play until a choice ends a turn after which the same player decides; return this choice."""
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        game, random = games.get(row.game), Random(0)
        now = start = ChanceResult(row.state(), (), row.chance_count)
        while True:
            before, was = now, game.view(now.state)
            action = random.choice(game.legal(now.state))
            after = game.apply(now.state, action)[0]
            now = resolve_match_chance(row, game, after, (action,), now.chance_count)
            if was.turn < game.view(now.state).turn and game.pending(now.state) == was.pending:
                break
            now = now if game.pending(now.state) else start
        progress = Progress.of(game, before)
        change = MatchChange(row, progress, await seats_of(connection, match_id))
        await env.match_store.save(connection, change)
    return action


async def test_player_whose_opponent_is_skipped_is_notified(
    env: MatchFixture, match_id: MatchId
) -> None:
    action = await before_a_skipped_turn(env, match_id)
    mover = await env.on_turn(match_id)
    effects = await after(env, match_id, mover, action.notation)
    assert await env.on_turn(match_id) == mover
    assert effects == (OutboxKind.POST_BOARD, {mover}, set())
