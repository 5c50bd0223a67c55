"""The bot as a simulated process."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import suppress
from functools import partial
from typing import Any

import discord
from pydantic import SecretStr
from sqlalchemy import event
from sqlalchemy.pool import Pool

import bot.app.run
from bot.app.settings import Settings
from bot.storage.file_lock import DatabaseLock
from tests.support.faults.worker import TOKEN, set_day
from tests.support.simulation.process import CURRENT, SimulatedProcess


def prepare(day: float) -> None:
    """Have what a real process gives back at its end given back here too.

    Args:
        day: seconds of a day for clocks, reminders and vacations.
    """
    set_day(day)
    event.listen(Pool, "connect", _hold_connection)
    honest = DatabaseLock.__init__

    def hold_lock(lock: DatabaseLock, *given: Any) -> None:
        honest(lock, *given)
        if process := CURRENT.get():
            process.hold(lock.close)

    setattr(DatabaseLock, "__init__", hold_lock)  # noqa: B010 - mypy refuses the plain form
    vars(discord.gateway)["KeepAliveHandler"] = _KeepAlive


def _hold_connection(connection: sqlite3.Connection, _: object) -> None:
    if process := CURRENT.get():
        process.hold(connection.close)


class _KeepAlive(discord.gateway.KeepAliveHandler):
    """Sends the gateway's heartbeats in the loop: a thread would wait in real time."""

    def start(self) -> None:
        """See `discord.gateway.KeepAliveHandler`."""
        self._beating = asyncio.get_running_loop().create_task(self._beat(), name="keep alive")

    async def _beat(self) -> None:
        while self.interval and not self.ws.socket.closed:
            await asyncio.sleep(self.interval)
            with suppress(ConnectionError):
                await self.ws.send_heartbeat(self.beat())


def born(name: str, url: str) -> SimulatedProcess:
    """Start the bot on a database."""
    process = SimulatedProcess(name)
    settings = Settings(
        discord_token=SecretStr(TOKEN),
        database_url=url,
        computer_workers=0,
        drawing_workers=0,
        shard_count=1,
        shard_ids="0",
    )
    process.start(partial(bot.app.run.serve, settings))
    return process


async def ended(process: SimulatedProcess, seconds: float) -> None:
    """Wait for the end of a process."""
    async with asyncio.timeout(seconds):
        await asyncio.shield(process.ended)
