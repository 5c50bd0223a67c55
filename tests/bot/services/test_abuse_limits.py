"""Limits on what players can send each other, and on what one player can cost the others."""

from __future__ import annotations

import asyncio
import sqlite3
import time
from contextlib import closing
from typing import Any

import pytest
from sqlalchemy import event, insert, select, update

from bot.domain.computer_players import computer_player
from bot.domain.ids import ChannelId, MatchId, UserId, Version
from bot.domain.models import Player
from bot.domain.terms import Terms
from bot.features.privacy.service import Privacy
from bot.services.abuse_limits import (
    MAX_COMPUTER_MATCHES,
    MAX_MATCHES_TRACKED,
    MAX_OPEN_CHALLENGES,
    MAX_OPEN_PER_PAIR,
    MAX_REQUESTS_PER_CHOICE,
    TakebackRequests,
    challenge_refusal,
    computer_refusal,
)
from bot.services.challenges import OPEN_SEAT
from bot.services.preferences import Preferences
from bot.storage.schema import matches, players, seats
from tests.support.harness import Stage, ids, play, words
from tests.support.interactions import click_released
from tests.support.matches import ADA, BO, EVE, PLAYERS, MatchFixture, terms
from tests.support.privacy import export_of

LIMIT = 3.0  # seconds until Discord wants an answer


async def ask(stage: Stage, opponent: Any = None) -> str:
    """Have Ada challenge a player, or all; return what the bot answers."""
    options = {"opponent": opponent} if opponent else {}
    return words((await play(stage.ada, stage.channel, **options)).response)


@pytest.mark.slow
async def test_challenges_to_one_player_are_limited(stage: Stage) -> None:
    for _ in range(MAX_OPEN_PER_PAIR):
        assert "challenge sent to Bo" in await ask(stage, stage.bo)
    count = len(stage.public())
    assert "hasn't answered your other challenges" in await ask(stage, stage.bo)
    assert len(stage.public()) == count
    assert "challenge sent to Eve" in await ask(stage, stage.eve)
    await stage.click(stage.bo, stage.public()[-2], "decline:")
    assert "challenge sent to Bo" in await ask(stage, stage.bo)


@pytest.mark.slow
async def test_open_challenges_of_one_player_are_limited(stage: Stage) -> None:
    for _ in range(MAX_OPEN_CHALLENGES):
        assert "open to anyone" in await ask(stage)
    assert "many open challenges" in await ask(stage)
    assert "many open challenges" in await ask(stage, stage.bo)


@pytest.mark.slow
async def test_blocked_player_cannot_challenge(stage: Stage) -> None:
    challenge = await stage.challenge()
    refused = await click_released(stage, stage.ada, challenge, "block:1")
    assert "Only a challenged player" in words(refused.response)
    done = await stage.click(stage.bo, challenge, "block:")
    assert done.response.ephemeral
    assert "Ada can no longer challenge you" in words(done.response)
    assert (await stage.client.context.queries.match(MatchId(1))).status == "closed"
    assert "isn't accepting challenges from you" in await ask(stage, stage.bo)
    other = await play(stage.eve, stage.channel, opponent=stage.bo)
    assert "challenge sent to Bo" in words(other.response)
    settings = await stage.bo.slash(stage.channel, "settings")
    assert "You have blocked 1 player" in words(settings.response)
    await stage.click(stage.bo, settings.response, "block:none")
    assert "challenge sent to Bo" in await ask(stage, stage.bo)


