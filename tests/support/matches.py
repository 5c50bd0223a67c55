"""Matches that are played by the services alone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random
from typing import Any

from sqlalchemy import delete, func, select, update

from bot.domain.ids import ChannelId, MatchId, UserId, Version
from bot.domain.models import Match, Player, SeatClock
from bot.domain.outcomes import Outcome
from bot.domain.terms import Terms
from bot.features.cups.dates import CupDates
from bot.features.cups.service import Cups
from bot.services.automatic_moves import Progress
from bot.services.chance import ChanceResult, resolve_match_chance
from bot.services.factory import services_on
from bot.services.match_changes import MatchChange
from bot.services.match_repository import ALL_MATCHES, MatchWithBoard, matches_of, seats_of
from bot.services.match_store import load
from bot.services.pings import Redraw
from bot.services.plans import SeenPlan
from bot.services.queries import Queries
from bot.services.rows import MatchRow
from bot.services.timers import Timers
from bot.shards import Shards
from bot.storage.database import Database
from bot.storage.schema import actions, matches, outbox, seats, timers
from engine import games
from engine.game import Action, AnyGame
from tests.support.features import features_on
from tests.support.tomtube.games import greedy

ADA, BO, EVE = UserId(11), UserId(22), UserId(33)


PLAYERS = [Player(ADA, "Ada"), Player(BO, "Bo")]


ENOUGH_TURNS = 20
"""Turns in a row that tests make at most."""


RACING = 19
"""Lines of a match of Warp 6 whose dice are all placed: the roll, and 18 of them."""


def opponent_of(user: UserId) -> UserId:
    """Return the other one of the two players, Ada and Bo."""
    return UserId(ADA + BO - user)


def terms(rules: str = "0.6", game: str = "wormholes", **fields: Any) -> Terms:
    """Wormholes in a DM."""
    return Terms(game=game, rules=rules, guild_id=None, channel_id=ChannelId(5), **fields)


class ListingQueries(Queries):
    """Queries that list all matches of a user, which the bot does not do."""

    async def list_for(self, user_id: UserId, *statuses: str) -> list[Match]:
        """Return the matches of a user with one of these statuses, the last changed first."""
        async with self._database.read() as connection:
            of_user = matches.c.id.in_(select(seats.c.match_id).where(seats.c.user_id == user_id))
            query = ALL_MATCHES.where(of_user, matches.c.status.in_(statuses))
            latest = query.order_by(matches.c.changed_at.desc())
            rows = (await connection.execute(latest, {"reader": user_id})).all()
            return await matches_of(connection, [MatchWithBoard.of(row) for row in rows])


class MatchFixture:
    """Two players and a service; interactions are numbered from `first`.

    Without another clock, the time is `now`.
    """

    def __init__(
        self,
        database: Database,
        first: int = 1,
        *,
        clock: Callable[[], float] | None = None,
        shards: Shards = Shards(),  # noqa: B008 - it never changes
    ) -> None:
        self.now = 1000.0
        self.clock = clock or (lambda: self.now)
        self.ids = count(first)
        self.database = database
        services = services_on(database, self.clock, lambda: bytes(32), shards=shards)
        self.match_store = services.match_store
        self.challenges, self.rematches = services.challenges, services.rematches
        self.matches, self.takebacks = services.matches, services.takebacks
        self.boards, self.deadlines = services.boards, services.deadlines
        self.vacations, self.stand_ins = services.vacations, services.stand_ins
        self.nudges, self.abandoning = services.nudges, services.abandoning
        self.silence = services.silence
        self.computer_seats = services.computer_seats
        of_features = features_on(database, self.clock, services)
        self.cups: Cups = of_features[Cups]
        self.cup_dates: CupDates = of_features[CupDates]
        self.plans, self.queries = services.plans, ListingQueries(database)

    def timers(self, shards: Shards = Shards()) -> Timers:  # noqa: B008 - it never changes
        """The timers of a process that serves these shards."""
        return Timers(
            self.database,
            self.challenges,
            self.deadlines,
            self.nudges,
            self.silence,
            clock=self.clock,
            shards=shards,
        )

    async def begin(self, rules: str = "0.6", game: str = "wormholes") -> MatchId:
        """A match that has begun."""
        match_id = await self.ask(rules, game)
        assert (await self.challenges.accept(next(self.ids), match_id, BO)).kind == "done"
        return match_id

    async def ask(self, rules: str = "0.6", game: str = "wormholes") -> MatchId:
        """A challenge by Ada."""
        side = games.get(game).seats({})[0]
        outcome = await self.challenges.challenge(
            next(self.ids), terms(rules, game), PLAYERS, side=side
        )
        assert outcome.kind == "done"
        return outcome.match_id

    async def race(self, match_id: MatchId) -> None:
        """Place all dice of Warp 6 in one transaction: from now on each choice is a turn."""
        async with self.database.write() as connection:
            row = await load(connection, match_id)
            assert row
            game, state, placed = games.get(row.game), row.state(), list[Action]()
            while not game.view(state).turn:
                placed.append(game.legal(state)[0])
                state, _ = game.apply(state, placed[-1])
            rolled = ChanceResult(state, tuple(placed), row.chance_count)
            progress = Progress.of(game, rolled)
            people = await seats_of(connection, match_id)
            change = MatchChange(row, progress, people, redraw=Redraw.ALWAYS)
            await self.match_store.save(connection, change)

    async def play_until_alone(self, match_id: MatchId) -> None:
        """Play Tom Tube in one transaction until a player is home and each turn is the other's."""
        async with self.database.write() as connection:
            row = await load(connection, match_id)
            assert row
            game, rolled = games.get(row.game), ChanceResult(row.state(), (), row.chance_count)
            for seed in count():
                end = _play_greedily(row, rolled, Random(seed))
                if _turns_left(game, end.state) > ENOUGH_TURNS:
                    break
            progress, people = Progress.of(game, end), await seats_of(connection, match_id)
            change = MatchChange(row, progress, people, redraw=Redraw.ALWAYS)
            await self.match_store.save(connection, change)

    async def on_turn(self, match_id: MatchId) -> UserId:
        """The user who must decide."""
        match = await self.queries.match(match_id)
        return next(match.players[seat].user_id for seat in match.decisions)

    async def decision(self, match_id: MatchId, user: UserId) -> Version:
        """The version of a user's pending decision."""
        match = await self.queries.match(match_id)
        return match.decisions[match.seat_of(user)]

    async def strike(self, kind: str, match_id: MatchId, seat: str = "", version: int = 0) -> None:
        """A timer fires, whether it was set or not."""
        timers = self.timers()
        async with self.database.write() as connection:
            row = await load(connection, match_id)
            assert row
            await timers._handlers[kind](connection, row, seat, Version(version))

    async def change_seat(self, match_id: MatchId, seat: str, **fields: Any) -> None:
        """Change columns of a stored seat."""
        condition = (seats.c.match_id == match_id) & (seats.c.seat == seat)
        async with self.database.write() as connection:
            await connection.execute(update(seats).where(condition).values(fields))

    async def queued(self, *, match_id: MatchId | None = None, kind: str = "") -> list[Any]:
        """The messages in the outbox, in order: all of them, or those of a match or kind."""
        query = select(outbox).order_by(outbox.c.id)
        if match_id is not None:
            query = query.where(outbox.c.match_id == match_id)
        if kind:
            query = query.where(outbox.c.kind == kind)
        async with self.database.read() as connection:
            return list((await connection.execute(query)).all())

    async def clear_outbox(self) -> None:
        """Delete all messages that wait."""
        async with self.database.write() as connection:
            await connection.execute(delete(outbox))

    async def lines(self) -> int:
        """Return the number of stored action lines."""
        async with self.database.read() as connection:
            return int(
                (await connection.execute(select(func.count()).select_from(actions))).scalar_one()
            )


