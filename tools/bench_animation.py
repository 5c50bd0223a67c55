"""Measure how much a flood of clicks on *Animation* delays everything else.

    python -m tools.bench_animation

Prints the lag of the event loop, the time to another match's board, and the memory that the clicks
take. Discord is simulated in the same process, so its own work counts as well.
"""

from __future__ import annotations

import asyncio
import resource
import time
from itertools import count
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import simcord

from bot.app.run import open_database
from bot.domain.ids import MatchId
from tests.support.driver import play_on, silently
from tests.support.harness import NoRateLimit, Stage, actor_bot
from tests.support.interactions import payload
from tests.support.wormholes.positions import GAME

CLICKS = (12, 120)
BUTTONS = {"Text board": "text:{}:0", "Animation": "film:{}"}
CHOICES = 400
SAMPLE = 0.005  # seconds between two looks at the event loop
SETTLE_TIMEOUT_SECONDS = 300.0  # seconds

NUMBERS = count(10**6)  # above those of the driver, below Discord's


def wander(state: Any, random: Random) -> Any:
    """Return any legal action: such matches are long."""
    return random.choice(GAME.legal(state))


async def finished(stage: Stage) -> MatchId:
    """Return the number of a long match that is over."""
    match_id = await stage.begin()
    await play_on(stage, match_id, Random(1), ways=(silently,), strategy=wander, limit=CHOICES)
    await stage.client.context.matches.act(next(NUMBERS), match_id, stage.ada.id, "resign")
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    return match_id


async def lag(done: asyncio.Event) -> float:
    """Return the longest time that the event loop kept a task waiting."""
    worst = 0.0
    while not done.is_set():
        begin = time.perf_counter()
        await asyncio.sleep(SAMPLE)
        worst = max(worst, time.perf_counter() - begin - SAMPLE)
    return worst


async def measure(stage: Stage, custom_id: str, clicks: int) -> str:
    """Return the effect of a number of clicks on a button while another board is drawn."""
    ending, other = stage.last(), await stage.begin()
    await stage.env.settle()
    table = await stage.client.context.queries.view(other)
    await stage.client.context.images.board(table)
    people = [
        stage.guild.add_member(stage.env.create_user(f"u{clicks}x{n}")) for n in range(clicks)
    ]
    forged = [payload(stage, who, ending, "", custom_id)[1] for who in people]
    done, before = asyncio.Event(), resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    sampling = asyncio.create_task(lag(done))
    await asyncio.sleep(0.1)
    for data in forged:
        stage.env.backend.emit("INTERACTION_CREATE", data)
    await asyncio.sleep(0.1)
    begin = time.perf_counter()
    await stage.client.context.images.board(table)
    board = time.perf_counter() - begin
    done.set()
    worst = await sampling
    await stage.env.settle()
    seconds = time.perf_counter() - begin
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    return (
        f"another board after {1000 * board:.0f} ms, longest lag of the event "
        f"loop {1000 * worst:.0f} ms, all answered after {seconds:.1f} s, "
        f"{grown:.0f} MB more memory"
    )


async def main(folder: Path) -> None:
    """Print the figures."""
    async with (
        open_database(f"sqlite+aiosqlite:///{folder / 'films.db'}") as database,
        simcord.run(actor_bot(database), settle_timeout=SETTLE_TIMEOUT_SECONDS) as env,
    ):
        stage: Any = await Stage(env, database).without_threads()
        stage.client.gate._limits = NoRateLimit()
        match_id = await finished(stage)
        lines = len((await stage.client.context.queries.record(match_id)).actions)
        print(f"a finished match of {lines} lines")
        for clicks in CLICKS:
            for name, custom_id in BUTTONS.items():
                figures = await measure(stage, custom_id.format(match_id), clicks)
                print(f"{clicks} clicks on {name}: {figures}", flush=True)


if __name__ == "__main__":
    with TemporaryDirectory() as name:
        asyncio.run(main(Path(name)))
