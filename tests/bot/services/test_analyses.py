"""Analyses are made once, by one process at a time, and only of what is over."""

from __future__ import annotations

import pytest
from sqlalchemy import delete, func, select

from bot.services.analyses import LEASE_SECONDS, MAX_ATTEMPTS, Analyses
from bot.services.queries import Queries
from bot.storage.leases import Leases, LostLeaseError
from bot.storage.schema import analyses, matches
from engine.computer.analyst import analyse
from tests.support.matches import ADA, MatchFixture


async def ended(env: MatchFixture) -> int:
    """A match that ended by resignation."""
    match_id = await env.begin("standard", "warp6")
    await env.race(match_id)
    assert (await env.matches.act(next(env.ids), match_id, ADA, "resign")).kind == "done"
    return match_id


def process(env: MatchFixture, name: str) -> Analyses:
    leases = Leases(env.database, name, lambda: env.now)
    return Analyses(env.database, Queries(env.database), leases, lambda: env.now)


async def test_analysis_is_requested_taken_and_stored(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    assert await one.take() is None
    await one.request(match_id)
    taken = await one.take()
    assert taken
    assert taken[0] == match_id
    assert await one.get(match_id) is None
    made = analyse(taken[1])
    await one.store(match_id, taken[2], made.to_json())
    assert await one.get(match_id) == made == await one.wait(match_id, 60)
    await one.request(match_id)
    assert await one.take() is None


async def test_one_process_makes_analyses_at_a_time(env: MatchFixture) -> None:
    one, two, match_id = process(env, "one"), process(env, "two"), await ended(env)
    await one.request(match_id)
    taken = await one.take()
    assert taken
    assert await two.take() is None
    env.now += LEASE_SECONDS + 1
    again = await two.take()
    assert again
    result = analyse(again[1]).to_json()
    with pytest.raises(LostLeaseError):
        await one.store(match_id, taken[2], result)
    with pytest.raises(LostLeaseError):
        await one.fail(match_id, taken[2])
    assert await one.get(match_id) is None
    await two.store(match_id, again[2], result)
    assert await one.get(match_id)


async def test_analysis_that_fails_is_not_tried_for_ever(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id)
    for _ in range(MAX_ATTEMPTS):
        assert await one.take()
        await one.request(match_id)
    *_, taken = [await one.take() for _ in range(MAX_ATTEMPTS)]
    assert taken
    assert await one.take() is None
    await one.fail(match_id, taken[2])
    assert await one.wait(match_id, 60) is None
    await one.request(match_id)
    assert await one.take()


async def test_what_is_no_analysis_is_not_stored(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id)
    taken = await one.take()
    assert taken
    for nonsense in ({}, {"version": 0}, analyse(taken[1]).to_json() | {"parts": 1}):
        with pytest.raises((KeyError, TypeError, ValueError)):
            await one.store(match_id, taken[2], nonsense)
    assert await one.get(match_id) is None


async def test_analysis_is_deleted_with_its_match(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id)
    async with env.database.write() as connection:
        await connection.execute(delete(matches))
        left = (await connection.execute(select(func.count()).select_from(analyses))).scalar()
    assert left == 0
