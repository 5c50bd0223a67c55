"""The pool of workers: requests, their order, and workers that fail. All are real."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any
from unittest.mock import AsyncMock

import pytest

from bot.urgency import Urgency
from bot.workers import pool as workers
from bot.workers import process as worker_process
from bot.workers.pool import LIMITS, WorkerError, WorkerPool
from tests.support.children import children_of
from tests.support.worker_programs import (
    FAULTS,
    MINUTE,
    PID,
    SERVE,
    Hanging,
    command,
    count,
    is_running,
    pid_of,
    pool_of,
    refused,
    wait_for_end,
)


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    async with pool_of(1) as pool:
        yield pool


# ------------------------------------------------------------------ answers


async def test_a_worker_is_started_once_for_several_requests(pool: WorkerPool) -> None:
    assert not pool._workers
    assert await pid_of(pool) == await pid_of(pool)
    assert len(pool._workers) == 1


@pytest.mark.slow
async def test_a_real_worker_says_which_games_it_plays() -> None:
    pool = WorkerPool(1)
    answer = await pool.ask({"do": "hello"}, MINUTE)
    assert "wormholes" in answer["games"]
    await pool.close()


async def test_a_pool_without_workers_refuses_requests() -> None:
    pool = WorkerPool(0)
    assert not pool.enabled
    assert str(await refused(pool)) == "there are no workers"
    await pool.close()
    assert WorkerPool(1).enabled


async def test_a_slow_answer_within_the_timeout_counts(pool: WorkerPool, tmp_path: Path) -> None:
    fifo = tmp_path / "go"
    os.mkfifo(fifo)
    do = "say({'read': open(request['fifo']).read()})"
    request = asyncio.create_task(pool.ask({"do": do, "fifo": str(fifo)}, MINUTE))
    await asyncio.to_thread(fifo.write_text, "go")
    assert await request == {"read": "go"}


async def test_reports_come_before_the_answer_and_renew_the_timeout(
    pool: WorkerPool, monkeypatch: pytest.MonkeyPatch
) -> None:
    reports, renewed, timeout = list[Any](), list[float | None](), asyncio.timeout

    async def on_report(report: dict[str, Any]) -> None:
        reports.append(report["step"])

    def renew(seconds: float | None) -> asyncio.Timeout:
        renewed.append(seconds)
        return timeout(seconds)

    do = "[say({'step': n}) for n in range(3)]; say({'done': 1})"
    await pid_of(pool)
    monkeypatch.setattr(asyncio, "timeout", renew)
    assert await pool.ask({"do": do}, MINUTE, on_report=on_report) == {"done": 1}
    assert reports == [0, 1, 2]
    assert renewed.count(MINUTE) == 4
    hang = {"do": "say({'step': 3}); time.sleep(60)"}
    with pytest.raises(WorkerError, match="no answer after"):
        await pool.ask(hang, 0.5, on_report=on_report)
    assert reports == [0, 1, 2, 3]


async def test_report_that_cannot_be_kept_ends_the_worker(pool: WorkerPool) -> None:
    async def on_report(_report: dict[str, Any]) -> None:
        raise KeyError

    pid = await pid_of(pool)
    with pytest.raises(KeyError):
        await pool.ask({"do": "say({'step': 0}); say({'done': 1})"}, MINUTE, on_report=on_report)
    assert await pid_of(pool) != pid


async def test_an_impatient_request_waits_for_no_worker(pool: WorkerPool) -> None:
    pid = await pid_of(pool)
    async with pool._pool.acquired(Urgency.TURN):
        with pytest.raises(TimeoutError):
            await pool.ask(PID, MINUTE, patience_seconds=0)
    answer = await pool.ask(PID, MINUTE, patience_seconds=0)
    assert answer["pid"] == pid, "it is given time for its answer"


async def test_a_long_answer_within_the_limit_counts(pool: WorkerPool) -> None:
    length = worker_process.ANSWER_BYTES - 100
    answer = await pool.ask({"do": f"say({{'long': 'x' * {length}}})"}, MINUTE)
    assert len(answer["long"]) == length


async def test_bytes_may_follow_an_answer(pool: WorkerPool) -> None:
    data = bytes(range(256)) * 1000
    do = "data = bytes(range(256)) * 1000; say({'data': len(data)})"
    do += "; sys.stdout.buffer.write(data); sys.stdout.buffer.flush()"
    assert await pool.ask({"do": do}, MINUTE) == {"data": data}
    assert await pool.ask({"do": "say({'data': 0})"}, MINUTE) == {"data": b""}
    assert await pid_of(pool), "its next answer begins after the bytes"


async def test_an_error_answer_keeps_the_worker(pool: WorkerPool) -> None:
    pid = await pid_of(pool)
    error = await refused(pool, "say({'error': 'secret coin'})")
    assert (error.outcome, str(error)) == ("refused", "the worker refused the request")
    assert await pid_of(pool) == pid


async def test_metrics_count_requests_by_outcome(pool: WorkerPool) -> None:
    do = "say({'counted': 1})"
    await pool.ask({"do": do}, MINUTE)
    assert count(do, "answered") == 1
    await refused(pool, "os._exit(5)")
    assert count("os._exit(5)", "died") == 1


# ------------------------------------------------------------------ failures


@pytest.mark.first(test=2)
@pytest.mark.parametrize("fault", FAULTS)
async def test_a_worker_that_fails_is_replaced(pool: WorkerPool, fault: str) -> None:
    do, outcome, reason = FAULTS[fault]
    pid = await pid_of(pool)
    error = await refused(pool, do)
    assert (error.outcome, str(error)) == (outcome, reason)
    assert await pid_of(pool) != pid
    assert wait_for_end(pid)


async def test_a_worker_that_hangs_is_replaced(pool: WorkerPool) -> None:
    pid = await pid_of(pool)
    error = await refused(pool, "time.sleep(60)", 0.05)
    assert (error.outcome, str(error)) == ("timeout", "the worker had no answer after 0.05 s")
    assert await pid_of(pool) != pid
    assert wait_for_end(pid)


@pytest.mark.slow
async def test_a_worker_in_an_endless_loop_ends_without_its_bot(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(worker_process, "CPU_SECONDS", 1)
    async with pool_of(1) as pool:
        assert str(await refused(pool, "while True: pass")) == "the worker died: exit code -24"


async def test_a_worker_killed_while_it_works_is_replaced(pool: WorkerPool, tmp_path: Path) -> None:
    pid = await pid_of(pool)
    hanging = Hanging(pool, tmp_path)
    await hanging.begun()
    os.kill(pid, signal.SIGKILL)
    with pytest.raises(WorkerError, match="exit code -9"):
        await hanging.task
    assert await pid_of(pool) != pid


async def test_a_worker_that_has_grown_is_replaced_after_its_answer(pool: WorkerPool) -> None:
    pid = await pid_of(pool)
    do = f"kept = b'x' * {LIMITS.resident_bytes}; say({{'kept': len(kept)}})"
    assert await pool.ask({"do": do}, MINUTE) == {"kept": LIMITS.resident_bytes}
    assert await pid_of(pool) != pid
    assert wait_for_end(pid)


async def test_a_worker_killed_while_it_is_idle_costs_no_request(pool: WorkerPool) -> None:
    pid = await pid_of(pool)
    (worker,) = pool._workers
    os.kill(pid, signal.SIGKILL)
    await worker.ended()
    assert await pid_of(pool) != pid


async def test_a_request_too_large_for_a_pipe_ends_with_the_timeout(pool: WorkerPool) -> None:
    program = "import sys, time; sys.stdin.readline(); print('{}', flush=True); time.sleep(60)"
    async with pool_of(1, program) as deaf:
        with pytest.raises(WorkerError, match="no answer after"):
            await deaf.ask({"do": "x" * 1_000_000}, 0.05)


async def test_a_worker_that_closes_its_input_is_replaced(pool: WorkerPool) -> None:
    program = "import os; input(); os.close(0); print('{}', flush=True); os.read(0, 1)"
    async with pool_of(1, program) as deaf:
        with pytest.raises(WorkerError, match="died"):
            await deaf.ask({"do": "x" * 1_000_000}, MINUTE)


async def test_starts_that_fail_are_retried_after_growing_pauses(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers, "START_PAUSE_SECONDS", (0.0, 0.02, 0.04))
    clock = asyncio.get_running_loop().time
    async with pool_of(1, "raise SystemExit(7)") as pool:
        for pause in (0.0, 0.02, 0.04, 0.04):
            begin = clock()
            assert str(await refused(pool)) == "the worker died: exit code 7"
            assert clock() - begin >= pause
        pool._command = command(SERVE)
        await pid_of(pool)
        assert pool._failed_starts == 0


@pytest.mark.parametrize("before", [1, 2])
async def test_starts_that_keep_failing_fail_for_all_that_wait(
    monkeypatch: pytest.MonkeyPatch, before: int
) -> None:
    """Each of them would wait for its own start; after few failures they still do."""
    monkeypatch.setattr(workers, "START_PAUSE_SECONDS", (0.0,) * 3)
    async with pool_of(1, "raise SystemExit(7)") as pool:
        pool._failed_starts = before
        first, *others = [asyncio.create_task(refused(pool)) for _ in range(3)]
        await first
        await asyncio.sleep(0)
        assert pool._failed_starts == before + 1
        assert [task.done() for task in others] == [before == 2] * 2
        assert {str(await task) for task in others} == {"the worker died: exit code 7"}


async def test_start_that_fails_beside_a_worker_fails_alone(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(workers, "START_PAUSE_SECONDS", (0.0,))
    async with pool_of(2) as pool:
        hanging = Hanging(pool, tmp_path)
        await hanging.begun()
        pool._command = command("raise SystemExit(7)")
        failing, queued = asyncio.create_task(refused(pool)), asyncio.create_task(pid_of(pool))
        await failing
        await asyncio.sleep(0)
        assert not queued.done()
        pool._command = command(SERVE)
        assert await queued
        hanging.task.cancel()


async def test_a_command_that_is_missing_is_a_reason() -> None:
    pool = WorkerPool(1, ["/nowhere/python"])
    assert str(await refused(pool)) == "no worker starts: No such file or directory"
    await pool.close()


async def test_a_worker_that_refuses_the_start_is_killed() -> None:
    async with pool_of(1, SERVE.replace("say({})", "say({'error': ''})")) as pool:
        assert (await refused(pool)).outcome == "refused"
        (worker,) = pool._workers
        await worker.ended()


# ------------------------------------------------------------------ order


async def test_requests_go_by_urgency_and_then_by_owner(pool: WorkerPool, tmp_path: Path) -> None:
    hanging = Hanging(pool, tmp_path)
    await hanging.begun()
    order: list[str] = []

    async def ask(urgency: Urgency, name: str) -> None:
        await pool.ask(PID, MINUTE, urgency=urgency, owner=name[0])
        order.append(name)

    names = ["Ada 1", "Ada 2", "Bo 1"]
    async with asyncio.TaskGroup() as group:
        for urgency in Urgency:
            for name in names:
                group.create_task(ask(urgency, name))
        await asyncio.sleep(0)
        hanging.task.cancel()
    assert order == ["Ada 1", "Bo 1", "Ada 2"] * len(Urgency)


def test_turns_come_first_and_analyses_last() -> None:
    order = [Urgency.TURN, Urgency.HINT, Urgency.AUDIT, Urgency.ANALYSIS]
    assert sorted(Urgency, reverse=True) == order


async def test_two_workers_work_at_the_same_time(tmp_path: Path) -> None:
    fifo = tmp_path / "pair"
    os.mkfifo(fifo)
    async with pool_of(2) as pool:
        reader = {"do": "say({'read': open(request['fifo']).read()})", "fifo": str(fifo)}
        writer = {"do": "open(request['fifo'], 'w').write('met'); say({})", "fifo": str(fifo)}
        answers = await asyncio.gather(pool.ask(reader, MINUTE), pool.ask(writer, MINUTE))
    assert list(answers) == [{"read": "met"}, {}]


# ------------------------------------------------------------------ the end


async def test_cancelling_a_request_kills_its_worker(pool: WorkerPool, tmp_path: Path) -> None:
    pid = await pid_of(pool)
    hanging = Hanging(pool, tmp_path)
    await hanging.begun()
    hanging.task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await hanging.task
    assert await pid_of(pool) != pid
    assert wait_for_end(pid)


@pytest.mark.first(test=5)
@pytest.mark.parametrize("steps", range(0, 40, 3))
async def test_cancelling_at_any_step_leaves_a_pool_that_works(
    pool: WorkerPool, steps: int
) -> None:
    before = children_of(os.getpid())
    request = asyncio.create_task(pool.ask({"do": "say({'first': 1})"}, MINUTE))
    for _ in range(steps):
        await asyncio.sleep(0)
    request.cancel()
    await asyncio.gather(request, return_exceptions=True)
    pid = await pid_of(pool)
    await pool.close()
    assert not is_running(pid)
    assert children_of(os.getpid()) == before


async def test_close_ends_requests_that_run_and_that_wait(tmp_path: Path) -> None:
    before = children_of(os.getpid())
    async with pool_of(1) as pool:
        hanging = Hanging(pool, tmp_path)
        queued = asyncio.create_task(pool.ask(PID, MINUTE))
        await hanging.begun()
        await pool.close()
        for task in (hanging.task, queued):
            with pytest.raises(WorkerError, match="the workers are closed") as caught:
                await task
            assert caught.value.outcome == "closed"
        assert children_of(os.getpid()) == before
        assert str(await refused(pool)) == "the workers are closed"


async def test_close_does_not_wait_for_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "START_PAUSE_SECONDS", (MINUTE,))
    async with pool_of(1) as pool:
        request = asyncio.create_task(pool.ask(PID, MINUTE))
        await asyncio.sleep(0)
        async with asyncio.timeout(MINUTE / 2):
            await pool.close()
        with pytest.raises(WorkerError, match="closed"):
            await request


class _Answering:
    """Stands in for a process that answers at once."""

    is_usable, has_ended = True, False

    def __init__(self, bytes_used: int = 0) -> None:
        self.bytes_used = bytes_used

    async def exchange(self, _request: object) -> dict[str, object]:
        """Return an empty answer."""
        return {}

    def resident_bytes(self) -> int:
        """Return the memory that it uses."""
        return self.bytes_used

    def kill(self) -> None:
        """Note that it is not to be used again."""
        self.is_usable = False


@pytest.mark.parametrize(("over", "is_stale"), [(0, False), (1, False), (0, True)])
async def test_a_worker_that_is_large_or_old_is_replaced(
    monkeypatch: pytest.MonkeyPatch, over: int, *, is_stale: bool
) -> None:
    pool: Any = WorkerPool(1)
    before, after = _Answering(LIMITS.resident_bytes + over), _Answering()
    (slot,) = pool._slots
    slot.worker, slot.is_stale = before, is_stale
    monkeypatch.setattr(pool, "_start", AsyncMock(return_value=after))
    await pool.ask({}, 1.0)
    assert before.is_usable is not (over or is_stale)
    for _ in range(2):
        await pool.ask({}, 1.0)
        assert slot.worker is (before if before.is_usable else after)
        assert slot.worker.is_usable


async def test_renewal_replaces_workers_that_work_after_their_answer(
    tmp_path: Path,
) -> None:
    fifo = tmp_path / "go"
    os.mkfifo(fifo)
    async with pool_of(2) as pool:
        do = "say({'pid': os.getpid(), 'read': open(request['fifo']).read()})"
        request = asyncio.create_task(pool.ask({"do": do, "fifo": str(fifo)}, MINUTE))
        idle = await pid_of(pool)
        pool.renew()
        assert wait_for_end(idle)
        await asyncio.to_thread(fifo.write_text, "go")
        answer = await request
        assert answer["read"] == "go"
        assert wait_for_end(answer["pid"])
        assert await pid_of(pool) not in (idle, answer["pid"])


def test_a_pool_of_one_has_none_where_there_is_none() -> None:
    assert [WorkerPool(size).of_one().enabled for size in (0, 1, 2)] == [False, True, True]
