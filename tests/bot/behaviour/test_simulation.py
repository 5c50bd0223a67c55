"""The simulated world: equal seeds give equal worlds, a crash is one, and nothing goes wrong."""

from __future__ import annotations

import asyncio
import re
import subprocess
import sys
from argparse import Namespace
from collections.abc import Callable, Coroutine
from random import Random
from typing import Any

import pytest

from tests.support.tiers import sampled
from tests.verification.kills.forum_settings import SETTINGS
from tests.verification.simulation.loop import SimulatedLoop, StandstillError
from tests.verification.simulation.process import SimulatedProcess
from tools.simulate import World

HOST, PORT = "127.0.0.1", 8080


def simulate(*options: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "tools.simulate", *options]
    return subprocess.run(command, capture_output=True, text=True, check=False)


@pytest.fixture
def run() -> Callable[[Coroutine[Any, Any, Any]], Any]:
    """Run a coroutine in a simulated loop of its own."""

    def run(main: Coroutine[Any, Any, Any]) -> Any:
        loop = SimulatedLoop(Random(1), lambda _: None)
        try:
            return loop.run_until_complete(main)
        finally:
            loop.close()

    return run


SMALL = "--hours", "0.03", "--tables", "1", "--solo", "1", "--processes", "2"


@pytest.mark.slow
def test_equal_seeds_give_equal_worlds() -> None:
    first, second = (simulate("--seed", "3", *SMALL) for _ in "12")
    assert first.returncode == 0, first.stdout + first.stderr
    reports = [re.sub(r"processor time .*", "", process.stdout) for process in (first, second)]
    assert reports[0] == reports[1]


def test_world_of_a_time_is_repeated_by_its_seed() -> None:
    world = World(1_795_495_072, 0.5, 6, 2, 1, 1)
    assert str(world).startswith("--seed 1795495072 --hours 0.5 --tables 6 ")


COMMON = {
    *("players who left", "stand-ins", "vacations with a stand-in", "DMs closed", "listed"),
    *("records played on", "cups: starts by itself", "cups: ends by itself", "takebacks", "plans"),
    *(
        "rated cards",
        "hints",
        "clocks with days off",
        "new names",
        "settings",
        "boards deleted",
        "notes",
    ),
    *("hours shown", "replays through one pair of eyes", "answers of the computer taken back"),
    "cups: without vacations",
}
"""Events of a few worlds; each kind occurs several times in most of them."""

RARE = {
    *("returns to a match", "blocks", "open seats refused", "DMs opened", "notices"),
    *("matches ended by notice", "cups: go", "cups: last days compared", "roles given"),
    *(f"forum: {setting}" for setting in SETTINGS),
    *("answers taken back", "positions played on against several", "cups: seasons"),
    "cups: dates as people write them",
    *("forum deleted", "exports", "matches played again", "cups: replace", "cups: cancel"),
}
"""Events of many worlds."""

SOME, MANY = 4, 40
"""From so many worlds on, common events have to occur, or rare ones."""


@pytest.mark.slow
@pytest.mark.timeout(7200)
@sampled(1, 1, 100)
def test_worlds_go_well_and_have_all_kinds_of_events(samples: int) -> None:
    hours = "1" if samples >= SOME else "0.5"
    done = simulate("--seed", "300", "--worlds", str(samples), "--hours", hours)
    assert done.returncode == 0, done.stdout
    *_, events, _ = done.stdout.splitlines()
    seen = {event.partition(" ")[2] for event in events.split(", ")}
    expected = (COMMON if samples >= SOME else set()) | (RARE if samples >= MANY else set())
    assert not expected - seen


def test_smaller_worlds_are_tried() -> None:
    world = World(seed=7, hours=1.0, tables=1, solo=1, cups=1, processes=2, day=600)
    assert [str(variant) for variant in world.smaller()] == [
        "--seed 7 --hours 0.5 --tables 1 --solo 1 --cups 1 --processes 2 --day 600",
        "--seed 7 --hours 0.75 --tables 1 --solo 1 --cups 1 --processes 2 --day 600",
        "--seed 7 --hours 0.9 --tables 1 --solo 1 --cups 1 --processes 2 --day 600",
        "--seed 7 --hours 1 --tables 1 --solo 1 --cups 1 --processes 1 --day 600",
        "--seed 7 --hours 1 --tables 1 --solo 1 --cups 0 --processes 2 --day 600",
        "--seed 7 --hours 1 --tables 1 --solo 0 --cups 1 --processes 2 --day 600",
    ]


