"""Whether the bot's memory stays the same under load: `make memory` (two hours).

    python -m tools.load.memory [--seconds N] …

As many matches are in progress all the time: one that has ended, or has gone on for long, is
replaced by a new one of the same players, which they begin by commands and clicks. Players also
look at boards, profiles and lists.
"""

from __future__ import annotations

import asyncio
import csv
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import click
from sqlalchemy import select

from bot.domain.drafts import ChallengeDraft
from bot.domain.ids import UserId
from bot.domain.models import MatchStatus
from bot.storage.schema import matches, seats
from bot.views.challenge_card import Part, card_id
from engine import games
from tests.verification.kills import payloads
from tests.verification.kills.payloads import Person, Place, locale_of, name_of
from tests.verification.kills.worker import TOKEN
from tools.load.__main__ import Load
from tools.load.crowd import COMPUTER_LEVEL, Crowd, fill, seat_computers
from tools.load.process import started

LONGEST = 60
"""Choices after which a match is resigned."""

LOOKS = ("board", "games", "profile", "leaderboard", "rules", "help", "settings")
"""Commands of players who look at something."""

LOOKS_A_SECOND = 0.2

FIRST_ID = 1 << 40
"""Number of the first interaction besides moves."""

SAMPLE_SECONDS = 30.0

GROWTH = 1.05
"""Largest ratio of the private memory in the end to that in the middle: caches are full by then."""

Row = Mapping[str, int]


