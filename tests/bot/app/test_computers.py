"""How a process claims the computer's turns, and what it does with those that fail."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator

import pytest
from sqlalchemy import select

import bot.app.computers
from bot.app.computers import Computers, WorkerClient
from bot.app.workers import WorkerPool
from bot.services.computer_jobs import RETRY_SECONDS, ComputerJob
from bot.services.computer_players import computer_player
from bot.services.computer_turns import (
    ChoiceRequest,
    ComputerChoice,
    ComputerTurns,
    StoppedError,
)
from bot.services.models import Player
from bot.storage.schema import actions, computer_jobs
from engine.computer.players import VERSION
from engine.record import Record
from tests.support.computers import failing_worker
from tests.support.matches import ADA, MatchFixture, terms


class Broken(ComputerTurns):
    """Turns with a bug."""

    played = 0

    async def play(self, job: ComputerJob) -> None:
        """Fail."""
        self.played += 1
        raise KeyError(job.seat)


@pytest.mark.slow
async def test_worker_that_hangs_is_replaced_for_the_turn(
    env: MatchFixture, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.app.computers, "CHOICE_TIMEOUT_SECONDS", 2.0)
    pool = WorkerPool(1, failing_worker("time.sleep(60)", "navigator"))
    turns = ComputerTurns(env.transactions, env.matches, WorkerClient(pool).choose, 0.0)
    computers = Computers(env.database, turns, pool, lambda: env.now, "one")
    await begin(env)
    await computers.resume()
    await rest(computers)
    await computers.stop()
    assert not await leases(env)
    async with env.database.read() as connection:
        chosen = set((await connection.execute(select(actions.c.chosen_by))).scalars()) - {None}
    assert chosen
    assert chosen <= {f"cadet/{VERSION}", f"random/{VERSION}"}, (
        "on a busy machine the lower level is late too"
    )
    first, *more = caplog.messages
    assert first.endswith("is replaced by “cadet”: the worker had no answer after 2 s")
    assert len(more) <= 3


async def no_choice(request: ChoiceRequest) -> ComputerChoice:
    raise AssertionError(f"seat {request.seat} was asked")


@pytest.fixture
def turns(env: MatchFixture) -> Broken:
    return Broken(env.transactions, env.matches, no_choice, 0.0)


@pytest.fixture
async def computers(env: MatchFixture, turns: Broken) -> AsyncIterator[Computers]:
    made = Computers(env.database, turns, WorkerPool(1), lambda: env.now, "one")
    yield made
    await made.stop()


async def begin(env: MatchFixture) -> None:
    """Queue a turn of the computer."""
    while not await leases(env):
        players = [Player(ADA, "Ada"), computer_player("navigator")]
        await env.challenges.challenge(next(env.ids), terms(), players)


async def leases(env: MatchFixture) -> list[float | None]:
    async with env.database.read() as connection:
        chosen = select(computer_jobs.c.lease_expires_at)
        return list((await connection.execute(chosen)).scalars())


async def rest(computers: Computers) -> None:
    """Wait until no turn is in progress."""
    while tasks := computers._tasks():
        await asyncio.wait(tasks)


async def test_no_turn_is_played_before_the_start(
    env: MatchFixture, computers: Computers, turns: Broken
) -> None:
    await begin(env)
    computers.wake()
    await rest(computers)
    assert turns.played == 0


@pytest.mark.errors_wanted
async def test_bug_is_logged_at_each_attempt_and_retried_after_a_pause(
    env: MatchFixture, computers: Computers, turns: Broken, caplog: pytest.LogCaptureFixture
) -> None:
    await begin(env)
    await computers.resume()
    for attempt, pause in enumerate(RETRY_SECONDS, 1):
        await rest(computers)
        assert await leases(env) == [env.now + pause]
        assert turns.played == attempt
        env.now += pause - 1
        computers.wake()
        await rest(computers)
        assert turns.played == attempt
        env.now += 2
        computers.wake()
    await rest(computers)
    assert turns.played == len(RETRY_SECONDS) + 1
    errors = [each for each in caplog.records if each.levelno == logging.ERROR]
    assert len(errors) == turns.played


async def test_stopping_workers_are_no_failure_of_a_player() -> None:
    pool = WorkerPool(1)
    await pool.close()
    request = ChoiceRequest("admiral", bytes(32), "O", Record({}, ()))
    with pytest.raises(StoppedError):
        await WorkerClient(pool).choose(request)
