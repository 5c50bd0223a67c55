"""A cup that is played at random."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

from sqlalchemy import select

from bot.domain.clocks import DAY
from bot.domain.ids import UserId
from bot.features.cups.formats import CupFormat
from bot.features.cups.rows import Cup, CupStatus, StoredPairing
from bot.storage.schema import cups, matches, seats
from tools.cups import deeds
from tools.cups.deeds import BY_NAME, DONE, ORGANISER, Work
from tools.cups.journal import Deed
from tools.cups.world import World

GUILD = 1

MAX_STEPS = 3000
"""Maximum steps of a cup before it counts as stuck."""

GAMES = ("warp6", "wormholes", "tomtube")

OVER = (CupStatus.FINISHED, CupStatus.CANCELLED)


def channel_of(seed: int) -> int:
    """Return the channel of the cup of a seed, which also begins the user IDs of its players."""
    return 1_000_000 + 100 * seed


async def play(folder: Path, first_seed: int, count: int) -> None:
    """Play the cups of these seeds that are not over yet, one after the other.

    Raises:
        AssertionError: one is stuck, or a player has too many open matches.
    """
    world = World(folder)
    await world.start()
    try:
        simulations = [CupSimulation(world, first_seed + number) for number in range(count)]
        async with world.database.read() as connection:
            over = select(cups.c.channel_id).where(cups.c.status.in_(OVER))
            ended_cups = set((await connection.execute(over)).scalars())
        for simulation in simulations:
            if simulation.channel_id not in ended_cups:
                await simulation.run()
    finally:
        await world.stop()


class CupSimulation:
    """One cup, from its creation to its end; it continues a cup that a former process began.

    Args:
        seed: decides all that is left to chance, except for what kills.
    """

    def __init__(self, world: World, seed: int) -> None:
        self.channel_id = channel_of(seed)
        self._world = world
        self._seed = seed
        self._random = Random(f"{seed}/{world.last_number}")

    async def run(self) -> None:
        """Play the cup."""
        try:
            await self._run()
        except AssertionError as error:
            raise AssertionError(f"cup of seed {self._seed}: {error}") from error

    async def _run(self) -> None:
        if self._world.unanswered:
            deed, self._world.unanswered = self._world.unanswered, None
            self._world.journal.note("again", deed.number)
            await self._perform(deed)
        cup_id = await self._sign_up()
        for _ in range(MAX_STEPS):
            cup = await self._get(cup_id)
            if cup.row.status in OVER:
                return
            open_at_once = Counter(n for pairing in cup.running for n in pairing.seated)
            assert max(open_at_once.values(), default=0) <= cup.row.max_open, "too many matches"
            assert cup.running, "stuck"
            await self._step(cup)
        raise AssertionError("stuck")

    async def _do(self, work: Work, *arguments: Any) -> str:
        """Ask the bot to do something; return the outcome."""
        self._world.last_number += 1
        deed = Deed(self._world.last_number, self._world.now, work.__name__, [*arguments])
        self._world.journal.note("deed", *deed)
        return await self._perform(deed)

    async def _perform(self, deed: Deed) -> str:
        """Let the bot do something, in some cases twice, or while the process dies."""

        async def perform() -> str:
            return await BY_NAME[deed.name](self._world, deed.number, *deed.arguments)

        calls = self._random.randint(1, 25) if self._random.random() < 0.08 else 0
        outcome = await self._world.survive(perform, calls)
        self._world.journal.note("answer", deed.number, self._world.now, outcome)
        if self._random.random() < 0.05:
            self._world.journal.note("twice", deed.number)
            await perform()
        return outcome

    # Sign-up

    async def _sign_up(self) -> int:
        """Create and start the cup, as far as this is not done; return its number."""
        fields, count = self._draw()
        if (cup_id := await self._find()) is None:
            await self._do(deeds.create, fields)
            cup_id = await self._find()
            assert cup_id
        cup = await self._get(cup_id)
        if cup.row.status != CupStatus.SIGN_UP:
            return cup_id
        for user_id in range(self.channel_id, self.channel_id + count):
            if cup.entrant_of(UserId(user_id)) is None:
                await self._do(deeds.join, cup_id, user_id)
        if cup.row.starts_at:
            await self._do(deeds.wait, cup.row.starts_at)
        else:
            await self._do(deeds.start, cup_id)
        return cup_id

    def _draw(self) -> tuple[dict[str, Any], int]:
        """Draw the choices for the cup, and the number of its players; a seed has the same."""
        random, now = Random(self._seed), self._world.now
        cup_format = random.choice(list(CupFormat))
        game = "warp6" if cup_format == CupFormat.GROUPS else random.choice(GAMES)
        series = game == "warp6" and cup_format != CupFormat.GROUPS and random.random() < 0.2
        fields = {
            "name": "Cup",
            "game": game,
            "clock": random.choice(("1d", "3d", "3d+12h")),
            "format": cup_format,
            "rounds": 2 if series else 1,
            "max_open": random.randint(1, 4),
            "starts_at": now + DAY if random.random() < 0.2 else None,
            "ends_at": now + random.randint(3, 60) * DAY if random.random() < 0.3 else None,
            "guild_id": GUILD,
            "channel_id": self.channel_id,
        }
        return fields, 3 + int(14 * random.random() ** 1.5)

    async def _find(self) -> int | None:
        """Return the number of the cup; None if it is not created."""
        query = select(cups.c.id).where(cups.c.channel_id == self.channel_id)
        async with self._world.database.read() as connection:
            return (await connection.execute(query)).scalar_one_or_none()

    async def _get(self, cup_id: int) -> Cup:
        cup = await self._world.cups.get(cup_id)
        assert cup
        return cup

    # Events

    async def _step(self, cup: Cup) -> None:
        chance = self._random.random()
        self._world.now += self._random.random() * 600
        if chance < 0.80:
            await self._end_match(cup)
        elif chance < 0.86:
            days = self._random.choice((0.5, 1.5, 4.0))
            await self._do(deeds.wait, self._world.now + days * DAY)
        elif chance < 0.89:
            user_id = self._entrant(cup)
            by = self._random.choice((user_id, ORGANISER))
            await self._do(deeds.leave, cup.row.id, by, user_id)
        elif chance < 0.91:
            until = self._world.now + self._random.randint(1, 9) * DAY
            await self._do(deeds.rest, self._entrant(cup), until)
        elif chance < 0.94:
            await self._substitute(cup)
        elif chance < 0.945:
            await self._do(deeds.erase, self._entrant(cup))
        elif chance < 0.95:
            await self._do(deeds.outdate, self._random.choice(cup.running).match_id)
            await self._do(deeds.dates)
        elif chance < 0.96:
            await self._world.restart()
        else:
            await self._do(deeds.dates)

    def _entrant(self, cup: Cup) -> int:
        """Draw a player who has not withdrawn."""
        return self._random.choice(cup.active).user_id

    async def _end_match(self, cup: Cup) -> None:
        """End one match in progress: by resigning, a draw, or agreement."""
        pairing = self._random.choice(cup.running)
        people = await self._people(pairing)
        chance = self._random.random()
        if chance < 0.75 or len(people) > 2:
            seat = self._random.choice(list(people))
            line = "resign" if len(people) == 2 else "leave"
            await self._do(deeds.act, pairing.match_id, people[seat], line)
        elif chance < 0.9:
            first, second = self._random.sample(list(people.values()), 2)
            await self._do(deeds.act, pairing.match_id, first, "draw offer")
            await self._do(deeds.act, pairing.match_id, second, "draw accept")
        else:
            await self._abandon(pairing, people)

    async def _people(self, pairing: StoredPairing) -> dict[str, int]:
        """Return seat → user ID."""
        query = select(seats.c.seat, seats.c.user_id)
        async with self._world.database.read() as connection:
            rows = await connection.execute(query.where(seats.c.match_id == pairing.match_id))
            return {row.seat: row.user_id for row in rows}

    async def _abandon(self, pairing: StoredPairing, people: dict[str, int]) -> None:
        for user_id in people.values():
            async with self._world.database.read() as connection:
                query = select(matches.c.version).where(matches.c.id == pairing.match_id)
                version = (await connection.execute(query)).scalar_one()
            await self._do(deeds.agree, pairing.match_id, user_id, version)

    async def _substitute(self, cup: Cup) -> None:
        user_id, new = self._entrant(cup), self.channel_id + 50 + self._random.randrange(40)
        outcome = await self._do(deeds.offer, cup.row.id, user_id, new)
        if outcome == DONE and self._random.random() < 0.8:
            await self._do(deeds.join, cup.row.id, new)
