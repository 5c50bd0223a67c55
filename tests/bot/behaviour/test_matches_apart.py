"""Matches are independent: no event of one changes a row of another.

Each script runs twice, with and without a second match between the same two players.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import delete, select

from bot.app.run import open_database
from bot.domain.clocks import DAY, HOUR
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import Match, MatchStatus
from bot.domain.terms import Terms
from bot.services.vacation import TooLongError
from bot.storage.heartbeats import HEARTBEAT
from bot.storage.schema import METADATA, facts, matches
from tests.support.matches import ADA, BO, PLAYERS, MatchFixture, choose, plan, take_back
from tests.support.tiers import examples

Label = Literal["first", "second"]
Do = Callable[[MatchFixture, Match, UserId], Awaitable[object]]
Step = tuple[Label, str, UserId] | tuple[str, UserId] | float
"""A choice in a match, what a player does in all matches, or time that passes."""


async def _choose(env: MatchFixture, match: Match, user: UserId) -> object:
    is_due = match.seat_of(user) in match.decisions and match.status == MatchStatus.RUNNING
    return await choose(env, match.id, user) if is_due else None


async def _rematch(env: MatchFixture, match: Match, user: UserId) -> object:
    # The number of the new match depends on how many there are.
    return (await env.rematches.rematch(next(env.ids), match.id, user)).kind


async def _ensure(env: MatchFixture, match: Match, _user: UserId) -> None:
    await env.boards.ensure(match.id)


def _says(line: str) -> Do:
    return lambda env, match, user: env.matches.act(next(env.ids), match.id, user, line)


def _other(match: Match, user: UserId) -> str:
    return next(seat for seat in match.players if seat != match.seat_of(user))


IN_A_MATCH: dict[str, Do] = {
    "choose": _choose,
    "take back": lambda env, match, user: take_back(env, match.id, user),
    "offer a draw": _says("draw offer"),
    "agree to a draw": _says("draw accept"),
    "decline a draw": _says("draw decline"),
    "nudge": lambda env, match, user: env.nudges.nudge(next(env.ids), match.id, user),
    "claim": lambda env, match, user: env.deadlines.claim_win(
        next(env.ids), match.id, user, _other(match, user)
    ),
    "snooze": lambda env, match, user: env.deadlines.snooze(next(env.ids), match.id, user),
    "plan": lambda env, match, user: plan(env, match.id, user, "forced off"),
    "abandon": lambda env, match, user: env.abandoning.agree(
        next(env.ids), match.id, user, match.version
    ),
    "let the computer stand in": lambda env, match, user: env.stand_ins.agree(
        next(env.ids), match.id, user, _other(match, user), is_gone=False
    ),
    "come back": lambda env, match, user: env.stand_ins.come_back(next(env.ids), match.id, user),
    "move": lambda env, match, user: env.boards.move(next(env.ids), match.id, user, (None, 6)),
    "ensure a board": _ensure,
    "resign": _says("resign"),
    "rematch": _rematch,
}
OWN = {"id", "match_id", "key"}
"""Columns that differ although nothing else does."""

IN_ALL = ("leave", "leave to a stand-in", "return", "outage", "timers")


class World:
    """Two players with matches of Warp 6; each match has interaction ids of its own."""

    def __init__(self, env: MatchFixture) -> None:
        self.env = env
        self.ids = {"first": count(1000), "second": count(500_000)}
        self.matches: dict[str, int] = {}
        self.outcomes: list[object] = []

    async def begin(self, label: Label) -> None:
        self.env.ids = self.ids[label]
        players = PLAYERS if label == "first" else PLAYERS[::-1]
        seats = Terms(game="warp6", clock="3d+12h", guild_id=None, channel_id=ChannelId(5))
        outcome = await self.env.challenges.challenge(next(self.env.ids), seats, players, side="B")
        await self.env.challenges.accept(next(self.env.ids), outcome.match_id, players[1].user_id)
        self.matches[label] = outcome.match_id
        await self.env.race(outcome.match_id)

    async def do(self, step: Step) -> None:
        if isinstance(step, float):
            self.env.now += step
        elif len(step) == 2:
            await self._do_in_all(*step)
        else:
            label, name, user = step
            self.env.ids = self.ids[label]
            match = await self.env.queries.match(MatchId(self.matches[label]))
            outcome = await IN_A_MATCH[name](self.env, match, UserId(user))
            self.outcomes += [outcome] if label == "first" else []

    async def _do_in_all(self, name: str, user: UserId) -> None:
        if name.startswith("leave"):
            with suppress(TooLongError):
                level = "cadet" if name == "leave to a stand-in" else ""
                await self.env.vacations.begin(user, self.env.now + 2 * DAY, level)
        elif name == "return":
            await self.env.vacations.end(user)
        else:
            await self._fire(is_late=name == "outage")

    async def _fire(self, *, is_late: bool) -> None:
        """Fire the timers that are due, after an outage or while the bot has been running."""
        timers = self.env.timers()
        async with self.env.database.write() as connection:
            await connection.execute(delete(facts).where(facts.c.name.like(f"{HEARTBEAT}%")))
        await timers.fire()
        if is_late:
            self.env.now += DAY
            await timers.fire()

    async def rows(self, label: Label) -> dict[str, list[Any]]:
        """Table → its rows of a match, without their own ids."""
        match_id = self.matches[label]
        rows_by_table: dict[str, list[Any]] = {}
        async with self.env.database.read() as connection:
            for table in METADATA.sorted_tables:
                column = table.c.id if table is matches else table.c.get("match_id")
                if column is not None:
                    columns = [field for field in table.c if field.name not in OWN]
                    rows = await connection.execute(select(*columns).where(column == match_id))
                    rows_by_table[table.name] = sorted(map(repr, rows))
        return rows_by_table


async def played(template: Path, labels: Sequence[Label], steps: Sequence[Step]) -> Any:
    """Return the outcomes of the steps of the first match, and its rows at the end."""
    with tempfile.TemporaryDirectory() as folder:
        path = shutil.copyfile(template, Path(folder) / "test.db")
        async with open_database(f"sqlite+aiosqlite:///{path}") as database:
            world = World(MatchFixture(database))
            for label in labels:
                await world.begin(label)
            for step in steps:
                if not (isinstance(step, tuple) and len(step) == 3 and step[0] not in labels):
                    await world.do(step)
            return world.outcomes, await world.rows("first")


def _both(name: str) -> list[Step]:
    """Return a choice of both players in both matches."""
    labels: list[Label] = ["second", "first"]
    return [(label, name, user) for label in labels for user in (ADA, BO)]


TURNS = [*_both("choose"), 600.0, *_both("choose"), 600.0]
SCRIPTS: dict[str, list[Step]] = {
    "takebacks": [*TURNS, *_both("take back"), 900.0, *TURNS, *_both("take back"), *TURNS],
    "vacations": [
        *TURNS,
        ("leave", ADA),
        *TURNS,
        HOUR,
        *_both("take back"),
        ("leave to a stand-in", BO),
        ("timers", ADA),
        *_both("let the computer stand in"),
        HOUR,
        ("return", ADA),
        *_both("choose"),
        *_both("come back"),
        ("return", BO),
        *TURNS,
    ],
    "reminders": [
        *TURNS,
        *_both("nudge"),
        *_both("snooze"),
        HOUR,
        ("timers", ADA),
        *_both("nudge"),
        DAY,
        ("timers", ADA),
        *_both("plan"),
        *TURNS,
        *_both("ensure a board"),
        *_both("move"),
        ("timers", ADA),
    ],
    "draws": [
        *TURNS,
        ("second", "offer a draw", ADA),
        ("first", "offer a draw", BO),
        ("second", "decline a draw", BO),
        *_both("nudge"),
        ("first", "choose", ADA),
        ("second", "abandon", ADA),
        ("first", "abandon", BO),
        ("second", "offer a draw", BO),
        ("second", "agree to a draw", ADA),
        ("first", "abandon", ADA),
        *_both("rematch"),
    ],
    "time": [
        *TURNS,
        DAY,
        ("timers", ADA),
        *_both("claim"),
        ("outage", ADA),
        *_both("choose"),
        2 * DAY,
        ("timers", ADA),
        2 * DAY,
        ("timers", ADA),
        *_both("take back"),
        ("second", "claim", ADA),
        ("second", "claim", BO),
        *_both("claim"),
        8 * DAY,
        ("timers", ADA),
        *_both("rematch"),
    ],
}


@pytest.mark.first(test=2)
@pytest.mark.parametrize("script", SCRIPTS)
async def test_a_script_changes_no_other_match(template: Path, script: str) -> None:
    steps = SCRIPTS[script]
    alone = await played(template, ["first"], steps)
    assert await played(template, ["first", "second"], steps) == alone


PLAYER = st.sampled_from([ADA, BO])
LABEL: Any = st.sampled_from(["first", "second"])
STEP: Any = st.one_of(
    st.tuples(LABEL, st.just("choose"), PLAYER),
    st.tuples(LABEL, st.sampled_from([*IN_A_MATCH]), PLAYER),
    st.tuples(st.sampled_from(IN_ALL), PLAYER),
    st.floats(60, 10 * HOUR),
)


@pytest.mark.slow
@examples(1, 12, 1000)
@given(st.lists(STEP, min_size=30, max_size=60))
def test_no_random_script_changes_another_match(template: Path, steps: list[Step]) -> None:
    alone = asyncio.run(played(template, ["first"], steps))
    assert asyncio.run(played(template, ["first", "second"], steps)) == alone
