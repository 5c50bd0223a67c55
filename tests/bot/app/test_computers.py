"""A process claims the computer's turns, and handles those that fail."""

from __future__ import annotations

import asyncio
import json
import logging
from collections.abc import AsyncIterator, Callable, Mapping
from typing import Any

import pytest
import sqlalchemy
from sqlalchemy import select, update

import bot.app.computers
from bot.app.computers import AUDIT_SLICE, CHOICE_TIMEOUT_SECONDS, Computers, WorkerClient
from bot.domain.computer_audit import AuditError
from bot.domain.computer_players import FALLBACK, computer_player
from bot.domain.models import Player
from bot.services.computer_jobs import (
    LEASE_SECONDS,
    RETRY_SECONDS,
    ComputerJob,
    claim_jobs,
)
from bot.services.computer_turns import (
    ChoiceRequest,
    ComputerChoice,
    ComputerTurns,
    StoppedError,
)
from bot.storage.schema import actions, computer_jobs
from bot.urgency import Urgency
from bot.workers.pool import Outcome, WorkerError, WorkerPool
from engine.computer.choosers import Audit, choosers_of, choosers_text
from engine.computer.players import VERSION, ComputerPlayer
from engine.computer.protocol import serve
from engine.dice import Dice, commitment, computer_seed
from engine.game import CHANCE, Action
from engine.games import get
from engine.record import Record
from tests.support.computers import failing_worker
from tests.support.matches import ADA, MatchFixture, terms


class Broken(ComputerTurns):
    """Turns with a bug."""

    played = 0
    error: Exception | None = None

    async def play(self, job: ComputerJob) -> None:
        """Fail."""
        self.played += 1
        raise self.error or KeyError(job.seat)


@pytest.mark.slow
async def test_worker_that_hangs_is_replaced_for_the_turn(
    env: MatchFixture, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.app.computers, "CHOICE_TIMEOUT_SECONDS", 2.0)
    pool = WorkerPool(1, failing_worker("time.sleep(60)", "navigator"))
    turns = ComputerTurns(env.match_store, env.matches, WorkerClient(pool).choose, 0.0)
    computers = Computers(env.database, turns, pool, lambda: env.now, "one")
    await begin(env)
    await computers.resume()
    await rest(computers)
    await computers.stop()
    assert not await leases(env)
    async with env.database.read() as connection:
        marks = set((await connection.execute(select(actions.c.chosen_by))).scalars()) - {None}
    assert marks
    assert marks <= {f"cadet/{VERSION}", f"random/{VERSION}"}, (
        "on a busy machine the lower level is late too"
    )
    first, *more = caplog.messages
    assert first.endswith("is replaced by “cadet”: the worker had no answer after 2 s")
    assert len(more) <= 3


async def no_choice(request: ChoiceRequest) -> ComputerChoice:
    raise AssertionError(f"seat {request.seat} was asked")


@pytest.fixture
def turns(env: MatchFixture) -> Broken:
    return Broken(env.match_store, env.matches, no_choice, 0.0)


@pytest.fixture
async def computers(env: MatchFixture, turns: Broken) -> AsyncIterator[Computers]:
    computers = Computers(env.database, turns, WorkerPool(1), lambda: env.now, "one")
    yield computers
    await computers.stop()


async def begin(env: MatchFixture, turns: int = 1) -> None:
    """Queue turns of the computer."""
    while len(await leases(env)) < turns:
        players = [Player(ADA, "Ada"), computer_player("navigator")]
        await env.challenges.challenge(next(env.ids), terms(), players)


async def leases(env: MatchFixture) -> list[float | None]:
    async with env.database.read() as connection:
        query = select(computer_jobs.c.lease_expires_at)
        return list((await connection.execute(query)).scalars())


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
    errors = [record for record in caplog.records if record.levelno == logging.ERROR]
    assert len(errors) == turns.played


@pytest.mark.parametrize(
    ("error", "pause"),
    [
        (sqlalchemy.exc.TimeoutError("others write for too long"), RETRY_SECONDS[0]),
        (StoppedError("the workers are closed"), RETRY_SECONDS[0]),
        (sqlalchemy.exc.DatabaseError("insert", {}, Exception("malformed")), RETRY_SECONDS[2]),
    ],
)
async def test_turn_after_starts_waits_no_longer_if_others_write(
    env: MatchFixture, turns: Broken, computers: Computers, error: Exception, pause: float
) -> None:
    turns.error = error
    await begin(env)
    async with env.database.write() as connection:
        await connection.execute(update(computer_jobs).values(attempts=2))
    await computers.resume()
    await rest(computers)
    assert await leases(env) == [env.now + pause]


