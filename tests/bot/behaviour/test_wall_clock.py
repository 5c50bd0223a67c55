"""The bot as a process of its own, while libfaketime sets its wall clock."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
import time
from asyncio.subprocess import Process
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pytest

from bot.app.run import open_database
from bot.domain.clocks import DAY, HOUR
from tests.support.fake_discord import FakeDiscord, until
from tests.support.matches import EVE, MatchFixture, begun

LIBRARY = next(iter(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1")), None)

WEEK = 7 * 24
"""Hours."""

INTERVAL = 0.5
"""Seconds between two heartbeats, here."""

BEATS = 6
"""Heartbeats that are measured at once."""

ATTEMPTS = 30
"""Measurements after a jump: a machine that stalls delays heartbeats, which then come at once.

A heartbeat that ran away would do so in all of them.
"""

MAX_BUSY = 0.5
"""Share of one core that the process may take; it took 0.57 when the heartbeat ran away."""

TOLERANCE = 1800.0
"""Tolerance of stored times in seconds: far below a jump, above the test's duration."""

WORKER = """
import sys
from pathlib import Path
from tests.verification.kills.worker import live
live(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), 0.0, heartbeat=0.5)
"""

COUNT = """
CREATE TABLE beats (at TEXT);
CREATE TRIGGER counted AFTER UPDATE ON facts WHEN NEW.name = 'heartbeat:1:0' BEGIN
    INSERT INTO beats VALUES (NEW.value);
END;
"""


class Life:
    """A running bot whose wall clock can be set."""

    def __init__(self, folder: Path, port: int) -> None:
        self.path = folder / "starpost.db"
        self.log = folder / "log"
        self._offset = folder / "clock"
        self._port = port
        self.ahead = 0.0
        self.set(0.0)

    def set(self, ahead: float) -> None:
        """Set the wall clock of the bot so many seconds ahead of this machine's."""
        self.ahead = ahead
        new = self._offset.with_suffix(".new")
        new.write_text(f"{ahead:+.0f}\n", "utf-8")
        new.replace(self._offset)

    @asynccontextmanager
    async def run(self) -> AsyncIterator[Process]:
        fake = {
            "LD_PRELOAD": str(LIBRARY),
            "FAKETIME_TIMESTAMP_FILE": str(self._offset),
            "FAKETIME_NO_CACHE": "1",
            "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_DISABLE_SHM": "1",
        }
        url = f"sqlite+aiosqlite:///{self.path}"
        process = await asyncio.create_subprocess_exec(
            sys.executable, "-c", WORKER, str(self._port), url, str(self.log),
            env=os.environ | fake,
        )  # fmt: skip
        try:
            before = self.beats()
            async with asyncio.timeout(60):
                await until(lambda: self.beats() >= before + BEATS)  # the start is not measured
            yield process
        finally:
            process.terminate()
            await process.wait()
        assert process.returncode == 0

    def ask(self, query: str) -> list[tuple[float, ...]]:
        with closing(sqlite3.connect(self.path, timeout=30)) as connection:
            return connection.execute(query).fetchall()

    def beats(self) -> int:
        return int(self.ask("SELECT count(*) FROM beats")[0][0])

    def time_left(self) -> list[float]:
        """Seconds that the seats to decide have left, and then those until vacations end."""
        now = time.time() + self.ahead
        clocks = self.ask(
            "SELECT seconds_left, clock_started_at FROM seats WHERE clock_started_at IS NOT NULL"
        )
        vacations = self.ask("SELECT ends_at FROM absences")
        return [left - (now - since) for left, since in clocks] + [
            end - now for (end,) in vacations
        ]


def busy(process: Process) -> float:
    """Return the seconds of processor time that a process has used."""
    fields = Path(f"/proc/{process.pid}/stat").read_text("utf-8").rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.skipif(
    LIBRARY is None, reason="libfaketime is not installed (apt-get install faketime)"
)
@pytest.mark.parametrize(
    "jumps",
    [
        pytest.param((0, 8, -8, 0), id="hours", marks=pytest.mark.slow),
        pytest.param((0, 8, 0, -8, 0, WEEK, 0, -WEEK, 0, WEEK), id="days", marks=pytest.mark.soak),
    ],
)
async def test_clock_set_under_a_running_bot_costs_no_time(
    tmp_path: Path, say: Callable[[object], None], jumps: tuple[int, ...]
) -> None:
    fake_discord = FakeDiscord(time.time)
    async with fake_discord.open():
        life = Life(tmp_path, fake_discord.port)
        await prepare(life)
        expected = life.time_left()
        async with life.run() as process:
            for hours in jumps:
                await jump(life, process, hours * HOUR, say)
                assert all(
                    abs(now - before) < TOLERANCE
                    for now, before in zip(life.time_left(), expected, strict=True)
                )
        async with life.run() as process:  # a restart seven days ahead, and back
            for hours in (WEEK, 0):
                await jump(life, process, hours * HOUR, say)
        assert all(
            abs(now - before) < TOLERANCE
            for now, before in zip(life.time_left(), expected, strict=True)
        )
        boards = [message for message in fake_discord.posted if message.channel == 7]
        assert len(boards) == len({board.nonce for board in boards})
    assert "ERROR" not in life.log.read_text("utf-8")


async def prepare(life: Life) -> None:
    """A match with a running clock, and a vacation."""
    async with open_database(f"sqlite+aiosqlite:///{life.path}") as database:
        env = MatchFixture(database)
        env.now = time.time()
        await begun(env, "7d+12h")
        await env.vacations.begin(EVE, env.now + 3 * DAY)
    with closing(sqlite3.connect(life.path)) as connection:
        connection.executescript(COUNT)


async def jump(life: Life, process: Process, ahead: float, say: Callable[[object], None]) -> None:
    """Set the clock, and check that heartbeats come in time and the process has little to do."""
    life.set(ahead)
    first = life.beats()
    async with asyncio.timeout(120):
        await until(lambda: life.beats() > first)  # a process that has just started is busy
        for _ in range(ATTEMPTS):
            begin, before, used = time.monotonic(), life.beats(), busy(process)
            await until(lambda: life.beats() >= before + BEATS)  # noqa: B023 - awaited here
            seconds = time.monotonic() - begin
            share = (busy(process) - used) / seconds
            figures = f"{BEATS} heartbeats in {seconds:.1f} s, {share:.0%} of a core"
            say(f"{ahead / HOUR:+.0f} h: {figures}")
            # a jump may add one at once, and one may be due already
            if seconds > INTERVAL * (BEATS - 3) and share < MAX_BUSY:
                return
    pytest.fail("the heartbeat ran away")
