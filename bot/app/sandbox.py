"""The bot on a local page: a simulated Discord with three players, and nothing that outlives it."""

from __future__ import annotations

import asyncio
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import discord
import simcord

from bot.app.run import open_database
from bot.app.simulation import PLAYERS, Simulation, simulated
from bot.domain.seating import options_for
from bot.storage.database import Database
from bot.views import ui
from bot.views.computers import play_now
from bot.views.message import layout_of
from engine import games
from engine.game import IllegalActionError

WELCOME = (
    "Welcome! This is the real bot on a simulated Discord; its matches are gone when you close it. "
    "To play against the computer, press a button below.\n\n"
    "**Together:** open this page in a second tab and be **Ada** in one and **Bo** in the other "
    "(*Viewing as*). As Ada, type `/play` with Bo as its *opponent* and press *Challenge*; Bo "
    "presses *Accept* (*Join*, if you named no opponent). A third tab is **Cy**, for {games} with "
    "three players.\n\n"
    "`/howto` teaches a game, and `/help` has the rest. If a click does nothing, click again; if "
    "the page hangs, press F5. This page has no threads, pings or other channels, and direct "
    "messages are printed in the terminal."
)

TERMINAL = """\
Starpost is open at {}
To play against the computer, press a button there. To play both sides, open it in two tabs,
choose Ada in one and Bo in the other; as Ada, type /play with Bo as its opponent and press
Challenge. If the page hangs, press F5.
Direct messages are printed here. Ctrl+C ends it."""


async def sandbox(port: int) -> None:
    """Open the page and stay until it is closed or the process is interrupted.

    Args:
        port: port of the page on this machine; 0 for any free one.

    Raises:
        OSError: the port cannot be used.
    """
    with tempfile.TemporaryDirectory(prefix="starpost-") as folder:
        async with open_database(f"sqlite+aiosqlite:///{Path(folder) / 'sandbox.db'}") as database:
            try:
                await _show(database, port)
            except simcord.SetupError as error:
                if isinstance(error.__cause__, OSError):
                    raise error.__cause__ from None
                raise


async def _show(database: Database, port: int) -> None:
    async with simulated(database) as simulation:
        await welcome(simulation)
        async with await simulation.preview(port) as page:
            print(TERMINAL.format(page.url), flush=True)
            following = asyncio.create_task(simulation.follow(page, _tell), name="follow")
            try:
                await page.wait_closed()
            except asyncio.CancelledError:
                print("The sandbox is closed; its matches are gone.")
            finally:
                following.cancel()


async def welcome(simulation: Simulation) -> None:
    """Say in the channel how to begin."""
    channel = simulation.client.get_partial_messageable(
        simulation.channel.id, type=discord.ChannelType.text
    )
    await channel.send(view=layout_of(ui.TextDisplay(welcome_text()), *play_now()))


def welcome_text() -> str:
    """Return the first message in the channel, above its buttons."""
    return WELCOME.format(games=", ".join(_titles_for(len(PLAYERS))))


def _titles_for(people: int) -> Iterator[str]:
    """Yield the title of each game for this number of players."""
    for name in games.names():
        game = games.get(name)
        with suppress(IllegalActionError):
            options_for(game, {}, people)
            yield game.title


def _tell(line: str) -> None:
    """Print a line at once, also into a pipe."""
    print(line, flush=True)