async def test_host_learns_which_matches_wait_for_no_computer(
    env: MatchFixture, turns: Broken, caplog: pytest.LogCaptureFixture
) -> None:
    off = Computers(env.database, turns, WorkerPool(0), lambda: env.now, "one")
    await off.resume()
    assert not caplog.messages
    await begin(env)
    await off.resume()
    await rest(off)
    assert turns.played == 0
    assert caplog.messages == ["COMPUTER_WORKERS is 0, and matches wait for the computer: 1"]
    assert caplog.records[0].levelname == "WARNING"


class Waiting(ComputerTurns):
    """Turns that wait for a worker."""

    async def play(self, job: ComputerJob) -> None:
        """Wait."""
        await asyncio.Event().wait()


async def test_turn_in_progress_keeps_its_lease(env: MatchFixture) -> None:
    turns = Waiting(env.match_store, env.matches, no_choice, 0.0)
    second = Computers(env.database, turns, WorkerPool(1), lambda: env.now, "one")
    await begin(env)
    await second.resume()
    assert second._claiming
    await second._claiming
    for _ in range(3):
        env.now += LEASE_SECONDS - 1
        await second.continue_all()
        assert await leases(env) == [env.now + LEASE_SECONDS]
    assert len(second._playing) == 1
    await second.stop()
    await second.continue_all()
    assert await leases(env) == [env.now + LEASE_SECONDS]


async def test_leases_of_the_process_before_are_released(env: MatchFixture) -> None:
    second = Computers(
        env.database,
        Waiting(env.match_store, env.matches, no_choice, 0.0),
        pool := WorkerPool(1),
        lambda: env.now,
        "one",
    )
    await begin(env)
    async with env.database.write() as connection:
        assert await claim_jobs(connection, "one", env.now, 1)
    await second.resume()
    assert second._claiming
    await second._claiming
    assert len(second._playing) == 1
    await second.stop()
    with pytest.raises(WorkerError) as caught:
        await pool.ask({}, 1.0)
    assert (caught.value.outcome, str(caught.value)) == (Outcome.CLOSED, "the workers are closed")


class Gated(ComputerTurns):
    """Turns that end when a gate is opened."""

    gate: asyncio.Event

    async def play(self, job: ComputerJob) -> None:
        """Wait at the gate, and finish the turn."""
        await self.gate.wait()
        async with self._match_store.database.write() as connection:
            await job.remove(connection)


async def test_few_turns_are_in_progress_and_the_next_follow(
    env: MatchFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bot.app.computers, "MAX_TURNS_AT_ONCE", 1)
    turns = Gated(env.match_store, env.matches, no_choice, 0.0)
    turns.gate = asyncio.Event()
    computers = Computers(env.database, turns, WorkerPool(1), lambda: env.now, "one")
    await begin(env, turns=2)
    await computers.resume()
    for _ in range(2):
        assert computers._claiming
        await computers._claiming
        assert len(computers._playing) == 1
        assert sorted(await leases(env), key=str) == [env.now + LEASE_SECONDS, None]
        computers.wake()
    turns.gate.set()
    await rest(computers)
    assert not await leases(env), "without another call"
    await computers.stop()


async def test_the_fallback_needs_no_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    choice = ComputerChoice("pass", f"{FALLBACK}/1")
    monkeypatch.setattr(bot.app.computers, "_choose_here", lambda _request: choice)
    request = ChoiceRequest(FALLBACK, bytes(32), "O", Record({}, ()))
    assert await WorkerClient(WorkerPool(0)).choose(request) is choice


async def test_an_audit_without_workers_finds_no_difference() -> None:
    with pytest.raises(AuditError) as caught:
        await WorkerClient(WorkerPool(0)).audit(audited(1), ADA)
    assert not caught.value.differs


@pytest.mark.errors_wanted
async def test_turns_of_other_processes_are_looked_for(
    env: MatchFixture, computers: Computers, turns: Broken, monkeypatch: pytest.MonkeyPatch
) -> None:
    await computers.resume()
    await rest(computers)
    with monkeypatch.context() as silent:
        silent.setattr(env.database, "notify", lambda _topic: None)
        await begin(env)
    assert turns.played == 0
    await computers.continue_all()
    await rest(computers)
    assert turns.played == 1


class Auditing(WorkerPool):
    """Answers requests for audits as a worker does, and notes them."""

    def __init__(self) -> None:
        super().__init__(1)
        self.asked: list[dict[str, Any]] = []
        self.answer: Callable[[str], str] = str

    async def ask(
        self, request: Mapping[str, Any], timeout_seconds: float, **terms: Any
    ) -> dict[str, Any]:
        """See `WorkerPool`."""
        assert timeout_seconds < LEASE_SECONDS
        self.asked.append({**request, **terms})
        (answer,) = serve([json.dumps(request)], ComputerPlayer("random", bytes(32)))
        result = json.loads(self.answer(answer))
        if "error" in result:
            raise WorkerError(Outcome.REFUSED, result["error"])
        return dict(result)


