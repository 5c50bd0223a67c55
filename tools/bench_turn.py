"""The cost of a turn and of a start, beside discord.py bots: part of `make bench`.

The bots are processes of their own and talk to the same fake Discord. Up to the answer, a turn of
ours is a click on a choice: the rules, dice, one transaction on disk, an answer, and the new board
in the outbox; Discord takes no message meanwhile, and the outbox fills up. The bare bot answers
each click with a picture of a board's size, always the same.

A whole turn goes on until the new board is posted and nothing is left to send. It stands beside a
well written bot that does the same work, see `tools.load.reference`.

    python -m tools.bench_turn --profile

says in which package the event loop spends the time of a turn.
"""

from __future__ import annotations

import asyncio
import pstats
import sys
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from PIL import Image

from bot.app.run import open_database
from bot.domain.ids import MatchId
from bot.services.queries import Queries
from bot.views.images import BoardImages
from tests.support.fake_discord import until
from tools.aims import exit_status, judge
from tools.load.__main__ import Load
from tools.load.crowd import Crowd, fill
from tools.load.process import Process, bot, started

CROWD = Crowd(1_000, 50)
WARM, TURNS = 300, 600
"""Number of clicks to warm up, and of measured clicks."""

PLAYED = 100
"""Number of matches with clicks, so that most players have clicked before, as in a bot that runs
for days: the first click of each reads their name."""

WHOLE_WARM, WHOLE_TURNS = 300, 150
"""The same for whole turns."""

REQUESTS, WAIT_SECONDS = 2, 1.0
"""Requests of a turn, the answer and the new board, and seconds to wait for them."""

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


class Turn(NamedTuple):
    """The cost of a whole turn.

    Attributes:
        cpu: seconds of processor time, of all processes.
        requests: number of requests to Discord.
    """

    cpu: float
    requests: float


async def compare_turns(folder: Path, url: str, picture: Path) -> tuple[Turn, Turn]:
    """Measure whole turns of ours and of the reference.

    Args:
        picture: a board as ours, whose size the reference draws.
    """
    load = Load(folder, url, CROWD, Random(9), 0.0)
    with Image.open(picture) as image:
        size = map(str, image.size)
    async with load.fake.open():
        port = load.fake.port
        async with all_counting(load, WHOLE_WARM + WHOLE_TURNS):
            ours = await whole_turns(load, bot(folder, port, url, "ours"))
        database = str(folder / "reference.db")
        command = ("-m", "tools.load.reference", str(port), database, *size)
        process = started(folder, *command, log=folder / "reference.log")
        reference = await whole_turns(load, process)
    await load.engine.dispose()
    return ours, reference


async def whole_turns(load: Load, process: AbstractAsyncContextManager[Process]) -> Turn:
    """Start a bot, click, and return the cost of a turn."""
    fake = load.fake
    fake.greeted = 0
    async with process as running:
        await until(lambda: fake.greeted > 0)
        await asyncio.sleep(1)
        await _click(load, load._choice, WHOLE_WARM, whole=True)
        await asyncio.sleep(WAIT_SECONDS)
        before, requests = running.usage(), fake.requests
        await _click(load, load._choice, WHOLE_TURNS, whole=True)
        await asyncio.sleep(WAIT_SECONDS)
        after = running.usage()
        cpu = after.cpu + after.workers - before.cpu - before.workers
        return Turn(cpu / WHOLE_TURNS, (fake.requests - requests) / WHOLE_TURNS)


@asynccontextmanager
async def all_counting(load: Load, clicks: int) -> AsyncIterator[None]:
    """Check that each of the clicks inside makes a choice: a repeated one would cost less.

    There may be more choices, as the bot makes forced ones.

    Raises:
        SystemExit: they made fewer choices.
    """
    before = (await load.lines()).total()
    yield
    choices = (await load.lines()).total() - before
    if choices < clicks:
        raise SystemExit(f"{clicks} clicks made {choices} choices")


async def compare(folder: Path, url: str, picture: Path) -> tuple[Cost, Cost]:
    """Measure ours and the bare bot, in turns; the bare bot answers with a picture."""
    ours, bare = [], []
    for number in range(STARTS):
        load = Load(folder, url, CROWD, Random(number), 0.0)
        async with load.fake.open():
            port = load.fake.port
            async with all_counting(load, WARM + TURNS):
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


async def _posted(load: Load, requests: int) -> None:
    """Wait until Discord has got this number of requests, or for a second."""
    with suppress(TimeoutError):
        await asyncio.wait_for(until(lambda: load.fake.requests >= requests), WAIT_SECONDS)


async def _click(
    load: Load,
    choose: Callable[[int], Awaitable[dict[str, Any] | None]],
    count: int,
    *,
    whole: bool = False,
) -> None:
    """Play a number of turns, one after another.

    Args:
        choose: returns a click in a match; None if no one can choose there.
        count: number of turns.
        whole: whether to wait for the new board, not only for the answer.
    """
    while count:
        click = await choose(load.random.randrange(PLAYED) + 1)
        if click is not None:
            answered, requests = load.fake.answer(int(click["id"])), load.fake.requests
            await load.fake.interact(click)
            await asyncio.wait_for(answered, 30)
            if whole:
                await _posted(load, requests + REQUESTS)
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
        (
            "answer",
            "click → answer, new board queued",
            1000 * ours.turn,
            1000 * bare.turn,
            "ms CPU",
        ),
        ("start", "start with 1,000 running matches", ours.start, bare.start, "s"),
        ("memory", "memory after that start", ours.memory, bare.memory, "MB"),
    )
    for name, title, mine, theirs, unit in rows:
        print(
            f"{title:38} {mine:8.2f} {unit:6}   bare discord.py bot: {theirs:.2f} {unit}"
            f"   ratio {mine / theirs:.2f} × {judge(name, mine / theirs)}"
        )


def report_turns(ours: Turn, reference: Turn) -> None:
    """Print whole turns of both, and how they compare."""
    ratio = ours.cpu / reference.cpu
    print(
        f"{'click → board posted':38} {1000 * ours.cpu:8.2f} ms CPU   {ours.requests:.1f} requests"
        f"   well written bot: {1000 * reference.cpu:.2f} ms CPU, {reference.requests:.1f} requests"
        f"   ratio {ratio:.2f} × {judge('turn', ratio)}"
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
        picture = folder / "board.png"
        picture.write_bytes(asyncio.run(_board(url)))
        report(*asyncio.run(compare(folder, url, picture)))
        report_turns(*asyncio.run(compare_turns(folder, url, picture)))


if __name__ == "__main__":
    main()
    sys.exit(exit_status())
