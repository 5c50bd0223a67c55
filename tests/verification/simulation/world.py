"""People who play at their own pace in simulated time, while the bot crashes now and then."""

from __future__ import annotations

import asyncio
import signal
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

from bot.app.heartbeat import HEARTBEAT_SECONDS
from bot.logs import set_up_logs
from tests.support import fake_discord
from tests.support.fake_log import CALM, Trouble
from tests.verification.kills.audit_log import FileAuditLog
from tests.verification.kills.cup_clocks import CupClocks
from tests.verification.kills.cups import CupAudit, CupParty, Done, open_server
from tests.verification.kills.report import Report
from tests.verification.kills.settling import told_if_late, unsettled
from tests.verification.kills.simulation import Simulation
from tests.verification.simulation.determinism import VirtualClock
from tests.verification.simulation.discord import SimulatedDiscord
from tests.verification.simulation.lives import born, ended, prepare, share_file
from tests.verification.simulation.overdue import overdue
from tests.verification.simulation.pace import Pace, Size
from tests.verification.simulation.power import Power
from tests.verification.simulation.process import SimulatedProcess, UnexpectedEndError, where
from tests.verification.simulation.storage import SharedFile

HOUR = 3600.0

LATE = 0.02
"""Probability that a person comes back only after a long time."""

PAUSES = (0.0, 0.0, 5.0, 20.0, 70.0, 130.0, 200.0)
"""Seconds between a crash and the next start."""

POLL_SECONDS = 2.0
"""Simulated seconds between two looks of a person who waits for something."""

CRASHES_IN_START = 0.1
"""Probability that the bot crashes while it starts."""

CLOCK_OFFSETS_SECONDS = (-7 * 86400.0, -8 * HOUR, -300.0, 0.0, 0.0, 300.0, 8 * HOUR, 7 * 86400.0)
"""By how many seconds a clock that is set is ahead: no step is so small that it counts as time."""

SLOW_SECONDS = 90.0
"""Seconds in which a process must have had a heartbeat, and fired the timers that are due."""

TOLD = 0.2
"""Probability that the bot is told to stop instead of a crash."""

AT_TIMER = 0.4
"""Probability that a crash comes while a timer fires, if one is due soon."""

NEXT_TIMER = """
SELECT timers.id, due_at FROM timers JOIN matches ON match_id = matches.id
WHERE due_at BETWEEN ? AND ? AND (guild_id >> 22) % ? = ? ORDER BY kind <> 'flag', due_at LIMIT 1
"""
"""The next end of a time, or another timer if none ends."""

AFTER_REQUESTS = 20
"""A crash comes after so many requests to Discord, at most, of a busy moment."""

WITH_REPLY = 0.5
"""Probability that the bot gets the reply to the last request before it crashes."""

SUSPENDED, SUSPENSION_SECONDS = 0.25, (20.0, 100.0)
"""How often a process is suspended for a while, as on a machine that sleeps, and how long: leases
end meanwhile, but it is no outage."""

AT_THREAD, HELD_SECONDS = 0.5, (2.0, 15.0)
"""How often it is suspended while it creates a thread or post, until another process does, and how
long the request of that one takes."""

POWER_CUTS = 0.25
"""Probability that the machine loses its power at a crash, if the database is a file of its own."""

BUSY_SECONDS = 200.0
"""Maximum seconds that a crash waits for a busy moment."""

FINISH_SECONDS = 4 * HOUR
"""Time until all people have stopped and all messages are sent."""

STOP_SECONDS = 60.0
"""Time that the bot has to end after a signal."""

TROUBLES = 0.01, 0.02, 0.04, 0.08
"""Probabilities of each fault for a request, in different worlds."""


