"""Rated matches that end at the same moment, in one process and in two."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from multiprocessing.synchronize import Barrier
from typing import NamedTuple
from unittest.mock import patch

from sqlalchemy import select

from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.services.rated_results import differences, lock_order
from bot.storage.connection import Connection
from bot.storage.database import Database
from bot.storage.factory import connect
from bot.storage.schema import rated_results
from tests.support.matches import MatchFixture
from tests.support.postgres import long_waits
from tests.verification.kills.worker import CONTEXT

PEOPLE = [Player(UserId(number), f"P{number}") for number in range(101, 109)]
"""Each of them plays all others, so that their ratings depend on the order of the results."""

LOCK = "bot.services.rated_matches.lock_order"
"""The function that the planted fault replaces."""


class End(NamedTuple):
    """The way in which a user ends a rated match, or declines the next one of a series."""

    match_id: MatchId
    user_id: int
    declines: bool


async def prepare(database: Database) -> list[End]:
    """Begin a rated match of each pair of people, every third one as a series; return all ends."""
    env, ends = MatchFixture(database), list[End]()
    for number, (one, other) in enumerate(combinations(PEOPLE, 2)):
        rounds = 3 if number % 3 == 0 else 1
        terms = Terms(
            game="warp6", rated=True, rounds=rounds, guild_id=None, channel_id=ChannelId(5)
        )
        challenge = await env.challenges.challenge(next(env.ids), terms, [one, other], side="B")
        await env.challenges.accept(next(env.ids), challenge.match_id, other.user_id)
        await env.race(challenge.match_id)
        loser = (one, other)[number % 2].user_id
        if rounds == 1:
            ends.append(End(challenge.match_id, loser, declines=False))
            continue
        await env.matches.act(next(env.ids), challenge.match_id, loser, "resign")
        newest = max(match.id for match in await env.queries.list_for(other.user_id, "challenge"))
        ends.append(End(newest, other.user_id, declines=True))
    return ends


async def end_all(database: Database, ends: Sequence[End], first: int) -> list[str]:
    """End matches at the same moment; return the kinds of the outcomes."""
    env = MatchFixture(database, first)

    async def end(number: int, ending: End) -> str:
        if ending.declines:
            done = await env.challenges.decline(
                first + number, ending.match_id, UserId(ending.user_id)
            )
        else:
            done = await env.matches.act(
                first + number, ending.match_id, UserId(ending.user_id), "resign"
            )
        return done.kind

    return await asyncio.gather(*(end(number, ending) for number, ending in enumerate(ends)))


async def wrong(database: Database, matches: int) -> list[str]:
    """Return the faults of the stored results of `matches` matches."""
    async with database.read() as connection:
        rows = (await connection.execute(select(rated_results))).all()
        seats = Counter((row.number, row.match_id) for row in rows)
        numbers = Counter(number for number, _ in seats)
        problems = [f"number {number} twice" for number, count in numbers.items() if count > 1]
        problems += [f"{count} seats of {key}" for key, count in seats.items() if count != 2]
        if len(seats) != matches:
            problems.append(f"{len(seats)} results of {matches}")
        if not problems:
            __, differing = await differences(connection)
            problems += [str(difference) for difference in differing]
    return problems


async def without_order(_: Connection) -> None:
    """Lock nothing, instead of `lock_order`."""


async def race(url: str, *, locks: bool = True) -> list[str]:
    """End all matches in one process, by two pools of connections; return the faults."""
    one, two = connect(url), connect(url)
    try:
        ends = await prepare(one)
        lock = lock_order if locks else without_order
        with patch(LOCK, lock):
            halves = (end_all(one, ends[::2], 10_000), end_all(two, ends[1::2], 20_000))
            first, second = await asyncio.gather(*halves)
        assert {*first, *second} == {"done"}, (first, second)
        return await wrong(one, len(ends))
    finally:
        await one.close()
        await two.close()


async def race_processes(url: str, *, locks: bool = True) -> list[str]:
    """End all matches in two processes; return the faults."""
    database = connect(url)
    try:
        ends = await prepare(database)
        barrier = CONTEXT.Barrier(2, timeout=60)
        runners = [
            CONTEXT.Process(target=_run, args=(url, ends[side::2], side, barrier, locks))
            for side in range(2)
        ]
        for runner in runners:
            runner.start()
        for runner in runners:
            await asyncio.to_thread(runner.join)
        assert [runner.exitcode for runner in runners] == [0, 0]
        return await wrong(database, len(ends))
    finally:
        await database.close()


def _run(url: str, ends: Sequence[End], side: int, barrier: Barrier, locks: bool) -> None:
    lock = lock_order if locks else without_order
    with long_waits(), patch(LOCK, lock):
        asyncio.run(_end(url, ends, side, barrier))


async def _end(url: str, ends: Sequence[End], side: int, barrier: Barrier) -> None:
    database = connect(url)
    try:
        barrier.wait()
        kinds = await end_all(database, ends, 10_000 * (side + 1))
        assert set(kinds) == {"done"}, kinds
    finally:
        await database.close()