@pytest.mark.slow
async def test_blocking_during_a_withdrawal_declines_nothing(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    challenge = await stage.challenge()
    context = stage.client.context
    block = context.preferences.block

    async def withdrawn_before(user_id: UserId, other_id: UserId) -> None:
        await context.challenges.withdraw(7, MatchId(1), stage.ada.id)
        await block(user_id, other_id)

    monkeypatch.setattr(context.preferences, "block", withdrawn_before)
    reply = await stage.click(stage.bo, challenge, "block:")
    assert words(reply.response) == "This challenge is no longer open."
    assert "isn't accepting challenges from you" in await ask(stage, stage.bo)


@pytest.mark.slow
async def test_player_can_refuse_all_challenges(stage: Stage) -> None:
    await stage.client.context.preferences.set(stage.bo.id, "challenges", "off")
    assert "isn't accepting challenges" in await ask(stage, stage.bo)
    assert (
        "challenges" in (await export_of(stage.database, stage.bo.id))["settings"][0]["preferences"]
    )


async def test_deleted_player_is_in_no_block_list(stage: Stage) -> None:
    await stage.challenge()
    await stage.client.context.preferences.block(stage.bo.id, stage.ada.id)
    await stage.client.context.preferences.block(stage.bo.id, stage.eve.id)
    await stage.client.context.of(Privacy).erase(stage.ada.id)
    async with stage.database.read() as connection:
        stored = (await connection.execute(select(players.c.preferences))).scalars().all()
    assert str(stage.ada.id) not in str(stored)
    assert str(stage.eve.id) in str(stored)


@pytest.mark.slow
async def test_rematch_of_a_blocked_player_is_refused(stage: Stage) -> None:
    match_id = await stage.begin()
    await stage.client.context.matches.act(7, match_id, stage.bo.id, "resign")
    await stage.client.runtime.outbox.flush()
    await stage.env.settle()
    await stage.client.context.preferences.block(stage.bo.id, stage.ada.id)
    refused = await stage.client.context.rematches.rematch(8, match_id, stage.ada.id)
    assert "isn't accepting challenges from you" in refused.sentence


def test_takeback_requests_are_limited() -> None:
    requests = TakebackRequests()
    assert not requests.refusal(MatchId(1), Version(10), 5, 1)
    assert "already asked" in requests.refusal(MatchId(1), Version(10), 5, 2)
    for version in range(11, 10 + MAX_REQUESTS_PER_CHOICE):
        assert not requests.refusal(MatchId(1), Version(version), 5, version)
    assert "too often" in requests.refusal(MatchId(1), Version(99), 5, 99)
    for version in range(100, 100 + MAX_REQUESTS_PER_CHOICE):
        assert requests.refusal(MatchId(1), Version(version), 6, version) == "", "of another choice"
    assert "too often" in requests.refusal(MatchId(1), Version(199), 6, 199)
    assert not requests.refusal(MatchId(2), Version(1), 1, 101)


def test_requests_of_the_match_that_asked_first_are_forgotten() -> None:
    requests = TakebackRequests()
    for match_id in range(1, MAX_MATCHES_TRACKED + 1):
        assert not requests.refusal(MatchId(match_id), Version(10), 5, match_id)
    assert "already asked" in requests.refusal(MatchId(1), Version(10), 5, 0)
    assert not requests.refusal(MatchId(1), Version(11), 5, 0)
    last = MAX_MATCHES_TRACKED + 1
    assert not requests.refusal(MatchId(last), Version(10), 5, last)
    for match_id, version in ((1, 11), (3, 10), (last, 10)):
        assert "already asked" in requests.refusal(MatchId(match_id), Version(version), 5, 0)
    assert not requests.refusal(MatchId(2), Version(10), 5, 0)


def test_a_takeback_request_that_is_not_stored_does_not_count() -> None:
    requests = TakebackRequests()
    for interaction in range(10):
        assert not requests.refusal(MatchId(1), Version(1), 5, interaction)
        requests.withdraw(MatchId(1), interaction)
    requests.withdraw(MatchId(2), 10)
    assert not requests.refusal(MatchId(1), Version(1), 5, 10)
    requests.withdraw(MatchId(1), 9)  # an earlier one
    assert "already asked" in requests.refusal(MatchId(1), Version(1), 5, 11)
    for version in range(2, 1 + MAX_REQUESTS_PER_CHOICE):
        assert not requests.refusal(MatchId(1), Version(version), 5, version)
    assert "too often" in requests.refusal(MatchId(1), Version(99), 5, 99)


async def refusal(env: MatchFixture, user: UserId) -> str:
    """Why a player cannot begin a match against the computer."""
    async with env.database.read() as connection:
        return await computer_refusal(connection, user, "wormholes")


async def test_running_matches_with_the_computer_are_limited(env: MatchFixture) -> None:
    async def begin(opponent: Any) -> MatchId:
        players = [PLAYERS[0], opponent]
        challenge = await env.challenges.challenge(next(env.ids), terms(), players, side="O")
        assert challenge.kind == "done"
        return challenge.match_id

    for _ in range(MAX_COMPUTER_MATCHES):
        await env.begin()
    waiting = await begin(OPEN_SEAT)
    for _ in range(MAX_COMPUTER_MATCHES):
        assert await refusal(env, ADA) == "", "matches between people do not count"
        last = await begin(computer_player())
    count = f"already playing {MAX_COMPUTER_MATCHES} matches against the computer"
    assert count in await refusal(env, ADA)
    assert await refusal(env, BO) == "", "matches of others do not count"
    filled = await env.computer_seats.play_computer(next(env.ids), waiting, ADA)
    assert (filled.kind, count in filled.sentence) == ("refused", True)
    assert (await env.queries.match(waiting)).status == "challenge"
    assert (await env.matches.act(next(env.ids), last, ADA, "resign")).kind == "done"
    assert await refusal(env, ADA) == "", "finished matches do not count"


async def test_a_first_challenge_is_not_refused(env: MatchFixture) -> None:
    async with env.database.read() as connection:
        assert await challenge_refusal(connection, PLAYERS[0], PLAYERS) == ""


@pytest.mark.slow
async def test_autocomplete_of_many_matches_is_one_short_query(stage: Stage) -> None:
    match_id = await stage.begin()
    async with stage.database.write() as connection:
        row = (await connection.execute(select(matches))).mappings().one()
        people = (await connection.execute(select(seats))).mappings().all()
        many = range(1000, 2500)
        rows = [{**row, "id": number, "status": "finished"} for number in many]
        await connection.execute(insert(matches), rows)
        ended = {"ended_at": row["changed_at"]}
        sat = [{**person, "match_id": number, **ended} for number in many for person in people]
        await connection.execute(insert(seats), sat)
        await connection.execute(
            update(matches).where(matches.c.id == match_id).values(changed_at=1)
        )
    statements: list[str] = []
    engine = stage.database._readers.sync_engine  # type: ignore[attr-defined]
    event.listen(engine, "before_cursor_execute", lambda *args: statements.append(args[2]))
    offered = await stage.ada.autocomplete(stage.channel, "replay", "match", "24")
    assert len(offered) == 25
    assert all("24" in str(choice["value"]) for choice in offered)
    assert len(statements) < 60


@pytest.mark.slow
async def test_clicks_are_answered_in_time_while_the_file_is_locked(
    stage: Stage, locales: dict[int, str]
) -> None:
    challenge = await stage.challenge()
    locales.update({who.id: "de" for who in (stage.ada, stage.bo, stage.eve)})
    accept = next(custom_id for custom_id in ids(challenge) if custom_id.startswith("accept:"))

    async def click(who: Any) -> float:
        begin = time.perf_counter()
        assert (await who.click(challenge, custom_id=accept)).acknowledged
        return time.perf_counter() - begin

    with closing(sqlite3.connect(str(stage.database.url.database))) as other:
        other.execute("BEGIN IMMEDIATE")
        waits = [await click(who) for who in (stage.bo, stage.eve)]
        other.rollback()
    assert max(waits) < LIMIT
    await asyncio.sleep(0)


@pytest.mark.parametrize("blocker", [ADA, EVE])
async def test_a_blocked_player_takes_no_open_seat(env: MatchFixture, blocker: UserId) -> None:
    """Each player who is seated can have blocked the one who joins, not only the challenger."""
    three = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))
    players = [Player(ADA, "Ada"), Player(EVE, "Eve"), OPEN_SEAT]
    challenge = await env.challenges.challenge(next(env.ids), three, players)
    preferences = Preferences(env.database)
    await preferences.block(blocker, BO)
    before = await env.queries.match(challenge.match_id)
    refused = await env.challenges.accept(next(env.ids), challenge.match_id, BO, "Bo")
    name = {ADA: "Ada", EVE: "Eve"}[blocker]
    sentence = f"{name} isn't starting matches with you right now; choose another match."
    assert (refused.kind, refused.sentence) == ("refused", sentence)
    assert await env.queries.match(challenge.match_id) == before
    await preferences.unblock_all(blocker)
    assert (await env.challenges.accept(next(env.ids), challenge.match_id, BO, "Bo")).kind == "done"


async def test_a_player_may_join_those_whom_they_block(env: MatchFixture) -> None:
    challenge = await env.challenges.challenge(
        next(env.ids), terms(), [Player(ADA, "Ada"), OPEN_SEAT]
    )
    await Preferences(env.database).block(BO, ADA)
    assert (await env.challenges.accept(next(env.ids), challenge.match_id, BO, "Bo")).kind == "done"


async def test_who_was_challenged_before_the_block_may_accept(env: MatchFixture) -> None:
    challenge = await env.challenges.challenge(next(env.ids), terms(), PLAYERS)
    await Preferences(env.database).block(ADA, BO)
    assert (await env.challenges.accept(next(env.ids), challenge.match_id, BO)).kind == "done"
