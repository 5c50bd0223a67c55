"""Cups are played by a process that is killed at random moments, and by the next one."""

from __future__ import annotations

import asyncio
from multiprocessing import get_context
from pathlib import Path
from random import Random
from signal import SIGKILL

from tools.cups.journal import Journal
from tools.cups.simulation import play
from tools.cups.world import JOURNAL

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(
    ["tools.cups.kills", "alembic.command", "sqlalchemy.dialects.sqlite.aiosqlite"]
)
"""Starts processes that have imported nearly all they need, so that short lives are of use."""

LONGER = 1.5
"""Factor of the next lives after one that was too short for anything."""


def play_with_kills(folder: Path, first_seed: int, count: int, life: float) -> None:
    """Play cups in processes that are killed with SIGKILL; each kill is noted in the journal.

    Args:
        folder: folder of the database and the journal; if it has some, the cups continue.
        first_seed: seed of the first cup.
        count: number of cups.
        life: mean seconds until a process is killed.

    Raises:
        AssertionError: a process has failed, for the reason that it has printed.
    """
    random, journal = Random(), Journal(folder / JOURNAL)
    while True:
        before, seconds = journal.size, random.uniform(0, 2 * life)
        process = CONTEXT.Process(target=_live, args=(folder, first_seed, count))
        process.start()
        process.join(seconds)
        process.kill()
        process.join()
        if process.exitcode != -SIGKILL:
            assert process.exitcode == 0, "a process has failed"
            return
        if journal.size == before and seconds > life:
            life *= LONGER
        journal.note("kill")


def _live(folder: Path, first_seed: int, count: int) -> None:
    """Play cups until all are over; in a separate process."""
    asyncio.run(play(folder, first_seed, count))
