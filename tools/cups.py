"""Simulated cups on a real database and the real services: `python -m tools.cups --cups 1000`.

Each cup is drawn from a seed: format, players, options, and what happens to it. Matches end by
resigning, draws, agreement or lost time; players withdraw, go on vacation, hand over their place
and delete their data; interactions are delivered twice; the process dies inside transactions and
starts again on the same file. At the end of each cup, all of it is checked, with computations that
share no code with the bot's.
"""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path
from random import Random
from typing import TypeVar

from sqlalchemy import func, select, update

from bot.app.run import open_database
from bot.services.cup_drafts import CupDraft
from bot.services.cup_formats import CupFormat
from bot.services.cup_rows import Cup, CupStatus, StoredPairing
from bot.services.cups import Actor
from bot.services.factory import Services, services_on
from bot.services.models import Player
from bot.services.privacy import Privacy
from bot.services.time_controls import DAY
from bot.services.timers import Timers
from bot.services.vacation import TooLongError
from bot.storage.database import Database
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.leases import Leases
from bot.storage.schema import facts, matches, seats
from tools.cup_checks import check

GUILD, ORGANISER = 1, 2

MAX_STEPS = 3000
"""Steps after which a cup is stuck."""

GAMES = ("warp6", "wormholes", "tomtube")

T = TypeVar("T")


class Killed(BaseException):
    """The process died."""


