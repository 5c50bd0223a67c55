"""People who play while the bot is killed again and again, and what must be true in the end.

Each table is two people with a channel who challenge, accept, play at random, and do all that
people do meanwhile (`tests.support.faults.people`). What is not answered is sent again after the
next start, as a person would click again; some of it comes twice. The clock leaps between lives,
so that leases end, Discord forgets its nonces and timers fire; threads and channels are closed.
"""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from itertools import count
from multiprocessing.context import ForkServerProcess
from random import Random
from typing import Any

from bot.outbox.worker import BACK_OFF_SECONDS
from tests.support.fake_discord import FakeDiscord, until
from tests.support.fake_log import CALM, Trouble
from tests.support.fake_objects import GUILD, dm
from tests.support.faults import payloads
from tests.support.faults.audit import Audit
from tests.support.faults.audit_log import AuditLog
from tests.support.faults.clock_model import Clocks
from tests.support.faults.daily import DailyAudit, choose_square
from tests.support.faults.expected import Expected
from tests.support.faults.halls import FORUM, choose_halls, open_halls
from tests.support.faults.payloads import BACK_SOON, TRY_AGAIN, Person, Place, tells
from tests.support.faults.people import PAIR, play
from tests.support.faults.ratings import RatingAudit
from tests.support.faults.report import Report
from tests.support.faults.solo import SOLO
from tests.support.faults.table import Table
from tests.support.faults.worker import born, children_of

TROUBLE = Trouble(limited=0.04, bad_gateway=0.03, dropped=0.04)
LEAPS = (0.0, 0.0, 0.0, 20.0, 70.0, 200.0)
"""Seconds that may pass between two lives; 200 are an outage, which no clock counts."""

DAY_SECONDS = 90.0
"""Seconds of a day for clocks, reminders and vacations, so that their timers fire."""

MEDDLE = 0.4
"""How often a thread or a channel is closed between two lives."""

LONGEST_LIFE, STARTS = 2.0, 4.0
"""Seconds after which the bot is killed even if it has done little: so many, but at least this
many times what the last start took, so that a busy machine gives it as much time to work."""

TIMEOUT_SECONDS = 2 * BACK_OFF_SECONDS[-1] + 60.0
"""Seconds until a test that waits gives up: a row whose attempts were cut off by kills pauses for
the longest time, and a leap of the clock does not shorten that."""

LIFE_REQUESTS = 4
"""Most requests to Discord in a life, for each table."""

WORKER_KILLS = 0.3
"""How often a worker process of the bot is killed before the bot is."""

SOLO_TABLES = 4
"""How many more tables play against the computer."""

GRACE = 10.0
"""Seconds after a deletion in which a request made before it can still be on its way."""


