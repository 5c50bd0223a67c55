"""The load test of `make load`: many matches in progress, moves at a steady rate, and a restart.

Moves between people arrive at random moments, as from people who know nothing of each other,
and whether the bot has answered the former ones or not; so do turns against the computer, each of
which ends when the computer has to play. The bot is a process of its own: the command
`starpost run` against a Discord on this machine, which takes some time for each request as the real
one does.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import aiohttp
import click
from prometheus_client.parser import text_string_to_metric_families
from prometheus_client.samples import Sample
from sqlalchemy import Select, bindparam, func, select
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from bot.app.identify import IDENTIFY_SECONDS
from bot.domain.outbox import OutboxStatus
from bot.storage.schema import actions, analyses, computer_jobs, matches, outbox, seats
from engine import games
from tests.support.fake_discord import until
from tests.support.loop_watch import Block, blocks_since
from tests.support.pgbouncer import pooling, through
from tests.support.postgres import DURABLE, served
from tests.verification.kills.audit_log import FileAuditLog
from tests.verification.kills.kills import Kills
from tests.verification.kills.payloads import accepted
from tools.load.crowd import COMPUTER_LEVEL, Crowd, fill, request_analyses, seat_computers
from tools.load.process import bot, free_ports
from tools.load.result import AGAINST, BETWEEN, Result

COMPUTER_SHARE = 0.5
"""Share of the matches that may become ones against the computer.

