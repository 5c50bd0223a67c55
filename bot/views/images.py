"""Board images, drawn outside the event loop: in another process or in a thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Awaitable, Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import cache, partial
from types import MappingProxyType
from typing import NamedTuple, Protocol

from bot import metrics
from bot.discord_errors import is_about_emojis
from bot.domain.models import Perspective
from bot.rulebook import diagrams
from bot.views.choices import narrow_view
from bot.views.shortcuts import (
    decoded_shortcuts,
    encoded_shortcuts,
    may_have_shortcuts,
    quick_shortcuts_of,
)
from engine.game import Action, View
from render import for_game, pictures
from render.renderer import DEFAULT_STYLE, Names, Row, Shortcuts, Style

EmojiByName = Mapping[str, str]
"""Name of an emoji (see `Renderer.emoji_images`) → the emoji's markup."""

NO_EMOJIS: EmojiByName = MappingProxyType({})


class Drawn(NamedTuple):
    """A picture as a PNG, with its style, emojis and shortcuts.

    Attributes:
        style: style of the picture; buttons beside it are arranged to match.
        emojis: the emojis that messages may use, see `bot.app.emojis`.
        shortcuts: shortcuts to some of many choices, see `bot.views.shortcuts`.
        ghosts: the choices drawn as if they were made, see `Renderer.picture`.
    """

    png: bytes
    style: Style
    emojis: EmojiByName = NO_EMOJIS
    shortcuts: Sequence[Row] = ()
    ghosts: Sequence[Action] = ()


class Cover(NamedTuple):
    """The picture of a game, as a PNG, and its alt text."""

    png: bytes
    alt: str


class Drawing(Protocol):
    """An interface to other processes that draw."""

    def draw(
        self, work: Callable[[], bytes], waiting: int, *, takes_long: bool
    ) -> Awaitable[bytes | None]:
        """Return the result of a drawing function; None if no process can run it.

        Args:
            work: the function.
            waiting: number of pictures in progress, including this one.
            takes_long: whether one alone can keep a core busy for 0.1 s.

        Raises:
            TimeoutError: a player waits for it, and the processes are busy.
        """

    def clear_cache(self) -> None:
        """Drop cached drawings that contain names of players."""


