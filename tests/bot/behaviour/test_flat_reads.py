"""A bot lives for years: no click takes longer with the matches that others have played."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

import pytest
from sqlalchemy import func, insert, select, update

from bot.domain.ids import COMPUTER_USER_ID, ChannelId, GuildId, MatchId
from bot.domain.models import MatchStatus
from bot.features.analyses.service import ANALYSES_DUE
from bot.features.halls.service import Halls
from bot.features.leaderboards.rank_roles import RANKS_DUE
from bot.features.leaderboards.service import Leaderboards
from bot.features.privacy.service import ERASURES_DUE, SCRUB_DUE
from bot.features.profiles.service import Profiles
from bot.outbox.store import OUTBOX_DUE
from bot.services.computer_jobs import COMPUTERS_DUE
from bot.services.rated_results import (
    SeatResult,
    append_result,
    pair_is_spent,
    timeouts_are_spent,
)
from bot.services.vacation import VACATIONS_DUE
from bot.storage.due import Conditions
from bot.storage.schema import analyses, matches, rated_results, seats
from engine.computer.analysis import VERSION
from tests.support.history import copy_match
from tests.support.matches import ADA, BO, MatchFixture, choose
from tests.support.steps import SqliteSteps

GUILD, ELSEWHERE, CHANNEL = GuildId(10), 11, ChannelId(5)

POOL = "warp6/2"

FIRST_STRANGER, STRANGERS = 10**6, 100
"""User IDs of other players, and how many there are."""

FEW_STEPS = 100
"""Steps of SQLite that may come with a history of others: an index has one page more to go."""


class World:
    """Two players with a few matches on a server, among many matches of others.

    Attributes:
        running: a match of the two in progress.
    """

    def __init__(self, env: MatchFixture) -> None:
        self.env = env
        self.running = self.finished = 0
        self._heartbeats = env.timers().heartbeats
        self._unrated = list[MatchId]()

    async def begin(self) -> None:
        """Let the two play."""
        env = self.env
        for _ in range(3):
            self.running, self.finished = await self._race(), await self._race()
            user = await env.on_turn(self.finished)
            await env.matches.act(next(env.ids), self.finished, user, "resign")
            self._unrated += [self.running, self.finished]
        async with env.database.write() as connection:
            await connection.execute(update(matches).values(guild_id=GUILD, channel_id=CHANNEL))
        await self.rate()
        await self._heartbeats.record()  # the first one looks for matches of absent games

    async def _race(self) -> MatchId:
        match_id = await self.env.begin("standard", "warp6")
        await self.env.race(match_id)
        return match_id

    async def grow(self, finished: int, running: int) -> None:
        """Let others have played on this server, and play on another one."""
        async with self.env.database.read() as connection:
            query = select(func.max(rated_results.c.number))
            number = (await connection.execute(query)).scalar_one()
        numbers = await copy_match(self.env.database, MatchId(self.finished), finished)
        await self._give_away(numbers, GUILD)
        await self._give_away(
            await copy_match(self.env.database, MatchId(self.running), running), GuildId(ELSEWHERE)
        )
        results = [
            {
                "match_id": match_id,
                "seat": seat,
                "number": number + place,
                "pool": POOL,
                "user_id": FIRST_STRANGER + match_id % STRANGERS,
                "rank": 0,
                "ended_at": self.env.now,
                "mu": 1500.0,
                "sigma": 100.0,
            }
            for place, match_id in enumerate(numbers, 1)
            for seat in "BY"
        ]
        analysed = [
            {
                "match_id": match_id,
                "version": VERSION,
                "requested_at": 0.0,
                "attempts": 1,
                "result": "{}",
            }
            for match_id in numbers
        ]
        async with self.env.database.write() as connection:
            await connection.execute(insert(rated_results), results)
            await connection.execute(insert(analyses), analysed)

    async def _give_away(self, numbers: Sequence[MatchId], guild_id: GuildId) -> None:
        """Seat a stranger and the computer in some matches."""
        these = seats.c.match_id.between(numbers[0], numbers[-1])
        async with self.env.database.write() as connection:
            stranger = FIRST_STRANGER + seats.c.match_id % STRANGERS
            for where, user_id in (
                (seats.c.seat == "B", stranger),
                (seats.c.seat != "B", COMPUTER_USER_ID),
            ):
                await connection.execute(update(seats).where(these, where).values(user_id=user_id))
            copied = matches.c.id.between(numbers[0], numbers[-1])
            await connection.execute(update(matches).where(copied).values(guild_id=guild_id))

    async def move(self) -> None:
        """A click that ends a turn."""
        user = await self.env.on_turn(MatchId(self.running))
        assert (await choose(self.env, MatchId(self.running), user)).kind == "done"

    async def rate(self) -> None:
        """The end of a rated match."""
        async with self.env.database.write() as connection:
            assert not await pair_is_spent(connection, (ADA, BO), self.env.now + 10**9)
            assert not await timeouts_are_spent(connection, ADA, self.env.now)
            results = [SeatResult("B", ADA, 0), SeatResult("Y", BO, 1)]
            await append_result(connection, self._unrated.pop(), POOL, results, self.env.now)

    async def beat(self, seconds: float) -> None:
        """A heartbeat some seconds after the last one."""
        self.env.now += seconds
        await self._heartbeats.record()

    async def look(self) -> None:
        """What each heartbeat asks for."""
        conditions = [
            *(OUTBOX_DUE, COMPUTERS_DUE, VACATIONS_DUE),
            *(ANALYSES_DUE, RANKS_DUE, ERASURES_DUE, SCRUB_DUE),
        ]
        await Conditions(self.env.database, conditions).read(self.env.now)


def hall(world: World) -> Halls:
    return Halls(world.env.database)


READS: dict[str, Callable[[World], Awaitable[object]]] = {
    "a page of /games": lambda world: world.env.queries.page_of(ADA, 0, 4),
    "open seats": lambda world: world.env.queries.open_seats(GUILD, 12),
    "hall": lambda world: hall(world).listing(GUILD, [CHANNEL]),
    "update of a hall": lambda world: hall(world).read(GUILD),
    "hall for new members": lambda world: hall(world).refresh(GUILD, world.env.now),
    "profile": lambda world: Profiles(world.env.database).read(ADA, ADA),
    "proposals": lambda world: world.env.queries.latest(ADA, MatchStatus.RUNNING, digits="1"),
    "proposals to replay": lambda world: world.env.queries.latest(
        ADA, MatchStatus.FINISHED, digits="1"
    ),
    "level met": lambda world: world.env.queries.level_met(ADA),
    "/replay": lambda world: world.env.queries.turns(MatchId(world.finished)),
    "record": lambda world: world.env.queries.record(MatchId(world.finished)),
    "leaderboard": lambda world: Leaderboards(world.env.database, world.env.clock).read(
        GUILD, POOL
    ),
    "pool": lambda world: Leaderboards(world.env.database, world.env.clock).usual_pool(GUILD, ADA),
    "heartbeat": lambda world: world.beat(1.0),
    "due work": World.look,
    "end of a rated match": World.rate,
    "move": World.move,
    "beginning of a match": lambda world: world.env.begin("standard", "warp6"),
}
"""Frequent requests."""

SIZES = [
    (100, 20),
    pytest.param((2000, 200), marks=pytest.mark.slow),
    pytest.param((100_000, 10_000), marks=[pytest.mark.soak, pytest.mark.timeout(3600)]),
]
"""Numbers of finished and of running matches of others."""


@pytest.mark.parametrize("backend", ["SQLite"])
@pytest.mark.parametrize("size", SIZES)
async def test_reads_take_no_longer_with_the_matches_of_others(
    env: MatchFixture, size: tuple[int, int]
) -> None:
    world, steps, costs = World(env), SqliteSteps(), dict[str, list[int]]()
    await world.begin()
    for growth in ((1, 1), (10, 2), size):
        await world.grow(*growth)
        for name, read in READS.items():
            with steps.counted():
                await read(world)
            costs.setdefault(name, []).append(steps.count)
    grown = {name: cost for name, cost in costs.items() if cost[2] > cost[1] + FEW_STEPS}
    assert not grown
    assert all(cost[2] for cost in costs.values()), "each of them is counted"


OWN_READS: dict[str, Callable[[World], Awaitable[object]]] = {
    "a page of /games": lambda world: world.env.queries.page_of(ADA, 0, 4),
    "proposals": lambda world: world.env.queries.latest(ADA, MatchStatus.RUNNING, digits="1"),
    "proposals of challenges": lambda world: world.env.queries.latest(
        ADA, MatchStatus.RUNNING, MatchStatus.CHALLENGE
    ),
    "proposals to replay": lambda world: world.env.queries.latest(ADA, MatchStatus.FINISHED),
    "proposals of a game": lambda world: world.env.queries.latest(
        ADA, MatchStatus.FINISHED, game="warp6"
    ),
}
"""Frequent requests about one's own matches."""


@pytest.mark.parametrize("backend", ["SQLite"])
@pytest.mark.parametrize("finished", [500, pytest.param(10_000, marks=pytest.mark.slow)])
async def test_reads_take_no_longer_with_the_own_history(env: MatchFixture, finished: int) -> None:
    world, steps, costs = World(env), SqliteSteps(), dict[str, list[int]]()
    await world.begin()
    for growth in (50, finished):
        await copy_match(env.database, MatchId(world.finished), growth)
        for name, read in OWN_READS.items():
            with steps.counted():
                await read(world)
            costs.setdefault(name, []).append(steps.count)
    assert not {name: cost for name, cost in costs.items() if cost[1] > cost[0] + FEW_STEPS}
    assert all(cost[1] for cost in costs.values()), "each of them is counted"
