"""Rated matches against the computer that end before they have begun in earnest."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import pytest
from sqlalchemy import select

from bot.domain.anchors import PLAYERS_VERSION
from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId
from bot.domain.models import Rated
from bot.domain.terms import Terms
from bot.services.rated_matches import EARLY_LIMIT, EARLY_SECONDS
from bot.storage.schema import rated_results
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture


async def begin(env: MatchFixture) -> MatchId:
    """A rated match of Ada against the computer, in which no choice has been made."""
    terms = Terms(game="warp6", clock="3d", rated=True, guild_id=None, channel_id=ChannelId(5))
    players = [PLAYERS[0], computer_player("navigator")]
    outcome = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    assert outcome.kind == "done", outcome
    return outcome.match_id


async def rated(env: MatchFixture, match_id: MatchId) -> Rated:
    return (await env.queries.match(match_id)).rated


async def results(env: MatchFixture) -> dict[str | None, int]:
    """The rank of each anchor, and of the person."""
    async with env.database.read() as connection:
        rows = await connection.execute(select(rated_results.c.anchor, rated_results.c.rank))
        return {row.anchor: row.rank for row in rows}


async def abandon(env: MatchFixture, match_id: MatchId) -> None:
    version = (await env.queries.match(match_id)).version
    ended = await env.abandoning.agree(next(env.ids), match_id, ADA, version)
    assert ended.kind == "done", ended


async def give_up(env: MatchFixture, match_id: MatchId) -> None:
    assert (await env.matches.act(next(env.ids), match_id, ADA, "resign")).kind == "done"


EndEarly = Callable[[MatchFixture, int], Awaitable[None]]


@pytest.mark.parametrize("how", [abandon, give_up])
async def test_the_fourth_match_that_ends_early_counts(env: MatchFixture, how: EndEarly) -> None:
    """No choice need have been made, not even by the computer."""
    for _ in range(EARLY_LIMIT):
        match_id = await begin(env)
        await how(env, match_id)
        assert await rated(env, match_id) == Rated.EARLY
    assert not await results(env)
    match_id = await begin(env)
    await how(env, match_id)
    assert await rated(env, match_id) == Rated.RATED
    counts = await results(env)
    assert counts.pop(None) > counts.pop(f"navigator/{PLAYERS_VERSION}") == 0


async def test_early_ends_are_forgotten_after_30_days(env: MatchFixture) -> None:
    for _ in range(EARLY_LIMIT):
        await give_up(env, await begin(env))
    env.now += EARLY_SECONDS - 1
    counted = await begin(env)
    await give_up(env, counted)
    assert await rated(env, counted) == Rated.RATED
    env.now += 1
    free = await begin(env)
    await give_up(env, free)
    assert await rated(env, free) == Rated.EARLY


async def test_early_ends_of_others_and_among_people_are_free(env: MatchFixture) -> None:
    for _ in range(EARLY_LIMIT + 1):
        terms = Terms(game="warp6", rated=True, guild_id=None, channel_id=ChannelId(5))
        outcome = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
        await env.challenges.accept(next(env.ids), outcome.match_id, BO)
        await give_up(env, outcome.match_id)
        assert await rated(env, outcome.match_id) == Rated.EARLY
    for _ in range(EARLY_LIMIT):
        match_id = await begin(env)
        await env.change_seat(match_id, "B", user_id=BO, name="Bo")
        assert (await env.matches.act(next(env.ids), match_id, BO, "resign")).kind == "done"
    match_id = await begin(env)
    await give_up(env, match_id)
    assert await rated(env, match_id) == Rated.EARLY


async def test_early_ends_against_the_computer_count_nothing_else(env: MatchFixture) -> None:
    for _ in range(EARLY_LIMIT):
        await give_up(env, await begin(env))
    terms = Terms(game="warp6", rated=True, guild_id=None, channel_id=ChannelId(5))
    outcome = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    await give_up(env, outcome.match_id)
    assert await rated(env, outcome.match_id) == Rated.EARLY