class World:
    """A bot on a database: its services, and its clock, which can kill it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.now = 1_800_000_000.0
        self.kills = self.restarts = 0
        self.last_id = 0
        self._calls_left = -1
        self._stack = AsyncExitStack()

    async def start(self) -> None:
        """Open the database, and create the services."""
        url = f"sqlite+aiosqlite:///{self.path}"
        self.database: Database = await self._stack.enter_async_context(open_database(url))
        self.services: Services = services_on(self.database, self.clock)
        leases = Leases(self.database, "1", self.clock)
        self.privacy = Privacy(self.database, self.services.matches, leases)

    async def stop(self) -> None:
        """Close the database."""
        await self._stack.aclose()

    async def restart(self) -> None:
        """Close the database, and start again on it."""
        self.restarts += 1
        await self.stop()
        await self.start()

    def clock(self) -> float:
        """Return the time, or die."""
        self._calls_left -= 1
        if self._calls_left == 0:
            raise Killed
        return self.now

    def next_id(self) -> int:
        """Return the number of a new interaction."""
        self.last_id += 1
        return self.last_id

    async def survive(self, work: Callable[[], Awaitable[T]], calls: int) -> T:
        """Do some work; die at a call of the clock, start again, and do it again."""
        self._calls_left = calls or -1
        try:
            return await work()
        except Killed:
            self.kills += 1
            await self.restart()
            return await work()
        finally:
            self._calls_left = -1

    async def spend(self, seconds: float) -> None:
        """Let time pass while the bot runs, and fire what is due."""
        self.now += seconds
        async with self.database.write() as connection:
            noted = update(facts).where(facts.c.name.like(f"{HEARTBEAT}%"))
            await connection.execute(noted.values(value=repr(self.now)))
        each = self.services
        timers = Timers(
            self.database, each.challenges, each.deadlines, each.nudges, lambda: self.now
        )
        await timers.fire()
        await each.vacations.end_due()


class CupSimulation:
    """One cup, from its creation to its end."""

    def __init__(self, world: World, seed: int) -> None:
        self.world, self.random = world, Random(seed)
        self.base = 1_000_000 + 100 * seed
        self.counts: Counter[str] = Counter()
        self.gone: set[int] = set()

    async def run(self) -> Cup:
        """Play the cup; return it.

        Raises:
            AssertionError: it is stuck, or one of its rules does not hold.
        """
        cup_id = await self._create()
        for _ in range(MAX_STEPS):
            cup = await self._get(cup_id)
            if cup.row.status in (CupStatus.FINISHED, CupStatus.CANCELLED):
                await check(self.world.database, cup)
                self.counts.update(each.reason or "" for each in cup.decided)
                return cup
            open_at_once = Counter(n for each in cup.running for n in each.seated)
            assert max(open_at_once.values(), default=0) <= cup.row.max_open, "too many matches"
            assert cup.row.status == CupStatus.SIGN_UP or cup.running, "stuck"
            await self._step(cup)
        raise AssertionError("stuck")

    async def _get(self, cup_id: int) -> Cup:
        cup = await self.world.services.cups.get(cup_id)
        assert cup
        return cup

    async def _create(self) -> int:
        random, world = self.random, self.world
        chosen = random.choice(list(CupFormat))
        game = "warp6" if chosen == CupFormat.GROUPS else random.choice(GAMES)
        series = game == "warp6" and chosen != CupFormat.GROUPS and random.random() < 0.2
        by_date = random.random() < 0.2
        draft = CupDraft(
            name="Cup",
            game=game,
            clock=random.choice(("1d", "3d", "3d+12h")),
            format=chosen,
            rounds=2 if series else 1,
            max_open=random.randint(1, 4),
            starts_at=world.now + DAY if by_date else None,
            ends_at=world.now + random.randint(3, 60) * DAY if random.random() < 0.3 else None,
            guild_id=GUILD,
            channel_id=self.base,
        )
        number = world.next_id()
        created = await self._do(lambda: world.services.cups.create(number, draft, ORGANISER))
        for player in range(3 + int(14 * random.random() ** 1.5)):
            await self._join(created.cup_id, self.base + player)
        if by_date:
            await world.spend(DAY)
            await self._do(self._dates)
        else:
            start = world.next_id()
            actor = Actor(ORGANISER)
            await self._do(lambda: world.services.cups.start(start, created.cup_id, actor))
        return created.cup_id

    async def _join(self, cup_id: int, user_id: int) -> None:
        number, player = self.world.next_id(), Player(user_id, f"P{user_id}")
        await self._do(lambda: self.world.services.cups.join(number, cup_id, player))

    async def _do(self, work: Callable[[], Awaitable[T]]) -> T:
        """Do some work, in some cases twice, or while the process dies."""
        calls = self.random.randint(1, 25) if self.random.random() < 0.08 else 0
        done = await self.world.survive(work, calls)
        if self.random.random() < 0.05:
            self.counts["delivered again"] += 1
            await work()
        return done

    async def _step(self, cup: Cup) -> None:
        chance = self.random.random()
        self.world.now += self.random.random() * 600
        if chance < 0.80:
            await self._end_match(cup)
        elif chance < 0.86:
            await self._wait(cup)
        elif chance < 0.89:
            await self._withdraw(cup)
        elif chance < 0.91:
            await self._vacation(cup)
        elif chance < 0.94:
            await self._substitute(cup)
        elif chance < 0.945:
            await self._erase(cup)
        elif chance < 0.95:
            await self._new_rules(cup)
        elif chance < 0.96:
            await self.world.restart()
        else:
            await self._do(self._dates)

    async def _end_match(self, cup: Cup) -> None:
        """End one running match: by resigning, a draw, or agreement."""
        pairing = self.random.choice(cup.running)
        people = await self._people(pairing)
        chance = self.random.random()
        if chance < 0.75 or len(people) > 2:
            seat = self.random.choice(list(people))
            await self._act(pairing, people[seat], "resign" if len(people) == 2 else "leave")
        elif chance < 0.9:
            await self._draw(pairing, people)
        else:
            await self._abandon(pairing, people)

    async def _people(self, pairing: StoredPairing) -> dict[str, int]:
        """Return seat → user ID."""
        chosen = select(seats.c.seat, seats.c.user_id)
        async with self.world.database.read() as connection:
            found = await connection.execute(chosen.where(seats.c.match_id == pairing.match_id))
            return {row.seat: row.user_id for row in found}

    async def _act(self, pairing: StoredPairing, user_id: int, line: str) -> None:
        number, match_id = self.world.next_id(), pairing.match_id or 0
        await self._do(lambda: self.world.services.matches.act(number, match_id, user_id, line))

    async def _draw(self, pairing: StoredPairing, people: dict[str, int]) -> None:
        first, second = self.random.sample(list(people.values()), 2)
        await self._act(pairing, first, "draw offer")
        await self._act(pairing, second, "draw accept")

    async def _abandon(self, pairing: StoredPairing, people: dict[str, int]) -> None:
        for user_id in people.values():
            async with self.world.database.read() as connection:
                same = select(matches.c.version).where(matches.c.id == pairing.match_id)
                version = (await connection.execute(same)).scalar_one()
            number, match_id = self.world.next_id(), pairing.match_id or 0
            await self.world.services.abandoning.agree(number, match_id, user_id, version)

    async def _wait(self, cup: Cup) -> None:
        """Let days pass, so that clocks run out, and dates pass."""
        await self.world.spend(self.random.choice((0.5, 1.5, 4.0)) * DAY)
        await self._do(self._dates)

    async def _withdraw(self, cup: Cup) -> None:
        entrant = self.random.choice(cup.active)
        actor = Actor(self.random.choice((entrant.user_id, ORGANISER)))
        number = self.world.next_id()
        await self._do(
            lambda: self.world.services.cups.leave(number, cup.row.id, actor, entrant.user_id)
        )

    async def _dates(self) -> None:
        """Run what is due in cups, in the process that runs now."""
        await self.world.services.cup_dates.run()

    async def _vacation(self, cup: Cup) -> None:
        entrant = self.random.choice(cup.active)
        until = self.world.now + self.random.randint(1, 9) * DAY
        try:
            await self.world.services.vacations.begin(entrant.user_id, until)
        except TooLongError:
            self.counts["vacation refused"] += 1
        else:
            self.counts["vacations"] += 1

    async def _substitute(self, cup: Cup) -> None:
        entrant = self.random.choice(cup.active)
        new = self.base + 50 + self.world.next_id() % 40
        number, player = self.world.next_id(), Player(new, f"S{new}")
        actor = Actor(ORGANISER)
        offer = self.world.services.cups.offer_place
        outcome = await offer(number, cup.row.id, actor, entrant.user_id, player)
        if outcome.kind == "done" and self.random.random() < 0.8:
            await self._join(cup.row.id, new)
            self.counts["substitutes"] += 1

    async def _erase(self, cup: Cup) -> None:
        entrant = self.random.choice(cup.active)
        await self._do(lambda: self.world.privacy.erase(entrant.user_id))
        self.gone.add(entrant.user_id)
        self.counts["deleted players"] += 1

    async def _new_rules(self, cup: Cup) -> None:
        """Have the rules of a running match change, as by an upgrade."""
        pairing = self.random.choice(cup.running)
        async with self.world.database.write() as connection:
            old = update(matches).where(matches.c.id == pairing.match_id)
            await connection.execute(old.values(engine_version=-1))
        await self._do(self._dates)
        self.counts["matches of older rules"] += 1


# The command line


async def simulate(folder: Path, cups: int, first_seed: int = 1) -> Counter[str]:
    """Simulate cups on one database; return what happened."""
    world, counts = World(folder / "cups.db"), Counter[str]()
    await world.start()
    try:
        for seed in range(first_seed, first_seed + cups):
            simulation = CupSimulation(world, seed)
            try:
                cup = await simulation.run()
            except AssertionError as error:
                raise AssertionError(f"cup of seed {seed}: {error}") from error
            counts.update(simulation.counts)
            counts.update({f"{cup.row.format}, {cup.row.status}": 1, "cups": 1})
            counts.update({"pairings": len(cup.pairings), "players": len(cup.entrants)})
        async with world.database.read() as connection:
            begun = select(func.count()).select_from(matches)
            counts["matches"] = (await connection.execute(begun)).scalar_one()
    finally:
        await world.stop()
    counts["deaths in a transaction"], counts["restarts"] = world.kills, world.restarts
    return counts


def main() -> None:
    """Print what happened in the simulated cups."""
    parser = argparse.ArgumentParser(description="simulate cups by seed")
    parser.add_argument("--cups", type=int, default=1000, help="number of cups")
    parser.add_argument("--seed", type=int, default=1, help="of the first cup")
    parser.add_argument("--folder", help="where the database is created; by default a new folder")
    chosen = parser.parse_args()
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        counts = asyncio.run(simulate(Path(folder), chosen.cups, chosen.seed))
    for name, count in sorted(counts.items()):
        print(f"{name}: {count}")
    print(f"{time.monotonic() - begun:.0f} s; none stuck, no pairing twice, no standings differ")


if __name__ == "__main__":
    main()
