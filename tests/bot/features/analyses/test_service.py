"""Analyses are made once, by one process at a time, and only of finished matches."""

from __future__ import annotations

import asyncio
import math
from itertools import pairwise
from typing import Any, Literal

import pytest
from sqlalchemy import delete, func, select, update

from bot.domain.ids import MatchId
from bot.features.analyses.service import (
    EXTENSION_SECONDS,
    LEASE_SECONDS,
    MAX_ATTEMPTS,
    PROGRESS_SECONDS,
    TOPIC,
    Analyses,
    Progress,
    WaitEnd,
)
from bot.services.queries import Queries
from bot.storage.leases import Lease, Leases, LostLeaseError
from bot.storage.schema import analyses, matches
from bot.workers.pool import WorkerPool
from engine.computer.analysis import VERSION, Analysis
from engine.computer.analyst import analyse
from tests.support.fake_discord import until
from tests.support.matches import ADA, BO, EVE, MatchFixture


async def ended(env: MatchFixture) -> MatchId:
    """A match that ended by resignation."""
    match_id = await env.begin("standard", "warp6")
    await env.race(match_id)
    assert (await env.matches.act(next(env.ids), match_id, ADA, "resign")).kind == "done"
    return match_id


def process(env: MatchFixture, name: str) -> Analyses:
    leases = Leases(env.database, name, lambda: env.now)
    queries, wait_for = Queries(env.database), WorkerPool(0).wait_for
    return Analyses(env.database, queries, leases, lambda: env.now, wait_for)


