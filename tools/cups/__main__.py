"""Simulate cups; print the counts of their events."""

from __future__ import annotations

import argparse
import asyncio
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from tools.cups.kills import play_with_kills
from tools.cups.report import report
from tools.cups.simulation import play


def main() -> None:
    """Print the counts of events in the simulated cups."""
    parser = argparse.ArgumentParser(prog="tools.cups", description="simulate cups by seed")
    parser.add_argument("--cups", type=int, default=1000, help="number of cups")
    parser.add_argument("--seed", type=int, default=1, help="of the first cup")
    parser.add_argument("--life", type=float, help="mean seconds until a process is killed")
    parser.add_argument("--folder", help="of the database, to go on in; by default a new one")
    arguments = parser.parse_args()
    start = time.monotonic()
    with ExitStack() as stack:
        path = arguments.folder or stack.enter_context(tempfile.TemporaryDirectory())
        folder = Path(path)
        if arguments.life:
            play_with_kills(folder, arguments.seed, arguments.cups, arguments.life)
        else:
            asyncio.run(play(folder, arguments.seed, arguments.cups))
        counts = asyncio.run(report(folder, arguments.seed, arguments.cups))
    for event, count in sorted(counts.items()):
        print(f"{event}: {count}")
    print(f"{time.monotonic() - start:.0f} s; none stuck, no pairing twice, no standings differ")


if __name__ == "__main__":
    main()
