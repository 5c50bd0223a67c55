"""Board images: one thread draws them, beside the event loop."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from types import MappingProxyType
from typing import NamedTuple, TypeVar

from bot import metrics
from bot.rulebook import diagrams
from bot.services.models import Perspective
from engine.game import View
from render import for_game, thumbnails
from render.cards import card
from render.renderer import DEFAULT_STYLE, Names, Style

T = TypeVar("T")

EmojiByName = Mapping[str, str]
"""Name of an emoji (see `Renderer.emoji_images`) → the emoji as it stands in a text."""

NO_EMOJIS: EmojiByName = MappingProxyType({})


class Drawn(NamedTuple):
    """A picture as a PNG, and what goes with it.

    Attributes:
        png: the picture.
        style: of the picture; buttons beside it are arranged to match.
        emojis: the emojis that messages may use, see `bot.app.emojis`.
    """

    png: bytes
    style: Style
    emojis: EmojiByName = NO_EMOJIS


class Cover(NamedTuple):
    """The picture that stands for a game, as a PNG, and its alt text."""

    png: bytes
    alt: str


class BoardImages:
    """Draws boards; `close` it in the end.

    Attributes:
        emojis: the emojis that messages may use, see `bot.app.emojis`.
        idle: set while no picture waits to be drawn.
    """

    def __init__(self) -> None:
        self.emojis = NO_EMOJIS
        self.idle = threading.Event()
        self.idle.set()
        self._queued = 0
        self._thread = ThreadPoolExecutor(1, "board images")

    async def board(
        self, perspective: Perspective, style: Style = DEFAULT_STYLE, *, marked: bool = False
    ) -> Drawn:
        """Return a picture of the board.

        Args:
            perspective: as the viewer may see it.
            style: how the viewer wants it.
            marked: whether the viewer's choices are marked on it.
        """
        return await self.view(perspective.view, perspective.match.names, style, marked=marked)

    async def view(
        self, view: View, names: Names, style: Style = DEFAULT_STYLE, *, marked: bool = False
    ) -> Drawn:
        """Return a picture of a view without a match; see `board` and `Renderer.picture`."""
        actions = view.legal if marked else ()
        draw = for_game(view.game).picture
        return Drawn(await self._do(partial(draw, view, names, style, actions)), style, self.emojis)

    async def overlaid(self, perspective: Perspective, style: Style, name: str) -> Drawn:
        """Return a picture of the board with one of `Renderer.overlays`.

        Raises:
            ValueError: there is no overlay of this name.
        """
        draw = for_game(perspective.match.game).overlaid
        png = await self._do(partial(draw, perspective.view, perspective.match.names, style, name))
        return Drawn(png, style, self.emojis)

    async def thumbnail(self, perspective: Perspective, style: Style) -> bytes:
        """Return a small square picture of the board, see `render.thumbnails`."""
        names = perspective.match.names
        return await self._do(partial(thumbnails.thumbnail, perspective.view, names, style))

    async def small_cover(self, game: str, theme: str) -> bytes | None:
        """Return the middle of a game's cover as a small square."""
        found = await self.cover(game, theme)
        return None if found is None else await self._do(partial(_squared, found.png))

    async def cover(self, game: str, theme: str = DEFAULT_STYLE.theme) -> Cover | None:
        """Return the picture that stands for a game; None if its rules have no such diagram."""
        found = diagrams.cover(game)
        return found and Cover(await self.diagram(game, found.name, theme), found.alt)

    async def diagram(self, game: str, name: str, theme: str) -> bytes:
        """Return a diagram of the rules as a PNG, see `bot.rulebook.diagrams`."""
        return await self._do(partial(diagrams.draw, game, name, theme))

    async def _do(self, work: Callable[[], T]) -> T:
        """Draw in the thread, in the language of the current task."""

        def timed() -> T:
            with metrics.RENDER.time():
                return work()

        here = copy_context()
        self._queued += 1
        self.idle.clear()
        try:
            drawing = asyncio.get_running_loop().run_in_executor(self._thread, here.run, timed)
            return await drawing
        finally:
            self._queued -= 1
            if not self._queued:
                self.idle.set()

    def clear_cache(self) -> None:
        """Drop cached drawings that contain names of players."""
        card.cache_clear()

    def close(self) -> None:
        """Stop all drawing."""
        self._thread.shutdown(wait=False, cancel_futures=True)


@cache
def _squared(cover: bytes) -> bytes:
    return thumbnails.squared(cover)
