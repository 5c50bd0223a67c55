"""The cost of a turn and of a start, beside a bare discord.py bot: part of `make bench`.

Both bots are processes of their own and talk to the same fake Discord. A turn of ours is a click on
a choice: the rules, dice, one transaction on disk, an answer, and the new board in the outbox. The
bare bot answers each click with a picture of a board's size, always the same. So that work after
the answer does not count, Discord takes no message while turns are measured, and the outbox fills
up.

    python -m tools.bench_turn --profile

says in which package the event loop spends the time of a turn.
"""

from __future__ import annotations

import asyncio
import pstats
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from bot.app.run import open_database
from bot.domain.ids import MatchId
from bot.services.queries import Queries
from bot.views.images import BoardImages
from tests.support.fake_discord import until
from tools.load.__main__ import Load
from tools.load.crowd import Crowd, fill
from tools.load.process import Process, bot, started

CROWD = Crowd(1_000, 50)
WARM, TURNS = 300, 600
"""Number of clicks to warm up, and of measured clicks."""

PLAYED = 100
"""Number of matches with clicks, so that most players have clicked before, as in a bot that runs
for days: the first click of each reads their name."""

NEVER = 1000.0
"""Seconds that Discord takes for a message while turns are measured."""

STARTS = 3
"""Number of starts; the best one counts."""

CODE = ("-m", "tests.support.against_fake")


class Cost(NamedTuple):
    """The measurements of a bot.

    Attributes:
        start: seconds until it is connected to the gateway.
        memory: megabytes then.
        turn: seconds of processor time from a click to its answer.
    """

    start: float
    memory: float
    turn: float


async def compare(folder: Path, url: str) -> tuple[Cost, Cost]:
    """Measure ours and the bare bot, in turns."""
    picture = folder / "board.png"
    picture.write_bytes(await _board(url))
    ours, bare = [], []
    for number in range(STARTS):
        load = Load(folder, url, CROWD, Random(number), 0.0)
        async with load.fake.open():
            port = load.fake.port
            ours.append(await _cost(load, bot(folder, port, url, "ours"), load._choice))
            command = ("-m", "tools.load.bare", str(port), str(picture))
            process = started(folder, *command, log=folder / "bare.log")
            bare.append(await _cost(load, process, load._choice))
        await load.engine.dispose()
    return best(ours), best(bare)


def best(costs: Sequence[Cost]) -> Cost:
    """Return the smallest of each measurement."""
    return Cost(*map(min, zip(*costs, strict=True)))


async def _board(url: str) -> bytes:
    """Return a board as it is sent."""
    async with open_database(url) as database:
        images = BoardImages()
        drawn = await images.board(await Queries(database).view(MatchId(1)))
        images.close()
        return drawn.png


async def _cost(
    load: Load, process: Any, choose: Callable[[int], Awaitable[dict[str, Any] | None]]
) -> Cost:
    """Start a bot, click, and return the cost."""
    fake = load.fake
    fake.greeted, fake.latency = 0, 0.0
    async with process as running:
        await until(lambda: fake.greeted > 0)
        start = running.age()
        await asyncio.sleep(1)
        memory = running.usage().now
        fake.latency = NEVER
        await _click(load, choose, WARM)
        cpu = running.usage().cpu
        await _click(load, choose, TURNS)
        turn = (running.usage().cpu - cpu) / TURNS
        fake.latency = 0.0
        return Cost(start, memory, turn)


async def _click(
    load: Load, choose: Callable[[int], Awaitable[dict[str, Any] | None]], count: int
) -> None:
    """Play a number of turns, one after another."""
    while count:
        click = await choose(load.random.randrange(PLAYED) + 1)
        if click is not None:
            answered = load.fake.answer(int(click["id"]))
            await load.fake.interact(click)
            await asyncio.wait_for(answered, 30)
            count -= 1


@asynccontextmanager
async def _profiled(folder: Path, port: int, url: str, profile: Path) -> AsyncIterator[Process]:
    command = ("-m", "cProfile", "-o", str(profile), *CODE, str(port), "run")
    settings = {"DISCORD_TOKEN": "token", "DATABASE_URL": url}
    async with started(folder, *command, log=folder / "profile.log", **settings) as process:
        yield process


async def profile(folder: Path, url: str) -> Counter[str]:
    """Return package → milliseconds of a turn in the event loop, slowed down by the profiler."""
    spent: list[Counter[str]] = []
    for turns in (0, TURNS):
        load = Load(folder, url, CROWD, Random(1), 0.0)
        profile_file = folder / f"{turns}.profile"
        async with load.fake.open(), _profiled(folder, load.fake.port, url, profile_file):
            await until(lambda load=load: load.fake.greeted > 0)  # type: ignore[misc]
            load.fake.latency = NEVER
            await _click(load, load._choice, WARM + turns)
            load.fake.latency = 0.0
        await load.engine.dispose()
        spent.append(_by_package(profile_file))
    return Counter({name: 1000 * s / TURNS for name, s in (spent[1] - spent[0]).items()})


def _by_package(profile_file: Path) -> Counter[str]:
    stats: Any = pstats.Stats(str(profile_file))
    spent: Counter[str] = Counter()
    for (file, _, name), (_, _, seconds, _, _) in stats.stats.items():
        parts = Path(file).parts
        package = next((p for p in ("engine", "render", "bot") if p in parts), "")
        if "site-packages" in parts:
            package = parts[parts.index("site-packages") + 1]
        elif "sqlite3." in name:
            package = "SQLite itself"
        elif parts[-1:] == ("runners.py",):  # uvloop, which waits most of the time
            continue
        spent[package or "Python's own (asyncio, sockets, json …)"] += seconds
    return spent


def report(ours: Cost, bare: Cost) -> None:
    """Print both, and how they compare."""
    rows = (
        ("click → answer, new board queued", 1000 * ours.turn, 1000 * bare.turn, "ms CPU", 4),
        ("start with 1,000 running matches", ours.start, bare.start, "s", 3),
        ("memory after that start", ours.memory, bare.memory, "MB", 2),
    )
    for figure, mine, theirs, unit, aim in rows:
        print(
            f"{figure:38} {mine:8.2f} {unit:6}   bare discord.py bot: {theirs:.2f} {unit}"
            f"   ratio {mine / theirs:.1f} × (aim: ≤ {aim} ×)"
        )


def main() -> None:
    """Measure, and print."""
    with TemporaryDirectory() as temporary:
        folder = Path(temporary)
        url = f"sqlite+aiosqlite:///{folder / 'load.db'}"
        asyncio.run(fill(url, CROWD, Random(1)))
        if "--profile" in sys.argv:
            spent = asyncio.run(profile(folder, url))
            for name, milliseconds in spent.most_common(12):
                print(f"{milliseconds:8.2f} ms   {name}")
            print(f"{spent.total():8.2f} ms   a turn in the event loop, under the profiler")
            return
        report(*asyncio.run(compare(folder, url)))


if __name__ == "__main__":
    main()
