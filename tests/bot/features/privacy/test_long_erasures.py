"""Deletions of players with many running matches: in steps, and finished after a stop."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from sqlalchemy import select, update

from bot.app.registry import personal_data
from bot.domain.ids import ChannelId, MatchId, UserId
from bot.domain.models import MatchStatus, Player
from bot.domain.terms import Terms
from bot.features.privacy import service as services
from bot.features.privacy.commands import ERASING
from bot.features.privacy.service import (
    BEGUN,
    ERASURES,
    ERASURES_DUE,
    ERASURES_LEASE_SECONDS,
    MATCHES_AT_ONCE,
    Privacy,
)
from bot.storage.connection import Connection
from bot.storage.due import Conditions
from bot.storage.erasure_list import ErasureList
from bot.storage.leases import Leases
from bot.storage.schema import facts, matches
from tests.support.cups import CupFixture, user
from tests.support.harness import Stage, words
from tests.support.history import copy_match
from tests.support.interactions import sentence
from tests.support.matches import BO, EVE, MatchFixture, terms
from tests.support.privacy import ADA, privacy_of, tables_with, traces

pytestmark = pytest.mark.slow


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


async def playing(env: MatchFixture, count: int) -> list[MatchId]:
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


async def three_playing(env: MatchFixture, count: int) -> list[MatchId]:
    """Return the numbers of running matches of Ada, Bo and Eve."""
    three = Terms(game="warp6", options={"seats": "3"}, guild_id=None, channel_id=ChannelId(5))
    players = [Player(ADA, "Ada"), Player(BO, "Bo"), Player(EVE, "Eve")]
    match_id = (await env.challenges.challenge(next(env.ids), three, players)).match_id
    for user_id in (BO, EVE):
        await env.challenges.accept(next(env.ids), match_id, user_id)
    return [match_id, *(await copy_match(env.database, match_id, count - 1))]


def another_process(env: MatchFixture) -> Privacy:
    """Return the service of another process."""
    leases = Leases(env.database, "another", lambda: env.now)
    return Privacy(env.database, env.matches, leases, personal_data())


async def check_erased(env: MatchFixture, numbers: list[MatchId]) -> None:
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


async def test_only_matches_of_the_deleted_player_count(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    others = [Player(EVE, "Eve"), Player(BO, "Bo")]
    match_id = (await env.challenges.challenge(next(env.ids), terms(), others)).match_id
    await env.challenges.accept(next(env.ids), match_id, BO)
    await copy_match(env.database, match_id, MATCHES_AT_ONCE)
    numbers, writes = await playing(env, 1), Writes(env, monkeypatch)
    assert await privacy_of(env).erase(ADA)
    assert writes.exclusive == [True]
    await check_erased(env, numbers)


@pytest.mark.parametrize("status", [MatchStatus.CHALLENGE, MatchStatus.CLOSED])
async def test_only_running_matches_are_left_one_by_one(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, status: MatchStatus
) -> None:
    await playing(env, MATCHES_AT_ONCE + 1)
    async with env.database.write() as connection:
        await connection.execute(update(matches).values(status=status))
    writes = Writes(env, monkeypatch)
    async with asyncio.timeout(20):
        assert await privacy_of(env).erase(ADA)
    assert writes.exclusive == [True]


async def test_player_withdraws_from_cups_before_leaving_matches(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Else a cup would begin the player's next match whenever one has been left."""
    await playing(env, MATCHES_AT_ONCE + 1)
    cup = CupFixture(env)
    cup_id = await cup.create(2)
    await cup.join(cup_id, ADA)
    writes = Writes(env, monkeypatch)
    writes.most = 1
    with pytest.raises(StoppedBotError):
        await privacy_of(env).erase(ADA)
    assert [entrant.user_id for entrant in (await cup.get(cup_id)).entrants] == [user(1), user(2)]