class BoardImages:
    """Draws boards; call `close` at the end.

    Args:
        elsewhere: processes that draw; pictures that they do not draw are drawn in a thread.

    Attributes:
        emojis: the emojis that messages may use, see `bot.app.emojis`.
        idle: set while no picture is waiting to be drawn.
    """

    def __init__(self, elsewhere: Drawing | None = None) -> None:
        self._elsewhere = elsewhere
        self.emojis = NO_EMOJIS
        self.idle = threading.Event()
        self.idle.set()
        self._queued = 0
        self._thread = ThreadPoolExecutor(1, "board images")

    def needs_no_emojis(self, error: BaseException) -> bool:
        """Return whether Discord refused a message because of an emoji that can be left out."""
        return bool(self.emojis) and is_about_emojis(error)

    async def board(
        self,
        perspective: Perspective,
        style: Style = DEFAULT_STYLE,
        *,
        marked: bool = False,
        ghosts: Sequence[Action] = (),
    ) -> Drawn:
        """Return a picture of the board.

        Args:
            perspective: the match as the viewer may see it.
            marked: whether the viewer's choices are marked on it.
            ghosts: choices to draw as if they were made.
        """
        view, names = perspective.view, perspective.match.names
        actions = view.legal if marked else ()
        return await self.with_actions(view, names, style, actions, ghosts=ghosts)

    async def view(self, view: View, names: Names, style: Style = DEFAULT_STYLE) -> Drawn:
        """Return a picture of a view without a match; see `board` and `Renderer.picture`."""
        return await self.with_actions(view, names, style, ())

    async def choices(self, view: View, names: Names, style: Style, path: str) -> Drawn:
        """Return a picture with the choices that a path leads to, and shortcuts to some of them.

        Raises:
            ValueError: the path leads nowhere.
        """
        rows, ghosts = await self.shortcuts(view, path, style)
        actions = () if ghosts else narrow_view(view, path).legal
        drawn = await self.with_actions(view, names, style, actions, ghosts=ghosts)
        return drawn._replace(shortcuts=rows)

    async def with_actions(
        self,
        view: View,
        names: Names,
        style: Style,
        actions: Sequence[Action] = (),
        *,
        ghosts: Sequence[Action] = (),
    ) -> Drawn:
        """Return a picture of a view with some actions marked, see `Renderer.picture`."""
        draw = partial(for_game(view.game).picture, view, names, style, actions, ghosts=ghosts)
        return Drawn(await self.draw(draw), style, self.emojis, ghosts=ghosts)

    async def shortcuts(self, view: View, path: str, style: Style) -> Shortcuts:
        """Return the shortcuts beside a picture, or quick ones if those would be late.

        Raises:
            ValueError: the path leads nowhere.
        """
        if not may_have_shortcuts(view):
            return Shortcuts()
        work = partial(encoded_shortcuts, view, path, style)
        try:
            return decoded_shortcuts(await self.draw(work, takes_long=True))
        except TimeoutError:
            return quick_shortcuts_of(view, path, style)

    async def overlaid(self, perspective: Perspective, style: Style, name: str) -> Drawn:
        """Return a picture of the board with one of `Renderer.overlays`.

        Raises:
            ValueError: there is no overlay of this name.
        """
        draw = for_game(perspective.match.game).overlaid
        png = await self.draw(partial(draw, perspective.view, perspective.match.names, style, name))
        return Drawn(png, style, self.emojis)

    async def last_turn(self, views: Sequence[View], names: Names, style: Style) -> bytes:
        """Return an animation of the latest turn, see `Renderer.last_turn`."""
        draw = for_game(views[0].game).last_turn
        return await self.draw(partial(draw, views, names, style))

    async def thumbnail(self, perspective: Perspective, style: Style) -> bytes:
        """Return a small square picture of the board, see `render.thumbnails`."""
        names = perspective.match.names
        return await self.draw(partial(pictures.thumbnail, perspective.view, names, style))

    async def small_cover(self, game: str, theme: str) -> bytes | None:
        """Return the middle of the board on a game's cover as a small square."""
        if (diagram := diagrams.cover(game)) is None:
            return None
        return await self.draw(partial(_squared, await self.diagram(game, diagram.name, theme)))

    async def cover(self, game: str, theme: str = DEFAULT_STYLE.theme) -> Cover | None:
        """Return the picture of a game; None if its rules have no such diagram."""
        diagram = diagrams.cover(game)
        if diagram is None:
            return None
        png = await self.draw(partial(diagrams.draw_cover, game, diagram.name, theme))
        return Cover(png, diagram.alt)

    async def diagram(self, game: str, name: str, theme: str) -> bytes:
        """Return a diagram of the rules as a PNG, see `bot.rulebook.diagrams`."""
        return await self.draw(partial(diagrams.draw, game, name, theme))

    async def draw(self, work: Callable[[], bytes], *, takes_long: bool = False) -> bytes:
        """Return the result of a function of `render`, in the language of the current task.

        Args:
            work: the function; one that can be pickled.
            takes_long: see `Drawing.draw`.

        Raises:
            TimeoutError: it takes long, and a player would wait for busy processes.
        """
        self._queued += 1
        self.idle.clear()
        try:
            drawn = await self._draw_elsewhere(work, takes_long=takes_long)
            return await self._draw_in_thread(work) if drawn is None else drawn
        finally:
            self._queued -= 1
            if not self._queued:
                self.idle.set()

    async def _draw_elsewhere(self, work: Callable[[], bytes], *, takes_long: bool) -> bytes | None:
        """Return a result of another process; None if there is none, or it would be late."""
        if not self._elsewhere:
            return None
        try:
            return await self._elsewhere.draw(work, self._queued, takes_long=takes_long)
        except TimeoutError:
            if takes_long:
                raise
            return None

    async def _draw_in_thread(self, work: Callable[[], bytes]) -> bytes:
        def timed() -> bytes:
            with metrics.RENDER.time():
                return work()

        context = copy_context()
        return await asyncio.get_running_loop().run_in_executor(self._thread, context.run, timed)

    def clear_cache(self) -> None:
        """Drop cached drawings that contain names of players."""
        pictures.clear_cache()
        if self._elsewhere:
            self._elsewhere.clear_cache()

    def close(self) -> None:
        """Stop all drawing."""
        self._thread.shutdown(wait=False, cancel_futures=True)


@cache
def _squared(diagram: bytes) -> bytes:
    return pictures.squared(diagram)