def _play_greedily(row: MatchRow, rolled: ChanceResult, random: Random) -> ChanceResult:
    """Play Tom Tube until a player is home, or until the end."""
    game = games.get(row.game)
    while game.pending(rolled.state) and not rolled.state.bonus:
        action = greedy(rolled.state, game.legal(rolled.state), random)
        after, _ = game.apply(rolled.state, action)
        actions = (*rolled.actions, action)
        rolled = resolve_match_chance(row, game, after, actions, rolled.chance_count)
    return rolled


def _turns_left(game: AnyGame, state: Any) -> int:
    """Return the number of turns until the end if the first legal action is always chosen."""
    turns = 0
    while game.pending(state):
        state, _ = game.apply(state, game.legal(state)[0])
        turns += 1
    return turns


async def begun(env: MatchFixture, clock: str) -> MatchId:
    outcome = await env.challenges.challenge(next(env.ids), terms(clock=clock), PLAYERS, side="O")
    await env.challenges.accept(next(env.ids), outcome.match_id, BO)
    return outcome.match_id


async def act(env: MatchFixture, match_id: MatchId) -> None:
    """Make the first legal choice for the player on turn."""
    user = await env.on_turn(match_id)
    action = (await env.queries.view(match_id, user)).view.legal[0]
    line = " ".join((action.verb, *action.args))
    assert (await env.matches.act(next(env.ids), match_id, user, line)).kind == "done"


