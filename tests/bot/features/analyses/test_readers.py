"""Whose decisions an analysis shows to whom, and that no running match is analysed."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import select

from bot.domain.ids import MatchId, UserId
from bot.domain.models import Switch
from bot.features.analyses import commands
from bot.features.analyses.service import Analyses
from bot.interactions.replies import UserError
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.leases import Leases
from bot.storage.schema import analyses
from bot.workers.pool import WorkerPool
from tests.support.computer_turns import begin as against_computer
from tests.support.matches import ADA, BO, EVE, MatchFixture
from tests.support.visitors import Server


def context_of(env: MatchFixture) -> Any:
    """Return a context with which analyses are read and requested."""
    leases, wait_for = Leases(env.database, "one", env.clock), WorkerPool(0).wait_for
    service = Analyses(env.database, env.queries, leases, env.clock, wait_for)
    return SimpleNamespace(
        queries=env.queries,
        preferences=Preferences(env.database),
        of={Analyses: service}.get,
        computers=True,
    )


async def shown_to(env: MatchFixture, match_id: MatchId, user_id: UserId) -> set[int]:
    """Return the players whose decisions a user may see."""
    match = await env.queries.match(match_id)
    seats = await commands._visible_seats(context_of(env), match, user_id)
    return {match.players[seat].user_id for seat in seats}


async def test_decisions_are_private_unless_shared(env: MatchFixture) -> None:
    match_id = await env.begin()
    for user_id, users in ((ADA, {ADA}), (BO, {BO}), (EVE, set())):
        assert await shown_to(env, match_id, user_id) == users
    await Preferences(env.database).set(ADA, PreferenceKey.ANALYSIS, Switch.ON)
    for user_id, users in ((ADA, {ADA}), (BO, {ADA, BO}), (EVE, {ADA})):
        assert await shown_to(env, match_id, user_id) == users
    await Preferences(env.database).set(ADA, PreferenceKey.ANALYSIS, Switch.OFF)
    assert await shown_to(env, match_id, BO) == {BO}


async def test_decisions_of_the_computer_are_for_all(env: MatchFixture) -> None:
    match_id = await against_computer(env)
    match = await env.queries.match(match_id)
    (computer,) = {player.user_id for player in match.players.values()} - {ADA}
    assert await shown_to(env, match_id, EVE) == {computer}
    assert await shown_to(env, match_id, ADA) == {computer, ADA}


@pytest.mark.parametrize("user_id", [ADA, BO])
async def test_running_match_is_not_analysed(env: MatchFixture, user_id: UserId) -> None:
    match_id, context = await env.begin(), context_of(env)
    with pytest.raises(UserError, match="isn't over yet"):
        await commands.show(context, Server().interaction(user_id), match_id)
    async with env.database.read() as connection:
        assert not (await connection.execute(select(analyses))).all()
