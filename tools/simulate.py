"""Simulate the whole bot from a seed, faster than real time, and check invariants.

    python -m tools.simulate [--seed S] [--hours H] [--tables N] [--solo N] [--cups N]
                              [--processes N] [--day D]
                              [--seconds T [--first] | --worlds N [--first] | --shrink]

The world of a seed is always the same: its time, its network, all randomness, and the crashes of
the bot. With `--seconds`, worlds with the next seeds follow until that time is over; with
`--worlds`, that many; the last line counts the actions in all of them. A world that fails is
reported with the command that repeats it; `--shrink` looks for a smaller one that fails as well.
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import json
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from tests.verification.kills.report import Report

FIXED_HASHES = {"PYTHONHASHSEED": "0"}
"""With it, Python's sets have the same order each time."""

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a folder in it is made
"""Where databases are: simulated power never fails, so nothing has to reach a disk."""

HOUR = 3600.0

GARBAGE = 20_000
"""Objects between two garbage collections; with Python's 700, they take a twentieth of the time."""

DAY_SECONDS = 600.0
"""Days are short unless asked otherwise, so that much happens in an hour."""

COUNTS = "counts: "
"""Prefix of the line with the counts of actions in a world, as JSON."""

SIZE = "tables", "solo", "cups", "processes"
"""Names of the arguments that say how much there is in a world."""


class World(NamedTuple):
    """The arguments that make a world."""

    seed: int
    hours: float
    tables: int
    solo: int
    cups: int
    processes: int
    day: float = DAY_SECONDS

    @classmethod
    def of(cls, arguments: argparse.Namespace, seed: int) -> World:
        """Return the world of a seed; without a number of processes, it has one or two."""
        processes = arguments.processes or 1 + seed % 2
        size = arguments.tables, arguments.solo, arguments.cups, processes
        return cls(seed, arguments.hours, *size, arguments.day)

    def __str__(self) -> str:
        """Return the arguments as they are typed."""
        return " ".join(f"--{name} {value:.10g}" for name, value in self._asdict().items())

    def smaller(self) -> Iterator[World]:
        """Yield worlds that are a bit smaller: up to a moment, the first ones are the same."""
        for share in (0.5, 0.75, 0.9):
            yield self._replace(hours=round(self.hours * share, 3))
        if self.processes > 1:
            yield self._replace(processes=self.processes - 1)
        if self.cups:
            yield self._replace(cups=self.cups - 1)
        if self.solo:
            yield self._replace(solo=self.solo - 1)
        if self.tables > 1:
            yield self._replace(tables=self.tables - 1)


def main() -> int:
    """Run the program; return 1 if something went wrong."""
    arguments = _arguments()
    world = World.of(arguments, arguments.seed)
    if arguments.shrink:
        return _shrink(world)
    if arguments.seconds or arguments.worlds:
        return _worlds(arguments)
    if os.environ.get("PYTHONHASHSEED") != FIXED_HASHES["PYTHONHASHSEED"]:
        command = [sys.executable, "-m", "tools.simulate", *str(world).split()]
        os.execve(sys.executable, command, os.environ | FIXED_HASHES)  # noqa: S606
    report, callbacks = _world(world)
    print(report)
    print(f"{COUNTS}{json.dumps(report.done)}")
    print(f"{callbacks} callbacks")
    print(f"processor time {time.process_time():.1f} s")
    sys.stdout.flush()
    os._exit(bool(report.wrong))  # tasks of crashed processes must not be cleaned up


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--seed", type=int, default=1, help="of the (first) world")
    parser.add_argument("--hours", type=float, default=1.0, help="simulated time of a world")
    parser.add_argument("--tables", type=int, default=6, help="matches between people at once")
    parser.add_argument("--solo", type=int, default=2, help="matches against the computer at once")
    parser.add_argument("--cups", type=int, default=2, help="cups at once")
    parser.add_argument(
        "--processes",
        type=int,
        default=0,
        help="of the bot, on one database; 0: one if the seed is even, else two",
    )
    parser.add_argument(
        "--day",
        type=float,
        default=DAY_SECONDS,
        help="seconds of a day: 86400 is correspondence play",
    )
    parser.add_argument("--seconds", type=float, default=0.0, help="real time for many worlds")
    parser.add_argument("--worlds", type=int, default=0, help="number of worlds")
    parser.add_argument("--first", action="store_true", help="stop at the first that fails")
    parser.add_argument("--shrink", action="store_true", help="look for a smaller one that fails")
    return parser.parse_args()


