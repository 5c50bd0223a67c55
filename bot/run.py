"""Starting and ending the bot on Discord."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from itertools import chain, repeat

import aiohttp
import discord

from bot.client import Starpost
from bot.settings import Settings, SettingsError
from bot.storage.database import Database
from bot.storage.migrate import upgrade

log = logging.getLogger(__name__)

PAUSES = (2, 5, 15, 60)
"""Seconds between attempts to log in; the last one again and again."""


@asynccontextmanager
async def opened(url: str) -> AsyncIterator[Database]:
    """A database that is ready to be used.

    Raises:
        InUseError: another process has it.
    """
    database = Database(url)
    try:
        await upgrade(database)
        yield database
    finally:
        await database.close()


async def serve(settings: Settings) -> None:
    """Be the bot until somebody says stop.

    Raises:
        SettingsError: there is no token, or Discord does not accept it.
        InUseError: another process has the database.
    """
    token = settings.token()
    async with opened(settings.database_url) as database, Starpost(database) as client:
        stopped = asyncio.create_task(_told_to_stop(), name="stop")
        running = asyncio.create_task(_be(client, token), name="starpost")
        await asyncio.wait({stopped, running}, return_when=asyncio.FIRST_COMPLETED)
        if running.done():
            stopped.cancel()
        else:
            await client.close()
            running.cancel()
        with suppress(asyncio.CancelledError):
            await running


async def _told_to_stop() -> None:
    """Wait for a signal to end."""
    told = asyncio.Event()
    for name in (signal.SIGINT, signal.SIGTERM):
        asyncio.get_running_loop().add_signal_handler(name, told.set)
    await told.wait()


async def _be(client: Starpost, token: str) -> None:
    """Log in, however long the network takes to come up, and stay connected."""
    for pause in chain(PAUSES, repeat(PAUSES[-1])):
        try:
            await client.login(token)
            break
        except discord.LoginFailure:
            raise SettingsError(
                "DISCORD_TOKEN: Discord does not accept this token; copy it from the portal again."
            ) from None
        except (aiohttp.ClientConnectionError, OSError, discord.DiscordServerError) as error:
            log.warning("Discord cannot be reached (%s); next try in %d s", error, pause)
            await asyncio.sleep(pause)
    await client.connect()


def set_up_logs(level: str) -> None:
    """Log to standard error; never what is sent, for there may be a hand in it."""
    discord.utils.setup_logging(level=logging.getLevelNamesMapping()[level])
    for chatty in ("discord.http", "discord.webhook.async_", "discord.gateway", "aiosqlite"):
        logger = logging.getLogger(chatty)
        logger.setLevel(max(logging.INFO, logger.getEffectiveLevel()))