class Simulation:
    """The fake Discord, the people, and the bot's lives.

    Args:
        audit_log: of the database.
        random: decides all that is left to chance.
        tables: how many matches between people go on at once.
        shards: into how many shards they are dealt out.
    """

    def __init__(
        self,
        audit_log: AuditLog,
        random: Random,
        tables: int = 6,
        shards: int = 1,
    ) -> None:
        self.random = random
        self.ahead = 0.0
        self.fake = FakeDiscord(self.now, Random(random.random()))
        self.audit_log = audit_log
        self.report = Report()
        self.expected: dict[int, Expected] = {}
        self.over = asyncio.Event()
        self.clocks = Clocks(audit_log, self.report, self.now, shards, DAY_SECONDS)
        self.ratings = RatingAudit(self)
        self.forgotten: set[str] = set()
        self.erased: set[int] = set()
        self._names: dict[int, int] = {}
        self._again: set[str] = set()
        self._ids = count(10_000)
        self._shards = shards
        self._start_seconds = 0.0
        servers = [GUILD + (number << 22) for number in range(max(2, shards))]
        self.fake.servers = [
            payloads.server(each, "de" if place % 2 else "en-US")
            for place, each in enumerate(servers)
        ]
        open_halls(self)
        self._routines = [PAIR] * tables + [SOLO] * SOLO_TABLES
        self.tables = [
            Table(self, number, servers[number % len(servers)])
            for number in range(len(self._routines))
        ]
        for number, table in enumerate(self.tables):
            for user in table.users[: (0, 1, 0, 2)[number % 4]]:
                self.fake.refusals[dm(user)] = (403, 50007)

    def now(self) -> float:
        """Return the time in this simulation."""
        return time.time() + self.ahead

    async def run(self, kills: int, ends: tuple[signal.Signals, ...] = ()) -> Report:
        """Play, kill so many times, end with these signals, let the rest be sent, and check."""
        begin = time.perf_counter()
        await self.audit_log.prepare()
        await choose_halls(self)
        await choose_square(self)
        async with self.fake.open():
            people = [
                asyncio.create_task(play(table, routine))
                for table, routine in zip(self.tables, self._routines, strict=True)
            ]
            self.fake.trouble = TROUBLE
            while self.report.kills < kills:
                await self._meddle()
                await self._life()
                self.clocks.compare()
                self.ratings.compare()
                for each in people:
                    if each.done():
                        each.result()
            self.fake.trouble = CALM
            for way in ends:
                await self._stop_in_play(way)
            await self._last_life(people)
        self.report.faults = Counter(self.fake.faults)
        self.report.seconds = round(time.perf_counter() - begin, 1)
        self.ratings.compare()
        Audit(self).check()
        return self.report

    def open_channel(self, guild_id: int, channel: int) -> None:
        """Have a channel that all members of a server see; the gateway tells at the next start."""
        fake = self.fake
        if channel not in fake.hidden:
            fake.homes[channel], fake.hidden[channel] = guild_id, set()
            fake.text_channels |= {channel} - fake.forums.keys()
            server = next(each for each in fake.servers if int(each["id"]) == guild_id)
            server["channels"].append(fake.described(channel))

    # People

    def person(self, user: int) -> Person:
        """Return a user; who was deleted comes back under another name. A third are German."""
        name = f"User {user}{'x' * self._names.get(user, 0)}z"
        return Person(user, name, payloads.locale_of(user))

    def forget(self, user: int) -> None:
        """Note that a user was deleted: their name must not be said any more."""
        name = self.person(user).name
        self.forgotten.add(name)
        self.erased.add(user)
        self.fake.watched_words[name] = time.monotonic() + GRACE
        self._names[user] = self._names.get(user, 0) + 1

    def click(self, user: int, place: Place | int, custom_id: str) -> dict[str, Any]:
        """Return a click on a button, in a place or a channel."""
        if isinstance(place, int):
            place = Place(self.fake.homes.get(place, GUILD), place)
        message = self.fake.message_with(custom_id)
        return payloads.click(next(self._ids), self.person(user), place, custom_id, message)

    def window(self, user: int, place: Place, custom_id: str, text: str) -> dict[str, Any]:
        """Return what was typed into a window."""
        return payloads.window(next(self._ids), self.person(user), place, custom_id, text)

    def command(self, user: int, place: Place, name: str, **values: Any) -> dict[str, Any]:
        """Return a slash command."""
        command = name.replace("_", "-")
        return payloads.command(next(self._ids), self.person(user), place, command, **values)

    async def do(self, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Interact, and retry while the bot answers that it is busy or restarting.

        If the first try had come to a process that died, it may have been stored; then
        the answer is marked as `doubtful`, and a person would look at the board.
        """
        doubtful = False
        while True:
            arrival = self.fake.arrival
            payload = make()
            answer = await self._ask(payload)
            if not tells(answer, *TRY_AGAIN):
                return answer | {"doubtful": doubtful}
            self.report.turned_away += 1
            doubtful |= payload["id"] in self._again
            if tells(answer, BACK_SOON):
                await asyncio.wait({arrival})

    async def _ask(self, payload: dict[str, Any]) -> dict[str, Any]:
        """Send an interaction until it is answered: again after each start, sometimes twice."""
        answered = self.fake.answer(int(payload["id"]))
        while not answered.done():
            arrival = self.fake.arrival
            if await self.fake.interact(payload) and self.random.random() < 0.1:
                await self.fake.interact(payload)
                self.report.delivered_again += 1
            either: set[asyncio.Future[Any]] = {answered, arrival}
            await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
            if not answered.done():
                self.report.delivered_again += 1
                self._again.add(payload["id"])
        return answered.result()

    async def _meddle(self) -> None:
        """Now and then, close a thread in one of three ways, or a whole channel."""
        fake = self.fake
        open_threads = fake.threads.keys() - fake.silenced - fake.locked - fake.deleted
        if not open_threads or self.random.random() > MEDDLE:
            return
        thread = self.random.choice(sorted(open_threads))
        way = self.random.choice(("silenced", "locked", "deleted", "channel"))
        if way == "silenced":
            fake.silenced.add(thread)
        elif way == "locked":
            fake.lock_thread(thread)
        elif way == "deleted":
            await fake.delete_thread(thread)
        elif (parent := int(fake.threads[thread]["parent_id"])) != FORUM:
            fake.silenced |= {thread, parent}
            for table in self.tables:
                if table.place.channel_id in fake.silenced:
                    table.leave_channel()
        self.report.done[f"{way} closed" if way == "channel" else f"threads {way}"] += 1

    # Lives

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
        return born(*where, self.ahead, shard, self._shards, DAY_SECONDS)

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
        assert self.audit_log.due() == 0

    async def _last_life(self, people: list[asyncio.Task[None]]) -> None:
        """End all play; the bot sends what is left and is told to stop."""
        self.over.set()
        self.ahead += 4000.0
        process = self._born()
        async with asyncio.timeout(TIMEOUT_SECONDS):
            await asyncio.gather(*people)
        daily = DailyAudit(self)
        await self._until(process, lambda: not self.audit_log.waiting() and daily.is_settled())
        process.terminate()
        await asyncio.to_thread(process.join, TIMEOUT_SECONDS)
        assert process.exitcode == 0
