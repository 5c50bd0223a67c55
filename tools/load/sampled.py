"""The bot of the memory test: `starpost` that samples its own memory into a CSV file.

    python -m tools.load.sampled PORT FILE SECONDS run

FILE gets a row every so many SECONDS, see `COLUMNS`.
"""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Iterator
from functools import _lru_cache_wrapper
from pathlib import Path

from bot.app.cli import entry
from tests.support.fake_discord import point_at

COLUMNS = ("seconds", "rss", "private", "blocks", "objects", "cached")
"""Seconds since the start; resident memory and the part that no other process shares, in kB; blocks
that Python has allocated; objects that are looked at for garbage; entries of functions' caches."""


def sample() -> Iterator[int]:
    """Yield the values of a row without its time."""
    rollup = Path("/proc/self/smaps_rollup").read_text("ascii").splitlines()[1:]
    memory = {name: int(value.split()[0]) for name, value in (row.split(":") for row in rollup)}
    yield memory["Rss"]
    yield memory["Private_Clean"] + memory["Private_Dirty"]
    yield sys.getallocatedblocks()
    yield len(gc.get_objects())
    yield sum(
        value.cache_info().currsize
        for module in list(sys.modules.values())
        for value in list(vars(module).values())
        if isinstance(value, _lru_cache_wrapper)
    )


def watch(file: Path, seconds: float) -> None:
    """Write a row every few seconds until the process ends."""
    begin = time.monotonic()
    with file.open("a", encoding="ascii") as rows:
        print(*COLUMNS, sep=",", file=rows)
        while True:
            print(round(time.monotonic() - begin), *sample(), sep=",", file=rows, flush=True)
            time.sleep(seconds)


if __name__ == "__main__":
    port, path, interval = (sys.argv.pop(1) for _ in range(3))
    point_at(int(port))
    gc.freeze = lambda: None  # frozen objects would not be counted
    watching = threading.Thread(target=watch, args=(Path(path), float(interval)), daemon=True)
    watching.start()
    entry()
