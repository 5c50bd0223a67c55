"""Starting and ending the bot on Discord."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord

from bot.client import Starpost
from bot.settings import Settings, SettingsError
from bot.storage.database import Database
from bot.storage.migrate import upgrade


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
    async with opened(settings.database_url) as database:
        client = Starpost(database)
        loop, ending = asyncio.get_running_loop(), set[asyncio.Task[None]]()
        for name in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(name, lambda: ending.add(asyncio.create_task(client.close())))
        try:
            async with client:
                await client.start(token)
        except discord.LoginFailure:
            raise SettingsError(
                "DISCORD_TOKEN: Discord does not accept this token; copy it from the portal again."
            ) from None


def set_up_logs(level: str) -> None:
    """Log to standard error; never what is sent, for there may be a hand in it."""
    discord.utils.setup_logging(level=logging.getLevelNamesMapping()[level])
    for chatty in ("discord.http", "discord.webhook.async_", "discord.gateway", "aiosqlite"):
        logger = logging.getLogger(chatty)
        logger.setLevel(max(logging.INFO, logger.getEffectiveLevel()))
