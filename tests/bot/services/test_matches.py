"""The match service on a real database file."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from itertools import count
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.app.run import open_database
from bot.services.matches import Matches
from bot.services.models import Player
from bot.services.queries import NoMatchError, Queries
from bot.services.terms import Terms
from bot.services.timers import Timers
from bot.services.transactions import load
from bot.storage.database import Database
from bot.storage.schema import actions, outbox
from engine.record import Record

ADA, BO, EVE = 11, 22, 33
PLAYERS = [Player(ADA, "Ada"), Player(BO, "Bo")]


def terms(rules: str = "0.6", **fields: Any) -> Terms:
    """Wormholes in a DM."""
    return Terms(game="wormholes", rules=rules, guild_id=None, channel_id=5, **fields)


class Club:
    """Two players and a service; interactions are numbered from `first`."""

    def __init__(self, database: Database, first: int = 1) -> None:
        self.now = 1000.0
        self.ids = count(first)
        self.database = database
        self.matches = Matches(database, lambda: self.now, lambda: bytes(32))
        self.queries = Queries(database)

    async def begin(self, rules: str = "0.6") -> int:
        """A match that has begun."""
        match_id = await self.ask(rules)
        assert (await self.matches.accept(next(self.ids), match_id, BO)).kind == "done"
        return match_id

    async def ask(self, rules: str = "0.6") -> int:
        """A challenge by Ada."""
        outcome = await self.matches.challenge(next(self.ids), terms(rules), PLAYERS, side="O")
        assert outcome.kind == "done"
        return outcome.match_id

    async def on_turn(self, match_id: int) -> int:
        """The user who must decide."""
        match = await self.queries.match(match_id)
        return next(match.players[seat].user_id for seat in match.decisions)

    async def decision(self, match_id: int, user: int) -> int:
        """The version of a user's pending decision."""
        match = await self.queries.match(match_id)
        return match.decisions[match.seat_of(user)]

    async def strike(self, kind: str, match_id: int, seat: str = "", version: int = 0) -> None:
        """A timer fires, whether it was set or not."""
        timers = Timers(self.database, self.matches, lambda: self.now)
        async with self.database.write() as connection:
            row = await load(connection, match_id)
            assert row
            await timers._handlers[kind](connection, row, seat, version)

    async def lines(self) -> int:
        """How many action lines are stored."""
        async with self.database.read() as connection:
            return int(
                (await connection.execute(select(func.count()).select_from(actions))).scalar_one()
            )


@pytest.fixture
async def club(url: str) -> AsyncIterator[Club]:
    async with open_database(url) as database:
        yield Club(database)