def audited(choices: int) -> Record:
    """Return a match of Warp 6 in which the computer chose the first actions of both seats."""
    game, seed = get("warp6"), bytes(32)
    headers = {"Game": "warp6", "Seed": seed.hex(), "Dice": commitment(seed), "Salt": "7"}
    dice, rolls, state = Dice(seed, "7"), 0, game.start("standard", {})
    log, players = tuple[Action, ...](), list[str | None]()
    while len(players) - players.count(None) < choices:
        player = None
        if game.pending(state) == CHANCE:
            action, rolls = game.chance(state, dice.draw(rolls)), rolls + 1
        else:
            seat, chooser = game.pending(state)[0], ComputerPlayer("random", computer_seed(seed))
            player, record = (
                chooser.name,
                Record(headers, game.redact_for_infostate(state, seat, log)),
            )
            action = chooser.choose(record, seat).action
        state, log, players = game.apply(state, action)[0], (*log, action), [*players, player]
    return Record(headers | {"Computer": choosers_text(log, players)}, log)


@pytest.mark.parametrize("choices", [1, AUDIT_SLICE, AUDIT_SLICE + 1, 2 * AUDIT_SLICE, 9])
async def test_audit_asks_for_a_few_choices_at_a_time(choices: int) -> None:
    pool, record = Auditing(), audited(choices)
    assert await WorkerClient(pool).audit(record, ADA) == Audit(choices, 0)
    places, ends = sorted(choosers_of(record)), [0]
    for request in pool.asked:
        assert (request["urgency"], request["owner"]) == (Urgency.AUDIT, ADA)
        assert request["first"] == ends[-1]
        ends.append(request.get("end", len(record.actions)))
        count = sum(ends[-2] <= place < ends[-1] for place in places)
        assert 0 < count <= AUDIT_SLICE
    assert "end" not in pool.asked[-1], "the rest of the record is checked as well"
    assert len(pool.asked) == -(-choices // AUDIT_SLICE)


async def test_audit_adds_up_choices_that_cannot_be_repeated() -> None:
    record = audited(AUDIT_SLICE + 2)
    headers = {**record.headers, "Computer": record.headers["Computer"].replace("/", "/9")}
    audit = await WorkerClient(Auditing()).audit(Record(headers, record.actions), ADA)
    assert audit == Audit(0, AUDIT_SLICE + 2)


@pytest.mark.parametrize("header", ["nonsense", "1-999 B random/1", ""])
async def test_audit_finds_what_contradicts_the_record(header: str) -> None:
    record = audited(24)
    text = header or record.headers["Computer"].replace("random", "admiral")
    with pytest.raises(AuditError) as caught:
        await WorkerClient(Auditing()).audit(
            Record({**record.headers, "Computer": text}, record.actions), ADA
        )
    assert caught.value.differs


@pytest.mark.parametrize("answer", ["{}", '{"checked": 1}', '{"checked": "x", "unknown": 0}'])
async def test_audit_without_numbers_is_no_audit(answer: str) -> None:
    pool = Auditing()
    pool.answer = lambda _right: answer
    with pytest.raises(AuditError) as caught:
        await WorkerClient(pool).audit(audited(1), ADA)
    assert not caught.value.differs


async def test_audit_that_waits_too_long_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bot.app.computers, "AUDIT_TIMEOUT_SECONDS", 0.0)
    pool = WorkerPool(1)
    async with pool._pool.acquired(Urgency.TURN):
        with pytest.raises(AuditError) as caught:
            await WorkerClient(pool).audit(audited(1), ADA)
    assert not caught.value.differs
    await pool.close()


@pytest.mark.parametrize("urgency", Urgency)
async def test_request_says_how_urgent_it_is_and_for_whom(urgency: Urgency) -> None:
    requests: list[dict[str, Any]] = []

    class Noting(WorkerPool):
        async def ask(
            self, request: Mapping[str, Any], timeout_seconds: float, **terms: Any
        ) -> dict[str, Any]:
            requests.append(terms | {"seconds": timeout_seconds})
            return {"line": "pass", "player": "admiral/1"}

    request = ChoiceRequest("admiral", bytes(32), "O", Record({}, ()), urgency, ADA)
    await WorkerClient(Noting(1)).choose(request)
    assert requests == [{"urgency": urgency, "owner": ADA, "seconds": CHOICE_TIMEOUT_SECONDS}]


async def test_stopping_workers_are_no_failure_of_a_player() -> None:
    pool = WorkerPool(1)
    await pool.close()
    request = ChoiceRequest("admiral", bytes(32), "O", Record({}, ()))
    with pytest.raises(StoppedError):
        await WorkerClient(pool).choose(request)
