"""Draw animations of finished matches: one at a time, and boards first.

Drawing an animation can take several seconds, so animations have a thread of their own, which
pauses between two frames while a board waits to be drawn. They are drawn in the order in which they
were requested, which is fair because no user waits for two (`bot.interactions.user_limits`).
Finished animations are cached for a while, and one that several users request is drawn once.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from typing import NamedTuple

from bot.domain.models import Match
from bot.i18n import current_language
from engine.game import PUBLIC, View
from engine.record import Record
from render import for_game
from render.renderer import Style

CACHE_BYTES = 32 * 1024 * 1024
"""Maximum total size of the cached animations, in bytes."""

CACHE_SECONDS = 3600.0
"""Seconds until a cached animation is dropped."""

BOARD_WAIT_SECONDS = 1.0
"""Maximum seconds that a frame waits for boards, so that animations finish even on a busy bot."""

Key = tuple[int, int, Style, str, tuple[str, ...]]
"""Match, lines, style, language and names: everything that an animation shows."""


class StoppedError(Exception):
    """No user is waiting for the animation any more."""


class Animation:
    """An animation that is being drawn.

    Attributes:
        viewers: number of users waiting for it.
        done: number of positions drawn so far.
        stopped: whether the drawing has to stop.
        cacheable: whether to cache it when it is finished.
    """

    def __init__(self, total: int) -> None:
        self.drawing: asyncio.Future[bytes]
        self.viewers = 0
        self.done, self.total = 0, total
        self.stopped = False
        self.cacheable = True

    @property
    def progress(self) -> float:
        """Part of the positions drawn so far."""
        return self.done / self.total


class CachedAnimation(NamedTuple):
    """A finished animation, and when it was finished."""

    gif: bytes
    at: float


class Animations:
    """Draws animations; call `close` at the end.

    Args:
        boards_idle: set while no board is waiting to be drawn.
        clock: monotonic clock in seconds.
    """

    def __init__(
        self, boards_idle: threading.Event, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._boards_idle = boards_idle
        self._clock = clock
        self._thread = ThreadPoolExecutor(1, "animations")
        self._cache: OrderedDict[Key, CachedAnimation] = OrderedDict()
        self._in_progress: dict[Key, Animation] = {}

    def cached(self, match: Match, record: Record, style: Style) -> bytes | None:
        """Return a cached animation."""
        key = _key(match, record, style)
        animation = self._cache.get(key)
        if animation is None or self._clock() - animation.at > CACHE_SECONDS:
            self._cache.pop(key, None)
            return None
        self._cache.move_to_end(key)
        return animation.gif

    def begin(self, match: Match, record: Record, style: Style) -> Animation:
        """Start an animation, or wait for one in progress; call `leave` when done."""
        key = _key(match, record, style)
        animation = self._in_progress.get(key)
        if animation is None:
            animation = self._in_progress[key] = Animation(len(record.actions) + 1)
            draw = partial(self._draw, animation, match, record, style)
            running = self._thread.submit(copy_context().run, draw)
            animation.drawing = asyncio.wrap_future(running)
            animation.drawing.add_done_callback(partial(self._finish, key))
        animation.viewers += 1
        return animation

    def leave(self, animation: Animation) -> None:
        """Stop waiting for an animation; stop drawing it once its last viewer has left."""
        animation.viewers -= 1
        if not animation.viewers:
            animation.stopped = True

    def clear_cache(self) -> None:
        """Drop all finished animations; those in progress are shown, but not cached."""
        self._cache.clear()
        for animation in self._in_progress.values():
            animation.cacheable = False

    def close(self) -> None:
        """Stop all drawing."""
        for animation in self._in_progress.values():
            animation.stopped = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _draw(self, animation: Animation, match: Match, record: Record, style: Style) -> bytes:
        """Draw an animation; this runs in the thread."""
        if animation.stopped:
            raise StoppedError
        views = self._views(animation, record)
        return for_game(match.game).animation(views, match.names, style)

    def _views(self, animation: Animation, record: Record) -> Iterator[View]:
        """Replay the match while its animation is drawn, one position in memory at a time."""
        for game, state in record.positions():
            self._boards_idle.wait(BOARD_WAIT_SECONDS)
            if animation.stopped:
                raise StoppedError
            yield game.view(state, PUBLIC)
            animation.done += 1

    def _finish(self, key: Key, drawing: asyncio.Future[bytes]) -> None:
        animation = self._in_progress.pop(key)
        if not animation.cacheable or drawing.cancelled() or drawing.exception() is not None:
            return
        self._cache[key] = CachedAnimation(drawing.result(), self._clock())
        while sum(len(animation.gif) for animation in self._cache.values()) > CACHE_BYTES:
            self._cache.popitem(last=False)


def _key(match: Match, record: Record, style: Style) -> Key:
    return match.id, len(record.actions), style, current_language(), tuple(match.names.values())