async def test_analysis_is_requested_taken_and_stored(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    assert await one.take() is None
    await one.request(match_id, ADA)
    taken = await one.take()
    assert taken
    assert taken[0] == match_id
    assert await env.queries.analysis(match_id) is None
    result = analyse(taken[1])
    await one.store(match_id, taken[2], result.to_json())
    assert await env.queries.analysis(match_id) == result == await one.wait(match_id, ADA, 1)
    await one.request(match_id, ADA)
    assert await one.take() is None


class CountedEvent(asyncio.Event):
    """Count how often it was waited for."""

    waits = 0

    async def wait(self) -> Literal[True]:
        self.waits += 1
        return await super().wait()


async def test_stop_ends_every_wait_and_keeps_the_request(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.analyses.service.POLL_SECONDS", math.inf)
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id, ADA)
    waits = [asyncio.create_task(one.wait(match_id, user, math.inf)) for user in (ADA, BO)]
    await until(lambda: len(one._waits) == len(waits))
    one.stop_waiting()
    async with asyncio.timeout(5):
        assert await asyncio.gather(*waits) == [WaitEnd.UNFINISHED] * 2
        assert await one.wait(match_id, ADA, math.inf) is WaitEnd.UNFINISHED
    assert await process(env, "two").take()


async def test_later_wait_of_a_user_ends_the_earlier_one(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.analyses.service.POLL_SECONDS", math.inf)
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id, ADA)
    taken = await one.take()
    assert taken
    waits = [asyncio.create_task(one.wait(match_id, user, math.inf)) for user in (ADA, BO, ADA)]
    async with asyncio.timeout(5):
        assert await waits[0] is WaitEnd.REPLACED
        result = analyse(taken[1])
        await one.store(match_id, taken[2], result.to_json())
        assert await asyncio.gather(*waits[1:]) == [result, result]
    assert not one._waits


@pytest.mark.parametrize("fails", [False, True])
async def test_wait_ends_at_once_with_the_analysis(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    monkeypatch.setattr("bot.features.analyses.service.POLL_SECONDS", math.inf)
    one, match_id, event = process(env, "one"), await ended(env), CountedEvent()
    one._ended = event
    await one.request(match_id, ADA)
    *_, taken = [await one.take() for _ in range(MAX_ATTEMPTS)]
    assert taken
    wait = asyncio.create_task(one.wait(match_id, ADA, math.inf))
    await until(lambda: event.waits == 1)
    if fails:
        await one.fail(match_id, taken[2], keep=True)
    else:
        await one.store(match_id, taken[2], analyse(taken[1]).to_json())
    async with asyncio.timeout(5):
        assert await wait == (WaitEnd.FAILED if fails else await env.queries.analysis(match_id))


async def test_wait_goes_on_and_says_so_when_an_attempt_has_failed(env: MatchFixture) -> None:
    one, match_id, counts = process(env, "one"), await ended(env), list[int]()
    await one.request(match_id, ADA)
    leases = [await one.take()]

    async def retried(progress: Progress) -> None:
        counts.append(len(leases))
        assert progress.attempt == len(leases)
        lease = leases[-1]
        assert lease
        await one.fail(match_id, lease[2], keep=True)
        if len(leases) < MAX_ATTEMPTS:
            leases.append(await one.take())

    assert leases[0]
    await one.fail(match_id, leases[0][2], keep=True)
    leases.append(await one.take())
    async with asyncio.timeout(5):
        assert await one.wait(match_id, ADA, math.inf, retried) is WaitEnd.FAILED
    assert counts == [2, 3], "once for each attempt after the first"


def report(number: int) -> dict[str, Any]:
    return {"step": f"step {number}"}


async def test_progress_is_reported_rarely_until_the_analysis_is_done(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.analyses.service.POLL_SECONDS", 0.001)
    now, reports = [0.0], list[Progress]()
    monkeypatch.setattr("bot.features.analyses.service.monotonic", lambda: now[0])
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id, ADA)
    taken = await one.take()
    assert taken
    result = analyse(taken[1]).to_json()
    query = one._attempts

    async def look(*terms: Any) -> int | None:
        """Let a second pass and a move be judged before each look."""
        now[0] += 1.0
        if now[0] < 40:
            await one.add(match_id, taken[2], report(int(now[0])))
        else:
            await one.store(match_id, taken[2], result)
        return await query(*terms)

    async def reported(progress: Progress) -> None:
        reports.append(progress)

    monkeypatch.setattr(one, "_attempts", look)
    async with asyncio.timeout(5):
        analysis = await one.wait(match_id, ADA, math.inf, reported)
    assert isinstance(analysis, Analysis)
    counts = [progress.done for progress in reports]
    assert len(counts) == 2
    assert all(b - a >= PROGRESS_SECONDS for a, b in pairwise([0, *counts]))
    assert reports[0] == Progress(counts[0], len(taken[1].actions))
    assert one.progress(match_id) == Progress(), "nothing is kept of it"
    assert not one.steps(match_id)


@pytest.mark.parametrize("keep", [True, False])
async def test_steps_are_kept_for_the_next_attempt(env: MatchFixture, keep: bool) -> None:
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id, ADA)
    for attempt in range(MAX_ATTEMPTS):
        taken = await one.take()
        assert taken
        await one.add(match_id, taken[2], report(attempt))
        await one.fail(match_id, taken[2], keep=keep)
    assert await one.wait(match_id, ADA, 60) is WaitEnd.FAILED
    assert one.steps(match_id) == (["step 0", "step 1", "step 2"] if keep else ())
    assert await one.request(match_id, ADA)
    assert await one.take(), "another request goes on from there"


async def test_progress_extends_the_lease(env: MatchFixture) -> None:
    one, two, match_id = process(env, "one"), process(env, "two"), await ended(env)
    await one.request(match_id, ADA)
    taken = await one.take()
    assert taken
    for turn in range(10):
        env.now += LEASE_SECONDS - EXTENSION_SECONDS
        await one.add(match_id, taken[2], report(turn))
        assert await two.take() is None
    env.now += LEASE_SECONDS + 1
    assert await two.take()
    with pytest.raises(LostLeaseError):
        await one.add(match_id, taken[2], report(10))


async def test_few_analyses_that_have_begun_are_kept(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.analyses.service.MAX_BEGUN", 2)
    one, match_ids = process(env, "one"), [await ended(env) for _ in range(3)]
    for user, match_id in zip((ADA, BO, EVE), match_ids, strict=True):
        await one.request(match_id, user)
        env.now += 1
        taken = await one.take()
        assert taken
        await one.add(taken[0], taken[2], report(1))
    assert [len(one.steps(match_id)) for match_id in match_ids] == [0, 1, 1]


async def test_wait_notices_what_another_process_has_just_stored(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("bot.features.analyses.service.POLL_SECONDS", 0.01)
    one, two, match_id = process(env, "one"), process(env, "two"), await ended(env)
    await one.request(match_id, ADA)
    taken = await two.take()
    assert taken
    lease, result, read = taken[2], analyse(taken[1]), one._queries.analysis

    async def read_too_early(match_id: MatchId) -> Analysis | None:
        """Read the analysis just before it is stored."""
        monkeypatch.setattr(one._queries, "analysis", read)
        analysis = await read(match_id)
        await two.store(match_id, lease, result.to_json())
        return analysis

    monkeypatch.setattr(one._queries, "analysis", read_too_early)
    async with asyncio.timeout(5):
        assert await one.wait(match_id, ADA, math.inf) == result


async def test_request_wakes_the_analyst(env: MatchFixture) -> None:
    woken, match_id = list[str](), await ended(env)
    env.database.listen(TOPIC, lambda: woken.append(TOPIC))
    await process(env, "one").request(match_id, ADA)
    assert woken == [TOPIC]


async def test_one_process_makes_analyses_at_a_time(env: MatchFixture) -> None:
    one, two, match_id = process(env, "one"), process(env, "two"), await ended(env)
    await one.request(match_id, ADA)
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
        await one.fail(match_id, taken[2], keep=True)
    assert await env.queries.analysis(match_id) is None
    await two.store(match_id, again[2], result)
    assert await env.queries.analysis(match_id)


async def test_analysis_that_fails_is_not_tried_for_ever(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id, ADA)
    for _ in range(MAX_ATTEMPTS):
        assert await one.take()
        await one.request(match_id, ADA)
    *_, taken = [await one.take() for _ in range(MAX_ATTEMPTS)]
    assert taken
    assert await one.take() is None
    await one.fail(match_id, taken[2], keep=True)
    assert await one.wait(match_id, ADA, 60) is WaitEnd.FAILED
    await one.request(match_id, ADA)
    assert await one.take()


async def test_user_waits_for_one_analysis_at_a_time(env: MatchFixture) -> None:
    one, (first, second, third) = process(env, "one"), [await ended(env) for _ in range(3)]
    for _ in range(2):
        assert await one.request(first, ADA), "it is the same request"
        assert not await one.request(second, ADA)
        env.now += 1
    assert await one.request(first, BO)
    assert not await one.request(third, BO), "though Ada was first to ask for it"
    assert await one.request(third, EVE)
    assert await taken_in_order(one) == [first, third]
    assert await one.request(second, ADA), "the other one is done"
    assert await taken_in_order(one) == [second]


async def taken_in_order(service: Analyses) -> list[int]:
    """Make all analyses that are requested; return the matches."""
    match_ids: list[int] = []
    while taken := await service.take():
        match_id, record, lease = taken
        await service.store(match_id, lease, analyse(record).to_json())
        match_ids.append(match_id)
    return match_ids


async def test_many_clicks_of_one_user_come_after_others(env: MatchFixture) -> None:
    one, matches_of_ada = process(env, "one"), [await ended(env) for _ in range(3)]
    requested = []
    for match_id in matches_of_ada:
        requested.append(await one.request(match_id, ADA))
        env.now += 1
    assert requested == [True, False, False]
    of_bo = await ended(env)
    assert await one.request(of_bo, BO)
    assert await taken_in_order(one) == [matches_of_ada[0], of_bo]


@pytest.mark.parametrize("attempts", [MAX_ATTEMPTS - 1, MAX_ATTEMPTS])
async def test_analysis_that_is_given_up_holds_up_no_other(
    env: MatchFixture, attempts: int
) -> None:
    one, first, second = process(env, "one"), await ended(env), await ended(env)
    await one.request(first, ADA)
    for _ in range(attempts):
        assert await one.take()
    assert await one.request(second, ADA) is (attempts == MAX_ATTEMPTS)


async def test_another_request_gives_no_more_attempts(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    for _ in range(MAX_ATTEMPTS):
        await one.request(match_id, ADA)
        assert await one.take()
    assert await one.take() is None


async def test_request_for_an_earlier_version_is_not_made(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id, ADA)
    async with env.database.write() as connection:
        await connection.execute(update(analyses).values(version=VERSION - 1))
    assert await one.take() is None
    assert await one.request(await ended(env), ADA), "nothing of an earlier version is waited for"
    await one.request(match_id, BO)
    assert len(await taken_in_order(one)) == 2


async def test_analysis_of_the_last_attempt_is_kept(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id, ADA)
    *_, taken = [await one.take() for _ in range(MAX_ATTEMPTS)]
    assert taken
    result = analyse(taken[1])
    await one.store(match_id, taken[2], result.to_json())
    await one.fail(match_id, taken[2], keep=True)
    assert await env.queries.analysis(match_id) == result
    await one.request(match_id, ADA)
    assert await env.queries.analysis(match_id) == result


async def test_analyses_of_two_matches_are_independent(env: MatchFixture) -> None:
    one, first, second = process(env, "one"), await ended(env), await ended(env)
    await one.request(first, ADA)
    *_, taken = [await one.take() for _ in range(MAX_ATTEMPTS)]
    assert taken
    assert taken[0] == first
    env.now += 1
    await one.request(second, BO)
    await one.fail(first, taken[2], keep=True)
    async with asyncio.timeout(5):
        assert await one.wait(first, ADA, 60) is WaitEnd.FAILED, (
            "it has failed, though the other one waits"
        )
    *_, taken = [await one.take() for _ in range(MAX_ATTEMPTS)]
    assert taken
    assert taken[0] == second
    await one.store(second, taken[2], analyse(taken[1]).to_json())
    assert await env.queries.analysis(second)
    assert await env.queries.analysis(first) is None


async def test_a_lease_lost_before_the_start_counts_no_attempt(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, two, match_id = process(env, "one"), process(env, "two"), await ended(env)
    await one.request(match_id, ADA)
    take = one._leases.take

    async def take_late(name: str, seconds: float) -> Lease | None:
        """Take the lease, then do nothing until the other process has taken it."""
        lease = await take(name, seconds)
        env.now += LEASE_SECONDS + 1
        assert await two.take()
        return lease

    with monkeypatch.context() as slow:
        slow.setattr(one._leases, "take", take_late)
        with pytest.raises(LostLeaseError):
            await one.take()
    for _ in range(MAX_ATTEMPTS - 1):
        assert await two.take()
    assert await two.take() is None


async def test_waiting_ends_in_time_without_many_queries(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, first, second = process(env, "one"), await ended(env), await ended(env)
    await one.request(first, ADA)
    taken = await one.take()
    assert taken
    await one.store(first, taken[2], analyse(taken[1]).to_json())
    await one.request(second, BO)
    read, get = list[int](), env.queries.analysis

    async def counted(match_id: MatchId) -> Analysis | None:
        read.append(match_id)
        return await get(match_id)

    monkeypatch.setattr(one._queries, "analysis", counted)
    async with asyncio.timeout(5):
        assert await one.wait(second, BO, 0.05) is WaitEnd.UNFINISHED
    assert 0 < len(read) < 5


async def test_what_is_no_analysis_is_not_stored(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id, ADA)
    taken = await one.take()
    assert taken
    for nonsense in ({}, {"version": 0}, analyse(taken[1]).to_json() | {"parts": 1}):
        with pytest.raises((KeyError, TypeError, ValueError)):
            await one.store(match_id, taken[2], nonsense)
    assert await env.queries.analysis(match_id) is None


async def test_analysis_is_deleted_with_its_match(env: MatchFixture) -> None:
    one, match_id = process(env, "one"), await ended(env)
    await one.request(match_id, ADA)
    async with env.database.write() as connection:
        await connection.execute(delete(matches))
        left = (await connection.execute(select(func.count()).select_from(analyses))).scalar()
    assert left == 0


async def test_analysis_that_failed_is_tried_again_after_all_others(env: MatchFixture) -> None:
    one, requested = process(env, "one"), [await ended(env) for _ in range(3)]
    for match_id, user in zip(requested, (ADA, BO, EVE), strict=True):
        assert await one.request(match_id, user)
        env.now += 1
    order = list[int]()
    while taken := await one.take():
        match_id, record, lease = taken
        order.append(match_id)
        if match_id == requested[0]:
            await one.fail(match_id, lease, keep=True)
        else:
            await one.store(match_id, lease, analyse(record).to_json())
    assert order == [*requested, requested[0], requested[0]]