class Endless(Load):
    """The load test with as many matches in progress all the time.

    Attributes:
        events: number of events by kind, for the report.
    """

    def __init__(self, folder: Path, url: str, crowd: Crowd, random: Random) -> None:
        super().__init__(folder, url, crowd, random, 0.1)
        self.events = Counter[str]()
        self._choices = Counter[int]()
        self._replaced: set[int] = set()
        self._ids = count(FIRST_ID)
        for server in self.fake.servers:
            for channel in server["channels"]:
                number = int(channel["id"])
                self.fake.homes[number], self.fake.hidden[number] = int(server["id"]), set()
                self.fake.text_channels.add(number)
        self._channels = sorted(self.fake.text_channels)
        self._between = list(range(1, crowd.matches // 2 + 1))
        self.people = self._between

    def _bot(self, number: int, processes: int) -> Any:
        log = self.folder / f"bot{number}.log"
        file = str(self.folder / "memory.csv")
        command = ("-m", "tools.load.sampled", str(self.fake.port), file, str(SAMPLE_SECONDS))
        settings = {"METRICS_ADDRESS": str(self._ports[number])}
        needed = {"DISCORD_TOKEN": TOKEN, "DATABASE_URL": self.url}
        return started(self.folder, *command, "run", log=log, **settings, **needed)

    async def _play(self, numbers: Sequence[int], rate: float, seconds: float) -> None:
        async with asyncio.TaskGroup() as group:
            group.create_task(super()._play(numbers, rate, seconds))
            async for _ in self._moments(LOOKS_A_SECOND, seconds):
                group.create_task(self._look())

    async def _ask_for_turn(self) -> None:
        await super()._ask_for_turn()
        self.alone[:] = [number for number in self.alone if number not in self._replaced]

    async def _choice(self, match_id: int) -> dict[str, Any] | None:
        if match_id in self._replaced:
            return None
        row = await self._row(match_id)
        if row.status != MatchStatus.RUNNING or self._choices[match_id] >= LONGEST:
            self._replaced.add(match_id)
            await self._replace(match_id, row)
            return None
        if not self.fake.channels.get(row.channel_id):
            return None  # its thread is being made
        self._choices[match_id] += 1
        return await super()._choice(match_id)

    async def _row(self, match_id: int) -> Any:
        query = select(matches).where(matches.c.id == match_id)
        async with self.engine.connect() as connection:
            return (await connection.execute(query)).one()

    async def _people_of(self, match_id: int) -> list[Person]:
        query = select(seats.c.user_id).where(seats.c.match_id == match_id, seats.c.user_id > 0)
        async with self.engine.connect() as connection:
            users = (await connection.execute(query.order_by(seats.c.user_id))).scalars().all()
        return [Person(user, name_of(user), locale_of(user)) for user in users]

    async def _replace(self, match_id: int, row: Any) -> None:
        """End a match, unless it is over, and begin a new one of the first two players."""
        people, place = await self._people_of(match_id), Place(row.guild_id, row.channel_id)
        if row.status == MatchStatus.RUNNING:
            for person in people[:-1] or people:
                now = await self._row(match_id)
                await self._interact(person, place, f"resign:{match_id}:{now.version}")
        is_solo = match_id not in self._between
        new = await self._begin(row.game, people[:1] if is_solo else people[:2])
        if is_solo:
            self.alone.append(new)
        else:
            self._between[self._between.index(match_id)] = new
        self.events["replaced"] += 1

    async def _begin(self, game: str, people: Sequence[Person]) -> int:
        """Begin a match of two players, or of one against the computer; return its number."""
        channel = self.random.choice(self._channels)
        place = Place(self.fake.homes[channel], channel)
        first, *rivals = people
        draft = ChallengeDraft(
            game=game,
            opponents=tuple(UserId(rival.user_id) for rival in rivals),
            level="" if rivals else COMPUTER_LEVEL,
            clock="7d",
            rules=games.get(game).rules[0],
            rated=self.random.random() < 0.5,
        )
        options = {"opponent": rivals[0]} if rivals else {}
        command = payloads.command(next(self._ids), first, place, "play", game=game, **options)
        await self._send(command)
        await self._interact(first, place, str(card_id(Part.SEND, draft)))
        theirs = select(matches.c.id).where(matches.c.challenger_id == first.user_id)
        async with self.engine.connect() as connection:
            newest = theirs.order_by(matches.c.id.desc()).limit(1)
            match_id: int = (await connection.execute(newest)).scalar_one()
        for rival in rivals:
            await self._interact(rival, place, f"accept:{match_id}")
        return match_id

    async def _look(self) -> None:
        match_id = self.random.choice(self.people)
        row, people = await self._row(match_id), await self._people_of(match_id)
        name, place = self.random.choice(LOOKS), Place(row.guild_id, row.channel_id)
        await self._send(payloads.command(next(self._ids), people[0], place, name))
        self.events[f"/{name}"] += 1

    async def _interact(self, person: Person, place: Place, custom_id: str) -> None:
        await self._send(payloads.click(next(self._ids), person, place, custom_id))

    async def _send(self, interaction: dict[str, Any]) -> None:
        answered = self.fake.answer(int(interaction["id"]))
        await self.fake.interact(interaction)
        await asyncio.wait_for(answered, 60)


def growth(rows: Sequence[Row]) -> float:
    """Return the private memory in the end beside that in the middle: means of a tenth each."""
    tenth = max(1, len(rows) // 10)
    middle = rows[len(rows) // 2 :][:tenth]
    return _mean(rows[-tenth:]) / _mean(middle)


def _mean(rows: Sequence[Row]) -> float:
    return sum(row["private"] for row in rows) / len(rows)


def table(rows: Sequence[Row], steps: int = 8) -> str:
    """Return some of the rows, of the same distance in time, for people."""
    lines = ["minutes   RSS   private   blocks of Python   objects   cached"]
    for place in range(steps + 1):
        row = rows[place * (len(rows) - 1) // steps]
        lines.append(
            f"{row['seconds'] / 60:7.0f} {row['rss'] / 1024:5.0f} {row['private'] / 1024:9.0f}"
            f" {row['blocks']:18,} {row['objects']:9,} {row['cached']:8,}"
        )
    return "\n".join(lines)


def read_rows(file: Path) -> list[Row]:
    """Return the samples of the first process in a file; the last one is from its end."""
    rows: list[Row] = []
    with file.open(encoding="ascii") as lines:
        for row in csv.DictReader(lines):
            if row["seconds"] == "seconds":  # a restart
                break
            rows.append({name: int(value) for name, value in row.items()})
    return rows


async def measure(
    folder: Path, *, matches: int, servers: int, rate: float, computers: float, seconds: float
) -> Endless:
    """Play; the samples are in `memory.csv` then. For the options see `main`."""
    crowd, random = Crowd(matches, servers), Random(1)
    url = f"sqlite+aiosqlite:///{folder / 'load.db'}"
    await fill(url, crowd, random)
    load = Endless(folder, url, crowd, random)
    load.alone.extend(await seat_computers(url, range(matches // 2 + 1, matches + 1)))
    await load.run(rate, seconds, 1, computers)
    return load


@click.command()
@click.option("--matches", default=100, show_default=True)
@click.option("--servers", default=25, show_default=True)
@click.option("--rate", default=3.0, show_default=True, help="Moves a second.")
@click.option(
    "--computers", default=2.0, show_default=True, help="Turns of the computer asked for a second."
)
@click.option("--seconds", default=7200.0, show_default=True)
@click.argument("folder", type=click.Path(path_type=Path, resolve_path=True))
def main(folder: Path, **options: Any) -> None:
    """Play with logs, database and samples in a new folder; exit with 1 if the memory grows."""
    folder.mkdir()
    load = asyncio.run(measure(folder, **options))
    rows = read_rows(folder / "memory.csv")
    print(load.result.report())
    print(*(f"{number} {name}" for name, number in load.events.most_common()), sep=", ")
    print(table(rows))
    print(f"private memory, end beside middle: {growth(rows):.3f} (≤ {GROWTH})")
    sys.exit(growth(rows) > GROWTH)


if __name__ == "__main__":
    main()
