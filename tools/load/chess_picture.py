"""Chess boards drawn with Pillow, used well: a palette, drawings made once, zlib's level 1.

The board is drawn on the ground of Wormholes, so that there is as much to compress as in Starpost's
pictures.
"""

from __future__ import annotations

import io
from functools import lru_cache
from pathlib import Path

import chess
from PIL import Image, ImageDraw, ImageFont

import render

FONT = Path(render.__file__).parent / "fonts" / "latin.otf"
GROUND = Path(render.__file__).parent / "wormholes" / "painted" / "galaxy.png"

LIGHT, INK = 90, 250
"""Entries of the palette, which is one of greys: what light squares add to the ground; texts."""

NAME_SIZE = 40


class ChessPicture:
    """Draws boards at the left of a page, and the players' names beside them.

    Args:
        width: of the page in pixels, at least its height.
    """

    def __init__(self, width: int, height: int) -> None:
        self._square = height // 8
        self._names = ImageFont.truetype(FONT, NAME_SIZE)
        self._ground = self._empty(width, height)
        self._pieces = {
            piece: self._piece(piece) for piece in map(chess.Piece.from_symbol, "PNBRQKpnbrqk")
        }

    def draw(self, board: chess.Board, names: tuple[str, str]) -> bytes:
        """Return a position as a PNG."""
        page = self._ground.copy()
        for square, piece in board.piece_map().items():
            left, top = chess.square_file(square), 7 - chess.square_rank(square)
            page.paste(*self._placed(piece, left, top))
        for number, name in enumerate((*names, "to move: " + names[not board.turn])):
            words = self._text(name)
            page.paste(INK, (8 * self._square + 20, 40 + 60 * number), words)
        out = io.BytesIO()
        page.save(out, "PNG", compress_level=1)
        return out.getvalue()

    def _placed(
        self, piece: chess.Piece, left: int, top: int
    ) -> tuple[Image.Image, tuple[int, int], Image.Image]:
        page, mask = self._pieces[piece]
        return page, (left * self._square, top * self._square), mask

    def _empty(self, width: int, height: int) -> Image.Image:
        with Image.open(GROUND) as image:
            levels = image.convert("L").resize((width, height), Image.Resampling.NEAREST)
        light = levels.point([min(level + LIGHT, 255) for level in range(256)])
        for number in range(64):
            left, top = number % 8 * self._square, number // 8 * self._square
            box = (left, top, left + self._square, top + self._square)
            if (number + number // 8) % 2:
                levels.paste(light.crop(box), box)
        page = Image.frombytes("P", levels.size, levels.tobytes())
        page.putpalette([level for level in range(256) for _ in range(3)])
        return page

    def _piece(self, piece: chess.Piece) -> tuple[Image.Image, Image.Image]:
        """Return a piece as a disc with its letter, and the mask of the disc."""
        side = self._square
        page, mask = Image.new("P", (side, side)), Image.new("1", (side, side))
        box = (side // 10, side // 10, side - side // 10, side - side // 10)
        ImageDraw.Draw(mask).ellipse(box, 1)
        body, ink = (235, 20) if piece.color else (20, 235)
        page.paste(body, (0, 0, side, side))
        letter = self._text(piece.symbol().upper(), side // 2)
        page.paste(ink, ((side - letter.width) // 2, (side - letter.height) // 2), letter)
        return page, mask

    @lru_cache(maxsize=256)  # noqa: B019 - there is one picture a process
    def _text(self, words: str, size: int = NAME_SIZE) -> Image.Image:
        """Return the mask of a text."""
        font = self._names if size == NAME_SIZE else ImageFont.truetype(FONT, size)
        left, top, right, bottom = font.getbbox(words)
        mask = Image.new("L", (round(right - left), round(bottom - top)))
        ImageDraw.Draw(mask).text((-left, -top), words, 255, font)
        return mask
