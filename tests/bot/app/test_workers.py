"""Workers: what they may know and use, and what becomes of those that fail. All are real."""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import socket
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import uvloop

from bot import metrics
from bot.app import worker_process, workers
from bot.app.worker_process import (
    ADDRESS_SPACE_BYTES,
    ANSWER_BYTES,
    NICENESS,
    PASSED_VARIABLES,
)
from bot.app.workers import RESIDENT_BYTES, WorkerError, WorkerPool

LONG = 60.0
"""Seconds that no request here takes."""

SERVE = """
import json, os, sys, time

def say(answer):
    print(json.dumps(answer), flush=True)

def hang():
    open(request["fifo"], "w").close()
    while True:
        time.sleep(60)

for line in sys.stdin:
    request = json.loads(line)
    if request["do"] == "hello":
        say({})
        continue
    exec(request["do"])
"""

PID = {"do": "say({'pid': os.getpid()})"}

FAULTS = {
    "exit": ("os._exit(3)", "died", "the worker died: exit code 3"),
    "error": ("raise KeyError('secret')", "died", "the worker died: KeyError"),
    "killed": ("os.kill(os.getpid(), 9)", "died", "the worker died: exit code -9"),
    "closed": ("os.close(1); time.sleep(60)", "died", "the worker died: exit code -9"),
    "text": ("print('secret', flush=True)", "nonsense", "the worker answered without JSON"),
    "list": ("say(['secret'])", "nonsense", "the worker answered without a JSON object"),
    "deep": ("print('[' * 100_000, flush=True)", "nonsense", "the worker answered without JSON"),
    "half": ("os.write(1, b'{'); os._exit(0)", "died", "the worker died: exit code 0"),
    "long": (
        f"os.write(1, b' ' * {3 * ANSWER_BYTES}); time.sleep(60)",
        "nonsense",
        f"the worker answered with more than {ANSWER_BYTES} bytes",
    ),
    "greedy": (f"b' ' * {ADDRESS_SPACE_BYTES}", "died", "the worker died: MemoryError"),
    "noisy": ("os.write(2, b'x' * 1_000_000); os._exit(4)", "died", "the worker died: exit code 4"),
}


def command(program: str) -> list[str]:
    return [sys.executable, "-S", "-c", program]


@asynccontextmanager
async def pool_of(size: int, program: str = SERVE) -> AsyncIterator[WorkerPool]:
    pool = WorkerPool(size, command(program))
    try:
        yield pool
    finally:
        await pool.close()


@pytest.fixture
async def pool() -> AsyncIterator[WorkerPool]:
    async with pool_of(1) as made:
        yield made


class Hanging:
    """A request that writes to a named pipe and then hangs."""

    def __init__(self, pool: WorkerPool, folder: Path, timeout_seconds: float = LONG) -> None:
        self.fifo = folder / "hanging"
        os.mkfifo(self.fifo)
        request = {"do": "hang()", "fifo": str(self.fifo)}
        self.task = asyncio.create_task(pool.ask(request, timeout_seconds))

    async def begun(self) -> None:
        await asyncio.to_thread(self.fifo.read_bytes)


async def pid_of(pool: WorkerPool) -> int:
    pid: int = (await pool.ask(PID, LONG))["pid"]
    return pid


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def wait_for_end(pid: int, seconds: float = 30.0) -> bool:
    """Wait until a process has ended, one that is not a child as well."""
    try:
        handle = os.pidfd_open(pid)
    except ProcessLookupError:
        return True
    try:
        return bool(select.select([handle], [], [], seconds)[0])
    finally:
        os.close(handle)


def count(do: str, outcome: str) -> float:
    (family,) = metrics.WORKER_REQUEST.collect()
    wanted = {"do": do, "outcome": outcome}
    name = "starpost_worker_request_seconds_count"
    return sum(s.value for s in family.samples if s.name == name and s.labels == wanted)


async def refused(pool: WorkerPool, do: str = "", timeout_seconds: float = LONG) -> WorkerError:
    with pytest.raises(WorkerError) as caught:
        await pool.ask({"do": do}, timeout_seconds)
    return caught.value


# ------------------------------------------------------------------ answers


async def test_a_worker_is_started_once_for_several_requests(pool: WorkerPool) -> None:
    assert not pool._workers
    assert await pid_of(pool) == await pid_of(pool)
    assert len(pool._workers) == 1


