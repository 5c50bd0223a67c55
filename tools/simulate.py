"""Simulate the whole bot from a seed, faster than time, and check what must be true.

    python -m tools.simulate [--seed S] [--hours H] [--tables N] [--solo N] [--processes N]
                              [--seconds T [--first]]

The world of a seed is always the same: its time, its network, all randomness, and the crashes of
the bot. With `--seconds`, worlds with the next seeds follow until that time is over. A world that
fails is told with the line that repeats it.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import subprocess
import sys
import time
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from tests.support.faults.report import Report

FIXED_HASHES = {"PYTHONHASHSEED": "0"}
"""With it, Python's sets have the same order each time."""

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None  # noqa: S108 - a folder in it is made
"""Where databases are: simulated power never fails, so nothing has to reach a disk."""

HOUR = 3600.0

SIZE = "tables", "solo", "processes"
"""Names of the arguments that say how much there is in a world."""


def main() -> int:
    """Run the program; return 1 if something went wrong."""
    given = _arguments()
    command = [sys.executable, "-m", "tools.simulate", "--seed", str(given.seed)]
    command += _size(given)
    if given.seconds:
        return _worlds(given)
    if os.environ.get("PYTHONHASHSEED") != FIXED_HASHES["PYTHONHASHSEED"]:
        os.execve(sys.executable, command, os.environ | FIXED_HASHES)  # noqa: S606
    report, callbacks = _world(given)
    print(report)
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
    parser.add_argument("--processes", type=int, default=1, help="of the bot, on one database")
    parser.add_argument("--seconds", type=float, default=0.0, help="real time for many worlds")
    parser.add_argument("--first", action="store_true", help="stop at the first that fails")
    return parser.parse_args()


def _size(given: argparse.Namespace) -> list[str]:
    """Return the arguments that say how large a world is."""
    return [f"--{name}={getattr(given, name):g}" for name in ("hours", *SIZE)]


def _worlds(given: argparse.Namespace) -> int:
    """Simulate one world after the other; return 1 if one has failed."""
    end, seed, failed = time.monotonic() + given.seconds, given.seed, 0
    while time.monotonic() < end and not (failed and given.first):
        line = f"--seed {seed} {' '.join(_size(given))}"
        command = [sys.executable, "-m", "tools.simulate", *line.split()]
        done = subprocess.run(
            command, env=os.environ | FIXED_HASHES, capture_output=True, text=True, check=False
        )
        if done.returncode:
            failed += 1
            print(done.stdout, done.stderr, f"repeat it: python -m tools.simulate {line}", sep="\n")
        seed += 1
    print(f"{seed - given.seed} worlds of {given.hours:g} hours, {failed} failed")
    return int(bool(failed))


def _world(given: argparse.Namespace) -> tuple[Report, int]:
    """Simulate one world; return its report, and the number of callbacks that have run."""
    from tests.support.simulation.determinism import install  # noqa: PLC0415 - before the bot

    clock = install(given.seed)
    from tests.support.simulation.loop import SimulatedLoop  # noqa: PLC0415
    from tests.support.simulation.world import Size, simulate  # noqa: PLC0415

    loop = SimulatedLoop(Random(f"loop {given.seed}"), clock.move)
    asyncio.set_event_loop(loop)
    with TemporaryDirectory(dir=MEMORY) as folder:
        size = Size(**{name: getattr(given, name) for name in SIZE})
        world = simulate(
            Path(folder), Random(f"world {given.seed}"), given.hours * HOUR, size, clock
        )
        return loop.run_until_complete(world), loop.steps


if __name__ == "__main__":
    sys.exit(main())