TABLE = [*PLAYERS, Player(EVE, "Eve")]


async def warp6(env: MatchFixture, clock: str, **options: str) -> MatchId:
    """A match of Warp 6 that has begun: each turn is one choice, and dice come late."""
    players = TABLE if options.get("seats") == "3" else PLAYERS
    terms = Terms(
        game="warp6", options=options, clock=clock, guild_id=None, channel_id=ChannelId(5)
    )
    challenge = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    for player in players[1:]:
        await env.challenges.accept(next(env.ids), challenge.match_id, player.user_id)
    return challenge.match_id


async def alone(env: MatchFixture, clock: str) -> MatchId:
    """A match of Tom Tube in which one player is home, so that all turns are the other's."""
    terms = Terms(game="tomtube", clock=clock, guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS, side="T")
    await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    await env.play_until_alone(challenge.match_id)
    return challenge.match_id


async def choose(env: MatchFixture, match_id: MatchId, user: UserId) -> Outcome:
    """A player makes the first legal choice."""
    view = (await env.queries.view(match_id, user)).view
    action = games.get(view.game).fill(view.legal[0], Random(user).randrange)
    line = " ".join((action.verb, *action.args))
    return await env.matches.act(next(env.ids), match_id, user, line)


async def take_back(env: MatchFixture, match_id: MatchId, user: UserId) -> Outcome:
    return await env.takebacks.take_back(next(env.ids), match_id, user)


async def takeback_asked(env: MatchFixture) -> tuple[MatchId, int]:
    """A match in which Bo has asked to take the secret set-up back: its number and version."""
    match_id = await warp6(env, "1d", setup="secret")
    for user in (ADA, BO):
        await choose(env, match_id, user)
    assert (await take_back(env, match_id, BO)).kind == "ask"
    return match_id, (await env.queries.match(match_id)).version


async def plan(env: MatchFixture, match_id: MatchId, user: UserId, *orders: str) -> Outcome:
    """A player replaces their plan."""
    version = (await env.plans.read(match_id, user)).version
    return await env.plans.write(
        next(env.ids), match_id, user, "\n".join(orders), SeenPlan(version)
    )


async def lines_of(env: MatchFixture, match_id: MatchId) -> list[str]:
    """The actions of a match."""
    return [str(action) for action in (await env.queries.record(match_id)).actions]


async def times(env: MatchFixture, match_id: MatchId) -> dict[UserId, SeatClock]:
    """User → clock."""
    match = await env.queries.match(match_id)
    return {match.players[seat].user_id: time for seat, time in match.times.items()}


async def scheduled(env: MatchFixture, match_id: MatchId) -> dict[str, list[float]]:
    """Kind of timer → when it is due."""
    async with env.database.read() as connection:
        rows = await connection.execute(select(timers).where(timers.c.match_id == match_id))
        times: dict[str, list[float]] = {}
        for row in rows:
            times.setdefault(row.kind, []).append(row.due_at)
    return times


async def time_of(env: MatchFixture, match_id: MatchId, user: UserId) -> SeatClock:
    match = await env.queries.match(match_id)
    return match.times[match.seat_of(user)]


async def stored_position(env: MatchFixture, match_id: MatchId) -> tuple[str, int]:
    """The position of a match, and how many chance events there were."""
    query = select(matches.c.position, matches.c.chance_count).where(matches.c.id == match_id)
    async with env.database.read() as connection:
        row = (await connection.execute(query)).one()
    return row.position, row.chance_count