def _worlds(arguments: argparse.Namespace) -> int:
    """Simulate one world after the other; return 1 if one has failed."""
    end, seed, failed = time.monotonic() + arguments.seconds, arguments.seed, 0
    counts = Counter[str]()
    while time.monotonic() < end or seed < arguments.seed + arguments.worlds:
        world = World.of(arguments, seed)
        outcome = _simulated(world)
        counts += _counts(outcome.stdout)
        seed += 1
        if outcome.returncode:
            failed += 1
            repeated = f"repeat it: python -m tools.simulate {world}"
            print(outcome.stdout, outcome.stderr, repeated, sep="\n", flush=True)
            if arguments.first:
                break
    print(", ".join(f"{count} {event}" for event, count in sorted(counts.items())))
    print(f"{seed - arguments.seed} worlds of {arguments.hours:g} hours, {failed} failed")
    return int(bool(failed))


def _counts(text: str) -> Counter[str]:
    """Return the counts of actions in a world from its output."""
    counts = (line.removeprefix(COUNTS) for line in text.splitlines() if line.startswith(COUNTS))
    return Counter(json.loads(next(counts, "{}")))


def _shrink(world: World) -> int:
    """Look for a smaller world of the same seed that fails as well; return 1 if there is any."""
    if not _fails(world):
        print("nothing is wrong in this world")
        return 0
    shrinks = True
    while shrinks:
        smaller = (candidate for candidate in world.smaller() if _fails(candidate))
        failing = next(smaller, None)
        shrinks = failing is not None
        world = failing or world
        if shrinks:
            print(f"also fails: {world}", flush=True)
    print(_fails(world), f"repeat it: python -m tools.simulate {world}", sep="\n")
    return 1


def _fails(world: World) -> str:
    """Simulate a world; return what it says if it fails, else nothing."""
    outcome = _simulated(world)
    return f"{outcome.stdout}\n{outcome.stderr}" if outcome.returncode else ""


def _simulated(world: World) -> subprocess.CompletedProcess[str]:
    """Simulate a world in a separate process."""
    command = [sys.executable, "-m", "tools.simulate", *str(world).split()]
    return subprocess.run(
        command, env=os.environ | FIXED_HASHES, capture_output=True, text=True, check=False
    )


def _world(given: World) -> tuple[Report, int]:
    """Simulate one world; return its report, and the number of callbacks that have run."""
    from tests.verification.simulation.determinism import install  # noqa: PLC0415 - before the bot

    clock = install(given.seed)
    from tests.verification.simulation.loop import SimulatedLoop  # noqa: PLC0415
    from tests.verification.simulation.pace import Pace, Size  # noqa: PLC0415
    from tests.verification.simulation.world import simulate  # noqa: PLC0415

    gc.set_threshold(GARBAGE)
    loop = SimulatedLoop(Random(f"loop {given.seed}"), clock.move)
    asyncio.set_event_loop(loop)
    with TemporaryDirectory(dir=MEMORY) as folder:
        size = Size(**{name: getattr(given, name) for name in SIZE})
        world = simulate(
            Path(folder),
            Random(f"world {given.seed}"),
            given.hours * HOUR,
            size,
            Pace(given.day),
            clock=clock,
        )
        return loop.run_until_complete(world), loop.steps


if __name__ == "__main__":
    sys.exit(main())
