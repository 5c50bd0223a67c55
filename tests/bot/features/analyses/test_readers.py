"""Whose decisions an analysis shows to whom, and that no running match is analysed."""

from __future__ import annotations

import json
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import pytest
from sqlalchemy import insert, select, update

from bot.domain.ids import MatchId, UserId
from bot.domain.models import Match, Switch
from bot.features.analyses import commands
from bot.features.analyses.service import Analyses
from bot.features.analyses.views import costly_decisions
from bot.interactions.replies import UserError
from bot.interactions.story_buttons import StoryButtonReaders
from bot.services.automatic_moves import Automatic
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.leases import Leases
from bot.storage.schema import actions, analyses
from bot.views import ui
from bot.views.controls import button
from bot.views.custom_ids import ReplayId
from bot.views.images import BoardImages
from bot.workers.pool import WorkerPool
from engine.computer.analyst import analyse
from tests.support.computer_turns import begin as against_computer
from tests.support.harness import walk
from tests.support.limits import components
from tests.support.matches import ADA, BO, EVE, MatchFixture, act
from tests.support.visitors import Server


class BlankImages(BoardImages):
    """Pictures without content: what they are of is told by their descriptions."""

    async def draw(self, work: Callable[[], bytes], *, takes_long: bool = False) -> bytes:
        return b"PNG"


def context_of(env: MatchFixture) -> Any:
    """Return a context with which analyses are read and requested."""
    leases, wait_for = Leases(env.database, "one", env.clock), WorkerPool(0).wait_for
    service = Analyses(env.database, env.queries, leases, env.clock, wait_for)
    return SimpleNamespace(
        queries=env.queries,
        preferences=Preferences(env.database),
        of={Analyses: service, StoryButtonReaders: StoryButtonReaders([story_buttons])}.get,
        computers=True,
        images=BlankImages(),
    )


async def story_buttons(_context: Any, match: Match, user_id: UserId) -> list[ui.Button]:
    """Return a button beside the story."""
    return [button(f"story for {user_id}", ReplayId(match.id, 7))]


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


async def page_for(env: MatchFixture, match_id: MatchId, user_id: UserId) -> str:
    """Return the texts of an analysis as a user sees it, with those that describe pictures."""
    analysis = await env.queries.analysis(match_id)
    assert analysis
    assert {decision.seat for decision in analysis.decisions if decision.loss} == {*analysis.seats}
    asked = Server().interaction(user_id)
    message = await commands._page(context_of(env), asked, analysis, match_id)
    parts = list(walk(components(message)))
    described = [item for part in parts for item in part.get("items", ())]
    texts = [
        part.get("content") or part.get("description") or part.get("label") or ""
        for part in [*parts, *described]
    ]
    return "\n".join(texts)


async def analysed(env: MatchFixture) -> MatchId:
    """Return a match that Ada has resigned, after each player made a costly choice."""
    match_id = await env.begin("standard", "warp6")
    await env.race(match_id)
    for _ in range(6):
        await act(env, match_id)
    assert (await env.matches.act(next(env.ids), match_id, ADA, "resign")).kind == "done"
    result = analyse(await env.queries.record(match_id)).to_json()
    async with env.database.write() as connection:
        values = {"version": result["version"], "result": json.dumps(result), "attempts": 1}
        row = {"match_id": match_id, "requested_at": 0.0, **values}
        await connection.execute(insert(analyses).values(row))
    return match_id


PRIVATE, COSTLY = "{}'s mistakes are shown to", "{}: move a die"
"""The texts about a player's decisions: that they are private, and one of their boards."""


@pytest.mark.slow
async def test_page_shows_no_private_decision(env: MatchFixture) -> None:
    match_id = await analysed(env)
    readers: list[tuple[UserId, set[str], str]]
    readers = [(ADA, {"Ada"}, "Ada"), (BO, {"Bo"}, "Bo"), (EVE, set(), "Bo")]
    for user_id, shared, chances_of in readers:  # Bo has won
        text = await page_for(env, match_id, user_id)
        assert f"{chances_of}'s chances: **50 →" in text
        for name in ("Ada", "Bo"):
            assert (PRIVATE.format(name) in text) == (name not in shared)
            assert (COSTLY.format(name) in text) == (name in shared)
    await Preferences(env.database).set(BO, PreferenceKey.ANALYSIS, Switch.ON)
    text = await page_for(env, match_id, EVE)
    assert PRIVATE.format("Bo") not in text
    assert COSTLY.format("Bo") in text
    assert COSTLY.format("Ada") not in text


@pytest.mark.slow
async def test_page_says_which_mistakes_a_plan_made(env: MatchFixture) -> None:
    match_id = await analysed(env)
    assert "foreseen" not in await page_for(env, match_id, ADA)
    result = await env.queries.analysis(match_id)
    seat = (await env.queries.match(match_id)).seat_of(ADA)
    assert result
    worst = costly_decisions(result, seat, seat)
    for number, decision in enumerate(worst, 1):
        of_match = update(actions).where(actions.c.match_id == match_id)
        at_place = of_match.where(actions.c.number == decision.place + 1)
        async with env.database.write() as connection:
            await connection.execute(of_match.values(automatic=None))
            await connection.execute(at_place.values(automatic=Automatic.PLAN))
        lines = (await page_for(env, match_id, ADA)).splitlines()
        (line,) = [line for line in lines if "foreseen in a plan" in line]
        assert line.startswith(f"**{number}.**")


@pytest.mark.slow
async def test_page_has_the_buttons_of_features(env: MatchFixture) -> None:
    match_id = await analysed(env)
    for user_id in (ADA, EVE):
        text = await page_for(env, match_id, user_id)
        assert f"Replay\nstory for {user_id}" in text


async def test_match_without_a_result_is_not_analysed(env: MatchFixture) -> None:
    match_id, context = await env.begin(), context_of(env)
    version = (await env.queries.match(match_id)).version
    for user_id, kind in ((ADA, "ask"), (BO, "done")):
        outcome = await env.abandoning.agree(next(env.ids), match_id, user_id, version)
        assert outcome.kind == kind
    with pytest.raises(UserError, match="nothing to analyse"):
        await commands.show(context, Server().interaction(ADA), match_id)
    async with env.database.read() as connection:
        assert not (await connection.execute(select(analyses))).all()
