"""Workers: what they may know and use, and their end with the bot. All are real."""

from __future__ import annotations

import asyncio
import json
import os
import resource
import socket
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import uvloop

from bot.workers import process
from bot.workers.pool import LIMITS, WorkerError
from bot.workers.process import PASSED_VARIABLES, Outcome, Worker
from tests.support.worker_programs import (
    FAULTS,
    MINUTE,
    is_running,
    pid_of,
    pool_of,
    refused,
    wait_for_end,
)

BOT = """
import asyncio, uvloop
from bot.workers.pool import WorkerPool

async def main():
    pool = WorkerPool(2)
    await asyncio.gather(*(pool.ask({"do": "hello"}, 60) for _ in range(2)))
    print(*(worker._process.pid for worker in pool._workers), flush=True)
    await asyncio.Event().wait()

uvloop.run(main())
"""


@pytest.mark.slow
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

REPORT_PROGRAM = """
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
            return await pool.ask({"do": REPORT_PROGRAM}, MINUTE)

    passed_on = inheritable_files()
    with (tmp_path / "secret").open("w"), socket.create_server(("127.0.0.1", 0)):
        report = run(look())
    assert set(report["environment"]) - {"LC_CTYPE"} <= {
        "PYTHONPATH",
        "PYTHONUTF8",
        *PASSED_VARIABLES,
    }
    assert "secret" not in json.dumps(report)
    assert report["folder"] == "/"
    assert report["niceness"] == LIMITS.niceness
    assert report["memory"] == [LIMITS.address_space_bytes] * 2
    assert report["core"] == [0, 0]
    assert len(set(report["files"]) - passed_on) == 3, "its own three pipes"
    assert report["leader"], "Ctrl+C in the bot's terminal does not reach it"


@pytest.mark.parametrize(
    "fault",
    ["error", *(pytest.param(fault, marks=pytest.mark.slow) for fault in ("long", "greedy"))],
)
def test_workers_fail_in_the_same_way_under_uvloop(fault: str) -> None:
    async def fail() -> WorkerError:
        async with pool_of(1) as pool:
            error = await refused(pool, FAULTS[fault][0])
            await pid_of(pool)
            return error

    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        error = runner.run(fail())
    assert (error.outcome, str(error)) == FAULTS[fault][1:]


def test_request_to_an_ended_worker_is_a_worker_error() -> None:
    async def ask() -> None:
        worker = await Worker.spawn((sys.executable, "-c", "pass"), LIMITS)
        await worker.ended()
        with pytest.raises(WorkerError) as raised:
            await worker.exchange({"do": "hello"})
        assert raised.value.outcome is Outcome.DIED

    for loop_factory in (uvloop.new_event_loop, asyncio.new_event_loop):
        with asyncio.Runner(loop_factory=loop_factory) as runner:
            runner.run(ask())


@pytest.mark.slow
async def test_worker_killed_twice_is_collected_once(caplog: pytest.LogCaptureFixture) -> None:
    for _ in range(20):
        worker = await Worker.spawn((sys.executable, "-S", "-c", "input()"), LIMITS)
        worker.kill()
        while not worker.has_ended:
            worker.kill()
            await asyncio.sleep(0)
    assert not caplog.messages


def test_processor_time_is_limited_from_each_request_on(monkeypatch: pytest.MonkeyPatch) -> None:
    limited, ticks = list[Any](), os.sysconf("SC_CLK_TCK")
    stat = f"7 (a) b) S {'0 ' * 10}{50 * ticks} {20 * ticks} 0"
    with monkeypatch.context() as patched:
        patched.setattr(Path, "read_text", lambda *_given: stat)
        patched.setattr(resource, "prlimit", lambda *given: limited.append(given))
        process._limit_cpu(7)
    limit = 50 + 20 + process.CPU_SECONDS
    assert limited == [(7, resource.RLIMIT_CPU, (limit, resource.RLIM_INFINITY))]
