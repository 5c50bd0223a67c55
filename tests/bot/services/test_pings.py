"""Changes are shown on a new board, or players are pinged."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest
from sqlalchemy import insert, select

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, UserId, Version
from bot.domain.models import Player, TimerKind
from bot.domain.outbox import OutboxKind
from bot.domain.terms import Terms
from bot.services import pings
from bot.services.match_repository import seats_of
from bot.services.match_store import load
from bot.services.pings import (
    _RECENT_ACTIONS,
    PING_DELAY_SECONDS,
    WATCHING_SECONDS,
    RecentClicks,
    answered_count,
    are_watching,
    board_kind,
    schedule_pings,
    waits_for_computers,
)
from bot.services.rows import SeatRow
from bot.storage.schema import actions, timers
from engine.game import CHANCE
from tests.support.matches import ADA, BO, TABLE, MatchFixture

pytestmark = pytest.mark.watched

BOT = "cadet/1"


async def log(env: MatchFixture, match_id: MatchId, *lines: str, **fields: object) -> None:
    """Store actions: their actors, with `!` if the computer chose, with `-` if undone."""
    async with env.database.write() as connection:
        for number, line in enumerate(lines, 1):
            row = {
                "match_id": match_id,
                "number": number,
                "line": f"{line[0]} pass",
                "made_at": env.now,
                "chosen_by": BOT if "!" in line else None,
                "undone_at": env.now if "-" in line else None,
            }
            await connection.execute(insert(actions).values(row | fields))


async def people_in(env: MatchFixture, *players: Player) -> list[SeatRow]:
    """Return the seats B, Y and W of these players."""
    terms = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))
    challenge = await env.challenges.challenge(next(env.ids), terms, players, side="B")
    async with env.database.read() as connection:
        return list(await seats_of(connection, challenge.match_id))


@pytest.mark.parametrize(
    ("lines", "count"),
    [
        ("", 0),
        ("B!", 0),
        ("* A", 1),
        ("A B! B!", 3),
        ("B! A A B! * C!", 5),
        ("A * A B! *", 5),
        ("C A B!", 2),
        ("A A! A B!", 2),
        ("A B! A-", 2),
    ],
)
async def test_computers_answer_from_the_last_turn_of_a_person_on(
    env: MatchFixture, lines: str, count: int
) -> None:
    assert CHANCE == "*"
    other, match_id = await env.ask(), await env.ask()
    await log(env, other, "A", "A", "A", "B!")
    await log(env, match_id, *lines.split())
    async with env.database.read() as connection:
        assert await answered_count(connection, match_id) == count


async def watching(env: MatchFixture, match_id: MatchId, seats: str, number: int = 3) -> bool:
    """Return whether the players of these seats are watching after so many actions."""
    async with env.database.write() as connection:
        row = await load(connection, match_id)
        assert row
        row = replace(row, changed_at=env.now)
        return await are_watching(connection, row, seats, number, env.now)


async def test_players_are_watching_a_while_after_a_choice(env: MatchFixture) -> None:
    other, match_id = await env.ask(), await env.ask()
    await log(env, match_id, "A")
    await log(env, other, "A", "B")
    assert [await watching(env, match_id, seats) for seats in ("A", "B", "AB", "")] == [
        True,
        False,
        False,
        False,
    ]
    env.now += WATCHING_SECONDS - 1
    assert await watching(env, match_id, "A")
    env.now += 1
    assert not await watching(env, match_id, "A")


async def test_choice_that_the_bot_made_shows_no_watching_player(env: MatchFixture) -> None:
    match_id = await env.ask()
    await log(env, match_id, "A", "B", automatic="forced")
    assert not await watching(env, match_id, "B")


async def test_only_recent_actions_show_who_is_watching(env: MatchFixture) -> None:
    match_id = await env.ask()
    await log(env, match_id, "A", *"B" * _RECENT_ACTIONS)
    assert await watching(env, match_id, "A", _RECENT_ACTIONS)
    assert not await watching(env, match_id, "A", _RECENT_ACTIONS + 1)


async def test_board_is_redrawn_while_only_computers_decide(env: MatchFixture) -> None:
    people = await people_in(env, TABLE[0], computer_player(), computer_player())

    def of(pending: Sequence[str]) -> list[bool]:
        return [waits_for_computers(people, seat) for seat in pending]

    assert of(["Y", "W", "YW"]) == [True, True, True]
    assert of(["", "B", "BY"]) == [False, False, False]
    assert board_kind(people, "YW", "YW") == OutboxKind.EDIT_BOARD
    assert board_kind(people, "BY", "BY") == OutboxKind.POST_BOARD
    assert board_kind(people, "BY", None) == OutboxKind.EDIT_BOARD
    assert board_kind(people, "", "") == OutboxKind.POST_RESULT


async def test_only_people_who_decide_themselves_are_pinged(env: MatchFixture) -> None:
    first, second, third = await people_in(env, *TABLE)
    people = [first, replace(second, level="cadet"), replace(third, user_id=UserId(-1))]
    async with env.database.write() as connection:
        await schedule_pings(connection, people, dict.fromkeys("YW", Version(6)), env.now)
        await schedule_pings(connection, people, dict.fromkeys("BYW", Version(7)), env.now)
        query = select(timers).where(timers.c.kind == TimerKind.PING)
        (row,) = (await connection.execute(query)).all()
    assert (first.user_id, row.seat, row.version) == (ADA, "B", 7)
    assert row.due_at == env.now + PING_DELAY_SECONDS


def test_latest_click_of_each_player_in_each_match_is_kept() -> None:
    times = iter([1.0, 2.0, 3.0])
    clicks = RecentClicks(lambda: next(times))
    for match_id, user in ((1, ADA), (1, BO), (1, ADA)):
        clicks.record(MatchId(match_id), user)
    assert clicks.latest(MatchId(1), ADA) == 3.0
    assert clicks.latest(MatchId(1), BO) == 2.0
    assert clicks.latest(MatchId(2), ADA) is None


def test_clicks_of_longest_ago_are_dropped(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pings, "MAX_CLICKS", 2)
    clicks = RecentClicks(lambda: 1.0)
    for match_id in (1, 2, 1, 3):
        clicks.record(MatchId(match_id), ADA)
    assert [bool(clicks.latest(MatchId(n), ADA)) for n in (1, 2, 3)] == [True, False, True]