def test_worlds_have_one_process_or_two_by_turns() -> None:
    options = Namespace(hours=1.0, tables=1, solo=1, cups=1, processes=0, day=600)
    assert [World.of(options, seed).processes for seed in (1, 2, 3)] == [2, 1, 2]
    options.processes = 4
    assert World.of(options, 1).processes == 4


@pytest.mark.soak
def test_world_that_goes_well_is_not_shrunk() -> None:
    done = simulate("--seed", "3", "--hours", "0.01", *SMALL[2:], "--shrink")
    assert (done.returncode, done.stdout) == (0, "nothing is wrong in this world\n")


def test_time_goes_by_at_once(run: Callable[..., Any]) -> None:
    async def main() -> float:
        await asyncio.sleep(86_400.0)
        return asyncio.get_running_loop().time()

    assert run(main()) == pytest.approx(86_400.0)


def test_standstill_is_an_error(run: Callable[..., Any]) -> None:
    async def main() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(StandstillError):
        run(main())


def test_crash_runs_no_finally_block(run: Callable[..., Any]) -> None:
    done = list[str]()

    async def work() -> None:
        try:
            done.append("begun")
            await asyncio.sleep(10.0)
            done.append("ended")
        finally:
            done.append("cleaned up")

    async def main() -> int | None:
        process = SimulatedProcess("worker")
        process.hold(lambda: done.append("given back"))
        process.start(work)
        await asyncio.sleep(1.0)
        process.kill()
        await asyncio.sleep(100.0)
        return process.exitcode

    assert run(main()) == -9
    assert done == ["begun", "given back"]


def test_crash_can_come_between_work_and_news(run: Callable[..., Any]) -> None:
    """Whether the work of a thread is done and whether the process knows it are two things."""
    seen = set[tuple[bool, bool]]()

    async def main() -> None:
        loop = asyncio.get_running_loop()
        for number in range(200):
            done, returned = list[int](), list[int]()

            async def work(done: list[int] = done, returned: list[int] = returned) -> None:
                await loop.run_in_executor(None, done.append, 1)
                returned.append(1)

            process = SimulatedProcess("worker")
            process.start(work)
            await asyncio.sleep(number * 1e-4)
            process.kill()
            await asyncio.sleep(1.0)
            seen.add((bool(done), bool(returned)))

    run(main())
    assert seen == {(False, False), (True, False), (True, True)}


def test_crash_comes_right_after_a_call(run: Callable[..., Any]) -> None:
    done, returned = list[int](), list[int]()

    async def work() -> None:
        for number in range(5):
            await asyncio.get_running_loop().run_in_executor(None, done.append, number)
            returned.append(number)

    async def main() -> int | None:
        process = SimulatedProcess("worker")
        process.kill_when(lambda: len(done) == 3)
        process.start(work)
        await asyncio.sleep(10.0)
        return process.exitcode

    assert run(main()) == -9
    assert (done, returned) == ([0, 1, 2], [0, 1])


def test_data_arrives_in_order(run: Callable[..., Any]) -> None:
    async def main() -> bytes:
        received: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            received.set_result(await reader.read())
            writer.close()

        await asyncio.start_server(serve, HOST, PORT)
        _, writer = await asyncio.open_connection(HOST, PORT)
        for number in range(256):
            writer.write(bytes([number]))
            if number % 50 == 0:
                await asyncio.sleep(0.01)
        writer.close()
        return await received

    assert run(main()) == bytes(range(256))


def test_crash_resets_connections(run: Callable[..., Any]) -> None:
    async def main() -> bool:
        lost: asyncio.Future[bool] = asyncio.get_running_loop().create_future()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            try:
                await reader.read()
            except ConnectionResetError:
                lost.set_result(True)

        await asyncio.start_server(serve, HOST, PORT)

        async def work() -> None:
            reader, writer = await asyncio.open_connection(HOST, PORT)
            writer.write(b"hello")
            await reader.read()

        process = SimulatedProcess("client")
        process.start(work)
        await asyncio.sleep(1.0)
        process.kill()
        return await lost

    assert run(main())
