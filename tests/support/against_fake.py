"""The command `starpost` after the port of a fake Discord on this machine: `PORT run`.

Long blocks of the event loop are written to the file that the environment variable `LOOP_BLOCKS`
names, if there is one.
"""

from __future__ import annotations

import asyncio
import os
import sys
from pathlib import Path

from bot.app.cli import entry
from tests.support.fake_discord import point_at
from tests.support.loop_watch import LoopWatch


def _watch_loop(file: Path) -> None:
    """Let the bot watch its event loop."""
    from bot.app import run  # noqa: PLC0415 - else starts would be measured with its import
    from bot.app.settings import Settings  # noqa: PLC0415

    serve = run.serve

    async def watched(settings: Settings) -> None:
        with LoopWatch(asyncio.get_running_loop(), file).watching():
            await serve(settings)

    run.serve = watched


if __name__ == "__main__":
    point_at(int(sys.argv.pop(1)))
    if blocks := os.environ.get("LOOP_BLOCKS"):
        _watch_loop(Path(blocks))
    entry()
