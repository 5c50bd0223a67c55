"""People who play while the bot is killed again and again, and what must be true in the end.

Each table is two people with a channel who challenge, accept, play at random and resign. What is
not answered is sent again after the next start, as a person would click again; some of it comes
twice, and some decisions are clicked in two ways at once. The clock leaps between lives, so that
leases end and Discord forgets its nonces.
"""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import sqlite3
import time
from abc import ABC, abstractmethod
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field, fields
from functools import partial
from itertools import count
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from random import Random
from typing import Any

from bot.delivery import BACK_OFF, Parcel
from bot.presses import GO_ON
from bot.run import opened
from engine import games
from engine.game import Action
from engine.record import Record
from tests.bot.fake_discord import (
    CALM,
    GUILD,
    FakeDiscord,
    Posted,
    Trouble,
    dm,
    marks,
    texts,
    until,
)
from tests.bot.soak.worker import born

TROUBLE = Trouble(limited=0.04, bad_gateway=0.03, dropped=0.04)
LEAPS = (0.0, 0.0, 0.0, 20.0, 70.0, 200.0)
"""Seconds that may pass between two lives."""

CLOSE_THREAD = 0.3
"""How often a thread is closed between two lives."""

LONGEST_LIFE = 2.0
"""Seconds after which the bot is killed even if it has done little."""

PATIENCE = 2 * BACK_OFF[-1] + 30.0
"""Seconds until a test that waits gives up: a row whose attempts were cut off by kills pauses for
the longest time, and a leap of the clock does not shorten that."""

BACK_SOON = "back in a moment"
TRY_AGAIN = BACK_SOON, "I am busy just now", "cannot reach my memory", "Not so fast"

PLACED = r"\bplace [SMCA][0-5]\b"
"""A coin with its value, as the notation has it."""

INTERACTION_TOKEN = r"\bt\d{5,}\b"
"""The token of an interaction with the number that follows the t."""

ACCEPTED, SAID = 6, 4
"""Kinds of answers: a click that counts, a message."""

AUDIT = """
CREATE TABLE audit (number INTEGER PRIMARY KEY, match_id, target, kind, lines, parcel, what);
CREATE TRIGGER audited AFTER INSERT ON outbox BEGIN
    INSERT INTO audit (match_id, target, kind, lines, parcel, what)
    VALUES (NEW.match_id, NEW.target, NEW.kind, json_extract(NEW.what, '$.lines'), NEW.id,
            NEW.what);
END;
CREATE TABLE handled (number INTEGER PRIMARY KEY, match_id, parcel, attempts, holder, tried, lease,
                      note);
CREATE TRIGGER touched AFTER UPDATE ON outbox BEGIN
    INSERT INTO handled (match_id, parcel, attempts, holder, tried, lease, note)
    VALUES (NEW.match_id, NEW.id, NEW.attempts, NEW.holder, NEW.tried, NEW.lease, NEW.error);
END;
CREATE TRIGGER done AFTER DELETE ON outbox BEGIN
    INSERT INTO handled (match_id, parcel, attempts, holder, tried, note)
    VALUES (OLD.match_id, OLD.id, OLD.attempts, OLD.holder, OLD.tried, 'done');
END;
"""
"""What was ever to be sent, written in the transactions of the moves; and who has tried."""


WRONG = (
    "lost applied_twice unannounced announced_twice out_of_order wrong_boards errors_logged"
    " secrets_logged"
).split()


@dataclass
class Report:
    """What has happened, and what must not."""

    kills: int = 0
    ends: int = 0
    seconds: float = 0.0
    matches: int = 0
    acknowledged: int = 0
    delivered_again: int = 0
    turned_away: int = 0
    found_done: int = 0
    slowest_end: float = 0.0
    closed_threads: int = 0
    announcements: int = 0
    lost: int = 0
    applied_twice: int = 0
    unannounced: int = 0
    announced_twice: int = 0
    out_of_order: int = 0
    wrong_boards: int = 0
    errors_logged: int = 0
    secrets_logged: int = 0
    lines_logged: int = 0
    told: list[str] = field(default_factory=list, repr=False)
    faults: Counter[str] = field(default_factory=Counter)

    @property
    def wrong(self) -> dict[str, int]:
        """What went wrong, and how often."""
        return {name: getattr(self, name) for name in WRONG if getattr(self, name)}

    def __str__(self) -> str:
        parts = [
            f"{each.name.replace('_', ' ')} {getattr(self, each.name)}"
            for each in fields(self)
            if each.name != "told"
        ]
        return "\n".join([", ".join(parts).replace("Counter", ""), *self.told])


