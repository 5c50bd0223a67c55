"""Checks that boards still exist, and matches that move before their thread is made."""

from __future__ import annotations

from sqlalchemy import update

from bot.domain.ids import ChannelId, MatchId
from bot.domain.outbox import OutboxKind, OutboxStatus
from bot.domain.terms import Terms
from bot.storage.schema import outbox
from tests.support.fake_objects import GUILD
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, warp6


async def queued(env: MatchFixture, match_id: MatchId, kind: OutboxKind) -> int:
    """How many messages of a kind are in the outbox, given up or not."""
    return len(await env.queued(match_id=match_id, kind=kind))


async def checks(env: MatchFixture, match_id: MatchId) -> int:
    return await queued(env, match_id, OutboxKind.ENSURE_BOARD)


async def test_one_check_waits_for_each_running_match(env: MatchFixture) -> None:
    first, second = await env.begin(), await env.begin()
    for match_id in (first, second, first, second):
        await env.boards.ensure(match_id)
    assert [await checks(env, match_id) for match_id in (first, second)] == [1, 1]


async def test_a_check_that_was_given_up_is_queued_again(env: MatchFixture) -> None:
    match_id = await env.begin()
    await env.boards.ensure(match_id)
    async with env.database.write() as connection:
        await connection.execute(update(outbox).values(status=OutboxStatus.FAILED))
    for _ in range(2):
        await env.boards.ensure(match_id)
    assert await checks(env, match_id) == 2


async def test_only_boards_of_running_matches_are_checked(env: MatchFixture) -> None:
    challenge_id, ended = await env.ask(), await env.begin()
    await env.matches.act(next(env.ids), ended, ADA, "resign")
    for match_id in (challenge_id, ended, MatchId(999)):
        await env.boards.ensure(match_id)
        assert await checks(env, match_id) == 0


async def test_a_match_that_moves_gets_no_thread(env: MatchFixture) -> None:
    for _ in range(2):
        terms = Terms(game="wormholes", guild_id=GUILD, channel_id=ChannelId(5))
        challenge = await env.challenges.challenge(next(env.ids), terms, PLAYERS)
        await env.challenges.accept(next(env.ids), challenge.match_id, BO)
    assert await queued(env, MatchId(2), OutboxKind.START_THREAD) == 1
    assert (await env.boards.move(next(env.ids), MatchId(2), ADA, (GUILD, 6))).kind == "done"
    threads = OutboxKind.START_THREAD, OutboxKind.START_POST
    assert [await queued(env, MatchId(2), kind) for kind in threads] == [0, 0]
    assert [await queued(env, MatchId(1), kind) for kind in threads] == [1, 0]


async def test_a_player_who_has_left_moves_no_match(env: MatchFixture) -> None:
    match_id = await warp6(env, "", seats="3")
    assert (await env.matches.act(next(env.ids), match_id, EVE, "leave")).kind == "done"
    before = await env.queries.match(match_id)
    refused = await env.boards.move(next(env.ids), match_id, EVE, (GUILD, 6))
    sentence = "You've left this match, so only the other players can move it."
    assert (refused.kind, refused.sentence) == ("refused", sentence)
    assert await env.queries.match(match_id) == before
    assert (await env.boards.move(next(env.ids), match_id, BO, (GUILD, 6))).kind == "done"
