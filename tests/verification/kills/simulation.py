"""People who play matches at tables of two, and the fake Discord on which they do so.

They challenge, accept, play at random, and do all that people do meanwhile
(`tests.verification.kills.people`). Unanswered interactions are sent again after the next start of
the bot, as a person would click again; some come twice. Threads and channels are closed.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from itertools import count
from random import Random
from types import CoroutineType
from typing import Any

from bot.outbox.worker import ATTEMPT_TIMEOUT_SECONDS
from tests.support.fake_discord import MISSING_PERMISSIONS, FakeDiscord
from tests.support.fake_objects import GUILD, dm
from tests.verification.kills import payloads
from tests.verification.kills.absences import Absences
from tests.verification.kills.audit import Audit
from tests.verification.kills.audit_log import AuditLog
from tests.verification.kills.clock_model import Clocks
from tests.verification.kills.daily import choose_square
from tests.verification.kills.expected import Expected
from tests.verification.kills.forum_settings import change_forum
from tests.verification.kills.halls import FORUM, choose_halls, open_halls
from tests.verification.kills.notes import WrittenNotes
from tests.verification.kills.payloads import BACK_SOON, TRY_AGAIN, Person, Place, tells
from tests.verification.kills.people import PAIR, play
from tests.verification.kills.published_plans import PlansAfterMatches
from tests.verification.kills.ranks import choose_ranks
from tests.verification.kills.ratings import RatingAudit
from tests.verification.kills.report import Report
from tests.verification.kills.solo import SOLO
from tests.verification.kills.table import Table
from tests.verification.kills.wall_clock import WallClock

MEDDLE = 0.4
"""Probability that a thread or channel is closed between two lives; the same for deleted boards."""

WAYS = (
    *("threads silenced", "threads locked", "threads deleted"),
    *("channels silenced", "channels deleted"),
)
"""Ways of closing threads and channels: the bot may not write there, only moderators may, or they
are gone."""

REFUSALS = (
    *(MISSING_PERMISSIONS, MISSING_PERMISSIONS),
    *((400, 200000), (400, 240000), (400, 50035), (400, 50007), (413, 40005)),
)
"""How messages are refused where the bot may not write: for want of a permission, by AutoMod, as
invalid or as too large."""

ALLOWED_AGAIN = 0.2
"""Probability that a closed place is opened to the bot again."""

RECENT = 30
"""A message is deleted if it is among so many of the latest."""

SOLO_TABLES = 4
"""Number of further tables, which play against the computer."""

GRACE = ATTEMPT_TIMEOUT_SECONDS
"""Seconds after a deletion in which an attempt that began before it may repeat its request."""


class Simulation:
    """The fake Discord, and the people who use the bot.

    Args:
        random: decides all that is left to chance.
        tables: how many matches between people go on at once.
        shards: into how many shards they are dealt out.
        day: seconds of a day for clocks, reminders and vacations; also an attribute.
        solo: how many more tables play against the computer.

    Attributes:
        ids: numbers of the next interactions; the bot takes a number it knows for a repeat.
        people: those at the tables, once they have started.
        blocking: users who block the bot.
        unreachable: users who got no DMs at some time.
        wall: the clock of the bot's machine; in a simulation that does not set it, the true time.
    """

    discord: type[FakeDiscord] = FakeDiscord

    def __init__(
        self,
        audit_log: AuditLog,
        random: Random,
        tables: int = 6,
        shards: int = 1,
        *,
        day: float,
        solo: int = SOLO_TABLES,
    ) -> None:
        self.random = random
        self.day = day
        self.ahead = 0.0
        self.wall = WallClock(self.now)
        self.fake = self.discord(self.now, Random(random.random()))
        self.audit_log = audit_log
        self.report = Report()
        self.expected: dict[int, Expected] = {}
        self.over = asyncio.Event()
        self.clocks = Clocks(audit_log, self.report, self.wall, shards, day)
        self.absences = Absences(audit_log, self.report, self.now, day)
        self.ratings = RatingAudit(self)
        self.notes = WrittenNotes()
        self.plans = PlansAfterMatches()
        self.forgotten: set[str] = set()
        self.erased: set[int] = set()
        self.blocking: set[int] = set()
        self.unreachable: set[int] = set()
        self._names: dict[int, int] = {}
        self._renamed = Counter[int]()
        self._again: set[str] = set()
        self.ids = count(10_000)
        servers = [GUILD + (number << 22) for number in range(max(2, shards))]
        self.fake.servers = [
            payloads.server(guild_id, "de" if place % 2 else "en-US")
            for place, guild_id in enumerate(servers)
        ]
        open_halls(self)
        self.people: list[asyncio.Task[None]] = []
        self._routines = [PAIR] * tables + [SOLO] * solo
        self.tables = [
            Table(self, number, servers[number % len(servers)])
            for number in range(len(self._routines))
        ]
        for number, table in enumerate(self.tables):
            for user in table.users[: (0, 1, 0, 2)[number % 4]]:
                self.close_dms(user)

    def now(self) -> float:
        """Return the time in this simulation."""
        return time.time() + self.ahead

    async def prepare(self) -> None:
        """Create the database, with what servers have chosen."""
        await self.audit_log.prepare()
        await choose_halls(self)
        await choose_square(self)
        await choose_ranks(self)

    def start_people(self) -> None:
        """Have people play until it is over; the fake Discord must be open."""
        self.people = [
            asyncio.create_task(play(table, routine))
            for table, routine in zip(self.tables, self._routines, strict=True)
        ]

    def end_play(self) -> None:
        """Have people stop, and end slow mode: the remaining messages would take minutes."""
        self.over.set()
        self.fake.slow.clear()

    async def finish_play(self, timeout_seconds: float) -> None:
        """Wait until people have finished what they were doing, and raise their errors.

        Raises:
            AssertionError: some take too long; it says where they wait.
        """
        _, waiting = await asyncio.wait(self.people, timeout=timeout_seconds)
        assert not waiting, "\n".join(map(_where, waiting))
        await asyncio.gather(*self.people)

    def compare(self) -> None:
        """Compare clocks, vacations and ratings, and raise the errors of people's tasks."""
        self.clocks.compare()
        self.absences.compare()
        self.ratings.compare()
        for person in self.people:
            if person.done():
                person.result()

    def check(self) -> Report:
        """Return the report, with all that is wrong in the end."""
        self.report.faults = Counter(self.fake.faults)
        self.ratings.compare()
        Audit(self).check()
        return self.report

    def open_channel(self, guild_id: int, channel: int) -> None:
        """Have a channel that all members of a server see; the gateway tells at the next start."""
        fake = self.fake
        if channel not in fake.hidden:
            fake.homes[channel], fake.hidden[channel] = guild_id, set()
            fake.text_channels |= {channel} - fake.forums.keys()
            server = next(guild for guild in fake.servers if int(guild["id"]) == guild_id)
            server["channels"].append(fake.described(channel))

    # People

    def person(self, user: int) -> Person:
        """Return a user; who was deleted comes back under another name. A third are German."""
        return Person(user, self._names_of(user)[-1], payloads.locale_of(user))

    def close_dms(self, user: int) -> None:
        """Have a user block the bot, which reaches them by no DM."""
        self.blocking.add(user)
        self.unreachable.add(user)
        self.fake.refusals[dm(user)] = (403, 50007)

    def open_dms(self, user: int) -> None:
        """Have a user unblock the bot."""
        self.blocking.discard(user)
        self.fake.refusals.pop(dm(user), None)

    def leave_server(self, user: int) -> None:
        """Have a user leave all servers: who shares none with the bot gets no DMs."""
        self.unreachable.add(user)
        self.fake.leave_servers(user)
        self.fake.refusals[dm(user)] = (403, 50278)

    def come_back(self, user: int) -> None:
        """Have a user join the servers again."""
        self.fake.left.discard(user)
        if user in self.blocking:
            self.close_dms(user)
        else:
            self.open_dms(user)

    def rename(self, user: int) -> None:
        """Give a user another name."""
        self._renamed[user] += 1

    def _names_of(self, user: int) -> list[str]:
        """Return the names that a user has had since the last deletion of their data."""
        deletions = self._names.get(user, 0)
        return [
            payloads.name_of(user, deletions, renames) for renames in range(self._renamed[user] + 1)
        ]

    def forget(self, user: int) -> None:
        """Note that a user was deleted: their names must not be said any more."""
        self.absences.forget(user)
        self.notes.forget(user)
        self.plans.forget(user)
        names = self._names_of(user)
        self.forgotten.update(names)
        self.erased.add(user)
        self.fake.watched_words |= dict.fromkeys(names, time.monotonic() + GRACE)
        self._names[user] = self._names.get(user, 0) + 1
        del self._renamed[user]

    def click(self, user: int, place: Place | int, custom_id: str) -> dict[str, Any]:
        """Return a click on a button, in a place or a channel."""
        if isinstance(place, int):
            place = Place(self.fake.homes.get(place, GUILD), place)
        message = self.fake.message_with(custom_id)
        return payloads.click(next(self.ids), self.person(user), place, custom_id, message)

    def window(self, user: int, place: Place, custom_id: str, text: str) -> dict[str, Any]:
        """Return the interaction of a submitted form with a typed text."""
        return payloads.window(next(self.ids), self.person(user), place, custom_id, text)

    def form(
        self, user: int, place: Place, custom_id: str, fields: Mapping[str, Sequence[str]]
    ) -> dict[str, Any]:
        """Return the interaction of a submitted form with selected options."""
        return payloads.form(next(self.ids), self.person(user), place, custom_id, fields)

    def command(self, user: int, place: Place, name: str, /, **values: Any) -> dict[str, Any]:
        """Return a slash command."""
        command = name.replace("_", "-")
        return payloads.command(next(self.ids), self.person(user), place, command, **values)

    async def do(
        self, make: Callable[[], dict[str, Any]], *, at_once: bool = False
    ) -> dict[str, Any]:
        """Interact, and retry while the bot answers that it is busy or restarting.

        People cannot retry in a channel that has been deleted meanwhile. They take no time for it
        here, unless a subclass gives it to all that is not `at_once`.
        If the first try had come to a process that died, it may have been stored; then
        the answer is marked as `doubtful`, and a person would look at the board.
        """
        doubtful = False
        while True:
            arrival = self.fake.arrival
            payload = make()
            answer = await self._ask(payload)
            is_gone = int(payload["channel"]["id"]) in self.fake.deleted
            if is_gone or not tells(answer, *TRY_AGAIN):
                return answer | {"doubtful": doubtful}
            self.report.turned_away += 1
            doubtful |= payload["id"] in self._again
            if tells(answer, BACK_SOON):
                await asyncio.wait({arrival})

    async def wait(self, seconds: float) -> None:
        """Wait, but not longer than people play."""
        with suppress(TimeoutError):
            await asyncio.wait_for(self.over.wait(), seconds)

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

    async def meddle(self) -> None:
        """Now and then, close a thread or its channel in one of several ways; delete a message.

        A place in which the bot may not write is opened again later.
        """
        fake = self.fake
        self._remove_message()
        self._allow_again()
        if self.random.random() < MEDDLE:
            await change_forum(self)
        open_threads = fake.threads.keys() - fake.silenced - fake.locked - fake.deleted
        if not open_threads or self.random.random() > MEDDLE:
            return
        thread = self.random.choice(sorted(open_threads))
        parent = int(fake.threads[thread]["parent_id"])
        way = self.random.choice(WAYS)
        fake.refused_with |= dict.fromkeys((thread, parent), self.random.choice(REFUSALS))
        if way == "threads silenced":
            fake.silenced.add(thread)
        elif way == "threads locked":
            fake.lock_thread(thread)
        elif way == "threads deleted":
            await fake.delete_thread(thread)
        elif way == "channels silenced" and parent != FORUM:
            fake.silenced |= {thread, parent}
        elif way == "channels deleted" and any(parent in table.rooms for table in self.tables):
            await fake.delete_channel(parent)
        else:
            return
        self.report.done[way] += 1
        for table in self.tables:
            if table.place.channel_id in fake.silenced | fake.deleted:
                table.leave_channel()

    def _allow_again(self) -> None:
        """Let the bot write in a place in which it could not."""
        fake = self.fake
        if fake.silenced and self.random.random() < ALLOWED_AGAIN:
            place = self.random.choice(sorted(fake.silenced))
            fake.silenced.remove(place)
            fake.allowed_again.add(place)
            self.report.done["places allowed again"] += 1

    def _remove_message(self) -> None:
        """Delete a message where matches are played, as a moderator does."""
        fake = self.fake
        rooms = {room for table in self.tables for room in table.rooms}
        messages = [
            post
            for post in fake.posted[-RECENT:]
            if self._parent_of(post.channel) in rooms
            and post.channel not in fake.deleted
            and post.id in fake.channels.get(post.channel, {})
        ]
        if messages and self.random.random() < MEDDLE:
            post = self.random.choice(messages)
            fake.remove(post.channel, post.id)
            is_board = any(mark.startswith("text:") for mark in post.marks)
            self.report.done["boards deleted" if is_board else "other messages deleted"] += 1

    def _parent_of(self, channel: int) -> int:
        """Return the channel of a thread, or a channel itself."""
        return int(self.fake.threads.get(channel, {}).get("parent_id", channel))


def _where(task: asyncio.Task[None]) -> str:
    """Return the functions in which a task waits, with the match and the request."""
    places = list[str]()
    coroutine: object = task.get_coro()
    while isinstance(coroutine, CoroutineType) and coroutine.cr_frame:
        values, line = coroutine.cr_frame.f_locals, coroutine.cr_frame.f_lineno
        payload = values.get("payload", {})
        about = values.get("match", ""), payload.get("id", ""), payload.get("data", "")
        places.append(f"{coroutine.__qualname__}:{line} {' '.join(map(str, filter(None, about)))}")
        coroutine = coroutine.cr_await
    return " > ".join(places)
