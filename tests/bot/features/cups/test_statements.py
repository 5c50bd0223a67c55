"""A larger cup takes a few statements more for each match, and none for each player."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from sqlalchemy import func, select

from bot.domain.clocks import DAY
from bot.domain.ids import GuildId
from bot.domain.outbox import OutboxKind
from bot.features.cups.formats import CupFormat
from bot.features.cups.members import MEMBER_CHECK_SECONDS, CupMembers
from bot.features.cups.rows import PairingStatus
from bot.features.halls.message_kinds import HallKind
from bot.features.halls.service import Halls
from bot.services.preferences import PreferenceKey, Preferences
from bot.storage.schema import matches
from tests.support.cups import CHANNEL, CupFixture, user
from tests.support.fake_objects import GUILD
from tests.support.harness import Stage, words
from tests.support.matches import MatchFixture
from tests.support.staged_cups import create, post
from tests.support.statements import sent_statements
from tests.support.tally import Tally

PER_MATCH = 2
"""Statements for a match that begins: its new row, and its first position; PostgreSQL takes the new
rows of all matches in one."""

TERMS = [
    pytest.param({}, id="round robin"),
    pytest.param({"game": "wormholes", "max_open": 4}, id="many at once"),
    pytest.param({"game": "tomtube", "format": CupFormat.KNOCK_OUT}, id="knockout"),
    pytest.param({"format": CupFormat.GROUPS}, id="groups"),
    pytest.param({"rounds": 3, "rated": True}, id="rated series"),
]


@pytest.fixture
def cup(env: MatchFixture) -> CupFixture:
    return CupFixture(env)


async def match_count(env: MatchFixture) -> int:
    """The number of matches."""
    async with env.database.read() as connection:
        return int((await connection.execute(select(func.count(matches.c.id)))).scalar_one())


async def start_costs(cup: CupFixture, players: int, **terms: Any) -> tuple[int, int]:
    """Start a cup; return how many matches begin, and the statements for that."""
    cup_id, before = await cup.create(players, **terms), await match_count(cup.env)
    with sent_statements() as statements:
        assert (await cup.start(cup_id)).kind == "done"
    return await match_count(cup.env) - before, len(statements)


@pytest.mark.first(test=2)
@pytest.mark.parametrize("terms", TERMS)
async def test_start_takes_two_statements_a_match(cup: CupFixture, terms: dict[str, Any]) -> None:
    few, cost_of_few = await start_costs(cup, 4, **terms)
    many, cost_of_many = await start_costs(cup, 7, **terms)
    assert 0 < few < many
    assert 0 < cost_of_many - cost_of_few <= PER_MATCH * (many - few)


async def test_start_takes_no_more_for_messages(cup: CupFixture, env: MatchFixture) -> None:
    """All players want DMs, and the server has a forum as its hall."""
    await Halls(env.database).choose(GUILD, CHANNEL, is_forum=True, now=env.now)
    for number in range(1, 8):
        for key in (PreferenceKey.TURNS, PreferenceKey.HAND):
            await Preferences(env.database).set(user(number), key, "on")
    few, cost_of_few = await start_costs(cup, 4)
    many, cost_of_many = await start_costs(cup, 7)
    assert cost_of_many - cost_of_few <= PER_MATCH * (many - few)
    begun, counts = few + many, Counter(row.kind for row in await env.queued())
    assert counts == {
        OutboxKind.POST_CHALLENGE: begun,
        OutboxKind.START_THREAD: begun,
        OutboxKind.POST_BOARD: begun,
        OutboxKind.TURN_DM: begun,
        OutboxKind.PRIVATE_HAND: 2 * begun,
        HallKind.UPDATE_LIST: 2 * begun,
        OutboxKind.UPDATE_POST: 2 * begun,
    }


async def withdrawal_costs(cup: CupFixture, players: int) -> tuple[int, int]:
    """Have a player withdraw; return how many pairings that decides, and the statements for it."""
    cup_id = await cup.begun(players, max_open=1)
    before = len((await cup.get(cup_id)).decided)
    leaver = (await cup.get(cup_id)).by_number[1].user_id
    with sent_statements() as statements:
        assert (await cup.withdraw(cup_id, leaver)).kind == "done"
    return len((await cup.get(cup_id)).decided) - before, len(statements)


async def test_withdrawal_takes_no_more_for_each_match_to_come(cup: CupFixture) -> None:
    assert (await withdrawal_costs(cup, 4))[0] == 3
    few, cost_of_few = await withdrawal_costs(cup, 6)
    many, cost_of_many = await withdrawal_costs(cup, 8)
    assert (few, many) == (5, 7)
    assert cost_of_many == cost_of_few


async def check_costs(cup: CupFixture, players: int, *, has_left: bool) -> int:
    """Store Discord's answers about the players of a server's only cup; return the statements."""
    env = cup.env
    cup_id = await cup.begun(players, guild_id=players)
    env.now += MEMBER_CHECK_SECONDS + 1
    answers = {user(number): has_left for number in range(1, players + 1)}
    with sent_statements() as statements:
        await CupMembers(env.database, env.clock).store(GuildId(players), answers, env.now)
    assert {entrant.has_left for entrant in (await cup.get(cup_id)).entrants} == {has_left}
    return len(statements)


@pytest.mark.parametrize("has_left", [False, True])
async def test_check_of_members_takes_no_more_for_each(cup: CupFixture, *, has_left: bool) -> None:
    costs = [await check_costs(cup, players, has_left=has_left) for players in (3, 7)]
    assert costs[0] == costs[1]


async def last_day_costs(cup: CupFixture, players: int) -> int:
    """Let the last day of a cup pass, and return the statements for that."""
    env = cup.env
    cup_id = await cup.begun(players, ends_at=env.now + DAY)
    env.now += DAY + 1
    with sent_statements() as statements:
        await cup.dates.run()
    assert {pairing.status for pairing in (await cup.get(cup_id)).pairings} == {PairingStatus.DONE}
    return len(statements)


async def test_last_day_takes_no_more_for_each_match(cup: CupFixture) -> None:
    assert await last_day_costs(cup, 4) == await last_day_costs(cup, 7)


async def end_costs(cup: CupFixture, players: int, **terms: Any) -> int:
    """Let a match of a cup end, after which no other begins; return the statements for that."""
    cup_id = await cup.begun(players, max_open=4, **terms)
    pairing = await cup.pairing(cup_id)
    before = await match_count(cup.env)
    with sent_statements() as statements:
        await cup.resign(pairing.match_id)
    assert await match_count(cup.env) == before
    return len(statements)


async def test_end_of_a_match_takes_no_more_for_each_player(cup: CupFixture) -> None:
    assert await end_costs(cup, 3) == await end_costs(cup, 5)


async def test_creating_a_cup_takes_two_write_transactions(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One stores the cup, one where its post is.

    The reads are of the user's language, of the server's settings, and of what to post.
    """
    await create(stage)  # from now on the name of the user is known
    tally = Tally()
    with monkeypatch.context() as patch:
        tally.watch(stage.database, patch)
        await stage.ada.slash(stage.channel, "cup create", name="Summer", game="warp6")
    assert "Summer" in words(post(stage))
    assert (tally.writes, tally.reads) == (2, 3), tally
    assert 0 < len(tally.statements) <= 13, tally
