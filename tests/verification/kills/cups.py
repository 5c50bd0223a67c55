"""People who play cups on a server of their own, and kills meanwhile."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator, Mapping, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from itertools import count
from multiprocessing.context import ForkServerProcess
from random import Random
from typing import Any, NamedTuple

from bot.app.run import open_database
from bot.domain.outbox import mark_of
from bot.features.cups.due_posts import ANNOUNCEMENTS
from bot.features.cups.formats import MIN_ENTRANTS, CupFormat
from bot.features.cups.rows import Cup, CupStatus, StoredEntrant, load_cup
from bot.features.cups.season_view import DIVISIONS
from tests.support.fake_discord import POLL_SECONDS, until
from tests.support.fake_objects import GUILD, texts
from tests.verification.kills import payloads
from tests.verification.kills.audit_log import AuditLog
from tests.verification.kills.cup_clocks import CupClocks, LastDay
from tests.verification.kills.kills import Kills
from tests.verification.kills.payloads import DEFERRED, Place, Value, tells
from tests.verification.kills.report import Report
from tests.verification.kills.simulation import Simulation
from tools.cups.checks import check

SERVER = GUILD + (7 << 22)

CHANNELS = count(900_000)
"""Each cup has a channel of its own, and no table gets there by leaving closed channels."""

ORGANISER, PLAYERS, SUBSTITUTES = 300, range(301, 306), range(306, 309)

MANY_PLAYERS = (*PLAYERS, *range(311, 315))
"""Enough players for three groups of a season."""

FIRST_ORGANISER, ORGANISERS = 320, 20
"""Those who open cups by turns; anyone on the server may organise them."""

JOINED = "You're in: **{cup}**. Your matches start automatically with it."
GIVEN_UP = "Done: the place in **{cup}** is given up."
RESIGNED = "You've resigned {game} #{match}."

RATED = 0.5
"""Probability that the matches of a cup are rated."""

FORMER = "Former member"
"""The name in posts of a player who has left the server."""

OFFERED = "offered"
"""Note about a player who has offered their place to a substitute."""

LEFT = "left"
"""Note about a player who has left the server, which ends sign-ups."""

TAKEN_OVER = 0.7
"""Probability that the substitute takes the place over."""

DATED = 0.5
"""Probability that a cup has a last day; the same for an automatic start."""

REPEATED = 0.2
"""Probability that a cup repeats each month; it has no last day then."""

NO_VACATIONS = 0.3
"""Probability that the clocks of a cup do not stop for vacations."""

NEXT_SEASON = """
SELECT next.id FROM cups JOIN cups AS next
ON next.league_id = cups.league_id AND next.season = cups.season + 1
WHERE cups.id=? AND next.status=? ORDER BY next.id
"""
"""The cups of the next season with a status."""

GROUPS = """
SELECT other.id FROM cups JOIN cups AS other
ON other.id = cups.id OR other.league_id = cups.league_id AND other.season = cups.season
WHERE cups.id=? ORDER BY other.id
"""
"""A cup, and the cups of the other groups of its season."""

NEXT_DUE = """
SELECT min(due) FROM (
    SELECT opens_at AS due FROM leagues UNION ALL
    SELECT starts_at FROM cups WHERE status='sign_up'
) WHERE due > ?
"""
"""When the next season opens, or the next cup begins."""

COUNTED = {
    "cups: seasons opened": "SELECT count(*) FROM cups WHERE season > 1 AND division = 1",
    "cups: groups of first seasons": "SELECT count(*) FROM cups WHERE season = 1 AND division > 1",
    "cups: groups of later seasons": "SELECT count(*) FROM cups WHERE season > 1 AND division > 1",
}
"""What a report counts of seasons, and of their groups other than the best → its query."""

SEASONS = "SELECT id, status FROM cups WHERE league_id IS NOT NULL"

START_SECONDS, LONGEST_LEAP = 5.0, 100.0
"""Seconds that the start of the bot may take, and those that may pass without being an outage."""

EARLY = 0.5
"""Probability that the bot is killed within a heartbeat of the moment, whatever it has done."""

LAST_DAYS, FIRST_DAYS = (1.5, 4.0), (0.1, 0.6)
"""Days after which the last day of a cup is over, and after which it begins by itself."""

MOST_STARTS = 5
"""Maximum number of attempts to start, because players have left before it."""

MOST_REQUESTS = 50
"""Most requests to Discord in a life."""

DEEDS = {
    "resign": 12,
    "withdraw": 1,
    "replace": 3,
    "cancel": 1,
    "mine": 2,
    "status": 2,
    "wait": 3,
    "go": 3,
    "confirm": 4,
}
"""Deed of people while a cup is running → its weight."""


Done = tuple[int, int, str]
"""An acknowledged deed: cup or match, user, and kind."""


class Habits(NamedTuple):
    """The cups that people play, and what they do in them.

    Attributes:
        repeated: probability that a cup repeats each month.
        deeds: what they do → its weight.
        players: those who may sign up.
        least: minimum number of players who do.
        divisions: maximum numbers of groups of a season.
    """

    repeated: float = REPEATED
    deeds: Mapping[str, int] = DEEDS
    players: Sequence[int] = PLAYERS
    least: int = MIN_ENTRANTS
    divisions: Sequence[str] = tuple(DIVISIONS.values())


IN_SEASONS = Habits(1.0, DEEDS | {"cancel": 0, "resign": 2})

IN_GROUPS = Habits(
    1.0,
    DEEDS | {"cancel": 0, "resign": 2, "confirm": 60},
    MANY_PLAYERS,
    2 * MIN_ENTRANTS,
    ("2", "3"),
)
"""Most players confirm, so that the next season has several groups as well."""


class CupKills(Kills):
    """Kills while some people play matches, and others one cup after the other."""

    heartbeat_seconds = 2.0  # posts wait for boards that they link, until the next heartbeat

    habits = Habits()

    def __init__(self, audit_log: AuditLog, random: Random, tables: int = 2) -> None:
        super().__init__(audit_log, random, tables=tables, solo=0)
        self._done = list[Done]()
        open_server(self)

    async def run(self, kills: int, ends: Any = ()) -> Report:
        """See `Kills`; at the end, cups are checked, too."""
        report = await super().run(kills, ends)
        await CupAudit(self, self._done, self.audit_log.url).check()
        return report

    def start_people(self) -> None:
        """See `Simulation`."""
        super().start_people()
        party = CupParty(self, self._done, habits=self.habits)
        self.people.append(asyncio.create_task(party.play()))

    def _enough(self) -> int:
        return self.fake.requests + self.random.randrange(MOST_REQUESTS)


class SeasonKills(CupKills):
    """Kills at the moment when a season opens the sign-up for the next one, or that one begins."""

    habits = IN_SEASONS

    def __init__(self, audit_log: AuditLog, random: Random) -> None:
        super().__init__(audit_log, random, tables=1)
        self._due: float | None = None

    async def run(self, kills: int, ends: Any = ()) -> Report:
        """See `CupKills`; seasons that were opened are counted."""
        report = await super().run(kills, ends)
        for what, query in COUNTED.items():
            ((report.done[what],),) = self.audit_log.rows(query)
        return report

    def _born(self, shard: int = 0) -> ForkServerProcess:
        """Start the bot shortly before a season opens or begins."""
        ((self._due,),) = self.audit_log.rows(NEXT_DUE, self.now())
        if self._due is not None:
            self.ahead += min(LONGEST_LEAP, max(0.0, self._due - self.now() - START_SECONDS))
        return super()._born(shard)

    async def _work(self, enough: int, *processes: ForkServerProcess) -> None:
        """Let the bot work until a season opens or begins, or is about to."""
        rows, due, before = self.audit_log.rows, self._due, self.audit_log.rows(SEASONS)
        if due is None or due > self.now() + 2 * START_SECONDS:
            await super()._work(enough, *processes)
            return
        is_early = self.random.random() < EARLY
        with suppress(TimeoutError):
            async with asyncio.timeout(4 * START_SECONDS):
                await until(lambda: self.now() >= due if is_early else rows(SEASONS) != before)
        await asyncio.sleep(self.random.uniform(0.0, self.heartbeat_seconds) * is_early)


class GroupKills(SeasonKills):
    """Kills at the moment when a season of several groups opens the next one, or begins."""

    habits = IN_GROUPS


def open_server(simulation: Simulation) -> None:
    """Have a server for cups on Discord."""
    simulation.fake.servers.append(payloads.server(SERVER, "en-US"))


class CupParty:
    """People who play one cup after the other.

    Args:
        done: to which is added what users were told is done.
        patience: seconds between two things that they do, at most.
        clocks: learn the last days of cups; None where no clock is set.
    """

    def __init__(
        self,
        simulation: Simulation,
        done: list[Done],
        patience: float = 0.0,
        clocks: CupClocks | None = None,
        *,
        habits: Habits = Habits(),  # noqa: B008 - it never changes
    ) -> None:
        self._simulation, self._random = simulation, simulation.random
        self._done, self._patience, self._clocks = done, patience, clocks
        self._habits = habits
        self._place = Place(SERVER, 0)

    async def play(self) -> None:
        """Play until the simulation is over."""
        while not self._is_over:
            cup_id = await self._begin()
            while cup_id and not self._is_over:
                while self._status(cup_id) == CupStatus.RUNNING and not self._is_over:
                    await self._simulation.wait(self._random.uniform(0.0, self._patience))
                    groups = [number for (number,) in self._rows(GROUPS, cup_id)]
                    await self._do_something(self._random.choice(groups))
                rows = self._rows(NEXT_SEASON, cup_id, CupStatus.RUNNING)
                cup_id = rows[0][0] if rows else 0
                if cup_id:
                    self._count("cups: next seasons")
            for user in self._habits.players:
                self._simulation.come_back(user)
            self._count("cups")

    async def _begin(self) -> int:
        """Open a cup, have all join, and start it, unless it starts by itself."""
        self._place = Place(SERVER, next(CHANNELS))
        self._simulation.open_channel(*self._place)
        cup_format = self._random.choice(list(CupFormat))
        series = 1 if cup_format == CupFormat.GROUPS else self._random.choice([1, 1, 2])
        options: Mapping[str, Value] = {
            "format": cup_format.value,
            "clock": self._random.choice(["1 day per turn", "1 day per turn", "3 days per turn"]),
            "series": series,
            "rated": self._random.random() < RATED,
        }
        cup_id, is_dated = await self._create(options)
        most, least = self._habits.players, self._habits.least
        players = self._random.sample(most, self._random.randint(least, len(most)))
        await self._join(cup_id, players)
        while is_dated and self._status(cup_id) == CupStatus.SIGN_UP and not self._is_over:
            await self._simulation.wait(self._simulation.day / 10)
        for _ in range(MOST_STARTS):
            await self._click(ORGANISER, f"cupstart:{cup_id}")
            if self._status(cup_id) != CupStatus.SIGN_UP:
                return cup_id
            await self._join(cup_id, players)
        raise AssertionError("the cup has not started")

    async def _join(self, cup_id: int, users: Sequence[int]) -> None:
        """Have users sign up who have not, or have left the server meanwhile."""
        query = "SELECT user_id FROM cup_entrants WHERE cup_id=?"
        for user in users:
            if (user,) not in self._rows(query, cup_id):
                await self._note(cup_id, user, "join", f"cupjoin:{cup_id}", JOINED)

    async def _create(self, options: Mapping[str, Value]) -> tuple[int, bool]:
        """Open a cup; return its number, and whether it starts by itself.

        It has no dates if the clock was set while they were typed.
        """
        day, typed_at = self._simulation.day, self._simulation.now()
        seconds = {
            "starts": self._random.uniform(*FIRST_DAYS) * day,
            "ends": self._random.uniform(*LAST_DAYS) * day,
        }
        seconds = {name: delay for name, delay in seconds.items() if self._random.random() < DATED}
        repeats = self._random.random() < self._habits.repeated
        if repeats:
            seconds.pop("ends", None)
        now = self._simulation.wall.now()
        dates = {name: f"<t:{now + delay:.0f}>" for name, delay in seconds.items()}
        if "starts" in dates and self._random.random() < DATED:
            seconds_later = now + seconds["starts"] + 60  # a time of the clock has full minutes
            dates["starts"] = f"{datetime.fromtimestamp(seconds_later, UTC):%H:%M}"
            self._count("cups: dates as people write them")
        values: dict[str, Value] = {"name": "Spring", "game": "warp6", **options}
        if self._random.random() < NO_VACATIONS:
            values["vacations"] = False
            self._count("cups: without vacations")
        if repeats:
            values["season"] = self._random.choice(self._habits.divisions)
            self._count("cups: seasons")
        # Seasons stay open, and an organiser may have only a few cups
        organiser = FIRST_ORGANISER + self._place.channel_id % ORGANISERS
        answer = await self._command(organiser, "create", **values, **dates)
        if not (cup_id := self._newest()):
            answer = await self._command(organiser, "create", **values)
            seconds, cup_id = {}, self._newest()
            self._count("cups: dates refused")
        assert cup_id, answer
        for name in seconds:
            self._count(f"cups: {name} by itself")
        if self._clocks and "ends" in seconds:
            self._clocks.typed(cup_id, LastDay(typed_at, seconds["ends"]))
        return cup_id, "starts" in seconds

    def _newest(self) -> int:
        """Return the cup of the current channel; 0 if there is none."""
        query = "SELECT max(id) FROM cups WHERE channel_id=?"
        ((cup_id,),) = self._rows(query, self._place.channel_id)
        return int(cup_id or 0)

    @property
    def _is_over(self) -> bool:
        """Whether the simulation is over."""
        return self._simulation.over.is_set()

    async def _do_something(self, cup_id: int) -> None:
        """Have a player do something in a running cup."""
        deeds = self._habits.deeds
        (deed,) = self._random.choices(list(deeds), list(deeds.values()))
        query = "SELECT user_id FROM cup_entrants WHERE cup_id=? AND withdrawn_at IS NULL"
        active = [user for (user,) in self._rows(f"{query} ORDER BY number", cup_id)]
        user = self._random.choice(active or [ORGANISER])
        if deed == "resign":
            await self._resign(cup_id)
        elif deed == "withdraw":
            await self._note(cup_id, user, deed, f"cupwithdraw:{cup_id}:{user}", GIVEN_UP)
        elif deed == "replace":
            await self._replace(cup_id, user)
        elif deed == "cancel":
            await self._click(ORGANISER, f"cupcancel:{cup_id}:1")
        elif deed == "mine":
            await self._click(user, f"cupmine:{cup_id}")
        elif deed == "status":
            await self._click(ORGANISER, f"cupstatus:{cup_id}")
        elif deed == "go":
            self._simulation.leave_server(user)
            self._done.append((cup_id, user, LEFT))
        elif deed == "confirm":
            await self._confirm(cup_id)
        else:
            await asyncio.sleep(POLL_SECONDS)
        self._count(f"cups: {deed}")

    async def _confirm(self, cup_id: int) -> None:
        """Have a player confirm a place in the next season, if its sign-up is open."""
        for (next_id,) in self._rows(NEXT_SEASON, cup_id, CupStatus.SIGN_UP):
            user = self._random.choice(self._habits.players)
            joined = "SELECT 1 FROM cup_entrants WHERE cup_id=? AND user_id=? AND joined_by<>0"
            if not self._rows(joined, next_id, user):
                await self._note(next_id, user, "join", f"cupjoin:{next_id}", JOINED)
                self._count("cups: places confirmed")

    async def _replace(self, cup_id: int, user: int) -> None:
        """Have a player offer the place to a substitute, who may take it over."""
        person = self._simulation.person(self._random.choice(SUBSTITUTES))
        await self._command(user, "replace", substitute=person, cup=cup_id)
        self._done.append((cup_id, user, OFFERED))
        if self._random.random() < TAKEN_OVER:
            await self._click(person.user_id, f"cupjoin:{cup_id}")

    async def _resign(self, cup_id: int) -> None:
        """Have a player resign a match."""
        query = (
            "SELECT match_id, seats.user_id, version FROM cup_pairings"
            " JOIN matches ON matches.id = match_id JOIN seats USING (match_id)"
            " WHERE cup_id=? AND cup_pairings.status='running' AND matches.status='running'"
            " ORDER BY match_id, seat"
        )
        if rows := self._rows(query, cup_id):
            match, user, version = self._random.choice(rows)
            answer = await self._click(user, f"resign:{match}:{version}")
            if tells(answer, RESIGNED):
                self._done.append((match, user, "resign"))

    async def _note(self, cup_id: int, user: int, deed: str, custom_id: str, sentence: str) -> None:
        """Click, and record the deed if it is acknowledged, ahead of deeds in the meantime."""
        place = len(self._done)
        answer = await self._click(user, custom_id)
        if answer["type"] == DEFERRED or tells(answer, sentence):
            self._done.insert(place, (cup_id, user, deed))

    async def _click(self, user: int, custom_id: str) -> dict[str, Any]:
        """Click, on the server: a user who has left it joins it again before."""
        self._simulation.come_back(user)
        return await self._simulation.do(
            lambda: self._simulation.click(user, self._place, custom_id)
        )

    async def _command(self, user: int, name: str, /, **values: Value) -> dict[str, Any]:
        """Type a command of `/cup`; see `_click`."""
        self._simulation.come_back(user)

        def make() -> dict[str, Any]:
            payload = self._simulation.command(user, self._place, "cup", **values)
            group = {"name": name, "type": 1, "options": payload["data"]["options"]}
            payload["data"]["options"] = [group]
            return payload

        return await self._simulation.do(make)

    def _status(self, cup_id: int) -> str:
        ((status,),) = self._rows("SELECT status FROM cups WHERE id=?", cup_id)
        return str(status)

    def _rows(self, query: str, *values: object) -> list[Any]:
        return self._simulation.audit_log.rows(query, *values)

    def _count(self, what: str) -> None:
        self._simulation.report.done[what] += 1


class CupAudit:
    """Compares what users were told with the cups that are stored, and these with their posts.

    Args:
        url: of the database, as the bot opens it.
    """

    def __init__(self, simulation: Simulation, done: Sequence[Done], url: str) -> None:
        self._simulation, self._done, self._url = simulation, done, url
        self._fake, self._audit_log = simulation.fake, simulation.audit_log

    async def check(self) -> None:
        """Report all faults."""
        async for fault in self._wrong():
            self._simulation.report.blame("wrong_cups", fault)

    async def _wrong(self) -> AsyncIterator[str]:
        """Yield all faults."""
        for fault in (*self._lost(), *self._stuck(), *self._wrong_seasons()):
            yield fault
        numbers = [number for (number,) in self._audit_log.rows("SELECT id FROM cups ORDER BY id")]
        async with open_database(self._url) as database:
            for number in numbers:
                async with database.read() as connection:
                    cup = await load_cup(connection, number)
                assert cup
                if cup.row.status == CupStatus.FINISHED:
                    self._simulation.report.done["cups finished"] += 1
                    try:
                        await check(database, cup)
                    except AssertionError as error:
                        yield f"cup {number}: {error}"
                for fault in self._wrong_posts(cup):
                    yield fault

    def _lost(self) -> Iterator[str]:
        """Yield deeds that were acknowledged, but not done."""
        queries = {
            "join": "SELECT 1 FROM cups JOIN cups AS other ON other.id = cups.id"
            " OR other.league_id = cups.league_id AND other.season = cups.season"
            " JOIN cup_entrants ON cup_id = other.id WHERE cups.id=? AND user_id=?",
            "withdraw": "SELECT 1 FROM cup_entrants WHERE cup_id=? AND user_id=?"
            " AND withdrawn_at IS NOT NULL",
            "resign": "SELECT 1 FROM actions WHERE match_id=? AND line LIKE '_ resign'"
            " AND EXISTS (SELECT 1 FROM seats WHERE match_id=actions.match_id AND user_id=?)",
        }
        for place, (number, user, deed) in enumerate(self._done):
            query = queries.get(deed)
            if (
                query
                and not self._is_undone(place)
                and not self._audit_log.rows(query, number, user)
            ):
                yield f"{deed} of {user} in {number} is lost"

    def _is_undone(self, place: int) -> bool:
        """Return whether a sign-up may have been undone.

        Leaving the server later ends it, and a substitute may have the place.
        """
        number, user, deed = self._done[place]
        has_left = any(later[1:] == (user, LEFT) for later in self._done[place:])
        groups = [group for (group,) in self._audit_log.rows(GROUPS, number)]
        is_offered = any((group, user, OFFERED) in self._done for group in groups)
        return deed == "join" and (has_left or is_offered)

    def _stuck(self) -> Iterator[str]:
        """Yield the pairings of running cups that wait for a match that is over."""
        query = (
            "SELECT cup_id, match_id FROM cup_pairings JOIN cups ON cups.id = cup_id"
            " JOIN matches ON matches.id = match_id WHERE cups.status='running'"
            " AND cup_pairings.status='running' AND matches.status<>'running'"
        )
        for cup_id, match in self._audit_log.rows(query):
            yield f"cup {cup_id} waits for match {match}, which is over"

    def _wrong_seasons(self) -> Iterator[str]:
        """A league has one cup for each season and group, and a player in one of them at most."""
        doubled = (
            "SELECT league_id, season, count(*) FROM cups WHERE league_id IS NOT NULL"
            " GROUP BY league_id, season, division HAVING count(*) > 1"
        )
        for league, season, number in self._audit_log.rows(doubled):
            yield f"season {season} of league {league} has {number} cups of one group"
        twice = (
            "SELECT league_id, season, user_id FROM cups JOIN cup_entrants ON cup_id = cups.id"
            " WHERE league_id IS NOT NULL AND user_id > 0 GROUP BY league_id, season, user_id"
            " HAVING count(*) > 1"
        )
        for league, season, user in self._audit_log.rows(twice):
            yield f"user {user} plays twice in season {season} of league {league}"
        yield from self._wrong_groups()
        counts = (
            "SELECT leagues.id, leagues.season, count(DISTINCT cups.season) FROM leagues"
            " JOIN cups ON league_id = leagues.id GROUP BY leagues.id"
        )
        for league, season, number in self._audit_log.rows(counts):
            if season != number:
                yield f"league {league} is in season {season}, and has cups of {number}"

    def _wrong_groups(self) -> Iterator[str]:
        """A season that has begun has all of its groups."""
        begun = (
            "SELECT league_id, cups.season, divisions, max(division), count(DISTINCT cups.id),"
            " count(user_id) FROM cups JOIN leagues ON leagues.id = league_id"
            " JOIN cup_entrants ON cup_id = cups.id WHERE started_at IS NOT NULL"
            " GROUP BY league_id, cups.season"
        )
        for league, season, divisions, last, number, players in self._audit_log.rows(begun):
            expected = max(1, min(divisions, players // MIN_ENTRANTS))
            if (last, number) != (expected, expected):
                yield f"season {season} of league {league} has {number} groups, not {expected}"

    def _wrong_posts(self, cup: Cup) -> Iterator[str]:
        """A cup has one post, which is up to date, and one announcement of each kind.

        That of the start is left out if the cup is over by then, and stays if it is cancelled.
        """
        row, fake = cup.row, self._fake
        messages = fake.channels.get(row.channel_id, {})
        if row.channel_id in fake.silenced | fake.allowed_again | fake.deleted:
            return
        for number in range(3):
            mark = mark_of(f"{row.key}:{number}" if number else row.key)
            posted = [post for post in fake.posted if post.mark == mark]
            expected = int(number <= ANNOUNCEMENTS.get(row.status, 0))
            may_differ = number == 1 and row.status in (CupStatus.FINISHED, CupStatus.CANCELLED)
            if len(posted) != expected and not (may_differ and len(posted) <= 1):
                yield f"cup {row.id}, {row.status}: message {number} is there {len(posted)} times"
        text = " ".join(texts(messages[row.message_id]["components"])) if row.message_id else ""
        if not all(words in text for words in news(cup)):
            yield f"cup {row.id} shows {text}"


def news(cup: Cup) -> Iterator[str]:
    """Yield the texts of a cup's post."""
    yield cup.row.name
    if cup.row.status == CupStatus.RUNNING:
        yield f"{len(cup.decided)} of {len(cup.pairings)} matches are decided"
    if cup.row.status == CupStatus.FINISHED:
        yield f"**{_shown_name(cup.winner)} wins!**" if cup.winner else "without a winner"
    if cup.row.status == CupStatus.SIGN_UP or cup.row.started_at is not None:
        is_open = cup.row.status == CupStatus.SIGN_UP
        yield from map(_shown_name, cup.confirmed if is_open else cup.entrants)


def _shown_name(entrant: StoredEntrant) -> str:
    """Return the name of a player in the posts of a cup."""
    return FORMER if entrant.has_left else entrant.name