async def test_a_real_worker_says_which_games_it_plays() -> None:
    pool = WorkerPool(1)
    answer = await pool.ask({"do": "hello"}, LONG)
    assert "wormholes" in answer["games"]
    await pool.close()


async def test_no_workers_turn_the_computer_off() -> None:
    pool = WorkerPool(0)
    assert not pool.enabled
    assert str(await refused(pool)) == "the computer players are off"
    await pool.close()
    assert WorkerPool(1).enabled


async def test_a_slow_answer_within_the_timeout_counts(pool: WorkerPool, tmp_path: Path) -> None:
    fifo = tmp_path / "go"
    os.mkfifo(fifo)
    do = "say({'read': open(request['fifo']).read()})"
    asked = asyncio.create_task(pool.ask({"do": do, "fifo": str(fifo)}, LONG))
    await asyncio.to_thread(fifo.write_text, "go")
    assert await asked == {"read": "go"}


async def test_an_error_answer_keeps_the_worker(pool: WorkerPool) -> None:
    pid = await pid_of(pool)
    error = await refused(pool, "say({'error': 'secret coin'})")
    assert (error.outcome, str(error)) == ("refused", "the worker refused the request")
    assert await pid_of(pool) == pid


async def test_metrics_count_requests_by_outcome(pool: WorkerPool) -> None:
    do = "say({'counted': 1})"
    await pool.ask({"do": do}, LONG)
    assert count(do, "answered") == 1
    await refused(pool, "os._exit(5)")
    assert count("os._exit(5)", "died") == 1


# ------------------------------------------------------------------ failures


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
    do = f"kept = b'x' * {RESIDENT_BYTES}; say({{'kept': len(kept)}})"
    assert await pool.ask({"do": do}, LONG) == {"kept": RESIDENT_BYTES}
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
            await deaf.ask({"do": "x" * 1_000_000}, LONG)


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


async def test_requests_go_by_urgency_and_then_by_arrival(pool: WorkerPool, tmp_path: Path) -> None:
    hanging = Hanging(pool, tmp_path)
    await hanging.begun()
    order: list[str] = []

    async def ask(name: str, urgent: bool) -> None:
        await pool.ask(PID, LONG, urgent=urgent)
        order.append(name)

    waiting = [("audit 1", False), ("player 1", True), ("audit 2", False), ("player 2", True)]
    async with asyncio.TaskGroup() as group:
        for name, urgent in waiting:
            group.create_task(ask(name, urgent))
        given_up = asyncio.create_task(ask("given up", True))
        await asyncio.sleep(0)
        given_up.cancel()
        hanging.task.cancel()
    assert order == ["player 1", "player 2", "audit 1", "audit 2"]


async def test_two_workers_work_at_the_same_time(tmp_path: Path) -> None:
    fifo = tmp_path / "pair"
    os.mkfifo(fifo)
    async with pool_of(2) as pool:
        reader = {"do": "say({'read': open(request['fifo']).read()})", "fifo": str(fifo)}
        writer = {"do": "open(request['fifo'], 'w').write('met'); say({})", "fifo": str(fifo)}
        answers = await asyncio.gather(pool.ask(reader, LONG), pool.ask(writer, LONG))
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


@pytest.mark.parametrize("steps", range(0, 40, 3))
async def test_cancelling_at_any_step_leaves_a_pool_that_works(
    pool: WorkerPool, steps: int
) -> None:
    before = _children()
    asked = asyncio.create_task(pool.ask({"do": "say({'first': 1})"}, LONG))
    for _ in range(steps):
        await asyncio.sleep(0)
    asked.cancel()
    await asyncio.gather(asked, return_exceptions=True)
    pid = await pid_of(pool)
    await pool.close()
    assert not is_running(pid)
    assert _children() == before


def _children() -> list[str]:
    return Path(f"/proc/self/task/{os.getpid()}/children").read_text("ascii").split()


async def test_close_ends_requests_that_run_and_that_wait(tmp_path: Path) -> None:
    before = _children()
    async with pool_of(1) as pool:
        hanging = Hanging(pool, tmp_path)
        waiting = asyncio.create_task(pool.ask(PID, LONG))
        await hanging.begun()
        await pool.close()
        for task in (hanging.task, waiting):
            with pytest.raises(WorkerError, match="the workers are closed") as caught:
                await task
            assert caught.value.outcome == "closed"
        assert _children() == before
        assert str(await refused(pool)) == "the workers are closed"


