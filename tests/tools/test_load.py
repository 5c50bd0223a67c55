"""The measuring itself, in small: every click is answered, and nothing is lost."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest
from sqlalchemy import select

from bot.app.run import open_database
from bot.storage.schema import matches
from engine import games
from tools.load.__main__ import longest_lag, measure
from tools.load.crowd import Crowd, fill
from tools.load.result import LAG, Result


@pytest.mark.slow
async def test_each_game_has_a_third_of_the_matches(tmp_path: Path) -> None:
    url = f"sqlite+aiosqlite:///{tmp_path / 'load.db'}"
    await fill(url, Crowd(12, 2), Random(1))
    async with open_database(url) as database, database.read() as connection:
        played = (await connection.execute(select(matches.c.game))).scalars().all()
    assert Counter(played) == dict.fromkeys(games.names(), 4)


def test_longest_lag_is_that_of_the_run() -> None:
    before, after = Counter({0.005: 7, 0.05: 1, 5.0: 2}), Counter({0.005: 9, 0.05: 2, 5.0: 2})
    assert longest_lag(before, after) == 0.05
    assert longest_lag(after, after) == 0.0


def test_a_longer_block_of_the_loop_is_reported() -> None:
    assert "event loop" not in Result(longest_lag=LAG).failures
    assert "event loop" in Result(longest_lag=LAG + 0.001).failures
    assert "blocked for at most 75 ms" in Result(longest_lag=0.075, seconds=1).report()


@pytest.mark.soak
async def test_a_small_crowd_plays_and_goes_on_after_a_restart(tmp_path: Path) -> None:
    result = await measure(
        tmp_path, matches=60, servers=3, rate=20, seconds=2, computers=5, analyses=1
    )
    assert result.asked > 10
    assert result.answered == {"done": result.asked}
    assert (result.lost, result.unsent, result.turns_left) == (0, 0, 0)
    assert result.games == {"wormholes": 20, "warp6": 21, "tomtube": 20}  # with one to analyse
    assert result.longest_lag > 0
    assert result.turns_asked
    assert result.analysed == 1
    assert result.requests >= result.asked
    assert result.inside.pop("loop_lag") >= 0  # where there is none, it is 0
    assert min(result.click, result.peak, result.cpu, *result.inside.values()) > 0
    assert "p99" in result.report()
