"""The match service on a real database file."""

from __future__ import annotations

from collections.abc import AsyncIterator
from itertools import count
from pathlib import Path

import pytest
from sqlalchemy import func, select

from bot.matches import DAY, Matches, Player
from bot.storage.database import Database
from bot.storage.migrate import upgrade
from bot.storage.schema import actions, outbox
from engine.record import Record

ADA, BO, EVE = 11, 22, 33
PLAYERS = {"O": Player(ADA, "Ada"), "D": Player(BO, "Bo")}


class Club:
    """Two players and a service."""

    def __init__(self, database: Database) -> None:
        self.now = 1000.0
        self.ids = count(1)
        self.database = database
        self.matches = Matches(database, lambda: self.now, lambda: bytes(32))

    async def begin(self, rules: str = "0.6") -> int:
        """A match that has begun."""
        match_id = await self.ask(rules)
        assert (await self.matches.accept(next(self.ids), match_id, BO)).kind == "done"
        return match_id

    async def ask(self, rules: str = "0.6") -> int:
        """A challenge by Ada."""
        outcome = await self.matches.challenge(
            next(self.ids),
            game="wormholes",
            rules=rules,
            options={},
            challenger=ADA,
            players=PLAYERS,
            channel=(None, 5),
        )
        assert outcome.kind == "done"
        return outcome.match_id

    async def on_turn(self, match_id: int) -> int:
        """The user who must decide."""
        view = (await self.matches.look(match_id)).view
        return PLAYERS[view.pending].user_id

    async def lines(self) -> int:
        """How many action lines are stored."""
        async with self.database.read() as connection:
            return int(
                (await connection.execute(select(func.count()).select_from(actions))).scalar_one()
            )


@pytest.fixture
async def club(tmp_path: Path) -> AsyncIterator[Club]:
    database = Database(f"sqlite+aiosqlite:///{tmp_path / 'test.db'}")
    await upgrade(database)
    yield Club(database)
    await database.close()


async def test_a_match_from_challenge_to_victory_verifies(club: Club) -> None:
    match_id = await club.begin()
    while True:
        user = await club.on_turn(match_id)
        table = await club.matches.look(match_id, user)
        action = table.view.legal[len(table.view.legal) // 2]
        line = " ".join((action.verb, *action.args))
        outcome = await club.matches.act(next(club.ids), match_id, user, line, table.decision)
        assert outcome.kind == "done"
        if (await club.matches.look(match_id)).view.result or next(club.ids) > 1500:
            break
    if not (await club.matches.look(match_id)).view.result:
        await club.matches.act(next(club.ids), match_id, ADA, "resign")
    record = Record.parse(str(await club.matches.record(match_id)))
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
    decision = (await club.matches.look(match_id, user)).decision
    assert (await club.matches.act(600, match_id, user, "first place", decision)).kind == "done"
    stored = await club.lines()
    assert (await club.matches.act(601, match_id, user, "first place", decision)).kind == "stale"
    assert await club.lines() == stored


@pytest.mark.parametrize("line", ["place S4 a18", "move S N", "nonsense", "place"])
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
    club.now += DAY + 1
    assert (await club.matches.accept(802, match_id, BO)).kind == "stale"


async def test_a_declined_challenge_cannot_be_accepted(club: Club) -> None:
    match_id = await club.ask()
    assert (await club.matches.decline(900, match_id, BO)).kind == "done"
    assert (await club.matches.accept(901, match_id, BO)).kind == "stale"


async def test_nobody_plays_alone(club: Club) -> None:
    alone = {"O": Player(ADA, "Ada"), "D": Player(ADA, "Ada")}
    outcome = await club.matches.challenge(
        1,
        game="wormholes",
        rules="0.6",
        options={},
        challenger=ADA,
        players=alone,
        channel=(None, 5),
    )
    assert outcome.kind == "refused"


async def test_w9_1_what_is_queued_holds_no_secret(club: Club) -> None:
    match_id = await club.begin()
    user = await club.on_turn(match_id)
    await club.matches.act(next(club.ids), match_id, user, "first place")
    async with club.database.read() as connection:
        rows = (await connection.execute(select(outbox.c.what))).scalars().all()
    assert rows
    assert all(row == {} for row in rows)


async def test_the_seed_stays_secret_while_the_match_goes_on(club: Club) -> None:
    match_id = await club.begin()
    assert bytes(32).hex() not in str(await club.matches.record(match_id, ADA))
    await club.matches.act(next(club.ids), match_id, ADA, "resign")
    assert bytes(32).hex() in str(await club.matches.record(match_id, ADA))
