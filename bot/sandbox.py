"""The bot on a local page: a simulated Discord with two players, and nothing that outlives it."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path

import simcord

from bot.client import Starpost
from bot.run import opened
from bot.servers import Servers
from bot.storage.database import Database


async def sandbox(port: int) -> None:
    """Open the page and stay until it is closed or the process is interrupted.

    Args:
        port: of the page on this machine; 0 for any free one.
    """
    with tempfile.TemporaryDirectory(prefix="starpost-") as folder:
        async with opened(f"sqlite+aiosqlite:///{Path(folder) / 'sandbox.db'}") as database:
            await _show(database, port)


async def _show(database: Database, port: int) -> None:
    async with simcord.run(Starpost(database)) as world:
        guild = world.create_guild("Starpost")
        await Servers(database).choose(guild.id, threads="off")  # the page shows one channel
        channel = guild.create_text_channel("space-games")
        players = [
            guild.add_member(world.create_user(name.lower(), global_name=name))
            for name in ("Ada", "Bo")
        ]
        preview = world.preview(channel, viewers=players, layout="channel", port=port)
        async with preview as page:
            print(f"Starpost is open at {page.url}")
            print("Open it in two tabs, choose Ada in one and Bo in the other;")
            print("as Ada, type /play and choose Bo as the opponent. “Refresh” at the top of a tab")
            print("shows what the other one has done. Ctrl+C ends it.", flush=True)
            try:
                await page.wait_closed()
            except asyncio.CancelledError:
                print("The sandbox is closed; its matches are gone.")
