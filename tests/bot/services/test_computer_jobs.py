"""The queue of the computer's turns: when a job may be claimed, and who may change it."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest
from sqlalchemy import insert, select

from bot.domain.ids import MatchId, Version
from bot.services.computer_jobs import (
    LEASE_SECONDS,
    PAUSED,
    RETRY_SECONDS,
    ComputerJob,
    claim_jobs,
    mark_paused,
    queue_jobs,
    release_jobs,
    unannounced_before,
    waiting_matches,
)
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.storage.schema import computer_jobs
from engine import games
from tests.support.computer_turns import begin, claim, job_count
from tests.support.matches import MatchFixture, warp6

NOW = 100_000.0

LAST_END = NOW + LEASE_SECONDS + RETRY_SECONDS[-1]
"""When the last lease or pause ends that is not from before the clock was set back."""


class Stored(NamedTuple):
    """A row of `computer_jobs`, without its number."""

    match_id: MatchId
    seat: str
    version: int = 5
    queued_at: float = NOW
    attempts: int = 0
    lease_expires_at: float | None = None
    worker_id: str | None = None


async def store(env: MatchFixture, *jobs: Stored) -> None:
    async with env.database.write() as connection:
        await connection.execute(insert(computer_jobs), [job._asdict() for job in jobs])


async def stored(env: MatchFixture) -> list[Stored]:
    """All jobs, the one that was stored first before the others."""
    columns = [computer_jobs.c[name] for name in Stored._fields]
    async with env.database.read() as connection:
        rows = await connection.execute(select(*columns).order_by(computer_jobs.c.id))
        return [Stored(*row) for row in rows]


async def claim_one(env: MatchFixture) -> ComputerJob:
    async with env.database.write() as connection:
        (job,) = await claim_jobs(connection, "one", NOW, 1)
        return job


@pytest.mark.parametrize(
    ("ends_at", "is_free"),
    [
        (None, True),
        (NOW - 0.001, True),
        (NOW, False),
        (LAST_END, False),
        (LAST_END + 0.001, True),
    ],
)
async def test_job_can_be_claimed_outside_of_its_lease(
    env: MatchFixture, ends_at: float | None, is_free: bool
) -> None:
    await store(env, Stored(await env.begin(), "O", lease_expires_at=ends_at))
    async with env.database.write() as connection:
        jobs = await claim_jobs(connection, "one", NOW, 10)
    assert len(jobs) == is_free


async def test_longest_waiting_jobs_are_claimed_first(env: MatchFixture) -> None:
    first, second = await env.begin(), await env.begin()
    queued = [
        Stored(first, "O", 5, NOW - 2, 0),
        Stored(first, "D", 5, NOW - 1, 2),
        Stored(second, "O", 6, NOW - 4, 7),
        Stored(second, "D", 6, NOW - 3, 1, NOW - 0.5, "two"),
    ]
    await store(env, *queued)
    async with env.database.write() as connection:
        jobs = await claim_jobs(connection, "one", NOW, 3)
    assert [job[1:] for job in jobs] == [
        (second, "O", 6, NOW - 4, 8),
        (second, "D", 6, NOW - 3, 2),
        (first, "O", 5, NOW - 2, 1),
    ]
    lease: dict[str, Any] = {"lease_expires_at": NOW + LEASE_SECONDS, "worker_id": "one"}
    claimed = [job._replace(attempts=job.attempts + 1, **lease) for job in queued]
    assert await stored(env) == [claimed[0], queued[1], *claimed[2:]]


async def test_holder_of_the_lease_changes_only_its_job(env: MatchFixture) -> None:
    first, second = await env.begin(), await env.begin()
    queued = [Stored(first, "O", queued_at=NOW - 9), Stored(first, "D"), Stored(second, "O")]
    await store(env, *queued)
    job = await claim_one(env)
    async with env.database.write() as connection:
        await job.postpone(connection, NOW)
    paused = queued[0]._replace(
        attempts=1, lease_expires_at=NOW + RETRY_SECONDS[0], worker_id="one"
    )
    assert await stored(env) == [paused, *queued[1:]]
    async with env.database.write() as connection:
        await job.renew(connection, NOW + 50)
    renewed = paused._replace(lease_expires_at=NOW + 50 + LEASE_SECONDS)
    assert await stored(env) == [renewed, *queued[1:]]
    async with env.database.write() as connection:
        await job.remove(connection)
    assert await stored(env) == queued[1:]


@pytest.mark.parametrize("field", ["id", "match_id", "version", "attempts"])
async def test_job_of_another_lease_is_not_changed(env: MatchFixture, field: str) -> None:
    await store(env, Stored(await env.begin(), "O"))
    job = await claim_one(env)
    before = await stored(env)
    other = job._replace(**{field: getattr(job, field) + 1})
    async with env.database.write() as connection:
        await other.postpone(connection, NOW)
        await other.renew(connection, NOW + 1)
        await other.remove(connection)
    assert await stored(env) == before


async def test_queue_replaces_the_jobs_of_its_match(env: MatchFixture) -> None:
    match_id, other_id = await warp6(env, "", setup="secret"), await warp6(env, "", setup="secret")
    other = Stored(other_id, "B", attempts=3)
    await store(env, Stored(match_id, "B", attempts=2), Stored(match_id, "Y"), other)
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        view = games.get(row.game).view(row.state())
        assert view.pending == "BY"
        people = [
            replace(seat, level="cadet" if seat.seat == "B" else None)
            for seat in await seats_of(connection, match_id)
        ]
        await queue_jobs(connection, people, view, Version(6), NOW)
    assert await stored(env) == [other, Stored(match_id, "B", 6, NOW, 0)]
    async with env.database.write() as connection:
        offered: Any = SimpleNamespace(pending="Y", answering="B")
        await queue_jobs(connection, people, offered, Version(7), NOW)
    assert await stored(env) == [other, Stored(match_id, "B", 7, NOW, 0)], "it answers an offer"


async def test_pause_after_each_failure_is_kept(env: MatchFixture) -> None:
    await begin(env)
    for pause in (*RETRY_SECONDS, RETRY_SECONDS[-1]):
        (job,) = await claim(env)
        async with env.database.write() as connection:
            await job.postpone(connection, env.now)
        env.now += pause - 1
        assert not await claim(env)
        env.now += 2


async def test_pause_ends_when_the_clock_is_put_back(env: MatchFixture) -> None:
    await begin(env)
    timers = env.timers()
    await timers.heartbeats.record()
    await claim(env)
    env.now -= 3000
    assert not await claim(env, "two")
    await timers.heartbeats.record()
    env.now += LEASE_SECONDS + 1
    assert await claim(env, "two")


async def is_due(env: MatchFixture, before: float) -> bool:
    async with env.database.read() as connection:
        result = await connection.execute(select(unannounced_before(before)))
        return bool(result.scalar_one())


async def test_players_are_told_once_that_the_computer_is_off(env: MatchFixture) -> None:
    first, second = await env.begin(), await env.begin()
    leased = Stored(second, "D", lease_expires_at=NOW + 9, worker_id="one")
    queued = [Stored(second, "O"), leased, Stored(first, "O", 5, NOW + 5)]
    await store(env, *queued)
    assert [await is_due(env, time) for time in (NOW, NOW + 1)] == [False, True]
    async with env.database.write() as connection:
        assert await waiting_matches(connection) == [first, second]
        assert [await mark_paused(connection, second) for _ in range(2)] == [True, False]
        assert await waiting_matches(connection) == [first, second]
    paused = [job._replace(worker_id=PAUSED, lease_expires_at=None) for job in queued[:2]]
    assert await stored(env) == [*paused, queued[2]]
    assert [await is_due(env, time) for time in (NOW + 5, NOW + 6)] == [False, True]
    assert len(await claim(env)) == 3, "it is turned on again"


async def test_restart_releases_own_leases(env: MatchFixture) -> None:
    await begin(env)
    (job,) = await claim(env)
    async with env.database.write() as connection:
        await release_jobs(connection, "two")
    assert not await claim(env)
    async with env.database.write() as connection:
        await release_jobs(connection, "one")
    (again,) = await claim(env)
    assert (again.match_id, again.attempts) == (job.match_id, 2)


async def test_job_has_one_worker_until_its_lease_ends(env: MatchFixture) -> None:
    await begin(env)
    (first,) = await claim(env)
    assert not await claim(env, "two")
    env.now += LEASE_SECONDS + 1
    (second,) = await claim(env, "two")
    async with env.database.write() as connection:
        await first.remove(connection)
        await first.postpone(connection, 0.0)
    assert await job_count(env) == 1
    async with env.database.write() as connection:
        await second.remove(connection)
    assert await job_count(env) == 0


async def test_lease_from_before_the_clock_was_put_back_ends(env: MatchFixture) -> None:
    env.now += 7 * 86400
    await begin(env)
    await claim(env)
    env.now -= 7 * 86400
    assert await claim(env, "two")