async def test_close_does_not_wait_for_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers, "START_PAUSE_SECONDS", (LONG,))
    async with pool_of(1) as pool:
        asked = asyncio.create_task(pool.ask(PID, LONG))
        await asyncio.sleep(0)
        async with asyncio.timeout(LONG / 2):
            await pool.close()
        with pytest.raises(WorkerError, match="closed"):
            await asked


BOT = """
import asyncio, uvloop
from bot.app.workers import WorkerPool

async def main():
    pool = WorkerPool(2)
    await asyncio.gather(*(pool.ask({"do": "hello"}, 60) for _ in range(2)))
    print(*(worker._process.pid for worker in pool._workers), flush=True)
    await asyncio.Event().wait()

uvloop.run(main())
"""


async def test_workers_do_not_outlive_a_killed_bot() -> None:
    bot = await asyncio.create_subprocess_exec(
        sys.executable, "-c", BOT, stdout=asyncio.subprocess.PIPE
    )
    assert bot.stdout
    pids = [int(pid) for pid in (await bot.stdout.readline()).split()]
    assert len(pids) == 2
    assert all(map(is_running, pids))
    bot.kill()
    assert all(map(wait_for_end, pids))
    await bot.wait()


# ------------------------------------------------------------------ isolation

LOOK = """
import resource

def files():
    paths = [f"/proc/self/fd/{n}" for n in os.listdir("/proc/self/fd")]
    return [os.readlink(path) for path in paths if os.path.islink(path)]

say({
    "environment": dict(os.environ),
    "folder": os.getcwd(),
    "niceness": os.getpriority(os.PRIO_PROCESS, 0),
    "memory": resource.getrlimit(resource.RLIMIT_AS),
    "core": resource.getrlimit(resource.RLIMIT_CORE),
    "files": files(),
    "leader": os.getsid(0) == os.getpgid(0) == os.getpid(),
})
"""


def inheritable_files() -> set[str]:
    """What the test process was started with; uvloop passes that on, asyncio does not."""
    return {
        str(path.readlink())
        for path in Path("/proc/self/fd").iterdir()
        if path.is_symlink() and os.get_inheritable(int(path.name))
    }


@pytest.fixture(params=[asyncio.new_event_loop, uvloop.new_event_loop], ids=["asyncio", "uvloop"])
def run(request: pytest.FixtureRequest) -> Iterator[Callable[[Any], Any]]:
    with asyncio.Runner(loop_factory=request.param) as runner:
        yield runner.run


def test_a_worker_sees_nothing_of_the_bot(
    run: Callable[[Any], Any], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("DISCORD_TOKEN", "secret")
    monkeypatch.setenv("DATABASE_URL", "secret")

    async def look() -> dict[str, Any]:
        async with pool_of(1) as pool:
            return await pool.ask({"do": LOOK}, LONG)

    passed_on = inheritable_files()
    with (tmp_path / "secret").open("w"), socket.create_server(("127.0.0.1", 0)):
        seen = run(look())
    assert set(seen["environment"]) - {"LC_CTYPE"} <= {
        "PYTHONPATH",
        "PYTHONUTF8",
        *PASSED_VARIABLES,
    }
    assert "secret" not in json.dumps(seen)
    assert seen["folder"] == "/"
    assert seen["niceness"] == NICENESS
    assert seen["memory"] == [ADDRESS_SPACE_BYTES] * 2
    assert seen["core"] == [0, 0]
    assert len(set(seen["files"]) - passed_on) == 3, "its own three pipes"
    assert seen["leader"], "Ctrl+C in the bot's terminal does not reach it"


@pytest.mark.parametrize("fault", ["error", "long", "greedy"])
def test_workers_fail_in_the_same_way_under_uvloop(fault: str) -> None:
    async def fail() -> WorkerError:
        async with pool_of(1) as pool:
            error = await refused(pool, FAULTS[fault][0])
            await pid_of(pool)
            return error

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        error = runner.run(fail())
    assert (error.outcome, str(error)) == FAULTS[fault][1:]
