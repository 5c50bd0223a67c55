"""The cost of a move on PostgreSQL beside SQLite: part of `make bench`.

The same bot plays the same matches on both, in turns, each move until its board is posted. Only the
bot's own processes count: the work of the server is work that the bot does not do.
"""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.support.postgres import served
from tools.aims import exit_status, judge
from tools.bench_turn import (
    CROWD,
    WHOLE_TURNS,
    WHOLE_WARM,
    Turn,
    all_counting,
    whole_turns,
)
from tools.load.__main__ import Load
from tools.load.crowd import fill
from tools.load.process import bot

ROUNDS = 2


async def compare(folder: Path, *urls: str) -> list[float]:
    """Return milliseconds of CPU time a move on each database, the best of several rounds."""
    for url in urls:
        await fill(url, CROWD, Random(1))
    rounds = [[await _turn(folder, url, number) for url in urls] for number in range(ROUNDS)]
    return [1000 * min(turn.cpu for turn in turns) for turns in zip(*rounds, strict=True)]


async def _turn(folder: Path, url: str, number: int) -> Turn:
    load = Load(folder, url, CROWD, Random(number), 0.0)
    async with load.fake.open(), all_counting(load, WHOLE_WARM + WHOLE_TURNS):
        turn = await whole_turns(load, bot(folder, load.fake.port, url, "storage"))
    await load.engine.dispose()
    return turn


def main() -> None:
    """Measure, and print."""
    with served() as server, TemporaryDirectory() as temporary:
        if server is None:
            print("PostgreSQL is not installed, so it is not measured")
            return
        folder = Path(temporary)
        with server.database() as url:
            file = f"sqlite+aiosqlite:///{folder / 'load.db'}"
            sqlite, postgres = asyncio.run(compare(folder, file, url))
    ratio = postgres / sqlite
    print(
        f"{'click → board posted, PostgreSQL':38} {postgres:8.2f} ms CPU   SQLite: {sqlite:.2f} ms"
        f"   ratio {ratio:.2f} × {judge('postgres', ratio)}"
    )


if __name__ == "__main__":
    main()
    sys.exit(exit_status())
