"""Two processes that choose at the same moment, again and again.

Only one process may have a database file, so the lock beside it is left out here: it is the version
of the decision that has to decide. On PostgreSQL that is how it is meant to be.
"""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from itertools import count
from multiprocessing.connection import Connection
from multiprocessing.synchronize import Barrier
from random import Random
from typing import Any
from unittest.mock import patch

from sqlalchemy import func, select

from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.services.factory import services_on
from bot.storage.database import Database
from bot.storage.factory import connect
from bot.storage.migrate import upgrade
from bot.storage.schema import actions
from tests.support.matches import ListingQueries
from tests.verification.kills.worker import CONTEXT

PEOPLE = [Player(UserId(11), "Ada"), Player(UserId(22), "Bo")]


@dataclass
class Races:
    """Counts of races and their outcomes.

    Attributes:
        races: number of decisions that two processes raced for.
        twice: number of races in which both got the same interaction.
        one_winner: number of races with exactly one choice made.
        choices: number of choices in the log.
    """

    races: int = 0
    twice: int = 0
    one_winner: int = 0
    choices: int = 0


async def race(url: str, races: int) -> Races:
    """Let two processes race for so many decisions."""
    database = _connect(url)
    await upgrade(database)
    barrier = CONTEXT.Barrier(2, timeout=60)
    ours, theirs = zip(*(CONTEXT.Pipe(duplex=False) for _ in range(2)), strict=True)
    runners = [
        CONTEXT.Process(target=run, args=(url, races, side, barrier, theirs[side]), daemon=True)
        for side in range(2)
    ]
    for runner in runners:
        runner.start()
    for their in theirs:
        their.close()
    one, two = [await asyncio.to_thread(our.recv) for our in ours]
    for runner in runners:
        await asyncio.to_thread(runner.join)
    async with database.read() as connection:
        query = select(func.count()).select_from(actions)
        query = query.where(actions.c.line.not_like("*%"), actions.c.automatic.is_(None))
        choices = (await connection.execute(query)).scalar_one()
    await database.close()
    done = Races(races, choices=choices)
    for (is_same, mine), (_, other) in zip(one, two, strict=True):
        done.twice += is_same
        expected = ["done", "done"] if is_same else ["done", "stale"]
        done.one_winner += sorted([mine, other]) == expected
    return done


def run(url: str, races: int, side: int, barrier: Barrier, pipe: Connection) -> None:
    """Race from one side, and send what came of it."""
    pipe.send(asyncio.run(_run(_connect(url), races, side, barrier)))


def _connect(url: str) -> Database:
    """A database that two processes have open, even if it is a file."""
    with patch("bot.storage.file_lock.fcntl.flock"):
        return connect(url)


async def _run(database: Database, races: int, side: int, barrier: Barrier) -> list[Any]:
    """For each race: whether both sides deliver the same interaction, and our outcome."""
    services, queries = services_on(database), ListingQueries(database)
    random = Random(races)  # both sides draw the same
    ids = count(1)
    results: list[tuple[bool, str]] = []
    match_id = 0
    for _ in range(races):
        if side == 0 and not await _running(queries, MatchId(match_id)):
            challenge = await services.challenges.challenge(
                next(ids), Terms(game="wormholes", guild_id=None, channel_id=ChannelId(5)), PEOPLE
            )
            await services.challenges.accept(next(ids), challenge.match_id, PEOPLE[1].user_id)
        barrier.wait()
        match_id = await _newest(queries)
        match = await queries.match(match_id)
        seat = next(iter(match.decisions))
        user = match.players[seat].user_id
        legal = (await queries.view(match_id, user)).view.legal
        is_same = random.random() < 0.25
        number = 10_000 + 10 * len(results) + (0 if is_same else 1 + side)
        action = legal[0 if is_same or side == 0 else -1]
        line = " ".join((action.verb, *action.args))
        barrier.wait()
        outcome = await services.matches.act(number, match_id, user, line, match.decisions[seat])
        results.append((is_same, outcome.kind))
        barrier.wait()
    await database.close()
    return results


async def _running(queries: ListingQueries, match_id: MatchId) -> bool:
    return match_id > 0 and bool((await queries.match(match_id)).decisions)


async def _newest(queries: ListingQueries) -> MatchId:
    return max(
        match.id for match in await queries.list_for(PEOPLE[0].user_id, "running", "finished")
    )
