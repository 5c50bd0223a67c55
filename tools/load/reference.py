"""A well written discord.py bot that plays chess: `PORT DATABASE WIDTH HEIGHT`.

A click is a turn: the rules (python-chess), one commit to SQLite that survives a power cut, the
answer, and a new board with buttons as a new message. It reuses what Starpost reuses: uvloop, and
drawings that are made once. The picture has as many pixels as Starpost's.
"""

from __future__ import annotations

import asyncio
import io
import sqlite3
import sys
from pathlib import Path
from typing import Any

import chess
import discord
import uvloop
from discord import ui

from tests.support.fake_discord import point_at
from tools.load.chess_picture import ChessPicture

BUTTONS = 10
"""Number of moves to choose from below a board."""

SCHEMA = """
PRAGMA journal_mode=WAL;
PRAGMA synchronous=FULL;
CREATE TABLE IF NOT EXISTS matches (id INTEGER PRIMARY KEY, position TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS moves (match_id INTEGER NOT NULL, move TEXT NOT NULL);
"""


class Reference(discord.Client):
    """Each click makes a move in the match that its custom_id names."""

    def __init__(self, database: Path, picture: ChessPicture) -> None:
        super().__init__(intents=discord.Intents(guilds=True), max_messages=None)
        self._picture = picture
        self._database = sqlite3.connect(database)
        self._database.executescript(SCHEMA)

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        """Store a move, answer, and post the new board."""
        if interaction.type != discord.InteractionType.component:
            return
        data: Any = interaction.data
        number = int(data["custom_id"].split(":")[1])
        board = self._turn(number)
        await interaction.response.edit_message(view=None)
        png = await asyncio.to_thread(self._picture.draw, board, ("Ada", "Bo"))
        view = ui.View(timeout=None)
        for move in list(board.legal_moves)[:BUTTONS]:
            custom_id = f"act:{number}:{board.ply()}:{move.uci()}"
            view.add_item(ui.Button(label=board.san(move), custom_id=custom_id))
        file = discord.File(io.BytesIO(png), "board.png")
        channel: Any = interaction.channel
        await channel.send(f"{board.ply()} moves", file=file, view=view)
        view.stop()

    def _turn(self, number: int) -> chess.Board:
        """Make a legal move in a match, store it, and return the board after it."""
        with self._database as database:
            row = database.execute("SELECT position FROM matches WHERE id = ?", (number,))
            board = chess.Board(*(row.fetchone() or ()))
            if board.is_game_over():
                board = chess.Board()
            moves = list(board.legal_moves)
            move = moves[number % len(moves)]
            database.execute("INSERT INTO moves VALUES (?, ?)", (number, board.san(move)))
            board.push(move)
            database.execute("REPLACE INTO matches VALUES (?, ?)", (number, board.fen()))
        return board


def main() -> None:
    """Run the bot."""
    port, database, width, height = sys.argv[1:]
    point_at(int(port))
    client = Reference(Path(database), ChessPicture(int(width), int(height)))
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(client.start("token"))


if __name__ == "__main__":
    main()