class Ledger(ABC):
    """A look into the database from outside, while the bot works on it.

    Args:
        url: of the database.
        log: the file in which the bot's errors are.
    """

    def __init__(self, url: str, log: Path) -> None:
        self.url = url
        self.log = log

    async def prepare(self) -> None:
        """Make the tables, and note from now on what is to be sent."""
        async with opened(self.url):
            pass
        self.audit()

    @abstractmethod
    def audit(self) -> None:
        """Note from now on what is to be sent."""

    @abstractmethod
    def rows(self, query: str, *values: object) -> list[Any]:
        """The rows of a query."""

    def waiting(self) -> int:
        """How much is still to be sent."""
        return int(self.rows("SELECT count(*) FROM outbox WHERE state = 'waiting'")[0][0])


class FileLedger(Ledger):
    """A look into a database file."""

    def __init__(self, path: Path) -> None:
        super().__init__(f"sqlite+aiosqlite:///{path}", path.with_suffix(".log"))
        self.path = path

    def audit(self) -> None:
        """See `Ledger`."""
        with closing(sqlite3.connect(self.path)) as connection:
            connection.executescript(AUDIT)

    def rows(self, query: str, *values: object) -> list[Any]:
        """See `Ledger`."""
        with closing(sqlite3.connect(f"file:{self.path}?mode=ro", uri=True)) as connection:
            return connection.execute(query, values).fetchall()


