"""The bot as a simulated process."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Any

import discord
import sqlalchemy
from sqlalchemy import AdaptedConnection, Engine, event
from sqlalchemy.pool import Pool

import bot.app.run
import bot.storage.factory
import bot.storage.presence
import bot.storage.sqlite
from bot.app.settings import Settings
from bot.storage.database import Database
from bot.storage.file_lock import DatabaseLock
from tests.verification.kills.worker import TOKEN, set_day
from tests.verification.simulation import threads
from tests.verification.simulation.power import COMMIT, ROLLBACK
from tests.verification.simulation.process import CURRENT, SimulatedProcess
from tests.verification.simulation.storage import NoLock, SharedFile

SERVER = "postgresql+asyncpg"
"""The backend whose place a shared file takes."""


def prepare(day: float) -> None:
    """Have what a real process gives back at its end given back here too.

    Args:
        day: seconds of a day for clocks, reminders and vacations.
    """
    set_day(day)
    threads.install()
    event.listen(Pool, "connect", _hold_connection)
    event.listen(Pool, "close", _note_close)
    event.listen(Engine, "before_cursor_execute", _note_statement)
    event.listen(Engine, "commit", partial(_note_end, COMMIT))
    event.listen(Engine, "rollback", partial(_note_end, ROLLBACK))
    honest = DatabaseLock.__init__

    def hold_lock(lock: DatabaseLock, *args: Any) -> None:
        honest(lock, *args)
        if process := CURRENT.get():
            process.hold(lock.close)

    setattr(DatabaseLock, "__init__", hold_lock)  # noqa: B010 - mypy refuses the plain form
    vars(discord.gateway)["KeepAliveHandler"] = _KeepAlive


def _hold_connection(connection: AdaptedConnection, _: object) -> None:
    if process := CURRENT.get():
        driver: Any = connection.driver_connection
        process.hold(driver._conn.close)
        if process.power:
            process.power.watch(connection)


def _note_close(connection: AdaptedConnection, _: object) -> None:
    """Note that a transaction ends with its connection."""
    driver: Any = connection.driver_connection
    if (process := CURRENT.get()) and process.power and driver.in_transaction:
        process.power.note(connection, ROLLBACK)


def _note_statement(
    connection: sqlalchemy.Connection, _cursor: object, text: str, values: Any, *_: object
) -> None:
    if (process := CURRENT.get()) and process.power:
        process.power.note(connection.connection.dbapi_connection, text, values)


def _note_end(text: str, connection: sqlalchemy.Connection) -> None:
    _note_statement(connection, None, text, ())


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


def share_file(path: Path) -> str:
    """Have several processes share a file as if it were a server; return its URL."""
    vars(bot.storage.sqlite)["DatabaseLock"] = NoLock
    vars(bot.storage.factory)["BACKENDS"] = {SERVER: partial(_shared, path)}
    vars(bot.storage.presence)["present"] = _present
    return f"{SERVER}://simulated/starpost"


def _shared(path: Path, _: str) -> Database:
    return SharedFile(f"sqlite+aiosqlite:///{path}")


@asynccontextmanager
async def _present(*_: object) -> AsyncIterator[None]:
    """Take the place of the locks on shards: a process starts after the one before it."""
    yield


def born(process: SimulatedProcess, url: str, shard: int, count: int) -> None:
    """Start the bot on a database, for one of so many shards."""
    settings = Settings(
        discord_token=TOKEN,
        database_url=url,
        computer_workers=1,
        drawing_workers=0,
        shard_count=count,
        shard_ids=str(shard),
    )
    process.start(partial(_serve, settings))


async def _serve(settings: Settings) -> None:
    """Run the bot; the locks in which discord.py sends replies end with a process."""
    adapter: Any = discord.webhook.async_.AsyncWebhookAdapter
    discord.webhook.async_.async_context.set(adapter())
    await bot.app.run.serve(settings)


async def ended(process: SimulatedProcess, seconds: float) -> None:
    """Wait for the end of a process."""
    async with asyncio.timeout(seconds):
        await asyncio.shield(process.ended)