class World(Simulation):
    """The fake Discord, the people, and the bot's lives in one event loop.

    Args:
        random: decides all that is left to chance.
        pace: how fast people play and faults come.
    """

    discord = SimulatedDiscord
    audit_log: FileAuditLog

    def __init__(
        self, audit_log: FileAuditLog, random: Random, size: Size, pace: Pace, clock: VirtualClock
    ) -> None:
        self._clock, self._pace = clock, pace
        super().__init__(
            audit_log, random, size.tables, size.processes, day=pace.day, solo=size.solo
        )
        self._cups, self._done = size.cups, list[Done]()
        open_server(self)
        self._cup_clocks = CupClocks(audit_log, self.report, self.now, pace.day)
        self._path = audit_log.path
        self._processes: list[SimulatedProcess | None] = [None] * size.processes
        self._url = audit_log.url
        self._begun = [0.0] * size.processes
        self._set_at = 0.0
        self._number = 0

    async def play(self, seconds: float) -> Report:
        """Simulate so much time, let the rest be sent, and check everything."""
        await self.prepare()
        if len(self._processes) > 1:
            self._url = share_file(self._path)
        async with self.fake.open():
            fake_discord.point_at(self.fake.port)
            self.start_people()
            self.fake.trouble = Trouble(*[self.random.choice(TROUBLES)] * 3)
            end = self.now() + seconds
            async with asyncio.TaskGroup() as group:
                group.create_task(self._set_clock(end))
                group.create_task(self._watch(end))
                for shard in range(len(self._processes)):
                    group.create_task(self._lives(shard, end))
            self.fake.trouble = CALM
            await self._finish()
        await CupAudit(self, self._done, self._url).check()
        return self.check()

    def start_people(self) -> None:
        """See `Simulation`."""
        super().start_people()
        pace = 2 * self._pace.day, self._cup_clocks
        parties = [CupParty(self, self._done, *pace) for _ in range(self._cups)]
        self.people += [asyncio.create_task(party.play()) for party in parties]

    def compare(self) -> None:
        """See `Simulation`."""
        super().compare()
        self._cup_clocks.compare()

    def now(self) -> float:
        """Return the true time in UTC seconds."""
        return self._clock.true_now()

    async def do(
        self, make: Callable[[], dict[str, Any]], *, at_once: bool = False
    ) -> dict[str, Any]:
        """See `Simulation.do`; a person takes time for it."""
        if not self.over.is_set() and not at_once:
            await self.wait(self._thinking_time())
        return await super().do(make)

    def _thinking_time(self) -> float:
        """Return the seconds that a person takes for an interaction."""
        if self.random.random() < LATE:
            return self.random.uniform(*self._pace.late)
        return self.random.expovariate(1 / self._pace.thinking)

    def _start(self, shard: int) -> SimulatedProcess:
        """Start the bot for a shard."""
        self.clocks.started(shard)
        self._begun[shard] = self.now()
        self._number += 1
        count = len(self._processes)
        is_cut = count == 1 and self.random.random() < POWER_CUTS
        power = Power(self._path) if is_cut else None
        self._processes[shard] = process = SimulatedProcess(f"bot {self._number}", power)
        born(process, self._url, shard, count)
        return process

    async def _lives(self, shard: int, end: float) -> None:
        """Have the bot live for a shard, again and again."""
        while self.now() < end:
            await self.meddle()
            await asyncio.sleep(self.random.choice(PAUSES))
            await self._live(self._start(shard), shard)
            self.clocks.ended(shard)
            self.compare()

    async def _set_clock(self, end: float) -> None:
        """Set the clock of the bot's machine now and then, and right in the end."""
        while self.now() + (pause := self.random.expovariate(1 / self._pace.right)) < end:
            await asyncio.sleep(pause)
            await self._set(self.random.choice(CLOCK_OFFSETS_SECONDS))
        await asyncio.sleep(max(0.0, end - self.now()))
        await self._set(0.0)

    async def _set(self, ahead: float) -> None:
        """Set the clock, but not between two heartbeats that are far from each other.

        A player's clock that starts in between gains so much.
        """
        await fake_discord.until(
            lambda: not any(process and process.is_suspended for process in self._processes)
        )
        self.clocks.was_set()
        self._cup_clocks.was_set()
        self._set_at = self.now()
        self.wall.set(ahead)
        self._clock.set(ahead)
        self.fake.count("clock set")

    async def _watch(self, end: float) -> None:
        """Look again and again whether all that must be true at any time is true."""
        while self.now() < end:
            await asyncio.sleep(self._pace.watch)
            self.compare()
            for shard in range(len(self._processes)):
                self._check_progress(shard)

    def _check_progress(self, shard: int) -> None:
        """Check that a process that has had time enough has a heartbeat and fires timers."""
        process = self._processes[shard]
        if (
            process is None
            or not process.is_alive
            or process.is_suspended
            or self.now() - self._begun[shard] < SLOW_SECONDS
        ):
            return
        beat = self.clocks.beat(shard)
        ago, since_set = self.now() - self.wall.true(beat), self.now() - self._set_at
        if ago > SLOW_SECONDS and since_set >= SLOW_SECONDS:
            self.report.blame("stalls", f"{process.name}: no heartbeat for {ago:.0f} s")
        served = len(self._processes), shard
        for what, due in overdue(self.audit_log, beat - SLOW_SECONDS, *served):
            self.report.blame("stalls", f"{process.name}: {what} is {beat - due:.0f} s late")

    async def _live(self, process: SimulatedProcess, shard: int) -> None:
        """Run the bot until a crash: in its start, or in the middle of its work.

        Now and then, it is told to stop instead.
        """
        if self.random.random() < CRASHES_IN_START:
            await self._wait_for(process, asyncio.sleep(self.random.uniform(0, 0.5)))
        else:
            await self._wait_for(process, self._work())
            if self.random.random() < SUSPENDED:
                await self._suspend(process, shard)
            if self.random.random() < AT_TIMER:
                await self._crash_at_timer(process, shard)
        if process.is_alive and process.signals and self.random.random() < TOLD:
            await self._tell_to_stop(process)
            return
        process.kill()
        self.report.kills += 1
        if process.power:
            self.fake.count("power cut")
            self.audit_log.close()
            process.power.cut(self.random)

    async def _work(self) -> None:
        """Let the bot work, with its connection lost now and then, until it is busy again."""
        rest = self.random.expovariate(1 / self._pace.life)
        while (part := self.random.expovariate(1 / self._pace.connected)) < rest:
            rest -= part
            await asyncio.sleep(part)
            await self._discord.hang_up()
        await asyncio.sleep(rest)
        with suppress(TimeoutError):
            async with asyncio.timeout(BUSY_SECONDS):
                await self._discord.carry_out(self.random.randrange(1, AFTER_REQUESTS))
        if self.random.random() < WITH_REPLY:
            await asyncio.sleep(self.random.uniform(0, 0.1))

    @property
    def _discord(self) -> SimulatedDiscord:
        assert isinstance(self.fake, SimulatedDiscord)
        return self.fake

    async def _suspend(self, process: SimulatedProcess, shard: int) -> None:
        """Suspend a process, and let it go on for a while."""
        if len(self._processes) > 1 and self.random.random() < AT_THREAD:
            await self._suspend_at_thread(process)
        elif not SharedFile.is_written_by(process):
            self.fake.count("suspension")
            process.suspend()
            await asyncio.sleep(self.random.uniform(*SUSPENSION_SECONDS))
            process.resume()
        self._begun[shard] = self.now()
        await self._wait_for(process, asyncio.sleep(self.random.uniform(0, BUSY_SECONDS)))

    async def _suspend_at_thread(self, process: SimulatedProcess) -> None:
        """Suspend a process that creates a thread until another one does that in its place.

        Its request is lost, and that of the other one is under way when it is resumed.
        """
        with suppress(TimeoutError):
            async with asyncio.timeout(BUSY_SECONDS):
                lost = await self._discord.thread_asked(process, is_by=True)
            lost.set_result(False)
            if SharedFile.is_written_by(process):
                return
            self.fake.count("suspension at a thread")
            process.suspend()
            try:
                async with asyncio.timeout(SUSPENSION_SECONDS[1]):
                    late = await self._discord.thread_asked(process, is_by=False)
            finally:
                process.resume()
            self.fake.count("delivery taken over")
            await asyncio.sleep(self.random.uniform(*HELD_SECONDS))
            late.set_result(True)

    async def _crash_at_timer(self, process: SimulatedProcess, shard: int) -> None:
        """Have the process crash right after the commit that removes a timer, if one is due."""
        now = self.wall.now()
        given = now, now + BUSY_SECONDS, len(self._processes), shard
        for number, due in self.audit_log.rows(NEXT_TIMER, *given):
            await self._wait_for(process, asyncio.sleep(due - now))
            process.kill_when(partial(self._is_fired, number))
            await asyncio.wait({process.ended}, timeout=2 * HEARTBEAT_SECONDS)

    def _is_fired(self, timer: int) -> bool:
        """Return whether a timer is no longer stored."""
        return not self.audit_log.rows("SELECT 1 FROM timers WHERE id=?", timer)

    @staticmethod
    async def _wait_for(process: SimulatedProcess, event: Any) -> None:
        """Wait for an event; the process must not end by itself before."""
        waiting = asyncio.ensure_future(event)
        await asyncio.wait({waiting, process.ended}, return_when=asyncio.FIRST_COMPLETED)
        if not process.is_alive:
            raise UnexpectedEndError(process.name) from process.error
        waiting.result()

    async def _finish(self) -> None:
        """End all play; the bot sends the remaining messages and is told to stop.

        Of several processes, the first one crashes for good, and the others send its messages.
        """
        self.end_play()
        processes = [self._start(shard) for shard in range(len(self._processes))]
        await asyncio.wait(self.people, timeout=FINISH_SECONDS)
        waiting = [where(person) for person in self.people if not person.done()]
        assert not waiting, "\n".join(["some people still wait:", *waiting])
        for person in self.people:
            person.result()
        if len(processes) > 1:
            processes.pop(0).kill()
        with told_if_late(self):  # leases of the process that crashed end after up to 300 s
            sent = fake_discord.until(lambda: not unsettled(self), FINISH_SECONDS)
            await self._wait_for(processes[0], sent)
        for process in processes:
            await self._tell_to_stop(process)

    async def _tell_to_stop(self, process: SimulatedProcess) -> None:
        """Send SIGTERM, as at a restart, and wait for the end."""
        begin = time.monotonic()
        process.signal(signal.SIGTERM)
        await ended(process, STOP_SECONDS)
        self.report.slowest_end = max(self.report.slowest_end, time.monotonic() - begin)
        self.report.ends += 1
        if process.exitcode:
            raise UnexpectedEndError(f"{process.name}: {process.exitcode}") from process.error


async def simulate(
    folder: Path, random: Random, seconds: float, size: Size, pace: Pace, *, clock: VirtualClock
) -> Report:
    """Simulate a world in the running loop.

    Args:
        random: decides all that is left to chance.
        seconds: how long people play.
        pace: how fast people play and faults come.
    """
    prepare(pace.day)
    fake_discord.POLL_SECONDS = POLL_SECONDS
    audit_log = FileAuditLog(folder / "starpost.db")
    set_up_logs("INFO", "json", audit_log.log.open("a", encoding="utf-8"))
    return await World(audit_log, random, size, pace, clock).play(seconds)