class World:
    """The fake Discord, the people, and the bot's lives.

    Args:
        ledger: of the database.
        random: decides all that is left to chance.
        tables: how many matches go on at once.
        shards: into how many shards they are dealt out.
    """

    def __init__(self, ledger: Ledger, random: Random, tables: int = 6, shards: int = 1) -> None:
        self.random = random
        self.ahead = 0.0
        self.fake = FakeDiscord(lambda: time.time() + self.ahead, Random(random.random()))
        self.ledger = ledger
        self.report = Report()
        self.acknowledged: dict[int, list[str]] = {}
        self.over = asyncio.Event()
        self._again: set[str] = set()
        self._ids = count(10_000)
        self._tables = tables
        self._shards = shards

    async def run(self, kills: int, ends: tuple[signal.Signals, ...] = ()) -> Report:
        """Play, kill so many times, end with these signals, let the rest be sent, and check."""
        begin = time.perf_counter()
        await self.ledger.prepare()
        async with self.fake.open():
            people = [asyncio.create_task(self._play(number)) for number in range(self._tables)]
            self.fake.trouble = TROUBLE
            while self.report.kills < kills:
                self._close_a_thread()
                await self._life()
                for each in people:
                    if each.done():
                        each.result()
            self.fake.trouble = CALM
            for way in ends:
                await self._told_to_stop(way)
            await self._last_life(people)
        self.report.faults = Counter(self.fake.faults)
        self.report.seconds = round(time.perf_counter() - begin, 1)
        self._check()
        return self.report

    def _close_a_thread(self) -> None:
        """Now and then, forbid the bot to write in the thread of some match from now on."""
        writable = sorted(self.fake.threads.keys() - self.fake.silenced)
        if writable and self.random.random() < CLOSE_THREAD:
            self.fake.silenced.add(self.random.choice(writable))
            self.report.closed_threads += 1

    async def _life(self) -> None:
        """A start and a SIGKILL: in the start, or after some requests and a moment more."""
        self.ahead += self.random.choice(LEAPS)
        enough = self.fake.requests + self.random.randrange(25)
        process = self._born()
        if self.random.random() > 0.1:
            await asyncio.wait_for(asyncio.shield(self.fake.arrival), PATIENCE)
            await self._work(enough)
        await asyncio.sleep(self.random.uniform(0, 0.05))
        process.kill()
        await asyncio.to_thread(process.join)
        self.report.kills += 1

    async def _work(self, enough: int) -> None:
        """Let the bot work until it has made so many requests, but not for long."""
        with suppress(TimeoutError):
            async with asyncio.timeout(LONGEST_LIFE):
                await until(lambda: self.fake.requests >= enough)

    def _born(self, shard: int = 0) -> ForkServerProcess:
        """A process for a shard."""
        where = self.fake.port, self.ledger.url, self.ledger.log
        return born(*where, self.ahead, shard, self._shards)

    async def _told_to_stop(self, way: signal.Signals) -> None:
        """A life that ends in the middle of play, by a signal that lets the bot finish."""
        enough = self.fake.requests + 60
        process = self._born()
        async with asyncio.timeout(PATIENCE):
            await until(lambda: self.fake.requests >= enough)
        begin = time.perf_counter()
        os.kill(process.pid or 0, way)
        await asyncio.to_thread(process.join, PATIENCE)
        self.report.slowest_end = max(self.report.slowest_end, time.perf_counter() - begin)
        assert process.exitcode == 0
        assert self.ledger.waiting() == 0

    async def _last_life(self, people: list[asyncio.Task[None]]) -> None:
        """Everybody ends; the bot sends what is left and is told to stop."""
        self.over.set()
        self.ahead += 4000.0
        process = self._born()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*people)
            await until(lambda: not self.ledger.waiting())
        process.terminate()
        await asyncio.to_thread(process.join, PATIENCE)
        assert process.exitcode == 0

    async def _play(self, table: int) -> None:
        """Two people at a table, match after match."""
        users = 100 + 2 * table, 101 + 2 * table
        while not self.over.is_set():
            answer = await self._do(partial(self._command, users, 5000 + table))
            found = re.search(r"Match (\d+)", _said(answer))
            assert found, answer
            match = int(found[1])
            self.acknowledged[match] = []
            await until(partial(self._offered, f"accept:{match}"))
            await self._do(partial(self._click, users[1], 5000 + table, f"accept:{match}"))
            for _ in range(self.random.randrange(5, 40)):
                await self._choose(match, 5000 + table)
                if self.over.is_set():
                    break
            await self._resign(match, users[0], 5000 + table)

    def _offered(self, button: str) -> bool:
        """Whether there is a message with this button among the newest."""
        return any(button in each.marks for each in self.fake.posted[-99:])

    async def _choose(self, match: int, channel: int) -> None:
        """Make one random choice, perhaps in two ways at once."""
        row = self.ledger.rows("SELECT game, position, decisions FROM matches WHERE id=?", match)
        name, position, decisions = row[0]
        game = games.get(name)
        state = game.load(position)
        legal = game.legal(state)
        seat = game.pending(state)
        if not legal:
            return
        (user,) = self.ledger.rows(
            "SELECT user_id FROM seats WHERE match_id=? AND seat=?", match, seat
        )[0]
        version = json.loads(decisions)[seat]
        ways = self.random.sample(legal, 2 if self.random.random() < 0.1 and legal[1:] else 1)
        lines = [_line(action) for action in ways]
        ids = [f"act:{match}:{version}:{each}" for each in lines]
        clicks = [partial(self._click, user, channel, custom_id) for custom_id in ids]
        answers = await asyncio.gather(*map(self._do, clicks))
        for line, answer in zip(lines, answers, strict=True):
            if _accepted(answer) or self._seen(match, line, answer):
                self.acknowledged[match].append(line)

    async def _resign(self, match: int, user: int, channel: int) -> None:
        ((version,),) = self.ledger.rows("SELECT version FROM matches WHERE id=?", match)
        answer = await self._do(partial(self._click, user, channel, f"resign:{match}:{version}"))
        if "You have resigned" in _said(answer) or self._seen(match, "resign", answer):
            self.acknowledged[match].append("resign")

    def _seen(self, match: int, line: str, answer: dict[str, Any]) -> bool:
        """Whether somebody who was told to try again finds that the choice has counted already."""
        logged = self.ledger.rows("SELECT line FROM actions WHERE match_id=?", match)
        own = Counter(each.partition(" ")[2] for (each,) in logged if not each.startswith("*"))
        found = answer["doubtful"] and own[line] > self.acknowledged[match].count(line)
        self.report.found_done += found
        return bool(found)

    async def _do(self, make: Callable[[], dict[str, Any]]) -> dict[str, Any]:
        """Interact, and again as long as the bot says that it is busy or back in a moment.

        If the first try had come to a process that died, it can have counted all the same; then
        the answer is marked as `doubtful`, and a person would look at the board.
        """
        doubtful = False
        while True:
            arrival = self.fake.arrival
            payload = make()
            answer = await self._ask(payload)
            if not any(word in _said(answer) for word in TRY_AGAIN):
                return answer | {"doubtful": doubtful}
            self.report.turned_away += 1
            doubtful |= payload["id"] in self._again
            if BACK_SOON in _said(answer):
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

    def _click(self, user: int, channel: int, custom_id: str) -> dict[str, Any]:
        data: dict[str, Any] = {"custom_id": custom_id, "component_type": 2}
        said: dict[str, Any] = {
            "id": "1",
            "channel_id": str(channel),
            "author": _person(user),
            "content": "",
        }
        said |= {"timestamp": "2026-01-01T00:00:00+00:00", "edited_timestamp": None, "type": 0}
        said |= {"attachments": [], "embeds": [], "components": [], "flags": 0, "pinned": False}
        said |= {"tts": False, "mention_everyone": False, "mentions": [], "mention_roles": []}
        return self._interaction(3, user, channel) | {"data": data, "message": said}

    def _command(self, users: tuple[int, int], channel: int) -> dict[str, Any]:
        """`/play opponent:`."""
        rival = str(users[1])
        option = {"name": "opponent", "type": 6, "value": rival}
        resolved = {"users": {rival: _person(users[1])}}
        data: dict[str, Any] = {
            "id": "9",
            "name": "play",
            "type": 1,
            "options": [option],
            "resolved": resolved,
        }
        return self._interaction(2, users[0], channel) | {"data": data}

    def _interaction(self, kind: int, user: int, channel: int) -> dict[str, Any]:
        number = next(self._ids)
        everything = str((1 << 53) - 1)
        guild = str(GUILD + (channel % self._shards << 22))
        member: dict[str, Any] = {
            "user": _person(user),
            "roles": [],
            "joined_at": None,
            "deaf": False,
        }
        member |= {"mute": False, "flags": 0, "permissions": everything}
        where: dict[str, Any] = {
            "id": str(channel),
            "type": 0,
            "name": "games",
            "guild_id": guild,
        }
        where |= {"position": 0, "permission_overwrites": [], "permissions": everything}
        about: dict[str, Any] = {
            "id": str(number),
            "application_id": "1",
            "type": kind,
            "token": f"t{number}",
        }
        about |= {"version": 1, "attachment_size_limit": 1, "guild_id": guild}
        about |= {"guild": {"id": guild, "features": [], "locale": "en-US"}}
        return about | {"channel": where, "member": member, "app_permissions": everything}

    def _check(self) -> None:
        """Compare what was acknowledged, what is in the database and what stands on Discord."""
        report = self.report
        report.matches = len(self.acknowledged)
        report.acknowledged = sum(map(len, self.acknowledged.values()))
        for match, acknowledged in self.acknowledged.items():
            logged = self.ledger.rows(
                "SELECT line FROM actions WHERE match_id=? ORDER BY number", match
            )
            own = [line.partition(" ")[2] for (line,) in logged if not line.startswith("*")]
            report.lost += sum((Counter(acknowledged) - Counter(own)).values())
            report.applied_twice += sum((Counter(own) - Counter(acknowledged)).values())
            report.out_of_order += own != acknowledged
            self._check_board(match, [line for (line,) in logged])
        self._check_announcements()
        self._check_log()

    def _check_log(self) -> None:
        """Nothing was an error, and nothing that is secret was ever logged, chatty as it was."""
        log = self.ledger.log.read_text(encoding="utf-8")
        self.report.lines_logged = log.count("\n")
        self.report.errors_logged = len(re.findall('"level": "(ERROR|CRITICAL)"', log))
        seeds = self.ledger.rows("SELECT seed FROM matches")
        secrets = [form for (seed,) in seeds for form in (seed.hex(), repr(seed)[2:-1])]
        self.report.secrets_logged = sum(map(log.count, (*secrets, "canary")))
        self.report.secrets_logged += len(re.findall(rf"{PLACED}|{INTERACTION_TOKEN}", log))

    def _check_board(self, match: int, lines: list[str]) -> None:
        """The stored position is what the log leads to; the newest notice shows it, no other."""
        query = "SELECT game, rules, position, channel_id FROM matches WHERE id=?"
        ((name, rules, position, channel),) = self.ledger.rows(query, match)
        record = Record({"Game": name, "Rules": rules}, tuple(map(Action.parse, lines)))
        self.report.wrong_boards += games.get(name).dump(record.replay().state) != position
        everywhere = {
            number: (place, marks(each["components"]))
            for place, messages in self.fake.channels.items()
            for number, each in messages.items()
        }
        told = [e for _, e in sorted(everywhere.items()) if _moments(e[1], match)]
        about = [shown for _, shown in told]
        self.report.wrong_boards += any(place != channel for place, _ in told[-1:])
        self.report.unannounced += not about or _moments(about[-1], match) != [len(lines)]
        live = [
            each for each in about if any(m.startswith((f"act:{match}:", "menu:")) for m in each)
        ]
        self.report.wrong_boards += any(each is not about[-1] for each in live)

    def _check_announcements(self) -> None:
        """Everything that was to be sent has been sent once, each match in order."""
        seen: defaultdict[tuple[int, int], list[Posted]] = defaultdict(list)
        for each in self.fake.posted:
            for match in self.acknowledged:
                for moment in _moments(each.marks, match):
                    seen[match, moment].append(each)
        wanted = self.ledger.rows("SELECT match_id, target, kind, lines FROM audit")
        turns = {(match, lines) for match, _, kind, lines in wanted if kind in ("turn", "end")}
        hands = {(match, int(target[5:])) for match, target, kind, _ in wanted if kind == "hand"}
        for match, user in hands:
            said = [each for each in self.fake.posted if each.channel == dm(user)]
            seen[match, -user] = [e for e in said if f"#{match}**" in " ".join(e.marks)]
        for match in self.acknowledged:
            offers = f"accept:{match}"
            seen[match, -1] = [each for each in self.fake.posted if offers in each.marks]
        expected = turns | {(match, -user) for match, user in hands}
        expected |= {(match, -1) for match in self.acknowledged}
        self.report.announcements = len(expected)
        self.report.unannounced += sum(not seen[each] for each in expected)
        for (match, what), posts in seen.items():
            if posts[1:]:
                self.report.announced_twice += 1
                self.report.told += self._tell_of(match, what, posts)
        for match in self.acknowledged:
            order = [m for each in self.fake.posted for m in _moments(each.marks, match)]
            self.report.out_of_order += order != sorted(order)

    def _tell_of(self, match: int, what: int, posts: list[Posted]) -> Iterator[str]:
        """All that is known of something that was announced twice: messages, parcels, attempts."""
        yield f"match {match}, {what} was announced {len(posts)} times:"
        query = "SELECT parcel, target, kind, what FROM audit WHERE match_id=? ORDER BY number"
        rows = self.ledger.rows(query, match)
        parcels = [Parcel(n, match, to, kind, json.loads(o), 0, 0.0) for n, to, kind, o in rows]
        for post in posts:
            yield f"  message {post.id} in {post.channel}, nonce {post.nonce}"
            for each in parcels:
                if each.nonce(post.channel) == post.nonce:
                    yield from self._tell_of_parcel(each)
        nonces = {post.nonce for post in posts}
        first, last = posts[0], posts[-1]
        for asked in self.fake.asked:
            look = asked.channel == first.channel and first.at <= asked.at <= last.at
            if asked.nonce in nonces or (look and not asked.nonce):
                yield f"  {asked}"

    def _tell_of_parcel(self, parcel: Parcel) -> Iterator[str]:
        yield f"    parcel {parcel.id} for {parcel.target}: {parcel.kind} {parcel.what}"
        query = (
            "SELECT attempts, holder, tried, lease, note FROM handled"
            " WHERE match_id=? AND parcel=? ORDER BY number"
        )
        for attempts, holder, tried, lease, note in self.ledger.rows(
            query, parcel.match_id, parcel.id
        ):
            yield (
                f"      attempt {attempts} by {holder}, first at {tried},"
                f" lease until {lease}: {note}"
            )


def _moments(found: Any, match: int) -> list[int]:
    """The moments of a match that these marks tell of."""
    start = f"text:{match}:"
    return [int(each.removeprefix(start)) for each in found if each.startswith(start)]


def _accepted(answer: dict[str, Any]) -> bool:
    """Whether a click has counted: it is answered with nothing, or with what is next to choose."""
    said = _said(answer)
    return answer["type"] == ACCEPTED or GO_ON in said or "could not be shown" in said


def _said(answer: dict[str, Any]) -> str:
    """All text of an answer; none if it only takes note of a click."""
    return " ".join(texts(answer.get("data", {}).get("components", [])))


def _person(user: int) -> dict[str, Any]:
    return {
        "id": str(user),
        "username": f"user{user}",
        "discriminator": "0",
        "avatar": None,
        "global_name": f"User {user}",
    }


def _line(action: Action) -> str:
    return " ".join((action.verb, *action.args))
