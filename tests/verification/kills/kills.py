"""The bot is killed repeatedly while people play; final checks follow.

The clock leaps between lives, so that leases end, Discord forgets its nonces and timers fire.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from multiprocessing.context import ForkServerProcess
from random import Random

from bot.app.heartbeat import HEARTBEAT_SECONDS
from bot.outbox.worker import BACK_OFF_SECONDS
from tests.support.children import children_of
from tests.support.fake_discord import until
from tests.support.fake_log import CALM, Trouble
from tests.verification.kills.audit_log import AuditLog
from tests.verification.kills.people import TAKING_BACK
from tests.verification.kills.report import Report
from tests.verification.kills.settling import told_if_late, unsettled
from tests.verification.kills.simulation import SOLO_TABLES, Simulation
from tests.verification.kills.worker import born

TROUBLE = Trouble(limited=0.04, bad_gateway=0.03, dropped=0.04)
LEAPS = (0.0, 0.0, 0.0, 20.0, 70.0, 200.0)
"""Seconds that may pass between two lives; 200 are an outage, which no clock counts."""

DAY_SECONDS = 90.0
"""Seconds of a day for clocks, reminders and vacations, so that their timers fire."""

LONGEST_LIFE, STARTS = 2.0, 4.0
"""Seconds after which the bot is killed even if it has done little: so many, but at least this
many times what the last start took, so that a busy machine gives it as much time to work."""

TIMEOUT_SECONDS = 2 * BACK_OFF_SECONDS[-1] + 60.0
"""Seconds until a test that waits gives up: a row whose attempts were cut off by kills pauses for
the longest time, and a leap of the clock does not shorten that."""

LIFE_REQUESTS = 4
"""Most requests to Discord in a life, for each table."""

AT_ONCE = 0.7
"""Probability that the bot is killed as soon as a takeback is stored."""

WORKER_KILLS = 0.3
"""Probability that a worker process of the bot is killed before the bot is."""


class Kills(Simulation):
    """A simulation in which the bot is a process that is killed.

    Args:
        random: decides all that is left to chance.
        tables: how many matches between people go on at once.
        shards: into how many shards they are dealt out.
        solo: how many more tables play against the computer.
    """

    heartbeat_seconds = HEARTBEAT_SECONDS

    def __init__(
        self,
        audit_log: AuditLog,
        random: Random,
        tables: int = 6,
        shards: int = 1,
        *,
        solo: int = SOLO_TABLES,
    ) -> None:
        super().__init__(audit_log, random, tables, shards, day=DAY_SECONDS, solo=solo)
        self._shards = shards
        self._start_seconds = 0.0

    async def run(self, kills: int, ends: tuple[signal.Signals, ...] = ()) -> Report:
        """Play, kill so many times, end with these signals, let the rest be sent, and check."""
        begin = time.perf_counter()
        await self.prepare()
        async with self.fake.open():
            self.start_people()
            self.fake.trouble = TROUBLE
            while self.report.kills < kills:
                await self.meddle()
                await self._life()
                self.compare()
            self.fake.trouble = CALM
            for way in ends:
                await self._stop_in_play(way)
            await self._last_life()
        self.report.seconds = round(time.perf_counter() - begin, 1)
        return self.check()

    async def _life(self) -> None:
        """A start and a SIGKILL: in the start, or after some requests and a moment more."""
        self.ahead += self.random.choice(LEAPS)
        enough = self._enough()
        process = self._born()
        if self.random.random() > 0.1:
            arrival = self.fake.arrival
            await self._until(process, arrival.done)
            await self._work(enough, process)
        await asyncio.sleep(self.random.uniform(0, 0.05))
        process.kill()
        await asyncio.to_thread(process.join)
        self.clocks.ended(0)
        self.report.kills += 1

    @staticmethod
    async def _until(process: ForkServerProcess, condition: Callable[[], bool]) -> None:
        """Wait for something that a process does; it must not end by itself before."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await until(lambda: condition() or process.exitcode is not None)
        assert condition(), f"the bot has ended by itself with {process.exitcode}"

    def _enough(self) -> int:
        """Return the number of requests to Discord at which a life ends: a few for each table."""
        return self.fake.requests + self.random.randrange(LIFE_REQUESTS * len(self.tables))

    async def _work(self, enough: int, *processes: ForkServerProcess) -> None:
        """Let the bot work until it has made so many requests, but not for long.

        Now and then, one of its workers is killed at half of them.
        """
        half = (self.fake.requests + enough) // 2
        with suppress(TimeoutError):
            async with asyncio.timeout(max(LONGEST_LIFE, STARTS * self._start_seconds)):
                await until(lambda: self.fake.requests >= half)
                if self.random.random() < WORKER_KILLS:
                    self._kill_worker(*processes)
                await until(lambda: self.fake.requests >= enough)

    def _kill_worker(self, *processes: ForkServerProcess) -> None:
        """Kill one of the processes in which computers choose or boards are drawn."""
        workers = [pid for process in processes for pid in children_of(process.pid or 0)]
        if workers:
            with suppress(ProcessLookupError):
                os.kill(self.random.choice(workers), signal.SIGKILL)
            self.report.done["workers killed"] += 1

    def _born(self, shard: int = 0) -> ForkServerProcess:
        """A process for a shard."""
        self.clocks.started(shard)
        begin = time.perf_counter()

        def note(_: asyncio.Future[None]) -> None:
            self._start_seconds = time.perf_counter() - begin

        self.fake.arrival.add_done_callback(note)
        where = self.fake.port, self.audit_log.url, self.audit_log.log
        times = DAY_SECONDS, self.heartbeat_seconds
        return born(*where, self.ahead, shard, self._shards, *times)

    async def _stop_in_play(self, way: signal.Signals) -> None:
        """Start the bot, and stop it in the middle of play by a signal that lets it finish."""
        enough = self.fake.requests + 60
        process = self._born()
        await self._until(process, lambda: self.fake.requests >= enough)
        begin = time.perf_counter()
        os.kill(process.pid or 0, way)
        await asyncio.to_thread(process.join, TIMEOUT_SECONDS)
        self.report.slowest_end = max(self.report.slowest_end, time.perf_counter() - begin)
        assert process.exitcode == 0
        self.clocks.ended(0)
        now = self.now()
        due = self.audit_log.due(now)
        assert not due, f"{due} are due at {now}"

    async def _last_life(self) -> None:
        """End all play; the bot sends the remaining messages and is told to stop."""
        self.end_play()
        self.ahead += 4000.0
        process = self._born()
        await self.finish_play(TIMEOUT_SECONDS)
        with told_if_late(self):
            await self._until(process, lambda: not unsettled(self))
        process.terminate()
        await asyncio.to_thread(process.join, TIMEOUT_SECONDS)
        assert process.exitcode == 0


class TakebackKills(Kills):
    """Kills at the moment when a takeback is stored; many go across an answer."""

    def __init__(self, audit_log: AuditLog, random: Random) -> None:
        super().__init__(audit_log, random, tables=4, solo=0)
        self._routines = [TAKING_BACK] * 4

    async def _work(self, enough: int, *processes: ForkServerProcess) -> None:
        """Let the bot work until a choice is taken back, or for some requests."""
        query = "SELECT count(*) FROM actions WHERE undone_at IS NOT NULL"
        before = self.audit_log.rows(query)
        if self.random.random() < AT_ONCE:
            with suppress(TimeoutError):
                async with asyncio.timeout(max(LONGEST_LIFE, STARTS * self._start_seconds)):
                    await until(lambda: self.audit_log.rows(query) != before)
        else:
            await super()._work(enough, *processes)
