"""Takebacks that need consent: conditions, the players who consent, and effects."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from bot.domain.ids import ChannelId, MatchId, UserId, Version
from bot.domain.terms import Terms
from bot.services.factory import services_on
from bot.services.takebacks import revealed_line
from bot.storage.schema import outbox
from engine import games
from engine.game import CHANCE, Action
from tests.support.matches import (
    ADA,
    BO,
    EVE,
    PLAYERS,
    MatchFixture,
    choose,
    stored_position,
    take_back,
    takeback_asked,
    warp6,
)
from tests.support.nim import Nim, State

Lines = dict[int, tuple[Action, ...]]

PROBED = 0.1
"""Share of the choices that reveal nothing and are taken back."""


async def begun(env: MatchFixture, game: str, **options: str) -> MatchId:
    terms = Terms(game=game, options=options, guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    return outcome.match_id


async def read_by_all(env: MatchFixture, match_id: MatchId) -> Lines:
    """The record as each player and the public may read it."""
    return {user: (await env.queries.record(match_id, user)).actions for user in (ADA, BO, EVE)}


async def choose_randomly(env: MatchFixture, match_id: MatchId, random: Random) -> UserId:
    """A player who has to decide makes a random choice; return who it was."""
    user = await env.on_turn(match_id)
    perspective = await env.queries.view(match_id, user)
    action = games.get(perspective.match.game).fill(
        random.choice(perspective.view.legal), random.randrange
    )
    line = " ".join((action.verb, *action.args))
    assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"
    return user


@pytest.mark.slow
@pytest.mark.parametrize(("notes", "learners"), [("off", {ADA, BO}), ("on", {BO}), ("on", {ADA})])
async def test_takeback_needs_consent_once_a_player_has_learned(
    env: MatchFixture, notes: str, learners: set[int]
) -> None:
    match_id, random = await begun(env, "wormholes", notes=notes), Random(2)
    for _ in range(400):
        before, position = await read_by_all(env, match_id), await stored_position(env, match_id)
        user = await choose_randomly(env, match_id, random)
        after = await read_by_all(env, match_id)
        if after[EVE][-1].actor == CHANCE:
            continue
        length = len(before[EVE])
        learned = {user for user in after if after[user][:length] != before[user]}
        if not learned and random.random() < PROBED:
            assert (await take_back(env, match_id, user)).kind == "done"
            assert await stored_position(env, match_id) == position
        elif learned:
            assert (await take_back(env, match_id, user)).kind == "ask"
            if learned & {ADA, BO} == learners:
                return
    pytest.fail("no coin was turned that these players did not know")


class Secretive(Nim):
    """Nim with hidden moves, until one reader learns them.

    Args:
        learner: the seat that learns them; empty for the public.
    """

    def __init__(self, learner: str) -> None:
        self._learner = learner

    def redact(self, state: State, seat: str, actions: Sequence[Action]) -> tuple[Action, ...]:
        if state.number > 1 and seat == self._learner:
            return tuple(actions)
        return tuple(action._replace(args=("?",)) for action in actions)


@pytest.mark.parametrize(
    ("learner", "learned"), [("A", True), ("B", True), ("", True), ("C", False)]
)
def test_consent_looks_at_each_player_and_the_public(learner: str, learned: bool) -> None:
    lines = [Action("A", "take", ("2",))]
    before, after = State(9, 1, 1), State(8, 0, 2)
    lines.append(Action("B", "take", ("1",)))
    revealed = revealed_line(Secretive(learner), [before, after], lines)
    assert revealed == (lines[0] if learned else None)


async def test_agree_to_an_older_wish_is_stale(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    await choose(env, match_id, await env.on_turn(match_id))
    if await env.on_turn(match_id) == BO:
        await choose(env, match_id, BO)
    lines = (await env.queries.record(match_id)).actions
    for requested in (version, version - 1, 10**6):
        outcome = await env.takebacks.take_back(
            next(env.ids), match_id, ADA, requested_version=Version(requested)
        )
        assert outcome.kind == "stale"
    assert (await env.queries.record(match_id)).actions == lines


async def test_own_wish_is_not_agreed_to_by_oneself(env: MatchFixture) -> None:
    match_id, version = await takeback_asked(env)
    outcome = await env.takebacks.take_back(
        next(env.ids), match_id, BO, requested_version=Version(version)
    )
    assert outcome.kind == "stale"


@pytest.mark.slow
async def test_dice_go_on_where_they_were_after_a_takeback(env: MatchFixture) -> None:
    match_id, random = await begun(env, "wormholes"), Random(5)
    undone, rolls = 0, 0
    while undone < 10 or rolls < 4:
        rolled = (await stored_position(env, match_id))[1]
        user = await choose_randomly(env, match_id, random)
        rolls += (now := (await stored_position(env, match_id))[1]) - rolled
        if now == rolled and (await take_back(env, match_id, user)).kind == "done":
            undone += 1
            assert (await stored_position(env, match_id))[1] == rolled
            await choose_randomly(env, match_id, random)
    await env.matches.act(next(env.ids), match_id, ADA, "resign")
    assert (await env.queries.record(match_id)).verify() >= 4


async def test_takeback_request_delivered_again_asks_once(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d", setup="secret")
    for user in (ADA, BO):
        await choose(env, match_id, user)
    interaction = next(env.ids)
    restarted = services_on(env.database, lambda: env.now)
    for takebacks in (env.takebacks, restarted.takebacks):
        assert (await takebacks.take_back(interaction, match_id, BO)).kind == "ask"
    async with env.database.read() as connection:
        requests = select(outbox.c.id).where(outbox.c.kind == "takeback_request")
        assert len((await connection.execute(requests)).all()) == 1


async def test_a_takeback_request_that_is_not_stored_can_be_made_again(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await warp6(env, "1d", setup="secret")
    for user in (ADA, BO):
        await choose(env, match_id, user)

    async def fail(*_: object) -> None:
        raise OperationalError("", None, Exception("full"))

    with monkeypatch.context() as patch:
        patch.setattr(env.match_store, "remember", fail)
        with pytest.raises(OperationalError):
            await take_back(env, match_id, BO)
    assert (await take_back(env, match_id, BO)).kind == "ask"


async def test_takeback_requests_of_a_player_are_limited(env: MatchFixture) -> None:
    match_id = await warp6(env, "1d", setup="secret")
    for user in (ADA, BO):
        await choose(env, match_id, user)
    answers = [await take_back(env, match_id, BO) for _ in range(30)]
    assert [answer.kind for answer in answers] == ["ask"] + ["refused"] * 29
    assert "already asked" in answers[1].sentence
    async with env.database.read() as connection:
        requests = select(outbox.c.id).where(outbox.c.kind == "takeback_request")
        assert len((await connection.execute(requests)).all()) == 1
