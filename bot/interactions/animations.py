"""Draw animations of finished matches: few at a time, one for each person, and boards first.

A film takes up to several seconds of computing, so it is drawn in a thread of its own, which stops
between two frames as long as a board waits to be drawn. Finished films are kept for a while, and a
film that several people ask for is drawn once.
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

from bot.i18n import current_language
from bot.interactions.replies import UserError
from bot.services.models import Match
from engine.game import PUBLIC, View
from engine.record import Record
from render import for_game
from render.i18n import _
from render.renderer import Style

MAX_FILMS_IN_PROGRESS = 4
"""Maximum number of films that are being drawn or wait for it."""

CACHE_BYTES = 32 * 1024 * 1024
"""Maximum size of all films that are kept, in bytes."""

CACHE_SECONDS = 3600.0
"""Seconds after which a film is dropped."""

BOARD_WAIT_SECONDS = 1.0
"""Maximum seconds for which a frame waits for boards, so that a film ends even on a busy bot."""

Key = tuple[int, int, Style, str, tuple[str, ...]]
"""Match, lines, style, language and names: everything that a film shows."""


class StoppedError(Exception):
    """No user waits for the film any more."""


class Animation:
    """A film that is being drawn.

    Attributes:
        drawing: becomes the GIF.
        viewers: how many people wait for it.
        done: number of positions drawn so far.
        total: number of positions.
        stopped: whether to stop drawing.
        kept: whether to keep it when it is finished.
    """

    def __init__(self, total: int) -> None:
        self.drawing: asyncio.Future[bytes]
        self.viewers = 0
        self.done, self.total = 0, total
        self.stopped = False
        self.kept = True

    @property
    def percent(self) -> int:
        """Progress in percent."""
        return 100 * self.done // self.total


class Kept(NamedTuple):
    """A finished film, and when it was finished."""

    gif: bytes
    at: float


class Animations:
    """Draws films; `close` it in the end.

    Args:
        boards_idle: set while no board waits to be drawn.
        clock: monotonic clock in seconds.
    """

    def __init__(
        self, boards_idle: threading.Event, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._boards_idle = boards_idle
        self._clock = clock
        self._thread = ThreadPoolExecutor(1, "films")
        self._kept: OrderedDict[Key, Kept] = OrderedDict()
        self._drawn: dict[Key, Animation] = {}
        self._people: set[int] = set()

    def kept(self, match: Match, record: Record, style: Style) -> bytes | None:
        """Return a film that was drawn already."""
        key = _key(match, record, style)
        found = self._kept.get(key)
        if found is None or self._clock() - found.at > CACHE_SECONDS:
            self._kept.pop(key, None)
            return None
        self._kept.move_to_end(key)
        return found.gif

    def begin(self, user_id: int, match: Match, record: Record, style: Style) -> Animation:
        """Start an animation for a user, or wait for one in progress; call `leave` when done.

        Raises:
            UserError: this user is already waiting for one, or too many are in progress.
        """
        key = _key(match, record, style)
        if user_id in self._people:
            raise UserError(
                _("I'm still drawing an animation for you; it will be ready in a moment.")
            )
        film = self._drawn.get(key)
        if film is None:
            if len(self._drawn) >= MAX_FILMS_IN_PROGRESS:
                raise UserError(
                    _("I'm drawing several animations right now; try again in a minute.")
                )
            film = self._drawn[key] = Animation(len(record.actions) + 1)
            draw = partial(self._draw, film, match, record, style)
            running = self._thread.submit(copy_context().run, draw)
            film.drawing = asyncio.wrap_future(running)
            film.drawing.add_done_callback(partial(self._finish, key))
        film.viewers += 1
        self._people.add(user_id)
        return film

    def leave(self, user_id: int, film: Animation) -> None:
        """Stop waiting for a film; it is stopped when its last viewer has left."""
        self._people.discard(user_id)
        film.viewers -= 1
        if not film.viewers:
            film.stopped = True

    def forget(self) -> None:
        """Drop all finished films, and those being drawn when they have been shown."""
        self._kept.clear()
        for film in self._drawn.values():
            film.kept = False

    def close(self) -> None:
        """Stop all drawing."""
        for film in self._drawn.values():
            film.stopped = True
        self._thread.shutdown(wait=False, cancel_futures=True)

    def _draw(self, film: Animation, match: Match, record: Record, style: Style) -> bytes:
        """Draw a film; this runs in the thread."""
        if film.stopped:
            raise StoppedError
        views = self._views(film, record)
        return for_game(match.game).animation(views, match.names, style)

    def _views(self, film: Animation, record: Record) -> Iterator[View]:
        """Replay the match while its film is drawn, one position in memory at a time."""
        for game, state in record.positions():
            self._boards_idle.wait(BOARD_WAIT_SECONDS)
            if film.stopped:
                raise StoppedError
            yield game.view(state, PUBLIC)
            film.done += 1

    def _finish(self, key: Key, drawing: asyncio.Future[bytes]) -> None:
        film = self._drawn.pop(key)
        if not film.kept or drawing.cancelled() or drawing.exception() is not None:
            return
        self._kept[key] = Kept(drawing.result(), self._clock())
        while sum(len(each.gif) for each in self._kept.values()) > CACHE_BYTES:
            self._kept.popitem(last=False)


def _key(match: Match, record: Record, style: Style) -> Key:
    return match.id, len(record.actions), style, current_language(), tuple(match.names.values())
