"""A bare discord.py bot that answers each click with a fixed picture: `PORT PICTURE`."""

from __future__ import annotations

import io
import sys
from pathlib import Path
from typing import Any

import discord

from tests.support.fake_discord import point_at


class Bare(discord.Client):
    """It knows one thing.

    Args:
        picture: the bytes of a PNG.
    """

    def __init__(self, picture: bytes) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self.picture = picture

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Answer with the picture, in private."""
        file = discord.File(io.BytesIO(self.picture), "board.png")
        await interaction.response.send_message(file=file, ephemeral=True)


if __name__ == "__main__":
    point_at(int(sys.argv[1]))
    Bare(Path(sys.argv[2]).read_bytes()).run("token", log_handler=None)