async def test_a_match_from_challenge_to_victory_verifies(club: Club) -> None:
    match_id = await club.begin()
    while True:
        user = await club.on_turn(match_id)
        perspective = await club.queries.view(match_id, user)
        action = perspective.view.legal[len(perspective.view.legal) // 2]
        line = " ".join((action.verb, *action.args))
        outcome = await club.matches.act(
            next(club.ids), match_id, user, line, await club.decision(match_id, user)
        )
        assert outcome.kind == "done"
        if (await club.queries.view(match_id)).view.result or next(club.ids) > 1500:
            break
    if not (await club.queries.view(match_id)).view.result:
        await club.matches.act(next(club.ids), match_id, ADA, "resign")
    record = Record.parse(str(await club.queries.record(match_id)))
    assert record.headers["Seat O"] == "Ada"
    assert record.verify() > 0


async def test_an_interaction_delivered_twice_counts_once(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    first = await club.matches.act(500, match_id, user, "first place")
    stored = await club.lines()
    assert await club.matches.act(500, match_id, user, "first place") == first
    assert await club.lines() == stored


async def test_an_older_button_is_stale_and_changes_nothing(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    decision = await club.decision(match_id, user)
    assert (await club.matches.act(600, match_id, user, "first place", decision)).kind == "done"
    stored = await club.lines()
    assert (await club.matches.act(601, match_id, user, "first place", decision)).kind == "stale"
    assert await club.lines() == stored


@pytest.mark.parametrize("line", ["place S4 a18", "place C4 a18", "move S N", "nonsense"])
async def test_what_the_rules_refuse_is_said_with_their_number(club: Club, line: str) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    await club.matches.act(next(club.ids), match_id, user, "first place")
    stored = await club.lines()
    outcome = await club.matches.act(next(club.ids), match_id, user, line)
    assert outcome.kind == "refused"
    assert outcome.sentence
    assert outcome.rule
    assert await club.lines() == stored


async def test_others_do_not_play(club: Club) -> None:
    match_id = await club.begin()
    assert (await club.matches.act(700, match_id, EVE, "resign")).kind == "unknown"
    assert (await club.matches.act(701, 999, ADA, "resign")).kind == "unknown"


async def test_only_the_challenged_player_accepts_and_only_in_time(club: Club) -> None:
    match_id = await club.ask()
    assert (await club.matches.accept(800, match_id, ADA)).kind == "refused"
    assert (await club.matches.accept(801, match_id, EVE)).kind == "unknown"
    await club.strike("expire", match_id)
    assert (await club.matches.accept(802, match_id, BO)).kind == "stale"


async def test_a_declined_challenge_cannot_be_accepted(club: Club) -> None:
    match_id = await club.ask()
    assert (await club.matches.decline(900, match_id, BO)).kind == "done"
    assert (await club.matches.accept(901, match_id, BO)).kind == "stale"


@pytest.mark.parametrize(
    ("players", "side", "words"),
    [
        ([Player(ADA, "Ada"), Player(ADA, "Ada")], "", "somebody else"),
        ([Player(ADA, "Ada")], "", "for 2 players"),
        (PLAYERS, "X", "no side"),
    ],
)
async def test_who_cannot_play_is_told_why(
    club: Club, players: list[Player], side: str, words: str
) -> None:
    outcome = await club.matches.challenge(1, terms(), players, side=side)
    assert outcome.kind == "refused"
    assert words in outcome.sentence


async def test_an_expired_challenge_is_closed_once(club: Club) -> None:
    match_id = await club.ask()
    await club.strike("expire", match_id)
    await club.strike("expire", match_id)
    assert (await club.queries.match(match_id)).status == "closed"
    begun = await club.begin()
    await club.strike("expire", begun)
    assert (await club.queries.match(begun)).status == "running"


async def test_a_draw_offer_leaves_the_buttons_of_both_alive(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    decision = await club.decision(match_id, user)
    other = ADA + BO - user
    assert (await club.matches.act(next(club.ids), match_id, other, "draw offer")).kind == "done"
    assert await club.decision(match_id, user) == decision
    late = await club.matches.act(next(club.ids), match_id, user, "first place", decision)
    assert late.kind == "done"


async def test_both_can_agree_on_a_draw(club: Club) -> None:
    match_id = await club.begin()
    await club.matches.act(next(club.ids), match_id, ADA, "draw offer")
    await club.matches.act(next(club.ids), match_id, BO, "draw accept")
    assert (await club.queries.view(match_id)).view.result == "- agreed"


async def test_nobody_claims_the_clock(club: Club) -> None:
    match_id = await club.begin()
    assert (await club.matches.act(next(club.ids), match_id, ADA, "flag")).kind == "refused"


async def test_a_button_of_the_other_player_says_whose_it_is(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    decision = await club.decision(match_id, user)
    outcome = await club.matches.act(
        next(club.ids), match_id, ADA + BO - user, "first place", decision
    )
    assert outcome.kind == "refused"
    assert "to decide" in outcome.sentence


async def test_how_a_match_stood_can_be_seen_later(club: Club) -> None:
    match_id = await club.begin()
    before = (await club.queries.view(match_id)).view
    lines = await club.lines()
    await club.matches.act(next(club.ids), match_id, await club.on_turn(match_id), "first place")
    assert (await club.queries.view(match_id, lines=lines)).view == before


async def test_what_does_not_exist_cannot_be_seen(club: Club) -> None:
    with pytest.raises(NoMatchError):
        await club.queries.match(99)
    with pytest.raises(NoMatchError):
        await club.queries.view(await club.ask())


async def test_w9_1_what_is_queued_holds_no_secret(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    await club.matches.act(next(club.ids), match_id, user, "first place")
    async with club.database.read() as connection:
        rows = (await connection.execute(select(outbox.c.payload))).scalars().all()
    assert rows
    assert all(set(row) <= {"action_count", "version"} for row in rows)


async def test_the_seed_stays_secret_while_the_match_goes_on(club: Club) -> None:
    match_id = await club.begin()
    assert bytes(32).hex() not in str(await club.queries.record(match_id, ADA))
    await club.matches.act(next(club.ids), match_id, ADA, "resign")
    assert bytes(32).hex() in str(await club.queries.record(match_id, ADA))


async def test_an_interaction_that_two_processes_get_at_once_counts_once(url: str) -> None:
    async with open_database(url) as database:
        clubs = [Club(database) for _ in range(4)]
        asked = await asyncio.gather(
            *(each.matches.challenge(1, terms(), PLAYERS) for each in clubs)
        )
        assert len(set(asked)) == 1
        accepted = await asyncio.gather(
            *(each.matches.accept(2, asked[0].match_id, BO) for each in clubs)
        )
        assert [each.kind for each in accepted] == ["done"] * len(clubs)
        assert len(await clubs[0].queries.list_for(ADA, "challenge", "running")) == 1


async def test_of_many_choices_at_once_one_counts(url: str) -> None:
    async with open_database(url) as database:
        club = Club(database)
        match_id = await club.begin()
        user = await club.on_turn(match_id)
        decision = await club.decision(match_id, user)
        outcomes = await asyncio.gather(
            *(club.matches.act(600 + n, match_id, user, "first place", decision) for n in range(8))
        )
    assert sorted(each.kind for each in outcomes) == ["done"] + ["stale"] * 7
