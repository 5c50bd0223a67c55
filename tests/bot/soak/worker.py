"""The bot as a process of its own, talking to a fake Discord; to be killed at any time.

It is the real bot: `bot.run.serve`, discord.py's HTTP and gateway, and a database file. Only the
addresses, the clock and the dice are ours.
"""

from __future__ import annotations

import asyncio
import sys
import time
from functools import partial
from multiprocessing import get_context
from multiprocessing.context import ForkServerProcess
from pathlib import Path
from typing import Any

from pydantic import SecretStr

import bot.run
from bot.client import Starpost
from bot.logs import set_up_logs
from bot.settings import Settings
from tests.bot.fake_discord import point_at

TOKEN = "MTIzNDU2Nzg5MDEyMzQ1Njc4.Gcanary.canary-canary-canary-canary-canary"
"""Never to be seen in a log."""

CONTEXT = get_context("forkserver")
CONTEXT.set_forkserver_preload(["tests.bot.soak.worker"])


def live(port: int, database: Path, ahead: float) -> None:
    """Be the bot until somebody says stop, or kills.

    Args:
        port: of the fake Discord.
        database: the file.
        ahead: seconds by which the clock differs from this machine's.
    """
    log = database.with_suffix(".log").open("a", encoding="utf-8")
    set_up_logs("DEBUG", "json", log)
    point_at(port)
    shifted = partial(Starpost, clock=lambda: time.time() + ahead)
    setattr(bot.run, "Starpost", shifted)  # noqa: B010 - it is a class for the type checker
    url = f"sqlite+aiosqlite:///{database}"
    settings = Settings(discord_token=SecretStr(TOKEN), database_url=url)
    asyncio.run(bot.run.serve(settings))


def born(*arguments: Any) -> ForkServerProcess:
    """Start a process that lives as `live` does."""
    process = CONTEXT.Process(target=live, args=arguments, daemon=True)
    process.start()
    return process


if __name__ == "__main__":
    live(int(sys.argv[1]), Path(sys.argv[2]), float(sys.argv[3]))
