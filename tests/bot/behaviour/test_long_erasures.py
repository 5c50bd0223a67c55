"""Deletions of players with many running matches: in steps, and finished after a stop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import select

from bot.services import privacy as services
from bot.services.models import MatchStatus, Player
from bot.services.privacy import BEGUN, MATCHES_AT_ONCE
from bot.services.terms import Terms
from bot.storage.connection import Connection
from bot.storage.schema import facts
from tests.support.harness import Stage, words
from tests.support.history import copy_match
from tests.support.interactions import sentence
from tests.support.matches import BO, EVE, MatchFixture, terms
from tests.support.privacy import ADA, privacy_of, tables_with, traces


class StoppedBotError(Exception):
    """The bot is stopped."""


class Writes:
    """The transactions that write: whether each excludes all others."""

    def __init__(self, env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> None:
        self.exclusive: list[bool] = []
        self.most = 99
        self._write = env.database.write
        monkeypatch.setattr(env.database, "write", self.write)

    @asynccontextmanager
    async def write(self, *, exclusive: bool = False) -> AsyncIterator[Connection]:
        """Note a transaction, or stop the bot."""
        if len(self.exclusive) == self.most:
            raise StoppedBotError
        self.exclusive.append(exclusive)
        async with self._write(exclusive=exclusive) as connection:
            yield connection


async def playing(env: MatchFixture, count: int) -> list[int]:
    """Return the numbers of running matches of Ada and Bo."""
    players = [Player(ADA, "Ada"), Player(BO, "Bo")]
    match_id = (await env.challenges.challenge(next(env.ids), terms(), players)).match_id
    await env.challenges.accept(next(env.ids), match_id, BO)
    return [match_id, *(await copy_match(env.database, match_id, count - 1))]


async def begun(env: MatchFixture) -> list[str]:
    """Return the facts about deletions that have begun."""
    async with env.database.read() as connection:
        names = (await connection.execute(select(facts.c.name))).scalars().all()
    return [name for name in names if name.startswith(BEGUN)]


async def check_erased(env: MatchFixture, numbers: list[int]) -> None:
    """Assert that Ada has left all matches, and that nothing of her is stored."""
    for number in numbers:
        match = await env.queries.match(number)
        assert match.status == "finished"
        assert sorted(match.names.values()) == ["Bo", "Deleted player"]
        assert (await env.queries.record(number)).headers["Result"].endswith(" resign")
    assert not await tables_with(env, ADA)
    assert not await begun(env)


async def test_few_matches_are_left_in_one_transaction(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, writes = await playing(env, MATCHES_AT_ONCE), Writes(env, monkeypatch)
    assert await privacy_of(env).erase(ADA)
    assert writes.exclusive == [True]
    await check_erased(env, numbers)


async def test_many_matches_are_left_one_by_one(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, writes = await playing(env, MATCHES_AT_ONCE + 3), Writes(env, monkeypatch)
    assert await privacy_of(env).erase(ADA)
    assert writes.exclusive == [True, False, False, False, True]
    await check_erased(env, numbers)


async def test_matches_of_three_in_which_others_play_on_are_left_once(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They go on without the player, and are not looked for again."""
    monkeypatch.setattr(services, "MATCHES_AT_ONCE", 1)
    three = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=5)
    players = [Player(ADA, "Ada"), Player(BO, "Bo"), Player(EVE, "Eve")]
    match_id = (await env.challenges.challenge(next(env.ids), three, players)).match_id
    for user_id in (BO, EVE):
        await env.challenges.accept(next(env.ids), match_id, user_id)
    others = await copy_match(env.database, match_id, 2)
    writes = Writes(env, monkeypatch)
    async with asyncio.timeout(20):
        assert await privacy_of(env).erase(ADA)
    assert writes.exclusive.count(False) == len(others)
    for number in (match_id, *others):
        match = await env.queries.match(number)
        assert match.status == MatchStatus.RUNNING
        assert not match.seat_of(ADA)
    assert not await begun(env)


@pytest.mark.parametrize("most", [1, 2, 4])
async def test_deletion_that_was_stopped_is_finished(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    numbers, writes = await playing(env, MATCHES_AT_ONCE + 3), Writes(env, monkeypatch)
    writes.most = most
    with pytest.raises(StoppedBotError):
        await privacy_of(env).erase(ADA)
    assert await begun(env) == [f"erasing {ADA}"], "a name in existing databases"
    writes.most = 99
    await privacy_of(env).resume()
    await check_erased(env, numbers)
    await privacy_of(env).scrub()
    assert not await traces(env.database, ADA)
    writes.exclusive.clear()
    await privacy_of(env).resume()
    assert not writes.exclusive


async def test_deletion_stopped_before_its_first_step_changes_nothing(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, writes = await playing(env, MATCHES_AT_ONCE + 3), Writes(env, monkeypatch)
    writes.most = 0
    with pytest.raises(StoppedBotError):
        await privacy_of(env).erase(ADA)
    assert not await begun(env)
    assert {(await env.queries.match(number)).status for number in numbers} == {"running"}


async def test_matches_that_end_meanwhile_are_not_left(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, service = await playing(env, MATCHES_AT_ONCE + 2), privacy_of(env)
    leave, left = env.matches.leave_running, list[int]()

    async def after_bo(connection: Connection, match_id: int, user_id: int) -> None:
        await leave(connection, match_id, user_id)
        await leave(connection, match_id, user_id)
        left.append(match_id)

    monkeypatch.setattr(env.matches, "leave_running", after_bo)
    assert await service.erase(ADA)
    assert left == numbers[MATCHES_AT_ONCE:]
    await check_erased(env, numbers)


@pytest.mark.slow
async def test_bot_finishes_deletions_at_its_start(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    await copy_match(stage.database, match_id, MATCHES_AT_ONCE)

    async def stop(*_given: Any) -> None:
        raise StoppedBotError

    monkeypatch.setattr(stage.client.context.matches, "leave_running", stop)
    with pytest.raises(StoppedBotError):
        await stage.client.context.privacy.erase(stage.ada.id)
    await stage.restart()
    await stage.env.advance_time(30)
    assert not await traces(stage.database, stage.ada.id)


@pytest.mark.slow
async def test_long_deletion_is_answered_at_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.begin()
    limit = stage.client.context.limits.erasures
    for most, is_pending in ((1, False), (0, True)):
        monkeypatch.setattr("bot.interactions.privacy.MATCHES_ERASED_QUICKLY", most)
        shown = await stage.ada.slash(stage.channel, "privacy")
        asked = await stage.click(stage.ada, shown.response, "erase:ask")
        with limit.running(stage.ada.id):
            refused = await stage.click(stage.ada, asked.response, "erase:yes")
        assert "still deleting" in sentence(refused)
        if not is_pending:
            continue
        done = await stage.click(stage.ada, asked.response, "erase:yes")
        assert "Your data is deleted" in words(done.response)
        assert "Deleting your data …" in str([each.json for each in stage.env.http_requests])
    assert services.MATCHES_AT_ONCE == MATCHES_AT_ONCE