async def test_deletion_is_repeated_in_steps_after_a_restore(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = await playing(env, MATCHES_AT_ONCE + 2)
    async with env.database.write() as connection:
        await env.database.erasures.add(connection, ErasureList([]).after(ADA, 0))
    writes = Writes(env, monkeypatch)
    assert await privacy_of(env).erase_again() == 1
    assert writes.exclusive == [True, False, False, True, False]
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
    numbers = await three_playing(env, 3)
    writes = Writes(env, monkeypatch)
    async with asyncio.timeout(20):
        assert await privacy_of(env).erase(ADA)
    assert writes.exclusive.count(False) == len(numbers[1:])
    for number in numbers:
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


async def test_deletion_in_progress_is_left_to_its_process(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers, service = await playing(env, MATCHES_AT_ONCE + 3), privacy_of(env)
    leave, resumed, due = env.matches.leave_running, list[int](), list[bool]()

    async def while_due(connection: Connection, match_id: MatchId, user_id: UserId) -> None:
        due.extend(await Conditions(env.database, [ERASURES_DUE]).read(env.now))
        resumed.append(await service.resume())
        await leave(connection, match_id, user_id)

    monkeypatch.setattr(env.matches, "leave_running", while_due)
    assert await service.erase(ADA)
    assert (due, resumed) == ([True] * 3, [0] * 3)
    assert await Conditions(env.database, [ERASURES_DUE]).read(env.now) == [False]
    await check_erased(env, numbers)


async def interrupted(env: MatchFixture, monkeypatch: pytest.MonkeyPatch) -> None:
    """Interrupt the deletion of Ada's data after its first step."""
    with monkeypatch.context() as patch:
        Writes(env, patch).most = 2
        with pytest.raises(StoppedBotError):
            await privacy_of(env).erase(ADA)


async def test_interrupted_deletion_is_finished_by_one_process(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = await playing(env, MATCHES_AT_ONCE + 3)
    await interrupted(env, monkeypatch)
    assert await Leases(env.database, "third", lambda: env.now).take(
        ERASURES, ERASURES_LEASE_SECONDS
    )
    assert await another_process(env).resume() == 0
    assert await begun(env)
    env.now += ERASURES_LEASE_SECONDS + 1
    assert await another_process(env).resume() == 1
    await check_erased(env, numbers)


@pytest.mark.first(test=1)
@pytest.mark.parametrize("is_resumed", [True, False])
@pytest.mark.parametrize("is_early", [True, False])
async def test_player_who_came_back_is_not_deleted_again(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch, *, is_early: bool, is_resumed: bool
) -> None:
    """Another process finishes the deletion, before or after this one looks for matches."""
    numbers, new = await three_playing(env, MATCHES_AT_ONCE + 1), list[MatchId]()
    find, calls = Privacy._running, list[int]()

    async def come_back() -> None:
        assert await another_process(env).erase(ADA)
        new.extend(await playing(env, MATCHES_AT_ONCE + 1))

    async def running(privacy: Privacy, user_id: UserId) -> set[MatchId]:
        calls.append(user_id)
        is_now = len(calls) == (1 if is_resumed else 2)  # in between, one match was left
        if is_now and is_early:
            await come_back()
        numbers = await find(privacy, user_id)
        if is_now and not is_early:
            await come_back()
        return numbers

    if is_resumed:
        await interrupted(env, monkeypatch)
    monkeypatch.setattr(Privacy, "_running", running)
    service = privacy_of(env)
    await (service.resume() if is_resumed else service.erase(ADA))
    for number in numbers:
        assert not (await env.queries.match(number)).seat_of(ADA)
    for number in new:
        match = await env.queries.match(number)
        assert (match.status, bool(match.seat_of(ADA))) == (MatchStatus.RUNNING, True)
    assert not await begun(env)


async def test_match_that_was_left_is_not_left_again(env: MatchFixture) -> None:
    """Two processes may delete the same data at once."""
    (number,) = await three_playing(env, 1)
    assert await privacy_of(env).erase(ADA)
    before = (await env.queries.match(number)).version
    async with env.database.write() as connection:
        await env.matches.leave_running(connection, number, ADA)
    match = await env.queries.match(number)
    assert (match.status, match.version) == (MatchStatus.RUNNING, before)


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
    leave, left = env.matches.leave_running, list[MatchId]()

    async def after_bo(connection: Connection, match_id: MatchId, user_id: UserId) -> None:
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
        await stage.client.context.of(Privacy).erase(stage.ada.id)
    await stage.restart()
    await stage.env.advance_time(30)
    assert not await traces(stage.database, stage.ada.id)


@pytest.mark.slow
async def test_bot_finishes_deletions_that_failed(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    match_id = await stage.begin()
    await copy_match(stage.database, match_id, MATCHES_AT_ONCE)

    async def stop(*_given: Any) -> None:
        raise StoppedBotError

    with monkeypatch.context() as patch:
        patch.setattr(stage.client.context.matches, "leave_running", stop)
        with pytest.raises(StoppedBotError):
            await stage.client.context.of(Privacy).erase(stage.ada.id)
    cleared = list[bool]()
    monkeypatch.setattr(stage.client.context.images, "clear_cache", lambda: cleared.append(True))
    await stage.env.advance_time(30)
    assert not await traces(stage.database, stage.ada.id)
    assert cleared == [True], "pictures have the names of players"


@pytest.mark.slow
async def test_long_deletion_is_answered_at_once(
    stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    await stage.begin()
    limit = stage.client.context.limits.of(ERASING)
    for most, is_pending in ((1, False), (0, True)):
        monkeypatch.setattr("bot.features.privacy.commands.MATCHES_ERASED_QUICKLY", most)
        panel = await stage.ada.slash(stage.channel, "privacy")
        question = await stage.click(stage.ada, panel.response, "erase:ask")
        with limit.running(stage.ada.id):
            refused = await stage.click(stage.ada, question.response, "erase:yes")
        assert "still deleting" in sentence(refused)
        if not is_pending:
            continue
        done = await stage.click(stage.ada, question.response, "erase:yes")
        assert "Your data is deleted" in words(done.response)
        assert "Deleting your data …" in str([request.json for request in stage.env.http_requests])
    assert services.MATCHES_AT_ONCE == MATCHES_AT_ONCE
