"""The measuring itself, in small: every click is answered, and nothing is lost."""

from __future__ import annotations

import asyncio
import gc
import sys
from collections import Counter
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select
from sqlalchemy.util import greenlet_spawn

from bot.app.run import open_database
from bot.storage.schema import matches
from engine import games
from tests.support import loop_watch
from tests.support.fake_discord import until
from tests.support.loop_watch import Block, LoopWatch, blocks_since
from tools.load.__main__ import measure
from tools.load.crowd import Crowd, fill
from tools.load.result import LAG, Result


@pytest.mark.slow
async def test_each_game_has_a_third_of_the_matches(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'load.db'}"
    await fill(url, Crowd(12, 2), Random(1))
    async with open_database(url) as database, database.read() as connection:
        played = (await connection.execute(select(matches.c.game))).scalars().all()
    assert Counter(played) == dict.fromkeys(games.names(), 4)


def block(seconds: float, computing: float = 0.0, queued: float = 0.0) -> Block:
    """Return a block of an event loop."""
    return Block(1.0, seconds, computing, queued, "run.py:1 run")


def test_a_longer_block_of_the_loop_is_reported() -> None:
    assert "event loop" not in Result(blocks=[block(LAG)]).failures
    assert "event loop" in Result(blocks=[block(LAG), block(LAG + 0.001)]).failures
    assert "never blocked for 20 ms (≤ 50 ms)" in Result(seconds=1).report()


def test_the_report_says_what_blocked_the_loop() -> None:
    longest, heaviest = block(0.075, 0.01, 0.06), block(0.03, 0.029)
    report = Result(blocks=[longest, heaviest, block(0.025)], seconds=1).report()
    causes = "10 ms computing, 60 ms without a core, 5 ms for the interpreter's lock or the disk"
    assert f"blocked for at most 75 ms: {causes}; run.py:1 run (≤ 50 ms)\n" in report
    assert "computing for at most 30 ms: 29 ms computing, 0 ms without a core" in report
    assert "computing for" not in Result(blocks=[heaviest], seconds=1).report()


async def test_blocks_are_written_from_a_time_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_watch, "BLOCK_SECONDS", 0.0)
    file = tmp_path / "blocks"
    with LoopWatch(asyncio.get_running_loop(), file).watching():
        await until(lambda: bool(blocks_since(file, 0.0)))
    first, *_ = blocks_since(file, 0.0)
    assert first.seconds > 0
    assert min(first.computing, first.queued) >= 0
    assert first not in blocks_since(file, first.at)


async def test_a_block_names_the_longest_garbage_collection_in_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loop_watch, "BLOCK_SECONDS", 0.0)
    file = tmp_path / "blocks"

    def collected() -> list[Block]:
        return [block for block in blocks_since(file, 0.0) if block.generation == 2]

    with LoopWatch(asyncio.get_running_loop(), file).watching():
        gc.collect(2)
        gc.collect(0)
        await until(lambda: bool(collected()))
    assert not gc.callbacks or gc.callbacks[-1].__name__ != "_collect"
    (collection,) = collected()
    assert 0 < collection.collecting <= collection.computing
    assert "ms in a garbage collection (generation 2); " in str(collection)
    assert "garbage" not in str(block(0.02))


async def test_a_place_names_the_callers_of_a_greenlet(tmp_path: Path) -> None:
    """SQLAlchemy runs statements in greenlets, whose frames end with their first function."""
    watch = LoopWatch(asyncio.get_running_loop(), tmp_path / "blocks")

    async def run_statement() -> str:
        return await greenlet_spawn(lambda: watch._place(sys._getframe()))

    with watch.watching():
        place = await run_statement()
    innermost, caller, *_ = place.split(" < ")
    assert innermost.startswith("tests/tools/test_load.py:")
    assert caller.endswith(" run_statement")


@pytest.mark.soak
async def test_a_small_crowd_plays_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    result = await measure(
        tmp_path, matches=60, servers=3, rate=20, seconds=2, computers=5, analyses=1
    )
    assert result.asked > 10
    assert result.answered == {"done": result.asked}
    assert (result.lost, result.unsent, result.turns_left) == (0, 0, 0)
    assert result.games == {"wormholes": 20, "warp6": 21, "tomtube": 20}  # with one to analyse
    assert (tmp_path / "blocks0").exists()
    assert result.turns_asked
    assert result.analysed == 1
    assert result.requests >= result.asked
    assert result.inside.pop("loop_lag") >= 0  # where there is none, it is 0
    assert min(result.click, result.peak, result.cpu, *result.inside.values()) > 0
    assert "p99" in result.report()
