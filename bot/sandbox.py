"""The bot on a local page: a simulated Discord with two players, and nothing that outlives it."""

from __future__ import annotations

import asyncio
import tempfile
from contextlib import suppress
from pathlib import Path
from typing import Any

import discord
import simcord

from bot.client import Starpost
from bot.run import opened
from bot.servers import Servers
from bot.storage.database import Database

LOOK = 0.5
"""Seconds between two looks for something to show."""

WELCOME = (
    "Welcome! This is the real bot on a simulated Discord. Open this page in a second tab, be "
    "**Ada** in one and **Bo** in the other (the list at the top). Then, as Ada, type `/play` and "
    "choose Bo as the opponent; `/howto` teaches a game, `/rules` explains it."
)


async def sandbox(port: int) -> None:
    """Open the page and stay until it is closed or the process is interrupted.

    Args:
        port: of the page on this machine; 0 for any free one.

    Raises:
        OSError: the port cannot be used.
    """
    with tempfile.TemporaryDirectory(prefix="starpost-") as folder:
        async with opened(f"sqlite+aiosqlite:///{Path(folder) / 'sandbox.db'}") as database:
            try:
                await _show(database, port)
            except simcord.SetupError as error:
                if isinstance(error.__cause__, OSError):
                    raise error.__cause__ from None
                raise


async def _show(database: Database, port: int) -> None:
    client = Starpost(database)
    async with simcord.run(client) as world:
        guild = world.create_guild("Starpost")
        await Servers(database).choose(guild.id, threads="off")  # the page shows one channel
        channel = guild.create_text_channel("space-games")
        players = [
            guild.add_member(world.create_user(name.lower(), global_name=name))
            for name in ("Ada", "Bo")
        ]
        await _welcome(client, channel.id)
        preview = world.preview(channel, viewers=players, layout="channel", port=port)
        async with preview as page:
            print(f"Starpost is open at {page.url}")
            print("Open it in two tabs, choose Ada in one and Bo in the other;")
            print("as Ada, type /play and choose Bo as the opponent. Ctrl+C ends it.", flush=True)
            news = asyncio.create_task(_publish(world, page), name="news")
            try:
                await page.wait_closed()
            except asyncio.CancelledError:
                print("The sandbox is closed; its matches are gone.")
            finally:
                news.cancel()


async def _welcome(client: Starpost, channel_id: int) -> None:
    """Give the bot its name, and say in the channel how to begin."""
    if client.user:
        await client.user.edit(username="Starpost")
    channel = client.get_partial_messageable(channel_id, type=discord.ChannelType.text)
    await channel.send(WELCOME)


async def _publish(world: Any, page: Any) -> None:
    """Show everybody's tabs what has come since the last look."""
    shown = 0
    while True:
        await asyncio.sleep(LOOK)
        if (requests := len(world.http_requests)) != shown:
            with suppress(simcord.SetupError):  # somebody's click is on its way: next time
                await page.refresh()
                shown = requests