They are enough for 20 turns a second in two minutes where the computer plays only 12.
"""

MATCHES_TRIED = 20
"""Maximum number of matches tried to find one where a player has to choose."""

PROCESSES = 16
"""Maximum number of processes."""

MEASURED = ("answer", "transaction", "render", "loop_lag", "worker_request")
"""Metrics that the bot itself reports."""

SETTLING = 30.0
"""Seconds that the bot has at the end to send the remaining messages."""

_MATCH = select(matches).where(matches.c.id == bindparam("match"))
_SEATS = select(seats.c.seat, seats.c.user_id).where(seats.c.match_id == bindparam("match"))
_QUEUED = select(computer_jobs.c.match_id)
_ANSWERS = (
    select(func.count())
    .select_from(actions)
    .where(actions.c.match_id == bindparam("match"), actions.c.chosen_by.is_not(None))
)
_ANALYSED = select(func.count()).where(analyses.c.attempts > 0)


async def measure(
    folder: Path,
    *,
    matches: int,
    servers: int,
    rate: float,
    seconds: float,
    computers: float = 0.0,
    analyses: int = 0,
    latency: float = 0.0,
    processes: int = 1,
    computer_workers: int = 1,
    database_url: str = "",
    pooler_url: str = "",
) -> Result:
    """Make the database, and play; for the options see `main`.

    Args:
        pooler_url: the database as the bot reaches it, if that differs from `database_url`.
    """
    crowd, random = Crowd(matches + analyses, servers), Random(1)
    url = database_url or f"sqlite+aiosqlite:///{folder / 'load.db'}"
    await fill(url, crowd, random)
    if analyses:
        await request_analyses(url, crowd, range(matches + 1, crowd.matches + 1))
    load = Load(folder, url, crowd, random, latency)
    load.settings["COMPUTER_WORKERS"] = str(computer_workers)
    if pooler_url:
        load.settings["DATABASE_URL"] = pooler_url
    load.people = range(1, matches + 1)
    if computers:
        people = int(matches * (1 - COMPUTER_SHARE))
        load.people = range(1, people + 1)
        load.alone.extend(await seat_computers(url, range(people + 1, matches + 1)))
        random.shuffle(load.alone)
    return await load.run(rate, seconds, processes, computers)


class Load:
    """The load test: players, a fake Discord and the bot.

    Attributes:
        settings: environment variables of the bot, besides those that it needs to run.
        alone: matches of a player alone against the computer.

    Args:
        folder: folder for logs, and the database if it is a file.
        crowd: number of matches and of servers.
        latency: seconds that the fake Discord takes for a request.
    """

    def __init__(
        self, folder: Path, url: str, crowd: Crowd, random: Random, latency: float
    ) -> None:
        self.folder, self.url, self.crowd, self.random = folder, url, crowd, random
        self.simulation = Kills(FileAuditLog(folder / "load.db"), random)
        self.simulation.ids = count(time.time_ns() // 1000)  # an earlier load has its own
        self.fake = self.simulation.fake
        self.fake.latency = latency
        self.fake.servers = list(crowd.servers_as_sent())
        self.fake.channels = crowd.messages()
        self.result = Result()
        self.engine: AsyncEngine = create_async_engine(url, pool_size=4)
        self.settings: dict[str, str] = {}
        self.people: Sequence[int] = range(1, crowd.matches + 1)
        self.alone: list[int] = []
        self._busy: set[int] = set()
        self._ports = free_ports(PROCESSES)
        self._done: Counter[int] = Counter()

    async def run(self, rate: float, seconds: float, processes: int, computers: float) -> Result:
        """Run the load test and return the measurements."""
        result = self.result
        before = await self.lines()
        result.games = await self._games()
        async with self.fake.open():
            async with AsyncExitStack() as stack:
                bots = [
                    await stack.enter_async_context(self._bot(number, processes))
                    for number in range(processes)
                ]
                await self._connected(processes)
                used = [bot.usage() for bot in bots]
                requests, driver, size = self.fake.requests, time.process_time(), self._size()
                counted = self.fake.counted
                watching = asyncio.create_task(self._watch())
                begin, since = time.perf_counter(), time.time()
                async with asyncio.TaskGroup() as group:
                    group.create_task(self._play(self.people, rate, seconds))
                    if computers:
                        group.create_task(self._play_alone(computers, seconds))
                result.seconds = time.perf_counter() - begin
                result.blocks = self._blocks(since, processes)
                using = [bot.usage() for bot in bots]
                result.cpu = sum(usage.cpu for usage in using) - sum(usage.cpu for usage in used)
                result.workers = sum(usage.workers for usage in using)
                result.driver = time.process_time() - driver
                result.requests = self.fake.requests - requests
                result.counted = self.fake.counted - counted
                result.bytes_grown = self._size() - size
                result.analysed = await self._count(_ANALYSED)
                await self._settle()
                watching.cancel()
                result.turns_wanted = computers * seconds
                result.boards, result.inside = await self._inside()
                result.peak = max(bot.usage().peak for bot in bots)
            await self._restart(processes)
        result.lost = sum((before + self._done - await self.lines()).values())
        await self.engine.dispose()
        return result

    def _bot(self, number: int, processes: int) -> Any:
        shares = dict(self.settings)
        if processes > 1:
            shares |= {"SHARD_COUNT": str(processes), "SHARD_IDS": str(number)}
        watched = {
            "METRICS_ADDRESS": str(self._ports[number]),
            "LOOP_BLOCKS": str(self._blocks_file(number)),
        }
        return bot(self.folder, self.fake.port, self.url, f"bot{number}", **shares, **watched)

    async def _samples(self, number: int) -> list[Sample]:
        """Return the metrics of a process."""
        address = f"http://127.0.0.1:{self._ports[number]}/metrics"
        async with aiohttp.ClientSession() as session, session.get(address) as answer:
            families = text_string_to_metric_families(await answer.text())
            return [sample for family in families for sample in family.samples]

    def _blocks_file(self, number: int) -> Path:
        """Return the file for the blocks of a process's event loop."""
        return self.folder / f"blocks{number}"

    def _blocks(self, since: float, processes: int) -> list[Block]:
        """Return the blocks of the event loops of all processes since a UTC time in seconds."""
        files = map(self._blocks_file, range(processes))
        return [block for file in files for block in blocks_since(file, since)]

    async def _inside(self) -> tuple[int, dict[str, float]]:
        """Return metrics of the first process: pictures drawn, and milliseconds on average."""
        sums: dict[str, float] = defaultdict(float)
        for sample in await self._samples(0):
            sums[sample.name] += sample.value
        names = {name: f"starpost_{name}_seconds" for name in MEASURED}
        averages = {
            name: 1000 * sums[f"{metric}_sum"] / max(1.0, sums[f"{metric}_count"])
            for name, metric in names.items()
        }
        return int(sums[f"{names['render']}_count"]), averages

    async def _connected(self, processes: int) -> None:
        async with asyncio.timeout(60):
            await until(lambda: self.fake.greeted >= processes)

    async def _play(self, numbers: Sequence[int], rate: float, seconds: float) -> None:
        """Play moves in these matches at random moments, at an average rate per second."""
        async with asyncio.TaskGroup() as group:
            async for _ in self._moments(rate, seconds):
                match_id = self.random.choice(numbers)
                if match_id not in self._busy:
                    group.create_task(self._move(match_id, BETWEEN))

    async def _play_alone(self, rate: float, seconds: float) -> None:
        """Play turns against the computer; each asks for a turn of the computer."""
        async with asyncio.TaskGroup() as group:
            async for _ in self._moments(rate, seconds):
                group.create_task(self._ask_for_turn())

    async def _moments(self, rate: float, seconds: float) -> AsyncIterator[None]:
        """Yield at random moments."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        at = loop.time()
        while (at := at + self.random.expovariate(rate)) < end:
            await asyncio.sleep(max(0.0, at - loop.time()))
            yield

    async def _ask_for_turn(self) -> None:
        """Make choices in the next match until the computer has to play."""
        queued = await self._waiting_for_computer()
        free = [number for number in self.alone if number not in queued]
        for match_id in free[:MATCHES_TRIED]:
            if match_id in self.alone:  # no other task has taken it meanwhile
                self.alone.remove(match_id)
                try:
                    if await self._play_until_computer(match_id):
                        self.result.turns_asked += 1
                        return
                finally:
                    self.alone.append(match_id)

    async def _play_until_computer(self, match_id: int) -> bool:
        """Make choices in a match until the computer has to play; return whether it has to."""
        before = await self._answers(match_id)
        while await self._move(match_id, AGAINST):
            if match_id in await self._waiting_for_computer():
                return True
            if await self._answers(match_id) > before:
                return True  # it has played already
        return False

    async def _answers(self, match_id: int) -> int:
        """Return the number of choices that the computer has made in a match."""
        async with self.engine.connect() as connection:
            answers = await connection.execute(_ANSWERS, {"match": match_id})
            return int(answers.scalar_one())

    async def _move(self, match_id: int, kind: str) -> bool:
        """Make a random choice of the deciding player, by a click; return whether it counted."""
        self._busy.add(match_id)
        try:
            click = await self._choice(match_id)
            return click is not None and await self._click(click, match_id, kind)
        finally:
            self._busy.discard(match_id)

    async def _click(self, click: dict[str, Any], match_id: int, kind: str) -> bool:
        self.result.asked += 1
        begin = time.perf_counter()
        answered = self.fake.answer(int(click["id"]))
        await self.fake.interact(click)
        try:
            answer = await asyncio.wait_for(answered, 30)
        except TimeoutError:
            self.result.answered["none in 30 s"] += 1
            return False
        self.result.times[kind].append(time.perf_counter() - begin)
        done = accepted(answer)
        self.result.answered["done" if done else json.dumps(answer)[:200]] += 1
        self._done[match_id] += done
        return done

    async def _choice(self, match_id: int) -> dict[str, Any] | None:
        async with self.engine.connect() as connection:
            row = (await connection.execute(_MATCH, {"match": match_id})).one()
            users = dict((await connection.execute(_SEATS, {"match": match_id})).all())
        if not row.decisions:
            return None
        seat = self.random.choice(list(row.decisions))
        if (user := users[seat]) < 0:
            return None  # the computer has not played yet
        game = games.get(row.game)
        state = game.load(row.position)
        line = (self.random.choice(game.view(state, seat).legal)).notation
        custom_id = f"act:{match_id}:{row.decisions[seat]}:{line}"
        click = self.simulation.click(user, row.channel_id, custom_id)
        click |= {"guild_id": str(row.guild_id)}
        click["guild"]["id"] = click["channel"]["guild_id"] = str(row.guild_id)
        click["message"]["id"] = str(max(self.fake.channels[row.channel_id]))
        return click

    async def _waiting_for_computer(self) -> set[int]:
        """Return the matches with a queued turn of the computer."""
        async with self.engine.connect() as connection:
            return set((await connection.execute(_QUEUED)).scalars())

    async def _watch(self) -> None:
        """Track the largest number of messages that are due."""
        while True:
            await asyncio.sleep(1)
            self.result.most_waiting = max(self.result.most_waiting, await self._waiting())

    async def _waiting(self) -> int:
        """Return the number of due messages; pings, for example, are due a minute later."""
        due = outbox.c.next_attempt_at <= time.time()
        waiting = (outbox.c.status == OutboxStatus.WAITING) & due
        return await self._count(select(func.count()).where(waiting))

    async def _turns(self) -> int:
        """Return the number of queued turns of the computer."""
        return await self._count(select(func.count()).select_from(computer_jobs))

    async def _left(self) -> int:
        return await self._waiting() + await self._turns()

    async def _count(self, query: Select[Any]) -> int:
        async with self.engine.connect() as connection:
            return int((await connection.execute(query)).scalar_one())

    async def _settle(self) -> None:
        """Wait until everything has been sent."""
        end = time.perf_counter() + SETTLING
        while await self._left() and time.perf_counter() < end:  # noqa: ASYNC110 - it is a file
            await asyncio.sleep(0.2)
        self.result.unsent, self.result.turns_left = await self._waiting(), await self._turns()
        lower = actions.c.chosen_by.is_not(None) & ~actions.c.chosen_by.startswith(COMPUTER_LEVEL)
        self.result.fallbacks = await self._count(select(func.count()).where(lower))

    async def _restart(self, processes: int) -> None:
        """Start each process again, one after another, and click when the last one is there."""
        async with AsyncExitStack() as stack:
            for number in range(processes):
                if number:  # Discord lets no other shard begin before that
                    await asyncio.sleep(IDENTIFY_SECONDS)
                self.fake.greeted = 0
                last = await stack.enter_async_context(self._bot(number, processes))
                await self._connected(1)
                self.result.ready = max(self.result.ready, last.age())
            click = None
            while click is None:
                click = await self._choice(self.random.choice(self.people))
            answered = self.fake.answer(int(click["id"]))
            await self.fake.interact(click)
            await asyncio.wait_for(answered, 60)
            self.result.click = last.age()

    async def _games(self) -> dict[str, int]:
        """Return the number of matches of each game."""
        by_game = select(matches.c.game, func.count()).group_by(matches.c.game)
        async with self.engine.connect() as connection:
            return dict((await connection.execute(by_game)).all())

    async def lines(self) -> Counter[int]:
        """Return the number of choices in the log of each match."""
        lines = select(actions.c.match_id, func.count().label("lines")).where(
            ~actions.c.line.startswith("*"), actions.c.chosen_by.is_(None)
        )
        async with self.engine.connect() as connection:
            rows = await connection.execute(lines.group_by(actions.c.match_id))
            return Counter({row.match_id: row.lines for row in rows})

    def _size(self) -> int:
        return sum(path.stat().st_size for path in self.folder.glob("load.db*"))


@click.command()
@click.option("--matches", default=10_000, show_default=True)
@click.option("--servers", default=1_000, show_default=True)
@click.option("--rate", default=20.0, show_default=True, help="Moves a second.")
@click.option(
    "--computers", default=20.0, show_default=True, help="Turns of the computer asked for a second."
)
@click.option(
    "--analyses", default=0, show_default=True, help="Finished matches to analyse meanwhile."
)
@click.option("--seconds", default=300.0, show_default=True)
@click.option("--latency", default=0.1, show_default=True, help="Of Discord, in seconds.")
@click.option("--processes", default=1, show_default=True)
@click.option("--computer-workers", default=1, show_default=True, help="Of each process.")
@click.option("--database-url", default="", help="An empty database; without it an SQLite file.")
@click.option(
    "--server",
    type=click.Choice(["postgres", "pgbouncer"]),
    help="A PostgreSQL that is started for this, directly or through PgBouncer.",
)
@click.option(
    "--keep",
    type=click.Path(path_type=Path, resolve_path=True),
    help="A folder for logs and database.",
)
def main(keep: Path | None, server: str | None, **options: Any) -> None:
    """Measure, print, and exit with 1 if something does not hold."""
    with TemporaryDirectory() as temporary, _urls(server) as urls:
        folder = keep or Path(temporary)
        folder.mkdir(exist_ok=True)
        before = os.getloadavg()[0]
        result = asyncio.run(measure(folder, **options | urls))
        print(", ".join(f"{name} {value}" for name, value in (options | urls).items() if value))
        print(result.report())
        after = os.getloadavg()[0]
        print(f"{'machine':12}{os.cpu_count()} cores; load {before:.1f} before, {after:.1f} after")
        if result.failures:
            print(f"{'not held':12}{', '.join(result.failures)}")
        sys.exit(bool(result.failures))


@contextmanager
def _urls(kind: str | None) -> Iterator[dict[str, str]]:
    """Start a server of this kind, and yield the options that lead to it."""
    if kind is None:
        yield {}
        return
    with served(DURABLE) as server:
        if server is None:
            raise click.ClickException("PostgreSQL is not installed.")
        with server.database() as url, pooling(server) as port:
            if kind == "postgres":
                yield {"database_url": url}
            elif port is None:
                raise click.ClickException("PgBouncer is not installed.")
            else:
                yield {"database_url": url, "pooler_url": through(url, port)}


if __name__ == "__main__":
    main()
